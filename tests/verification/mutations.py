"""Ways to falsify an audit memo, each applied wherever it fits: (name, falsified memo).

``SUBSTANCE``: falsehoods that the citation gate, R1, R2 and the review have to see from memo and sources alone.
``record_mutants``: falsehoods that may be plausible by themselves and disagree with the record of the run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

BULLET = re.compile(r"^- (?P<text>.+) \[(?P<kind>clause|chunk|standard):(?P<id>[^\]]+)\]$")
QUOTE = re.compile("“([^”]+)”")
Edit = Callable[[re.Match[str], list[re.Match[str]]], str | None]


def _line(text: str, kind: str, name: str) -> str:
    return f"- {text} [{kind}:{name}]"


def _in_quote(change: Callable[[str], str | None]) -> Edit:
    def edit(match: re.Match[str], everything: list[re.Match[str]]) -> str | None:  # noqa: ARG001
        quote = QUOTE.search(match["text"])
        changed = quote and change(quote[1])
        if not changed or changed == quote[1]:
            return None
        text = match["text"].replace(f"“{quote[1]}”", f"“{changed}”")
        return _line(text, match["kind"], match["id"])

    return edit


def _in_words(old: str, new: str) -> Edit:
    """Outside quotations."""

    def edit(match: re.Match[str], everything: list[re.Match[str]]) -> str | None:  # noqa: ARG001
        parts = re.split("(“[^”]*”)", match["text"])
        changed = [p if p.startswith("“") else re.sub(old, new, p, count=1) for p in parts]
        return None if changed == parts else _line("".join(changed), match["kind"], match["id"])

    return edit


def _swapped_party(words: str) -> str | None:
    pairs = {
        "neither": "either",
        "either": "neither",
        "each": "no",
        "supplier": "customer",
        "vendor": "buyer",
        "licensor": "licensee",
        "distributor": "manufacturer",
        "both": "no",
        "no": "each",
        "customer": "supplier",
    }
    for word, other in pairs.items():
        found = re.search(rf"\b{word}\b", words, re.IGNORECASE)
        if found:
            other = other.upper() if found[0].isupper() else other.capitalize() if found[0][0].isupper() else other
            return words[: found.start()] + other + words[found.end() :]
    return None


def _other_number(words: str) -> str | None:
    found = re.search(r"\d+", words)
    return words[: found.start()] + str(int(found[0]) + 1) + words[found.end() :] if found else None


def _moved(match: re.Match[str], everything: list[re.Match[str]]) -> str | None:
    """The statement gets the citation of another one, whose text does not hold its words."""
    other = next((m for m in everything if m["kind"] != match["kind"]), None)
    return other and _line(match["text"], other["kind"], other["id"])


def _elsewhere(kind: str) -> Edit:
    """The same kind of citation, of another item."""

    def edit(match: re.Match[str], everything: list[re.Match[str]]) -> str | None:
        other = next((m for m in everything if m["kind"] == kind and m["id"] != match["id"]), None)
        return _line(match["text"], kind, other["id"]) if other and match["kind"] == kind else None

    return edit


def _citation(change: Callable[[re.Match[str]], str | None]) -> Edit:
    def edit(match: re.Match[str], everything: list[re.Match[str]]) -> str | None:  # noqa: ARG001
        changed = change(match)
        return None if changed is None else f"- {match['text']}{changed}"

    return edit


_NEGATE = (
    r"\b(binds|is excluded|are|can be|lies|stay|excludes|is narrowed|rests|is a|names|is left"
    r"|carries|reaches|speaks|exposes|serves)\b"
)
SUBSTANCE: dict[str, Edit] = {
    "quotation: a word added": _in_quote(lambda w: w + " whatsoever"),
    "quotation: last word dropped and another put": _in_quote(lambda w: w.rsplit(" ", 1)[0] + " thing"),
    "quotation: case changed": _in_quote(lambda w: w.swapcase()),
    "quotation: a letter changed": _in_quote(lambda w: w[:-1] + ("x" if w[-1] != "x" else "y")),
    "quotation: cut inside a word": _in_quote(lambda w: w[:-1] if len(w) > 4 and w[-2:].isalpha() else None),
    "quotation: emptied": _in_quote(lambda w: " "),  # noqa: ARG005
    "quotation: party swapped": _in_quote(_swapped_party),
    "quotation: number changed": _in_quote(_other_number),
    "quotation: closing mark lost": lambda m, _: (
        _line(m["text"].replace("”", ""), m["kind"], m["id"]) if "”" in m["text"] else None
    ),
    "id invented": _citation(lambda m: f" [{m['kind']}:{m['id'][:-2]}zz]"),
    "id of a chunk nobody retrieved": _citation(lambda m: " [chunk:c000000000009]" if m["kind"] == "chunk" else None),
    "citation of the wrong kind": _moved,
    "clause of another item": _elsewhere("clause"),
    "evidence of another item": _elsewhere("chunk"),
    "citation deleted": _citation(lambda m: ""),  # noqa: ARG005
    "citation malformed": _citation(lambda m: f" [{m['kind']} {m['id']}]"),
    "citation left open": _citation(lambda m: f" [{m['kind']}:{m['id']}"),
    "citation in code": _citation(lambda m: f" `[{m['kind']}:{m['id']}]`"),
    "citation in a comment": _citation(lambda m: f" <!-- [{m['kind']}:{m['id']}] -->"),
    "negation put in": _in_words(_NEGATE, r"\1 not"),
    "both made one": _in_words(r"both sides alike", "one party only"),
    "one made both": _in_words(r"one party only", "both sides alike"),
    "within made outside": _in_words(r"within", "outside"),
    "level flipped": _in_words(r"\bmeets\b", "departs"),
    "level flipped back": _in_words(r"\bdeparts\b", "meets"),
    "position changed": _in_words(r"\bP1\b", "P6"),
    "number put in": _in_words(r"\.$", ", for 37 months."),
    "party put in": _in_words(r"\.$", ", at the cost of the franchisee."),
    "negation in a plain sentence": _in_words(r"\bis not liable\b", "is liable"),
    "number in a plain sentence": _in_words(r"\b150,000\b", "250,000"),
    "party in a plain sentence": _in_words(r"^The Licensor\b", "The Licensee"),
    "limit turned round": _in_words(r"will not exceed", "will exceed"),
}


def mutants(memo: str, limit: int = 3) -> Iterator[tuple[str, str]]:
    """Each substantive falsification at up to ``limit`` places of ``memo``, spread over it."""
    lines = memo.split("\n")
    bullets = [(i, m) for i, line in enumerate(lines) if (m := BULLET.match(line))]
    everything = [m for _, m in bullets]
    for name, edit in SUBSTANCE.items():
        made = []
        for index, match in bullets:
            changed = edit(match, everything)
            if changed is not None and changed != lines[index]:
                made.append((name, "\n".join([*lines[:index], changed, *lines[index + 1 :]])))
        step = max(1, len(made) // limit)
        yield from made[::step][:limit]


def record_mutants(memo: str) -> Iterator[tuple[str, str]]:
    """Falsifications that only the record shows: verdicts, bands, counts, items, missing or added statements."""
    lines = memo.split("\n")

    def edited(old: str, new: str, count: int = 1) -> str:
        return re.sub(old, new, memo, count=count, flags=re.MULTILINE)

    yield "verdict made better", edited(r"Verdict: \*\*risky\*\* \(band medium\)", "Verdict: **acceptable** (band low)")
    yield "verdict made worse", edited(r"Verdict: \*\*acceptable\*\* \(band low\)", "Verdict: **risky** (band medium)")
    yield "band lowered", edited(r"\(band medium\)", "(band low)")
    yield "count of the answered changed", edited(r"(\d+) answered", "99 answered")
    yield "heading with another contract", edited(r"^### (\S+): \S+", r"### \1: Elsewhere")
    yield "heading with other offsets", edited(r"\[\d+, ", "[999999, ")
    first = next(i for i, line in enumerate(lines) if BULLET.match(line))
    yield "statement left out", "\n".join(lines[:first] + lines[first + 1 :])
    yield "statement twice", "\n".join(lines[: first + 1] + lines[first:])
    silent = next(i for i, line in enumerate(lines) if line.startswith("- ") and ", cause " in line)
    yield "abstention left out", "\n".join(lines[:silent] + lines[silent + 1 :])
    yield "cause changed", edited(r", cause \w+\.", ", cause infra_timeout.")
    yield "abstention told as infra", edited(r": insufficient-grounding, cause", ": escalate-infra, cause")
    yield "a sentence in the summary", edited(r"^(\d+ clauses were audited.*)$", r"\1\n\nEvery clause is acceptable.")
    yield "a sentence before the summary", edited(r"^## Summary$", "Every clause is acceptable.\n\n## Summary")
    yield "a bullet before the summary", edited(r"^## Summary$", "- Nothing was found.\n\n## Summary")
    yield "a section of its own", memo + "\n## Conclusion\n\nSign it.\n"
    yield "another goal", edited(r"^goal_id: audit-memo$", "goal_id: another")
    yield "a loose sentence in the findings", edited(r"^## Findings$", "## Findings\n\nAll is well.")
    heads = [i for i, line in enumerate(lines) if line.startswith("### ")]
    end = heads[1] if len(heads) > 1 else lines.index("## Not answered")
    yield "an item left out", "\n".join(lines[: heads[0]] + lines[end:])
    yield "an item twice", "\n".join(lines[:end] + lines[heads[0] : end] + lines[end:])
    yield "section renamed", edited(r"^## Findings$", "## Remarks")
    yield (
        "section emptied",
        "\n".join(lines[: lines.index("## Findings") + 1] + lines[lines.index("## Not answered") :]),
    )
    yield "another form", edited(r"^form: audit-memo$", "form: letter")
    yield "no front matter", memo.split("---\n", 2)[2]
