from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.normalise import normalise, sha256, span_key


def test_case_space_quotes_and_dashes_do_not_tell_texts_apart() -> None:
    assert normalise("  The “Cap” — Vendor’s\n\tLIMIT ") == normalise('the "cap" - vendor\'s limit')
    assert normalise("ﬁxed fee…") == "fixed fee..."


def test_other_words_stay_apart() -> None:
    assert normalise("shall be liable") != normalise("shall not be liable")
    assert normalise("$10,000") != normalise("$100,00")


@given(st.text())
def test_normal_form_is_its_own_normal_form(text: str) -> None:
    once = normalise(text)
    assert normalise(once) == once
    assert normalise(f"  {text}\n") == once


def test_sha256_is_the_digest_of_the_utf8_text() -> None:
    assert sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_span_key_tells_contract_and_offsets_apart() -> None:
    keys = {span_key(*args) for args in [("a", 1, 2), ("a", 1, 3), ("a", 0, 2), ("b", 1, 2), ("a\0001", 1, 2)]}
    assert len(keys) == 5
    assert all(len(key) == 12 for key in keys)
