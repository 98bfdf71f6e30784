from __future__ import annotations

import json
import os
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.corpus import families
from pipeline.corpus.families import assign, bands, company, company_keys, jaccard, near_duplicates, shingles

TITLES = {
    "WHITESMOKE,INC_11_08_2011-EX-10.26-PROMOTION AND DISTRIBUTION AGREEMENT": "WHITESMOKE,INC",
    "PfHospitalityGroupInc_20150923_10-12G_EX-10.1_9266710_EX-10.1_Franchise Agreement1": "PfHospitalityGroupInc",
    "Loop Industries, Inc. - Marketing Agreement": "Loop Industries, Inc.",
    "ADMA BioManufacturing, LLC -  Amendment #3 to Manufacturing Agreement ": "ADMA BioManufacturing, LLC",
    "XACCT Technologies, Inc.SUPPORT AND MAINTENANCE AGREEMENT": "XACCT Technologies, Inc.",
    "EMERALDHEALTHTHERAPEUTICSINC_06_10_2020-EX-4.5-CONSULTING AGREEMENT - DR. X": "EMERALDHEALTHTHERAPEUTICSINC",
    "BLACKSTONEGSOLONG-SHORTCREDITINCOMEFUND_05_11_2020-EX-99.(K)(1)-SERVICE AGREEMENT": (
        "BLACKSTONEGSOLONG-SHORTCREDITINCOMEFUND"
    ),
    "Columbia Laboratories, (Bermuda) Ltd. - AMEND NO. 2 TO SUPPLY AGREEMENT": "Columbia Laboratories, (Bermuda) Ltd.",
    "MOELIS_CO_03_24_2014-EX-10.19-STRATEGIC ALLIANCE AGREEMENT": "MOELIS_CO",
    "Freecook_20180605_S-1_EX-10.3_11233807_EX-10.3_Hosting Agreement": "Freecook",
    "MSCIINC_02_28_2008-EX-10.10-": "MSCIINC",
    "Nothing that CUAD would write": "Nothing that CUAD would write",
}


@pytest.mark.parametrize(("title", "name"), TITLES.items())
def test_company_stands_before_the_date_or_the_dash(title: str, name: str) -> None:
    assert company(title) == name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("VNUE,INC", "VnueInc"),
        ("ArmstrongFlooringInc", "ARMSTRONGFLOORING,INC"),
        ("Acme Corp.", "ACME Corporation"),
        ("LECLANCHÉ S.A.", "Leclanche SA"),
    ],
)
def test_spelling_and_legal_form_do_not_tell_companies_apart(one: str, other: str) -> None:
    assert company_keys(one)[0] == company_keys(other)[0]


def test_other_companies_stay_apart() -> None:
    names = ["CERES,INC", "CERUS,INC", "Otis Worldwide", "Inc", "Coinc", "Sonos"]
    assert len({key for name in names for key in [company_keys(name)[0]]}) == len(names)


def label_items(root: Path) -> list[dict[str, str]]:
    text = (root / "data/labels/cuad_dev/items.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_the_second_key_is_the_label_makers(root: Path) -> None:
    """The labels were drawn one a family under this key: ours can therefore only be coarser."""
    items = label_items(root)
    assert len(items) == 80
    for item in items:
        assert company_keys(company(item["title"]))[1] == item["family"]


def test_labelled_items_lie_in_families_of_their_own(root: Path) -> None:
    titles = [item["title"] for item in label_items(root)]
    found = assign({title: company(title) for title in titles}, [])
    assert len(set(found.values())) == len(titles)


def text_of(rng: random.Random, words: int) -> list[str]:
    return [f"w{rng.randrange(5000)}" for _ in range(words)]


def brute_force(sets: list[np.ndarray], threshold: float) -> list[tuple[int, int]]:
    found = []
    for j in range(len(sets)):
        for i in range(j):
            a, b = set(sets[i].tolist()), set(sets[j].tolist())
            if a | b and len(a & b) / len(a | b) >= threshold:
                found.append((i, j))
    return sorted(found)


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8])
def test_minhash_finds_what_comparing_all_pairs_finds(threshold: float) -> None:
    rng = random.Random(1)
    originals = [text_of(rng, 400) for _ in range(12)]
    texts = []
    for original in originals:
        texts.append(original)
        for changes in (2, 10, 30, 60):  # copies, ever less alike
            copy = list(original)
            for _ in range(changes):
                copy[rng.randrange(len(copy))] = "changed"
            texts.append(copy)
    sets = shingles([" ".join(text) for text in texts])
    expected = brute_force(sets, threshold)
    assert len(expected) > 10
    assert [(i, j) for i, j, _ in near_duplicates(sets, threshold)] == expected


@pytest.mark.parametrize(("threshold", "expected"), [(0.0, 512), (0.3, 256), (0.5, 128), (0.8, 64), (1.0, 32)])
def test_bands_are_as_few_as_the_threshold_allows(threshold: float, expected: int) -> None:
    # By hand for one half: (1 - 1/16)^128 = 0.00026, while eight rows would miss (1 - 1/256)^64 = 0.78.
    assert bands(threshold) == expected


