"""How the probe's penalty was chosen: family-grouped cross-validation on library families alone.

Run it after ``dvc repro index``: ``python -m benchmarks.probe_choice``. For each inverse penalty C it
prints the AUROC of the out-of-fold scores and the share of negatives that is stopped where 90% and 95%
of the positives are kept, each the mean over three draws of the folds. Held-out families and the
project's own negatives are not looked at.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from sklearn.metrics import roc_auc_score

from pipeline.base import records
from pipeline.evaluation import calibration
from pipeline.retrieval.library import vectors_of
from pipeline.stages import calibrate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--penalties", type=float, nargs="+", default=[0.1, 0.3, 1.0, 3.0, 10.0, 30.0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[20, 1, 2], help="draws of the folds")
    arguments = parser.parse_args()
    units = calibrate.corpus_units(records.read_rows(calibrate.CHUNKS, calibrate.CHUNK_COLUMNS))
    units = [unit for unit in units if unit["side"] == calibration.LIBRARY]
    vectors = vectors_of(calibrate.INDEX, [unit["sha256"] for unit in units])
    positive = np.array([unit["kind"] == "positive" for unit in units])
    families = [unit["family"] for unit in units]
    print("     C   AUROC  stopped at keep 0.90  at keep 0.95   seconds")
    for penalty in arguments.penalties:
        started = time.perf_counter()
        rows = []
        for seed in arguments.seeds:
            scores = calibration.out_of_fold(vectors, positive, families, seed, penalty)
            stopped = [
                (scores[~positive] < calibration.recommended_threshold(scores[positive], keep)).mean()
                for keep in (0.9, 0.95)
            ]
            rows.append((roc_auc_score(positive, scores), *stopped))
        auroc, loose, strict = np.mean(rows, axis=0)
        seconds = time.perf_counter() - started
        print(f"{penalty:6.1f}  {auroc:.4f}  {loose:20.4f}  {strict:12.4f}  {seconds:8.1f}", flush=True)


if __name__ == "__main__":
    main()
