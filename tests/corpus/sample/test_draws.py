from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus.sample.draws import Draws


def test_the_sequence_is_the_same_on_every_machine() -> None:
    draws = Draws(20, "family", 3)
    assert [draws.below(1000) for _ in range(8)] == PINNED


def test_streams_of_different_keys_differ() -> None:
    assert len({Draws(20, "family", n).below(10**9) for n in range(50)}) == 50
    # The parts of a key do not run together.
    assert [Draws("a", "bc").below(10**9)] != [Draws("ab", "c").below(10**9)]


@given(st.integers(), st.lists(st.integers(), max_size=20), st.integers(0, 25))
def test_a_sample_takes_positions_without_replacement(seed: int, items: list[int], n: int) -> None:
    drawn = Draws(seed).sample(items, n)
    assert len(drawn) == min(n, len(items))
    assert not Counter(drawn) - Counter(items)
    assert sorted(Draws(seed).shuffled(items)) == sorted(items)


def test_draws_are_even() -> None:
    draws = Draws(1)
    counts = Counter(draws.below(5) for _ in range(5000))
    assert set(counts) == set(range(5))
    assert all(850 < count < 1150 for count in counts.values())


PINNED = [725, 913, 781, 680, 723, 455, 48, 741]
