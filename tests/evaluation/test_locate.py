from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.evaluation.locate import locate
from pipeline.grounding.quotes import plain, verbatim

TEXT = "Neither\n party’s  liability — direct\u00ad or indirect — is limited."


def found(words: str, text: str = TEXT) -> str | None:
    place = locate(words, text)
    return None if place is None else text[place[0] : place[1]]


def test_words_are_found_as_they_stand() -> None:
    assert found("is limited") == "is limited"
    assert found("Neither party's liability - direct") == "Neither\n party’s  liability — direct"
    assert locate("Neither", TEXT) == (0, 7)


def test_whole_words_come_before_parts_of_words() -> None:
    text = "indirect loss and direct loss"
    assert locate("direct", text) == (18, 24)
    assert locate("direct", "indirect loss") == (2, 8)  # a part is better than nothing
    assert locate("loss", text) == (9, 13)  # of several places the first


def test_what_does_not_stand_there_is_not_found() -> None:
    assert locate("is unlimited", TEXT) is None
    assert locate("IS LIMITED", TEXT) is None
    assert locate("", TEXT) is None and locate("  ", TEXT) is None


@given(st.text("aB \n\t’'—-“\"\u00ad\u00a0.", max_size=30), st.text("aB \n’'—-\u00ad", max_size=4))
def test_it_agrees_with_the_rule_for_quotations(text: str, words: str) -> None:
    place = locate(words, text)
    assert (place is not None) is verbatim(words, text)
    if place is not None:
        assert plain(text[place[0] : place[1]]) == plain(words)
