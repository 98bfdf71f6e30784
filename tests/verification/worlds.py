"""Small worlds for the engine's tests, all words written for them: contracts, audits, a memo, Swiss sources."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from pipeline.report.memo import memo

ROOT = Path(__file__).resolve().parents[2]
STANDARD_P1 = "the limit, exclusion or carve-out binds or protects both parties, or names neither of them"

#: item -> (clause, verdict, band, claims on the clause, (position, level) of the standard, chunk, claim on the chunk)
#: The fields of a verdict, exactly these and in this order.
FIELDS = [
    "pass",
    "score",
    "iteration",
    "evaluator_role",
    "worker_role",
    "goal_id",
    "findings",
    "summary",
    "residual_count",
]
CLAUSES = {
    "T01": (
        "Neither party shall be liable to the other for any indirect or consequential "
        "loss arising under this Agreement."
    ),
    "T02": (
        "The Supplier's total liability shall not exceed the fees paid by the Customer "
        "in the twelve (12) months before "
        "the claim, except in cases of fraud."
    ),
    "T03": "In no event will either party's liability exceed 150,000 dollars, save for breach of confidentiality.",
    "T04": "Licensor shall not be liable for any special damages. The only remedy is repair of the unit.",
    "T05": (
        "Each party's liability under this order is limited to two times the fees payable in the preceding 24 months."
    ),
    "T06": "The parties agree that the schedule of deliveries may be changed by written notice.",
}
CHUNKS = {
    "c000000000001": "Neither party is liable for incidental, indirect or punitive damages of the other party.",
    "c000000000002": "Vendor's liability shall be limited to the fees received in the six (6) months before the event.",
    "c000000000003": "Either party's aggregate liability is capped at 2,000,000 dollars except for gross negligence.",
    "c000000000004": "The Distributor is not liable for lost profits; the Manufacturer bears every other risk.",
    "c000000000005": "Under no circumstances shall both parties together owe more than 90,000 dollars.",
    "c000000000009": "This chunk was never retrieved for anything, although either party could have asked for it.",
}
CLAIMS = {
    "T01": [
        ("P1 meets: the clause binds both sides alike, in the words “Neither party”.", "clause"),
        (
            "P4 meets: indirect loss is excluded for both sides, in the words “indirect or consequential loss”.",
            "clause",
        ),
        (f"The standard's level meets of P1 reads “{STANDARD_P1}”.", "standard"),
        (
            (
                "The cited clause stands the same, P1 meets: the clause binds both sides "
                "alike, in the words “Neither party”."
            ),
            "c000000000001",
        ),
    ],
    "T02": [
        ("P1 departs: the clause speaks of one party only, in the words “The Supplier's total liability”.", "clause"),
        (
            (
                "P2 meets: the ceiling can be computed, from the words “fees paid by the "
                "Customer in the twelve (12) months”."
            ),
            "clause",
        ),
        ("P6 meets: its exceptions stay within the permitted list, in the words “except in cases of fraud”.", "clause"),
        (
            "The cited clause stands the same, P1 departs: the clause speaks of one party only, in the words "
            "“Vendor's liability”.",
            "c000000000002",
        ),
    ],
    "T03": [
        ("P1 meets: the clause binds both sides alike, in the words “either party's liability”.", "clause"),
        ("P2 meets: the ceiling is a stated sum, in the words “150,000 dollars”.", "clause"),
        (
            (
                "P6 meets: its exceptions stay within the permitted list, in the words "
                "“save for breach of confidentiality”."
            ),
            "clause",
        ),
        ("The liability of either party will not exceed 150,000 dollars.", "clause"),
        (
            (
                "The cited clause stands the same, P1 meets: the clause binds both sides "
                "alike, in the words “Either party's "
                "aggregate liability”."
            ),
            "c000000000003",
        ),
    ],
    "T04": [
        ("P1 departs: the clause speaks of one party only, in the words “Licensor”.", "clause"),
        ("P2 departs: the remedy is narrowed to “repair of the unit”.", "clause"),
        ("The Licensor is not liable for special damages.", "clause"),
        (
            "The cited clause stands the same, P1 departs: the clause speaks of one party only, in the words "
            "“The Distributor”.",
            "c000000000004",
        ),
    ],
    "T05": [
        ("P1 meets: the clause binds both sides alike, in the words “Each party's liability”.", "clause"),
        (
            (
                "P3 meets: the ceiling lies within the range of the standard, in the words "
                "“two times the fees payable in the "
                "preceding 24 months”."
            ),
            "clause",
        ),
        (
            (
                "The cited clause stands the same, P1 meets: the clause binds both sides "
                "alike, in the words “both parties”."
            ),
            "c000000000005",
        ),
    ],
}
VERDICTS = {
    "T01": ("acceptable", "low"),
    "T02": ("risky", "medium"),
    "T03": ("acceptable", "low"),
    "T04": ("risky", "medium"),
    "T05": ("acceptable", "low"),
    "T06": ("insufficient-grounding", "medium"),
}
RETRIEVED = {
    "T01": ["c000000000001", "c000000000003"],
    "T02": ["c000000000002", "c000000000004"],
    "T03": ["c000000000003", "c000000000005"],
    "T04": ["c000000000004", "c000000000002"],
    "T05": ["c000000000005", "c000000000001"],
    "T06": ["c000000000002"],
}


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def audit_rows() -> list[dict]:
    rows = []
    for number, (item, clause) in enumerate(CLAUSES.items()):
        start = len(_before(number))
        claims = [{"text": text, "against": against} for text, against in CLAIMS.get(item, [])]
        rows.append(
            {
                "item_id": item,
                "title": f"Harbour Works {number} Services Agreement",
                "start": start,
                "end": start + len(clause),
                "sha256": sha(clause),
                "evidence": [
                    {"chunk_id": c, "score": 0.5, "rank": rank} for rank, c in enumerate(RETRIEVED[item], start=1)
                ],
                "answer": {"verdict": VERDICTS[item][0], "claims": claims, "chunk_id": None},
            }
        )
    return rows


def _before(number: int) -> str:
    return f"{number}. LIMITATION. "


def outcome_rows() -> list[dict]:
    rows = []
    for row in audit_rows():
        verdict, band = VERDICTS[row["item_id"]]
        answered = verdict != "insufficient-grounding"
        rows.append(
            {
                **{key: row[key] for key in ("item_id", "title", "start", "end")},
                "outcome": "answered" if answered else "justified_abstention",
                "verdict": verdict,
                "band": band,
                "failure_cause": "none" if answered else "auditor_abstained",
            }
        )
    return rows


def memo_text() -> str:
    return memo(outcome_rows(), audit_rows(), {"goal_id": "audit-memo", "source": "test", "auditor": "a", "judge": "b"})


def memo_goal(**changes) -> dict:
    goal = yaml.safe_load((ROOT / "conf/goals/audit-memo.yaml").read_text(encoding="utf-8"))
    return {**goal, **changes}


def memo_world(folder: Path) -> Path:
    """Everything that stage verify reads, under ``folder``."""
    rows = audit_rows()
    contracts = [(r["title"], _before(n) + CLAUSES[r["item_id"]] + " END.") for n, r in enumerate(rows)]
    table(folder / "data/raw/contracts.parquet", title=[c[0] for c in contracts], text=[c[1] for c in contracts])
    table(
        folder / "data/chunks/chunks.parquet",
        chunk_id=list(CHUNKS),
        title=[f"Quarry {n} Supply Agreement" for n in range(len(CHUNKS))],
        text=list(CHUNKS.values()),
    )
    jsonl(folder / "data/verdicts/verdicts.jsonl", rows)
    outcomes = outcome_rows()
    table(folder / "data/verdicts/outcomes.parquet", **{k: [o[k] for o in outcomes] for k in outcomes[0]})
    shutil.copytree(ROOT / "data/standard", folder / "data/standard")
    write(folder / "data/report/memo.md", memo_text())
    write(folder / "conf/goals/audit-memo.yaml", yaml.safe_dump(memo_goal()))
    return folder


def table(path: Path, **columns) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path)


def jsonl(path: Path, rows: list[dict]) -> None:
    write(path, "".join(json.dumps(row) + "\n" for row in rows))


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# --- Swiss sources: invented decisions, articles and notes, in the form in which real ones are cited ---

SOURCES = {
    "bge_148_iii_215.md": """---
