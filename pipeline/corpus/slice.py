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
from typing import TYPE_CHECKING, Any

from pipeline.corpus import families
from pipeline.corpus.normalise import normalise, sha256, span_key
from pipeline.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

ALL = "all"
LIBRARY, QUERIES = "library", "queries"
SPAN_COLUMNS = ("span_id", "title", "start", "end", "text", "sha256", "categories", "family", "split")


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


def slice_contracts(contracts: pd.DataFrame, seed: int, holdout: float, near_duplicate: float) -> pd.DataFrame:
    """Columns title, company, family, split; one row a contract, sorted by title."""
    import pandas as pd

    titles = contracts["title"].tolist()
    companies = {title: families.company(title) for title in titles}
    found = families.near_duplicates(families.shingles(contracts["text"].tolist()), near_duplicate)
    family = families.assign(companies, [(titles[i], titles[j]) for i, j, _ in found])
    rows = [(t, companies[t], family[t], split_of(family[t], seed, holdout)) for t in sorted(titles)]
    return pd.DataFrame(rows, columns=["title", "company", "family", "split"]).astype(str)


def slice_spans(
    contracts: pd.DataFrame, spans: pd.DataFrame, sliced: pd.DataFrame, categories: Sequence[str]
) -> tuple[pd.DataFrame, pd.DataFrame, dict[str, int]]:
    """The chosen spans, the negatives (both ``SPAN_COLUMNS``, sorted by title, start, end), counts.

    ``contracts`` and ``spans`` are the corpus's tables, ``sliced`` comes from ``slice_contracts``.
    """
    texts = dict(zip(contracts["title"], contracts["text"], strict=True))
    chosen: dict[tuple[str, int, int], list[str]] = {}
    others: dict[tuple[str, int, int], list[str]] = {}
    for title, category, start, end in spans[["title", "category", "start", "end"]].itertuples(index=False):
        (chosen if category in categories else others).setdefault((title, start, end), []).append(category)

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


def summary(
    contracts: pd.DataFrame, spans: pd.DataFrame, negatives: pd.DataFrame, dropped: dict[str, int]
) -> dict[str, Any]:
    """The counts of metrics/slice.json. A ``label`` is a (span, category) pair; ``twins`` are
    queries whose words stand in the library as well, under another family."""
    sets = Counter(" + ".join(categories) for categories in spans["categories"])
    library, queries = spans[spans["split"] == LIBRARY], spans[spans["split"] == QUERIES]
    words = set(library["text"].map(normalise))
    return {
        "contracts": len(contracts),
        "families": contracts["family"].nunique(),
        "spans": {
            "distinct": len(spans),
            "labels": _labels(spans),
            "families": spans["family"].nunique(),
            "by_category_set": dict(sorted(sets.items())),
        },
        "split": {
            name: {
                "families": part["family"].nunique(),
                "spans": len(part),
                "labels": _labels(part),
                "contracts": part["title"].nunique(),
            }
            for name, part in ((LIBRARY, library), (QUERIES, queries))
        },
        "twins": int(queries["text"].map(normalise).isin(words).sum()),
        "negatives": {
            "distinct": len(negatives),
            "labels": _labels(negatives),
            "families": negatives["family"].nunique(),
            **{f"dropped_{why}": n for why, n in dropped.items()},
        },
    }


def _labels(spans: pd.DataFrame) -> int:
    return sum(len(categories) for categories in spans["categories"])


def _overlaps(a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether the two share more than half of the shorter one."""
    shared = min(a[1], b[1]) - max(a[0], b[0])
    return 2 * shared > min(a[1] - a[0], b[1] - b[0])


def _table(spans: dict[tuple[str, int, int], list[str]], texts: dict[str, str], sliced: pd.DataFrame) -> pd.DataFrame:
    import pandas as pd

    place = {row.title: (row.family, row.split) for row in sliced.itertuples()}
    rows = []
    for title, start, end in sorted(spans):
        text = texts[title][start:end]
        span_id = f"s{span_key(title, start, end)}"
        categories = sorted(set(spans[title, start, end]))
        rows.append((span_id, title, start, end, text, sha256(text), categories, *place[title]))
    return typed(pd.DataFrame(rows, columns=list(SPAN_COLUMNS)))


def typed(table: pd.DataFrame) -> pd.DataFrame:
    """The columns' types made explicit, so that an empty table has them as well."""
    import pandas as pd
    import pyarrow as pa

    numbers, lists = {"start", "end", "n_tokens"}, {"categories"}
    strings = pd.ArrowDtype(pa.list_(pa.string()))
    types = {c: "int64" if c in numbers else strings if c in lists else str for c in table.columns}
    return table.astype(types)
