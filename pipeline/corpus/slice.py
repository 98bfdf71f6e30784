"""The spans of the chosen categories, the negatives, and the split into library and queries.

A span is (title, start, end) with a set of categories. It belongs to the slice if any of its
categories is chosen, and then shows the chosen ones only. Every other span of the corpus is a
negative, unless it is the same clause after all: a span with the words of a chosen span, or one
that overlaps a chosen span of its contract by more than half of either, is dropped and counted.
"""

from __future__ import annotations

import difflib
import hashlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

from pipeline.base.errors import UsageError
from pipeline.base.parallel import spread, workers_for
from pipeline.base.records import Rows
from pipeline.corpus import families
from pipeline.corpus.normalise import normalise, sha256, span_key

ALL = "all"
LIBRARY, QUERIES = "library", "queries"
#: The columns of the derived tables and their types (``records.write_rows``).
CONTRACT_COLUMNS = {"title": "string", "company": "string", "family": "string", "split": "string"}
SPAN_COLUMNS = {
    "span_id": "string",
    "title": "string",
    "start": "int64",
    "end": "int64",
    "text": "string",
    "sha256": "string",
    "categories": "strings",
    "family": "string",
    "split": "string",
}


def choose_categories(wanted: Sequence[str], known: Sequence[str]) -> list[str]:
    """``wanted`` sorted, ``["all"]`` as every known category; an unknown name is a ``UsageError``."""
    known = sorted(set(known))
    if list(wanted) == [ALL]:
        return known
    for name in wanted:
        if name not in known:
            folded = {category.casefold(): category for category in known}
            near = difflib.get_close_matches(name.casefold(), folded, n=3, cutoff=0.4)
            # A part of the name finds it as well: `liability` is near to nothing by letters.
            near += [key for key in folded if name.casefold() in key and key not in near]
            hint = ", ".join(repr(folded[key]) for key in near) or ", ".join(known)
            raise UsageError(f"slice.categories: no category {name!r} in this corpus", f"near names: {hint}")
    if not wanted:
        raise UsageError("slice.categories: empty", f"name some, or [{ALL}]")
    return sorted(set(wanted))


def split_of(family: str, seed: int, holdout: float) -> str:
    """``queries`` for a share ``holdout`` of families, by a hash of seed and family alone.

    Neither the order nor the presence of other families moves it; a larger ``holdout`` only adds.
    """
    digest = hashlib.sha256(f"{seed}\0{family}".encode()).digest()
    return QUERIES if int.from_bytes(digest[:7], "big") / 2**56 < holdout else LIBRARY


def slice_contracts(contracts: Rows, seed: int, holdout: float, near_duplicate: float) -> Rows:
    """``CONTRACT_COLUMNS``; one row a contract, sorted by title."""
    titles = [contract["title"] for contract in contracts]
    companies = {title: families.company(title) for title in titles}
    texts = [contract["text"] for contract in contracts]
    shingles = spread(families.shingles, texts, workers_for())
    found = families.near_duplicates(shingles, near_duplicate)
    family = families.assign(companies, [(titles[i], titles[j]) for i, j, _ in found])
    return [
        {
            "title": title,
            "company": companies[title],
            "family": family[title],
            "split": split_of(family[title], seed, holdout),
        }
        for title in sorted(titles)
    ]


def slice_spans(
    contracts: Rows, spans: Rows, sliced: Rows, categories: Sequence[str]
) -> tuple[Rows, Rows, dict[str, int]]:
    """The chosen spans, the negatives (both ``SPAN_COLUMNS``, sorted by title, start, end), counts.

    ``contracts`` and ``spans`` are the corpus's tables, ``sliced`` comes from ``slice_contracts``.
    """
    texts = {contract["title"]: contract["text"] for contract in contracts}
    chosen: dict[tuple[str, int, int], list[str]] = {}
    others: dict[tuple[str, int, int], list[str]] = {}
    for span in spans:
        key, category = (span["title"], span["start"], span["end"]), span["category"]
        (chosen if category in categories else others).setdefault(key, []).append(category)

    words = {normalise(texts[title][start:end]) for title, start, end in chosen}
    by_title: dict[str, list[tuple[int, int]]] = {}
    for title, start, end in chosen:
        by_title.setdefault(title, []).append((start, end))
    counts = {"same_span": 0, "same_text": 0, "overlap": 0}
    negatives: dict[tuple[str, int, int], list[str]] = {}
    for key, names in others.items():
        title, start, end = key
        if key in chosen:
            counts["same_span"] += 1
        elif normalise(texts[title][start:end]) in words:
            counts["same_text"] += 1
        elif any(_overlaps((start, end), other) for other in by_title.get(title, ())):
            counts["overlap"] += 1
        else:
            negatives[key] = names
    return _table(chosen, texts, sliced), _table(negatives, texts, sliced), counts


def summary(contracts: Rows, spans: Rows, negatives: Rows, dropped: dict[str, int]) -> dict[str, Any]:
    """The counts of metrics/slice.json. A ``label`` is a (span, category) pair; ``twins`` are
    queries whose words stand in the library as well, under another family."""
    sides = {name: [span for span in spans if span["split"] == name] for name in (LIBRARY, QUERIES)}
    words = {normalise(span["text"]) for span in sides[LIBRARY]}
    return {
        "contracts": len(contracts),
        "families": _distinct(contracts, "family"),
        "spans": {
            "distinct": len(spans),
            "labels": _labels(spans),
            "families": _distinct(spans, "family"),
            "by_category_set": dict(sorted(Counter(" + ".join(span["categories"]) for span in spans).items())),
        },
        "split": {
            name: {
                "families": _distinct(part, "family"),
                "spans": len(part),
                "labels": _labels(part),
                "contracts": _distinct(part, "title"),
            }
            for name, part in sides.items()
        },
        "twins": sum(normalise(span["text"]) in words for span in sides[QUERIES]),
        "negatives": {
            "distinct": len(negatives),
            "labels": _labels(negatives),
            "families": _distinct(negatives, "family"),
            **{f"dropped_{why}": n for why, n in dropped.items()},
        },
    }


def _labels(spans: Rows) -> int:
    return sum(len(span["categories"]) for span in spans)


def _distinct(rows: Rows, column: str) -> int:
    return len({row[column] for row in rows})


def _overlaps(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether the two share more than half of the shorter one."""
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return 2 * shared > min(a[1] - a[0], b[1] - b[0])


def _table(spans: dict[tuple[str, int, int], list[str]], texts: dict[str, str], sliced: Rows) -> Rows:
    place = {row["title"]: {"family": row["family"], "split": row["split"]} for row in sliced}
    rows = []
    for title, start, end in sorted(spans):
        text = texts[title][start:end]
        rows.append(
            {
                "span_id": f"s{span_key(title, start, end)}",
                "title": title,
                "start": start,
                "end": end,
                "text": text,
                "sha256": sha256(text),
                "categories": sorted(set(spans[title, start, end])),
                **place[title],
            }
        )
    return rows
