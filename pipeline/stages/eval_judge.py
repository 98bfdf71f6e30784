"""eval_judge: the faithfulness judge against claims whose truth is known.

The claims are made from library clauses at run time; one row a claim goes to
data/judge/claims.parquet, the figures to metrics/judge.json.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pipeline.base import params, records
from pipeline.base.errors import CuadAuditError, run
from pipeline.base.parallel import workers_for
from pipeline.base.params import Rules
from pipeline.base.types import FailureCause
from pipeline.evaluation.clauses import chunks_of_the_library
from pipeline.evaluation.judge_claims import judge_cases
from pipeline.evaluation.judge_eval import VARIANTS, Bar, judge_all, judge_metrics, judged_rows, stopped
from pipeline.evaluation.judge_standard import standard_cases
from pipeline.grounding.choose import choose_agents
from pipeline.grounding.collect import STOPS
from pipeline.llm.client import open_client
from pipeline.standard import load_standard

READS = ("judge", "llm", "evaluation", "release_gate.judge_min_recall", "release_gate.judge_max_false_rejection")
CHUNKS = Path("data/chunks/chunks.parquet")
OUT = Path("data/judge/claims.parquet")
METRICS = Path("metrics/judge.json")


def main() -> None:
    settings = params.load(READS)
    # The auditor plays no part here; the embedded one stands in so that the judge is chosen as in use.
    judge = choose_agents(Rules(), settings.judge, lambda: open_client(settings.llm), stable=True)[1]
    chunks, standard, seed = chunks_of_the_library(CHUNKS), load_standard(), settings.evaluation.seed
    cases = [*judge_cases(chunks, seed, workers=workers_for()), *standard_cases(chunks, standard, seed)]
    judged = judge_all(judge, standard, cases, progress=True, workers=workers_for(judge))
    # A recording that lacks these calls leaves the claims unscored, and the judge unmeasured.
    if stop := stopped(judged, [cause for cause in STOPS if cause is not FailureCause.INFRA_NOT_RECORDED]):
        raise CuadAuditError(
            f"the judge could not be asked ({stop.cause}: {stop.why})", "mend that and run the same command again"
        )
    gate = settings.release_gate
    metrics = judge_metrics(judged, settings.evaluation, Bar(gate.judge_min_recall, gate.judge_max_false_rejection))
    rows = judged_rows(judged)
    records.write_rows(OUT, rows, records.columns(rows, bool=("faithful", "unseen", "supported", *VARIANTS)))
    records.write_json(METRICS, metrics | {"judge": records.to_dict(judge.identity), "seed": seed})
    held_out = metrics["halves"]["held_out"]
    print(f"eval_judge: {len(cases)} claims; held out: {held_out['confusion']}", file=sys.stderr)


if __name__ == "__main__":
    run(main)