title: Entscheid zur Freizeichnung
citations: ["BGE 148 III 215"]
date: 2022-03-10
---
# BGE 148 III 215

## E. 3

### E. 3.1

Die Parteien stritten über die Haftung für einen Lagerschaden.

### E. 3.2

Eine Klausel, welche die Haftung für grobe Fahrlässigkeit im Voraus wegbedingt, ist nichtig.

## S. 217

Die Vorinstanz hat den Vertrag nach dem Vertrauensprinzip ausgelegt.
""",
    "or_100.md": """---
title: Obligationenrecht, Wegbedingung der Haftung (nacherzählt)
citations: ["Art. 100 OR"]
---
## Abs. 1

Nichtig ist jede im Voraus getroffene Abrede, welche die Haftung für Absicht oder grobe Fahrlässigkeit ausschliesst.

## Abs. 2

Auch ein Verzicht, der nur leichtes Verschulden betrifft, kann vor Gericht scheitern.
""",
    "urteil.md": """---
title: Urteil zur Verjährung
citations: ["4A_123/2020"]
date: 2021-03-03
---
## E. 4

Die Verjährung der Forderung beginnt mit der Fälligkeit und dauert zehn Jahre.
""",
    "kommentar.md": """---
title: Kommentierung der Freizeichnung
citations: ["BSK OR I-Muster, Art. 100"]
---
## N 4

