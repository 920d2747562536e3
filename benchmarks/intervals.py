"""Measures bootstrap intervals against scipy.stats.bootstrap: time, memory, and growth with the units.

Times are the least of several alternating runs. Each of our runs takes a new seed, so that it draws its
own resamples; "again" is the second system on a gold, whose resamples are kept.
"""

import argparse
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import scipy.stats

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scoring.prf import harmonic_mean, ratio  # noqa: E402
from scoring.significance import Block, bca_interval, bootstrap, resampled  # noqa: E402

N_RESAMPLES = 10_000
CONFIDENCE = 0.95
SCIPY_BATCH = 500
# From equal seeds NumPy's generator happens to draw our very resamples when the number of units is even;
# the ends of the intervals would then agree to the last digit and say nothing about the noise.
OTHER_SEEDS = 1_000_000

Intervals = dict[str, tuple[float, float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="alternating runs of each side (default 7)")
    parser.add_argument("--units", type=int, nargs="+", default=[100, 300, 1000])
    parser.add_argument("--large", type=int, nargs="*", default=[10_000, 100_000], help="units of the growth rows")
    arguments = parser.parse_args()
    print(f"{N_RESAMPLES} resamples; ours: three scores, scipy: one")
    print("method      units   ours ms  again ms  scipy ms  ratio  ours MB  scipy MB  ends differ by")
    for method, ours in (("percentile", our_percentile), ("BCa", our_bca)):
        for n_units in arguments.units:
            print_comparison(method, ours, make_rows(n_units), arguments.runs)
    print_growth(arguments.large)


def print_comparison(method: str, ours: Callable[[np.ndarray, int], Intervals], rows: np.ndarray, runs: int) -> None:
    times: dict[str, list[float]] = {"ours": [], "again": [], "scipy": []}
    for run in range(runs):
        times["ours"].append(seconds(lambda seed=run: ours(rows, seed)))
        times["again"].append(seconds(lambda seed=run: ours(rows, seed)))
        times["scipy"].append(seconds(lambda seed=run: scipys(method, rows, seed)))
    least = {side: min(measured) * 1e3 for side, measured in times.items()}
    memory = {
        "ours": peak_megabytes(lambda: ours(rows, runs)),
        "scipy": peak_megabytes(lambda: scipys(method, rows, runs)),
    }
    apart = np.abs(np.subtract(ours(rows, 0)["f1"], scipys(method, rows, 0))).max()
    print(
        f"{method:10} {len(rows):6} {least['ours']:9.1f} {least['again']:9.1f} {least['scipy']:9.1f}"
        f" {least['ours'] / least['scipy']:6.2f} {memory['ours']:8.1f} {memory['scipy']:9.1f} {apart:15.4f}"
    )


def print_growth(sizes: list[int]) -> None:
    """Percentile intervals of large golds: the time should grow as the units do, the memory hardly."""
    print("\nunits       seconds  per unit µs       MB")
    for n_units in sizes:
        rows = make_rows(n_units)
        taken = seconds(lambda rows=rows: our_percentile(rows, 1))
        memory = peak_megabytes(lambda rows=rows: our_percentile(rows, 2, n_resamples=200))
        print(f"{n_units:<10} {taken:8.2f} {taken / n_units * 1e6:12.1f} {memory:8.1f}")


def make_rows(n_units: int) -> np.ndarray:
    """Units with about six gold items: correct, gold, system."""
    rng = np.random.default_rng(n_units)
    gold = rng.poisson(rng.gamma(2, 3, n_units))
    correct = rng.binomial(gold, rng.beta(2.4, 1.6, n_units))
    return np.stack([correct, gold, correct + rng.poisson(1.2, n_units)], axis=1)


def prf(sums: np.ndarray) -> dict[str, np.ndarray]:
    correct, gold, system = np.moveaxis(sums, -1, 0)
    precision, recall = ratio(correct, system), ratio(correct, gold)
    return {"precision": precision, "recall": recall, "f1": harmonic_mean(precision, recall)}


def our_percentile(rows: np.ndarray, seed: int, n_resamples: int = N_RESAMPLES) -> Intervals:
    block = Block(rows, prf)
    return bootstrap(block, headline="f1", seed=seed, n_resamples=n_resamples, confidence_level=CONFIDENCE).intervals


def our_bca(rows: np.ndarray, seed: int) -> Intervals:
    drawn = resampled(Block(rows, prf), seed, N_RESAMPLES)
    total = rows.sum(axis=0)
    points, left_out = prf(total), prf(total - rows)
    return {
        name: bca_interval(values[0], float(points[name]), left_out[name], CONFIDENCE) for name, values in drawn.items()
    }


def scipys(method: str, rows: np.ndarray, seed: int) -> tuple[float, float]:
    """F1 from two columns, the least that SciPy has to resample."""
    columns = (2 * rows[:, 0], rows[:, 1] + rows[:, 2])
    found = scipy.stats.bootstrap(
        columns,
        lambda correct, items, axis=-1: correct.sum(axis=axis) / items.sum(axis=axis),
        n_resamples=N_RESAMPLES,
        batch=SCIPY_BATCH,
        paired=True,
        vectorized=True,
        confidence_level=CONFIDENCE,
        method=method,
        rng=np.random.default_rng(OTHER_SEEDS + seed),
    )
    return tuple(found.confidence_interval)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def peak_megabytes(work: Callable[[], object]) -> float:
    tracemalloc.start()
    work()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 1e6


if __name__ == "__main__":
    main()
