"""Measures the evaluation of numbers against SciPy and scikit-learn in a loop over resamples, and against pandas."""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.processes import Cost, Target, measure, status_of  # noqa: E402

# All print the CPU seconds of their work alone, without Python's start and the imports. The peers score some expanded
# resamples and tell what as many as ours take would cost.
PEER = """
import json, sys, time, warnings
import numpy as np
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import average_precision_score, roc_auc_score
warnings.simplefilter("ignore")
path, name, n_resamples = sys.argv[1:]
gold, system = np.load(path)
score = {
    "spearman": lambda x, y: spearmanr(x, y).statistic,
    "kendall": lambda x, y: kendalltau(x, y).statistic,
    "roc_auc": roc_auc_score,
    "average_precision": average_precision_score,
}[name]
rng, n, some = np.random.default_rng(0), len(gold), 60
drawn = rng.integers(0, n, (some, n))
score(gold, system)
began = time.process_time()
for rows in drawn:
    score(gold[rows], system[rows])
print(json.dumps({"seconds": (time.process_time() - began) * int(n_resamples) / some}))
"""
OURS = """
import json, sys, time
import numpy as np
from scoring.families.numbers.curves import Curve, curve_scores
from scoring.families.numbers.inversions import Concordant
from scoring.families.numbers.pairs import Paired
from scoring.families.numbers.ranked import Ranked, rank_scores
from scoring.significance import weights
path, name, n_resamples = sys.argv[1:]
gold, system = np.load(path)
n, n_resamples = len(gold), int(n_resamples)
batch, some = max(1, 2**16 // n), max(60, n_resamples // 10)
began = time.process_time()
paired = Paired(gold, system, np.array([n]), np.arange(n))
if name == "curves":
    curve = Curve.of(paired)
    of = lambda drawn: curve_scores(curve, drawn)
else:
    ranked = Ranked.of(paired)
    concordant = Concordant.of(ranked.y_order) if name == "kendall" else None
    of = lambda drawn: rank_scores(ranked, concordant, drawn, zero_if_constant=False)
prepared = time.process_time() - began
drawn = [weights(0, n, start, start + batch).astype(np.float64) for start in range(0, some, batch)]
began = time.process_time()
for each in drawn:
    of(each)
took = (time.process_time() - began) * n_resamples / (len(drawn) * batch)
print(json.dumps({"seconds": prepared + took}))
"""
EVALUATE = """
import json, sys, time, scoring
folder, n_resamples = sys.argv[1:]
scoring.FAMILIES["numbers"]
began = time.process_time()
scoring.evaluate("numbers", gold=folder + "/gold.csv", system=folder + "/run.csv", n_resamples=int(n_resamples))
print(json.dumps({"seconds": time.process_time() - began}))
"""
PANDAS = """
import json, sys, time, pandas
began = time.process_time()
pandas.read_csv(sys.argv[1] + "/gold.csv"), pandas.read_csv(sys.argv[1] + "/run.csv")
print(json.dumps({"seconds": time.process_time() - began}))
"""


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the files that are scored without resamples")
    parser.add_argument("--runs", type=int, default=3, help="of each process; the least counts")
    arguments = parser.parse_args(argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    resamples = str(arguments.resamples)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for n in (2_000, 10_000):
            np.save(folder / f"real{n}.npy", _columns(n))
        gold, system = _columns(10_000)
        np.save(folder / "binary.npy", np.stack([gold > 0, np.round(1 / (1 + np.exp(-system / 10)), 2)]).astype(float))
        np.save(folder / "likert.npy", np.clip(np.round(_columns(10_000) / 10), -2, 2))
        for n, place in ((10_000, folder / "small"), (arguments.rows, folder / "large")):
            _write(place, n)
        real, few, binary, likert = (
            str(folder / f"{each}.npy") for each in ("real10000", "real2000", "binary", "likert")
        )
        programs = {
            "spearmanr in a loop": ("-c", PEER, real, "spearman", resamples),
            "spearman": ("-c", OURS, real, "spearman", resamples),
            "spearman of a scale of five": ("-c", OURS, likert, "spearman", resamples),
            "kendalltau in a loop": ("-c", PEER, real, "kendall", resamples),
            "spearman, 2,000 rows": ("-c", OURS, few, "spearman", resamples),
            "kendall and spearman": ("-c", OURS, real, "kendall", resamples),
            "kendalltau in a loop, 2,000 rows": ("-c", PEER, few, "kendall", resamples),
            "kendall and spearman, 2,000 rows": ("-c", OURS, few, "kendall", resamples),
            "roc_auc_score in a loop": ("-c", PEER, binary, "roc_auc", resamples),
            "average_precision_score in a loop": ("-c", PEER, binary, "average_precision", resamples),
            "all three curves": ("-c", OURS, binary, "curves", resamples),
            "evaluate, with resamples": ("-c", EVALUATE, str(folder / "small"), resamples),
            "pandas reads both large files": ("-c", PANDAS, str(folder / "large")),
            "evaluate, large files": ("-c", EVALUATE, str(folder / "large"), "0"),
        }
        costs = dict(zip(programs, measure(programs, arguments.runs), strict=True))
    took = {title: _work(own) for title, own in costs.items()}
    for title, seconds in took.items():
        print(f"{title:<40} {seconds:8.2f} s of the work")
    # Both share the weights of cells and classes: what Kendall's takes beside Spearman's.
    kendall = took["kendall and spearman"] - took["spearman"]
    kendall_few = took["kendall and spearman, 2,000 rows"] - took["spearman, 2,000 rows"]
    areas = min(took["roc_auc_score in a loop"], took["average_precision_score in a loop"])
    memory = max(cost.mebibytes for cost in costs["evaluate, with resamples"])
    return status_of(
        [
            Target(
                "all scores but kendall, seconds",
                took["evaluate, with resamples"] - kendall,
                "at most",
                8,
            ),
            Target("memory of all scores, MiB", memory, "at most", 600),
            Target("spearman / spearmanr", took["spearman"] / took["spearmanr in a loop"], "at most", 0.2),
            Target("curves / the faster of their peers", took["all three curves"] / areas, "at most", 0.2),
            Target("kendall beside spearman / kendalltau", kendall / took["kendalltau in a loop"], "at most", 1),
            Target(
                "kendall beside spearman / kendalltau, 2,000 rows",
                kendall_few / took["kendalltau in a loop, 2,000 rows"],
                "at most",
                0.2,
            ),
            Target(
                "a scale of five / two decimals", took["spearman of a scale of five"] / took["spearman"], "at most", 0.5
            ),
            Target(
                "large files / pandas' reading",
                took["evaluate, large files"] / took["pandas reads both large files"],
                "at most",
                4,
            ),
        ]
    )


def _columns(n: int) -> np.ndarray:
    """Gold and system with two decimals: (2, n)."""
    rng = np.random.default_rng(n)
    gold = np.round(rng.normal(0, 10, n), 2)
    return np.stack([gold, np.round(gold + rng.normal(0, 5, n), 2)])


def _write(folder: Path, n: int) -> None:
    folder.mkdir()
    for name, column in zip(("gold.csv", "run.csv"), _columns(n).tolist(), strict=True):
        rows = "".join(f"item{k:07d},{value}\n" for k, value in enumerate(column))
        (folder / name).write_text("id,value\n" + rows)


def _work(costs: Iterable[Cost]) -> float:
    """The least of the runs: what else goes on in the machine only adds."""
    return min(json.loads(cost.output)["seconds"] for cost in costs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