Die Wegbedingung der Haftung für leichte Fahrlässigkeit bleibt zulässig.
""",
}


def swiss_folder(folder: Path) -> Path:
    for name, text in SOURCES.items():
        write(folder / name, text)
    return folder


SWISS_KEYS = ["BGE 148 III 215", "Art. 100 OR", "4A_123/2020", "BSK OR I-Muster, Art. 100"]

LEGAL_MEMO = """---
form: legal-memo
---
# Gutachten

## Analyse

Eine Klausel, welche die Haftung für grobe Fahrlässigkeit im Voraus wegbedingt, ist nichtig (BGE 148 III 215 E. 3.2).
Nach Art. 100 Abs. 1 OR ist eine im Voraus getroffene Abrede nichtig, welche die Haftung für Absicht ausschliesst.
Die Verjährung der Forderung «beginnt mit der Fälligkeit» und dauert zehn Jahre
(Urteil 4A_123/2020 vom 3. März 2021 E. 4).
Zulässig bleibt die Wegbedingung der Haftung für leichte Fahrlässigkeit (BSK OR I-Muster, Art. 100 N 4).
"""


def legal_goal(**changes) -> dict:
    goal = {
        "goal_id": "gutachten",
        "artifact": "out/memo.md",
        "profile": "citations-clean",
        "worker": {"role": "writer", "command": "writer-program"},
        "evaluator": {"role": "checker"},
        "sources": [{"kind": "folder", "path": "sources"}],
        "retrieval_log": ["log.jsonl"],
        "settings": {"form": "legal-memo", "required_sections": ["Analyse"]},
    }
    return {**goal, **changes}


def legal_world(folder: Path, text: str = LEGAL_MEMO, **changes) -> Path:
    swiss_folder(folder / "sources")
    jsonl(folder / "log.jsonl", [{"query": "Freizeichnung", "results": SWISS_KEYS}])
    write(folder / "out/memo.md", text)
    write(folder / "goal.yaml", yaml.safe_dump(legal_goal(**changes), allow_unicode=True))
    return folder
