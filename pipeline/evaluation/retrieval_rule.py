"""The rule that was fixed before the results were seen, applied to them: which retriever to use, and
what would end the work.

- **gain**: a challenger replaces the baseline only where it gains at least ``min_gain`` on the rule's
  metric and the interval of the paired difference lies above zero.
- **kill_success_at_3**: a retriever whose success_at_3 is below the bound is not fit to cite from.
- **kill_random_margin**: a retriever that beats a random order by less than the margin is broken. The
  margin over the macro mean stands beside it, for a slice in which one category is nearly everywhere
  and a random order is seldom wrong; it decides nothing.

Each criterion is true (fired), false, or ``None`` where there are too few families to say. A random
order may be so good that the margin is out of reach: then even a perfect ranker would fire the last
criterion. It is recorded as fired all the same, because that is what was registered, and named in
``vacuous``; ``killed`` does not count it, because it tells nothing of the retriever.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pipeline.base.params import RetrievalRule
from pipeline.evaluation.statistics import Estimate


def apply_rule(
    rule: RetrievalRule,
    success_at_3: Mapping[str, Estimate],
    metric: Mapping[str, Estimate],
    random: float,
    gains: Mapping[str, Estimate],
    macro_margins: Mapping[str, float | None],
) -> dict[str, Any]:
    """The rule's findings. All figures are of the rule's protocol: ``success_at_3`` and ``metric`` for each
    retriever, ``random`` the rule's metric under a random order, ``gains`` challenger minus baseline,
    ``macro_margins`` retriever minus random in the macro mean."""
    gained = {name: _gained(rule, gain) for name, gain in gains.items()}
    vacuous = ["kill_random_margin"] if 1 - random < rule.kill_random_margin else []
    winners = sorted((name for name, fired in gained.items() if fired), key=lambda name: (-gains[name].value, name))
    chosen = winners[0] if winners else rule.baseline
    retrievers: dict[str, Any] = {}
    for name in metric:
        margin = None if metric[name].value is None else metric[name].value - random
        found = success_at_3[name].value
        retrievers[name] = {
            "success_at_3": found,
            "kill_success_at_3": None if found is None else found < rule.kill_success_at_3,
            "random_margin": margin,
            "random_margin_macro": macro_margins[name],
            "kill_random_margin": None if margin is None else margin < rule.kill_random_margin,
        }
    return {
        "protocol": rule.protocol,
        "metric": rule.metric,
        "baseline": rule.baseline,
        "random": random,
        "perfect_margin": 1 - random,
        "vacuous": vacuous,
        "gains": {
            name: {"value": gain.value, "low": gain.low, "high": gain.high, "fired": gained[name]}
            for name, gain in gains.items()
        },
        "chosen": chosen,
        "retrievers": retrievers,
        "fired": sorted(
            [f"gain/{name}" for name, fired in gained.items() if fired]
            + [f"{kill}/{name}" for name, one in retrievers.items() for kill in _KILLS if one[kill]]
        ),
        "killed": _any(retrievers[chosen][kill] for kill in _KILLS if kill not in vacuous),
    }


_KILLS = ("kill_success_at_3", "kill_random_margin")


def _any(fired: Iterable[bool | None]) -> bool | None:
    """True if one fired, ``None`` if none did but one could not be told."""
    seen = list(fired)
    if any(seen):
        return True
    return None if None in seen else False


def _gained(rule: RetrievalRule, gain: Estimate) -> bool | None:
    if gain.value is None or gain.low is None:
        return None
    return gain.value >= rule.min_gain and gain.low > 0
