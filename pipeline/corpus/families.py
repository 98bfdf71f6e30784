"""Contract families: contracts of one company, or near-duplicates of each other.

Evidence and split go by family, so that no clause is ever judged by a copy of itself. Joining too
much costs a little data; joining too little leaks: in doubt the rules join.

Companies come from the titles, which CUAD builds from the filing (``FOO,INC_06_02_2020-EX-10.7-...``,
``FooInc_20171120_8-K_EX-10.1_...``) or from the parties (``Foo, Inc. - Supply Agreement``). Filing
names differ in case, punctuation and legal form and are cut off at some length, hence the two keys
of :func:`company_keys`. Near-duplicates: candidate pairs by MinHash, each then decided by the exact
Jaccard similarity of the sets of five-word shingles.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

SHINGLE_WORDS = 5
PERMUTATIONS = 512
#: The largest share of pairs right at the threshold that MinHash may fail to propose.
MISSED = 0.001
#: Companies whose names agree this far are one: long names are cut and continued differently.
PREFIX = 14

_FILED = re.compile(r"_(?:\d{8}|\d{2}_\d{2}_\d{4})(?=[_\-. ]|$)")
_DASH = re.compile(r"\s+[-–—]\s+")
_FORMS = "incorporated|inc|corporation|corp|company|co|limited|ltd|llc|lllp|llp|lp|plc|ag|nv|bv|sa|se"
_FORM = re.compile(rf"(?:{_FORMS})$")
# `Foo Technologies, Inc.SUPPORT AND MAINTENANCE AGREEMENT`: the kind of agreement is glued on.
_GLUED = re.compile(r"\b(Inc|Corp|Ltd|Co|LLC|L\.P)\.(?=[A-Z])")
_WORD = re.compile(r"\w+")


def company(title: str) -> str:
    """The company's name as the title spells it: what stands before the filing date or the dash."""
    filed = _FILED.search(title)
    if filed:
        return title[: filed.start()].strip()
    glued = _GLUED.search(title)
    if glued:
        return title[: glued.end()].strip()
    return _DASH.split(title, maxsplit=1)[0].strip()


def company_keys(name: str) -> tuple[str, str]:
    """Two contracts are of one company if they agree in either key.

    The first: letters and digits without case, accents and legal form (``foo`` for ``FOO, Inc.``).
    The second: the first fourteen letters and digits of the name as it is.
    """
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(letter for letter in decomposed if letter.isalnum())
    bare = letters
    # One form only: `...coinc` may as well be a name that ends in `co`.
    if (form := _FORM.search(bare)) and form.start() >= 3:
        bare = bare[: form.start()]
    return bare or name, letters[:PREFIX] or name


def shingles(texts: Sequence[str]) -> list[np.ndarray]:
    """For each text the sorted distinct 64-bit hashes of its five-word shingles.

    A shorter text is one shingle. The hash of a word comes from BLAKE2, that of a shingle from a
    polynomial modulo 2^64: the same on every machine.
    """
    from tqdm import tqdm

    known = _Hashes()
    result = []
    for text in tqdm(texts, desc="near-duplicates", unit="contract", delay=1):
        words = _WORD.findall(text.casefold())
        hashes = np.fromiter(map(known.__getitem__, words), dtype=np.uint64, count=len(words))
        width = min(SHINGLE_WORDS, len(hashes))
        rolled = np.zeros(max(len(hashes) - width + 1, 0) if width else 0, dtype=np.uint64)
        for offset in range(width):
            rolled = rolled * np.uint64(0x9E3779B97F4A7C15) + hashes[offset : offset + len(rolled)]
        rolled.sort()
        # Twice as fast as `np.unique`, which hashes before it sorts.
        result.append(rolled[np.diff(rolled, prepend=~rolled[:1]) != 0])
    return result


class _Hashes(dict[str, int]):
    """The 64-bit hash of each word, computed when it is first asked for."""

    def __missing__(self, word: str) -> int:
        digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
        self[word] = value = int.from_bytes(digest, "little")
        return value


def near_duplicates(sets: Sequence[np.ndarray], threshold: float) -> list[tuple[int, int, float]]:
    """Every found pair (i, j, Jaccard similarity) with i < j and similarity >= ``threshold``, sorted.

    MinHash proposes, and is tuned to miss little rather than to propose little: the exact check refuses
    what is needless.
    """
    from rensa import RMinHash, RMinHashLSH

    # The polynomial hashes are tokens like any other here: eight bytes each.
    tokens = (values.astype("<u8").view("S8").tolist() for values in sets)
    sketches = RMinHash.from_token_sets(tokens, PERMUTATIONS, seed=1)
    lsh = RMinHashLSH(threshold, PERMUTATIONS, bands(threshold))
    lsh.insert_many(sketches)
    candidates = {(i, j) for j, found in enumerate(lsh.query_all(sketches)) for i in found if i < j}
    measured = ((i, j, jaccard(sets[i], sets[j])) for i, j in sorted(candidates))
    return [(i, j, similarity) for i, j, similarity in measured if similarity >= threshold]


def bands(threshold: float) -> int:
    """The fewest bands that propose all but ``MISSED`` of the pairs of similarity ``threshold``: one in
    bands of r rows is missed with probability ``(1 - threshold^r)^(PERMUTATIONS / r)``."""
    for rows in (16, 8, 4, 2):
        if (1 - threshold**rows) ** (PERMUTATIONS / rows) <= MISSED:
            return PERMUTATIONS // rows
    return PERMUTATIONS


def jaccard(a: np.ndarray, b: np.ndarray) -> float:
    """Shared over all of two sorted sets of distinct values; two empty sets share nothing."""
    shared = len(np.intersect1d(a, b, assume_unique=True))
    union = len(a) + len(b) - shared
    return shared / union if union else 0.0


def assign(companies: Mapping[str, str], duplicates: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Family of each title, given its company and the pairs of near-duplicate titles.

    A family is a connected component; its id is the first of its companies' second keys in
    alphabetical order, so it does not hang on the order of the contracts. (The labels name families
    by that key too, so that their name for a family is ours.)
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    titles = sorted(companies)
    node = {title: i for i, title in enumerate(titles)}
    keys: dict[tuple[int, str], int] = {}
    edges = [(node[a], node[b]) for a, b in duplicates]
    for title in titles:
        for kind, key in enumerate(company_keys(companies[title])):
            edges.append((node[title], keys.setdefault((kind, key), len(titles) + len(keys))))
    size = len(titles) + len(keys)
    rows, columns = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(len(edges), dtype=np.int8), (rows, columns)), shape=(size, size))
    labels = connected_components(graph, directed=False)[1][: len(titles)]
    names: dict[int, str] = {}
    for title, label in zip(titles, labels.tolist(), strict=True):
        key = company_keys(companies[title])[1]
        names[label] = min(names.get(label, key), key)
    return {title: names[label] for title, label in zip(titles, labels.tolist(), strict=True)}
