"""Measures how often simulated boards tell apart a pair that truly differs by the size that the engine states.

Three kinds of scores: micro-F1 over sentences (a ratio of sums, as in coverage.py), the mean over questions of a score
of quarters, and the share of right answers. All systems of a board are equal but two, of which one is better by the
stated difference. That size comes from the model: from the standard error of the difference over many fresh tests, not
from the board that is asked.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import coverage
from scipy.special import ndtr, ndtri

import scoring
from scoring.significance.power import critical_value_among, factor, units_needed

N_RESAMPLES = 1_000
LEVEL = 0.95
SPREAD_TESTS = 2_000  # fresh tests from which the model's own standard error is measured
BAND_HALF, BAND_OFTEN = (0.40, 0.60), (0.72, 0.88)  # what is promised as one half and as four out of five


@dataclass(frozen=True)
class Model:
    """A kind of score: `run(rng, truth, units)` gives rows (n, 2) of numerator and denominator."""

    name: str
    truth: float  # the score of the equal systems
    units: Callable  # rng, n -> what all systems of a board share
    run: Callable


def f1_run(rng, truth, gold):
    """Make a run with the precision of a middling system, and the recall that makes this F1."""
    precision = 0.75
    rows = coverage.run(rng, coverage.Skill(precision, precision * truth / (2 * precision - truth)), gold)
    return np.stack([2 * rows[:, 0], rows[:, 1] + rows[:, 2]], axis=1)


def graded_run(rng, truth, difficulty):
    """Quarters of a point, binomial: systems find the same questions hard, and have luck of their own."""
    share = ndtr(ndtri(truth) * np.sqrt(1.5) + np.sqrt(0.5) * difficulty)  # whose mean over questions is the truth
    return np.stack([rng.binomial(4, share) / 4, np.ones(len(share))], axis=1)


def right_run(rng, truth, difficulty):
    share = ndtr(ndtri(truth) * np.sqrt(2) + difficulty)
    return np.stack([rng.binomial(1, share), np.ones(len(share))], axis=1)


MODELS = (
    Model("micro-F1", 0.667, lambda rng, n: coverage.gamma_poisson(rng, coverage.MEAN_ITEMS, n), f1_run),
    Model("mean of questions", 0.6, lambda rng, n: rng.standard_normal(n), graded_run),
    Model("share of right", 0.7, lambda rng, n: rng.standard_normal(n), right_run),
)


def score(sums):
    """The ratio on the last axis."""
    return sums[..., 0] / sums[..., 1]


def true_se(model, n_units):
    """The standard error of the difference of two equal systems over fresh tests, as the bootstrap would have it."""
    rng = np.random.default_rng([3, n_units])
    differences = []
    for _ in range(SPREAD_TESTS):
        units = model.units(rng, n_units)
        one, other = (score(model.run(rng, model.truth, units).sum(axis=0)) for _ in range(2))
        differences.append(one - other)
    # The bootstrap's is smaller by this, which `factor` knows.
    return np.std(differences, ddof=1) * np.sqrt((n_units - 1) / n_units)


def board(rng, model, truths, n_units):
    """A comparison of systems of these true scores on one test."""
    units = model.units(rng, n_units)
    rows = np.stack([model.run(rng, truth, units) for truth in truths], axis=1)  # (n, systems, 2)
    weights = rng.multinomial(n_units, np.full(n_units, 1 / n_units), N_RESAMPLES)
    draws = score(np.tensordot(weights.astype(float), rows, 1)).T
    names = [str(number) for number in range(len(truths))]
    return scoring.compare_draws(names, score(rows.sum(axis=0)).tolist(), draws, n_units)


def found(model, difference, n_units, n_systems, repetitions, seed):
    """The share of boards that separate system 0 from system 1, and what each board says that it detects."""
    rng = np.random.default_rng([seed, n_units, n_systems])
    truths = [model.truth + difference / 2, model.truth - difference / 2, *[model.truth] * (n_systems - 2)]
    told, stated = [], []
    for _ in range(repetitions):
        made = board(rng, model, truths, n_units)
        told.append(made.separated[made.names.index("0"), made.names.index("1")])
        stated.append(scoring.power_of(made).detectable)
    return np.mean(told), np.array(stated)


def sizes(repetitions):
    """Yield how often differences of both stated sizes are found, row by row."""
    for model in MODELS:
        for n_units in (50, 100, 300):
            se = true_se(model, n_units)
            for n_systems in (3, 10, 30):
                critical_value = critical_value_among(n_systems, LEVEL)
                half, often = (factor(critical_value, n_units, power) * se for power in (0.5, 0.8))
                share_half, _ = found(model, half, n_units, n_systems, repetitions, 4)
                share_often, stated = found(model, often, n_units, n_systems, repetitions, 5)
                yield {
                    "score": model.name,
                    "n_units": n_units,
                    "n_systems": n_systems,
                    "half": round(half, 3),
                    "found_half": round(share_half, 3),
                    "often": round(often, 3),
                    "found_often": round(share_often, 3),
                    # What boards state, as a multiple of the truth: the middle, and where nine of ten lie.
                    "stated": np.quantile(stated / often, (0.5, 0.05, 0.95)).round(2).tolist(),
                }


def needs(repetitions):
    """Yield how often a difference is found on the number of units that is said to find it, from the spread on 100."""
    for model in MODELS:
        se = true_se(model, 100)
        for difference, n_systems in ((0.08, 10), (0.05, 3)):
            needed = units_needed(difference, se, 100, critical_value_among(n_systems, LEVEL))
            share, _ = found(model, difference, needed, n_systems, repetitions, 6)
            yield {
                "score": model.name,
                "difference": difference,
                "n_systems": n_systems,
                "needed": needed,
                "found_often": round(share, 3),
            }


def verdict(share, band):
    return f"{share:.1%}{'' if band[0] <= share <= band[1] else ' *'}"


def printed_sizes(rows):
    print(
        f"{'score':<18} {'units':>6} {'systems':>8} {'half':>7} {'found':>8} {'often':>7} {'found':>8}   stated / true"
    )
    for row in rows:
        middle, low, high = row["stated"]
        print(
            f"{row['score']:<18} {row['n_units']:>6} {row['n_systems']:>8} "
            f"{row['half']:>7.3f} {verdict(row['found_half'], BAND_HALF):>8} "
            f"{row['often']:>7.3f} {verdict(row['found_often'], BAND_OFTEN):>8}   {middle:.2f} [{low:.2f}, {high:.2f}]",
            flush=True,
        )
        yield row


def printed_needs(rows):
    print(f"\n{'score':<18} {'difference':>10} {'systems':>8} {'needed':>7} {'found':>8}")
    for row in rows:
        said = verdict(row["found_often"], BAND_OFTEN)
        print(
            f"{row['score']:<18} {row['difference']:>10} {row['n_systems']:>8} {row['needed']:>7} {said:>8}", flush=True
        )
        yield row


def held(row):
    half, often = row.get("found_half", 0.5), row["found_often"]
    return BAND_HALF[0] <= half <= BAND_HALF[1] and BAND_OFTEN[0] <= often <= BAND_OFTEN[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=300, help="boards in each cell (default 300)")
    parser.add_argument("--output", type=Path, help="write the figures here too, as the guide's page reads them")
    parser.add_argument("--tiny", action="store_true", help="whether it runs, in seconds; the figures say nothing")
    arguments = parser.parse_args()
    repetitions = 2 if arguments.tiny else arguments.repetitions
    began = time.perf_counter()
    print(f"{repetitions} boards in each cell, {N_RESAMPLES} resamples, {LEVEL:.0%}; * outside what is promised:")
    print(f"half: {BAND_HALF[0]:.0%} to {BAND_HALF[1]:.0%}; often: {BAND_OFTEN[0]:.0%} to {BAND_OFTEN[1]:.0%}\n")
    figures = {
        "repetitions": repetitions,
        "sizes": list(printed_sizes(sizes(repetitions))),
        "needs": list(printed_needs(needs(repetitions))),
    }
    print(f"\n{time.perf_counter() - began:.0f} s")
    if arguments.output:
        arguments.output.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 0 if arguments.tiny or all(map(held, figures["sizes"] + figures["needs"])) else 1


if __name__ == "__main__":
    sys.exit(main())