@pytest.mark.parametrize("threshold", [0.0, 1.0])
def test_the_ends_of_the_scale_are_thresholds_too(threshold: float) -> None:
    sets = shingles(["a b c d e f g", "a b c d e f g", "h i j k l m"])
    found = near_duplicates(sets, threshold)
    assert (0, 1, 1.0) in found
    assert all(similarity >= threshold for *_, similarity in found)


def test_shingles_by_hand() -> None:
    one, same, other, short, empty = shingles(["a b c d e f", "A, b; c (d) e -- F!", "a b c d f e", "a b c", " ... "])
    assert (one == same).all()
    assert len(one) == len(other) == 2
    assert jaccard(one, other) == 0.0  # five-word windows keep the order
    assert len(short) == 1
    assert len(empty) == 0
    assert jaccard(empty, empty) == 0.0
    # abcde, bcdef against abcde, bcdef, cdefg: two of three
    assert jaccard(one, shingles(["a b c d e f g"])[0]) == pytest.approx(2 / 3)


def test_shingle_hashes_are_the_same_everywhere() -> None:
    assert shingles(["The cap is the fees paid"])[0].tolist() == [15388051226539341413, 16087040027273086264]


def test_empty_texts_are_no_duplicates_of_each_other() -> None:
    assert near_duplicates(shingles(["", "", "..."]), 0.5) == []


def test_companies_and_duplicates_join_by_chains() -> None:
    companies = {"t1": "Zeta Inc", "t2": "ZETA,INC", "t3": "Alpha LLC", "t4": "Beta Corp", "t5": "Gamma"}
    found = assign(companies, [("t2", "t3"), ("t3", "t4")])
    assert found == {"t1": "alphallc", "t2": "alphallc", "t3": "alphallc", "t4": "alphallc", "t5": "gamma"}


def test_long_names_that_go_on_differently_are_one() -> None:
    found = assign({"a": "Emerald Health Sciences Inc", "b": "Emerald Health S Holdings", "c": "Emerald Harbour"}, [])
    assert found == {"a": "emeraldhealths", "b": "emeraldhealths", "c": "emeraldharbour"}


names = st.sampled_from(["Foo Inc", "FOO,INC", "Bar", "Baz Corp", "BazLtd", "Qux Holdings Corp", "Qux Holdings C", ""])


@given(st.lists(names, min_size=1, max_size=12), st.data())
@settings(max_examples=100, deadline=None)
def test_families_are_a_partition_that_no_order_moves(companies: list[str], data: st.DataObject) -> None:
    titles = [f"t{i:02}" for i in range(len(companies))]
    pairs = data.draw(st.lists(st.tuples(st.sampled_from(titles), st.sampled_from(titles)), max_size=4))
    mapping = dict(zip(titles, companies, strict=True))
    found = assign(mapping, pairs)
    assert found.keys() == mapping.keys()
    assert all(found[a] == found[b] for a, b in pairs)
    for a in titles:
        for b in titles:
            if mapping[a] == mapping[b]:
                assert found[a] == found[b]
    order = data.draw(st.permutations(titles))
    assert assign({title: mapping[title] for title in order}, [(b, a) for a, b in reversed(pairs)]) == found


@pytest.mark.skipif(not os.environ.get("CUAD_ARCHIVE"), reason="CUAD_ARCHIVE names no archive")
def test_on_cuad_no_family_is_finer_than_the_label_makers() -> None:
    from pipeline.corpus import squad
    from pipeline.corpus.archive import read_member

    corpus = squad.parse_json(read_member(Path(os.environ["CUAD_ARCHIVE"])), "CUAD")
    titles = [contract["title"] for contract in corpus.contracts]
    sets = shingles([contract["text"] for contract in corpus.contracts])
    pairs = near_duplicates(sets, 0.5)
    # Every pair that a full comparison finds.
    from scipy.sparse import csr_array

    values, columns = np.unique(np.concatenate(sets), return_inverse=True)
    bounds = np.cumsum([0, *map(len, sets)])
    table = csr_array((np.ones(len(columns), np.int32), columns, bounds), shape=(len(sets), len(values)))
    shared = (table @ table.T).toarray()
    union = shared.diagonal()[:, None] + shared.diagonal()[None, :] - shared
    expected = np.argwhere(np.triu(shared / union >= 0.5, 1)).tolist()
    assert [[i, j] for i, j, _ in pairs] == expected

    found = assign({title: company(title) for title in titles}, [(titles[i], titles[j]) for i, j, _ in pairs])
    theirs: dict[str, set[str]] = {}
    for title in titles:
        theirs.setdefault(company_keys(company(title))[1], set()).add(found[title])
    assert all(len(ours) == 1 for ours in theirs.values())
    assert 430 <= len(set(found.values())) <= 480
    assert families.PREFIX == 14
