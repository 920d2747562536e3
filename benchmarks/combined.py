"""Measures combined scores and mean ranks: one team, a board of a hundred, ranks of fifty, and a hostile formula.

Comparisons are measured against `scoring.compare_draws` of as many systems, in turn; the memory of ranks is that of a
process of its own. The family `given` reads a million lines beside pandas.
"""

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import scoring  # noqa: E402
from scoring.significance import seed_of  # noqa: E402

N_RESAMPLES = 10_000
N_UNITS = 200


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)
    if parser.parse_args().alone:
        return print_ranks()
    command = [sys.executable, __file__, "--alone"]
    # First: a process begins with the peak of the one that started it.
    ranks = subprocess.run(command, capture_output=True, text=True, check=False)
    sys.stdout.write(ranks.stdout)
    measured = [combine_one(), hostile(), *compare_hundred(), given_million()]
    return int(not all(measured) or ranks.returncode)


def combine_one() -> bool:
    """A mean over 30 scenarios from stored draws."""
    parts = team(30, 0)
    taken = min(seconds(lambda: scoring.combine("mean(*.f1)", parts, n_resamples=N_RESAMPLES)) for _ in range(5))
    return told("combine, 30 scenarios x 10,000 draws", 1000 * taken, 20, "ms")


def hostile() -> bool:
    """A thousand characters of the dearest function, on all draws."""
    parts = {"a": team(1, 0)["s0"]}
    formula = f"gmean({','.join(['f1'] * 331)})"
    taken = min(seconds(lambda: scoring.combine(formula, parts, n_resamples=N_RESAMPLES)) for _ in range(5))
    return told(f"hostile formula of {len(formula)} characters", 1000 * taken, 50, "ms")


def compare_hundred() -> list[bool]:
    """A board of 100 teams over 30 scenarios, against the same test on ready draws."""
    teams = {f"team {number}": team(30, number) for number in range(100)}
    ready = [scoring.combine("mean(*.f1)", parts, n_resamples=N_RESAMPLES) for parts in teams.values()]
    scores, draws = [each.score for each in ready], np.array([each.draws for each in ready])
    ours, plain = [], []
    for _ in range(3):
        ours.append(seconds(lambda: scoring.compare_combined("mean(*.f1)", teams, n_resamples=N_RESAMPLES)))
        plain.append(seconds(lambda: scoring.compare_draws(list(teams), scores, draws, N_UNITS)))
    limit = 1.5 * min(plain) + 0.03 * len(teams)
    return [told(f"compare_combined, 100 x 30 (compare_draws alone {min(plain):.2f} s)", min(ours), limit, "s")]


def given_million() -> bool:
    """A million lines read, checked and scored, against pandas' reading of both files, in processor time."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "scores.csv")
        rng = np.random.default_rng(1)
        lines = (f"u{number:07},{score:.4f}\n" for number, score in enumerate(rng.random(1_000_000).tolist()))
        path.write_text("unit,score\n" + "".join(lines), encoding="utf-8")
        ours, plain = [], []
        for _ in range(3):
            ours.append(seconds(lambda: scoring.evaluate("given", gold=path, system=path), time.process_time))
            plain.append(seconds(lambda: [pd.read_csv(path) for _ in range(2)], time.process_time))
    return told(f"given, 10^6 lines (pandas {min(plain):.2f} s)", min(ours) / min(plain), 4, "times pandas")


def print_ranks() -> int:
    """Fifty teams in ten scenarios, in this process alone."""
    teams = {f"team {number}": team(10, number) for number in range(50)}
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    taken = seconds(lambda: scoring.mean_rank(teams, n_resamples=N_RESAMPLES))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - held
    done = [
        told("mean_rank, 50 teams x 10 scenarios x 10,000", taken, 6, "s"),
        told("its memory beside the stored draws", peak, 300, "MB"),
    ]
    return int(not all(done))


def team(n_scenarios: int, number: int) -> dict[str, scoring.Evaluation]:
    """Evaluations with stored draws: those of a scenario move together, as on one gold."""
    return {f"s{scenario}": evaluation(scenario, number) for scenario in range(n_scenarios)}


def evaluation(scenario: int, number: int) -> scoring.Evaluation:
    digest = sha256(f"gold {scenario}".encode()).hexdigest()
    common = np.random.default_rng(scenario).normal(0, 0.02, N_RESAMPLES)
    rng = np.random.default_rng([scenario, number])
    score = 0.9 - 0.004 * number + rng.normal(0, 0.01)
    return scoring.Evaluation(
        family="qac",
        options={},
        signature="",
        headline="f1",
        scores={"f1": score},
        intervals={},
        interval_methods={},
        counts={},
        units=[f"{scenario}-{unit}" for unit in range(N_UNITS)],
        warnings=[],
        n_resamples=N_RESAMPLES,
        confidence_level=0.95,
        seed=seed_of(digest),
        gold_digest=digest,
        rows=np.empty((0, 0)),
        draws=score + common + rng.normal(0, 0.01, N_RESAMPLES),
        table_intervals={},
        table_interval_methods={},
        make_tables=dict,
    )


def seconds(action: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    began = clock()
    action()
    return clock() - began


def told(what: str, value: float, limit: float, unit: str) -> bool:
    print(f"{what}: {value:.2f} {unit} (at most {limit:.2f}){'' if value <= limit else '  MISSED'}", flush=True)
    return value <= limit


if __name__ == "__main__":
    sys.exit(main())
