"""Measures how far uploads that guess raise what a board tells, with the Ladder and without it.

Two attacks on hidden labels of two kinds, by accuracy. "Boosting" (Blum and Hardt 2015, section 4): random answers, of
which those that are told to be better are put to the vote. "Climbing": the best answers so far with some of them
changed at random, kept where they are told to be better. On fresh labels every guess is worth one half.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from scoring.comparing.ladder import Rung, climb

N_UNITS, N_UPLOADS, N_RESAMPLES, N_SITES = 1_000, 1_000, 500, 5
Z = 1.96  # of an interval of 95 %
Answers = NDArray[np.bool_]


@dataclass(frozen=True)
class Outcome:
    attack: str
    has_ladder: bool
    raised: float  # what is told in the end, above one half
    half_interval: float  # half of the width of its interval
    n_told: int  # uploads of which a number was told


class Site:
    """Hidden labels, and what a team is told of its uploads: all of them to four decimals, or by the Ladder."""

    def __init__(self, rng: np.random.Generator, *, has_ladder: bool) -> None:
        self.labels, self.has_ladder = rng.random(N_UNITS) < 0.5, has_ladder
        self.weights = rng.multinomial(N_UNITS, np.full(N_UNITS, 1 / N_UNITS), N_RESAMPLES) / N_UNITS
        self.best: Rung | None = None
        self.n_uploads = self.n_told = 0

    def upload(self, answers: Answers) -> float | None:
        right = answers == self.labels
        self.n_uploads += 1
        score = float(right.mean())
        told: float | None = round(score, 4)
        if self.has_ladder:
            draws = self.weights @ right
            told = climb(score, draws, self.best, self.n_uploads, lower_is_better=False)
            if told is not None:
                self.best = Rung(score, draws, told)
        self.n_told += told is not None
        return told


def boosting(site: Site, rng: np.random.Generator, n_uploads: int) -> float:
    """Return the best that is told after a vote of those answers that are told to be better than one half."""
    votes, shown = np.zeros(N_UNITS), 0.0
    for _ in range(n_uploads - 1):
        answers = rng.random(N_UNITS) < 0.5
        if (told := site.upload(answers)) is not None:
            shown = max(shown, told)
            if told != 0.5:
                votes += (2 * answers - 1) * np.sign(told - 0.5)
    told = site.upload(np.where(votes == 0, rng.random(N_UNITS) < 0.5, votes > 0))
    return max(shown, told or 0.0)


def climbing(site: Site, rng: np.random.Generator, n_uploads: int) -> float:
    """Return the best that is told, where each upload changes some answers of the best one."""
    best = rng.random(N_UNITS) < 0.5
    shown = site.upload(best) or 0.0
    for _ in range(n_uploads - 1):
        answers = best ^ (rng.random(N_UNITS) < rng.choice([0.01, 0.05, 0.25]))
        told = site.upload(answers)
        if told is not None and told > shown:
            best, shown = answers, told
    return shown


ATTACKS: dict[str, Callable[[Site, np.random.Generator, int], float]] = {"boosting": boosting, "climbing": climbing}


def outcome(attack: str, seed: int, n_uploads: int = N_UPLOADS, *, has_ladder: bool) -> Outcome:
    rng = np.random.default_rng(seed)
    site = Site(rng, has_ladder=has_ladder)
    shown = ATTACKS[attack](site, rng, n_uploads)
    half = Z * float(np.sqrt(0.25 / N_UNITS))
    return Outcome(attack, has_ladder, round(shown - 0.5, 4), round(half, 4), site.n_told)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--tiny", action="store_true", help="a few uploads; limits count for nothing")
    is_tiny = arguments.parse_args().tiny
    n_uploads, n_sites = (50, 1) if is_tiny else (N_UPLOADS, N_SITES)
    worst = 0.0
    for attack in ATTACKS:
        for has_ladder in (False, True):
            found = [outcome(attack, seed, n_uploads, has_ladder=has_ladder) for seed in range(n_sites)]
            highest = max(found, key=lambda each: each.raised)
            worst = max(worst, highest.raised / highest.half_interval) if has_ladder else worst
            mode = "Ladder" if has_ladder else "all scores"
            print(
                f"{attack}, {mode}: {n_uploads} uploads raise what is told by {highest.raised:+.3f} at most on "
                f"{n_sites} sites (half of the interval: {highest.half_interval:.3f}; {highest.n_told} told)"
            )
    sys.exit(worst >= 1 and not is_tiny)


if __name__ == "__main__":
    main()
