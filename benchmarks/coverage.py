"""Measures how often intervals hold the truth, and boards claim what is true, on simulated shared tasks.

Each unit holds a number of gold items (gamma-Poisson, mean 6, shape 2); a system finds a share of them that
varies by unit (beta, concentration 4) and adds spurious items (gamma-Poisson). The score is micro-F1, whose
true value follows from the means.
"""

import argparse
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import scoring
from scoring.prf import harmonic_mean, ratio
from scoring.readers.given.blocks import N_BLOCKS
from scoring.significance import Block, bootstrap, percentile_interval, resampled
from scoring.significance.averages import Averages, Mean
from scoring.significance.jackknife import jackknife_interval, pseudo_values
from scoring.significance.pairs import holm
from scoring.significance.proportions import prf_proportions

MEAN_ITEMS, SHAPE, CONCENTRATION = 6, 2, 4
N_RESAMPLES = 1_000
LEVEL = 0.95


@dataclass(frozen=True)
class Skill:
    precision: float
    recall: float

    @property
    def f1(self):
        return float(harmonic_mean(self.precision, self.recall))


ROW_SIZES = (10, 12, 20, 50)  # gold items of a row, on average
ROW_SKILLS = (0.5, 0.7, 0.85, 0.95, 0.98)  # precision, and recall
SKILLS = (Skill(0.75, 0.6), Skill(0.95, 0.93), Skill(0.4, 0.2))


def gamma_poisson(rng, mean, size):
    return rng.poisson(rng.gamma(SHAPE, mean / SHAPE, size))


def run(rng, skill, gold):
    """Rows of correct, gold and system items of one system over the units of `gold`."""
    share = rng.beta(skill.recall * CONCENTRATION, (1 - skill.recall) * CONCENTRATION, len(gold))
    correct = rng.binomial(gold, share)
    spurious = gamma_poisson(rng, MEAN_ITEMS * skill.recall * (1 - skill.precision) / skill.precision, len(gold))
    return np.stack([correct, gold, correct + spurious], axis=1)


def f1(sums):
    correct, gold, system = np.moveaxis(np.asarray(sums), -1, 0)
    return {"f1": ratio(2 * correct, gold + system)}


def coverage(n_units, skill, repetitions, seed=1):
    """Share of repetitions whose interval holds the true F1, and the mean width."""
    rng = np.random.default_rng([seed, n_units, round(1000 * skill.recall)])
    held, widths = [], []
    for repetition in range(repetitions):
        rows = run(rng, skill, gamma_poisson(rng, MEAN_ITEMS, n_units))
        found = bootstrap(Block(rows, f1), headline="f1", seed=repetition, n_resamples=N_RESAMPLES, batch=N_RESAMPLES)
        low, high = found.intervals["f1"]
        held.append(low <= skill.f1 <= high)
        widths.append(high - low)
    return np.mean(held), np.mean(widths), found.methods["f1"]


def row_coverage(n_items, skill, per_unit, repetitions, seed=3):
    """Shares of repetitions whose interval of a row's F1, precision and recall holds the true value.

    The row has so many gold items on average, so many a unit where it occurs, and hits hang together in a unit.
    """
    rng = np.random.default_rng([seed, n_items, round(1000 * skill.recall), per_unit])
    held = {"f1": [], "precision": [], "recall": []}
    truth = {"f1": skill.f1, "precision": skill.precision, "recall": skill.recall}
    while len(held["f1"]) < repetitions:
        rows = run_row(rng, n_items, skill, per_unit)
        if rows[:, 1].sum() < 10:
            continue
        block = Block(rows[:, np.newaxis], f1, np.array([rows[:, 1].sum()]), proportions=_shares)
        [found] = bootstrap(Block(rows, f1), [block], headline="f1", seed=1, n_resamples=2).tables[0].intervals
        for name, value in truth.items():
            low, high = found.get(name, (0, 1))
            held[name].append(low <= value <= high)
    return [np.mean(values) for values in held.values()]


def run_row(rng, n_items, skill, per_unit):
    """Rows of correct, gold and system items of one label over some units, some of which have none of it."""
    n_units = max(10, 3 * n_items // per_unit)
    gold = rng.poisson(n_items / n_units, n_units) if per_unit > 1 else rng.binomial(1, n_items / n_units, n_units)
    # Alone each item is a decision of its own; in units with several a hit makes the next one likelier.
    shares = rng.beta(skill.recall * CONCENTRATION, (1 - skill.recall) * CONCENTRATION, n_units)
    correct = rng.binomial(gold, shares if per_unit > 1 else skill.recall)
    spurious = rng.poisson(n_items / n_units * skill.recall * (1 - skill.precision) / skill.precision, n_units)
    return np.stack([correct, gold, correct + spurious], axis=1)


def _shares(counts):
    return prf_proportions(*np.moveaxis(counts, -1, 0))


def macro_coverage(n_units, n_labels, rarest, per_unit, repetitions, *, counts_absent=False, seed=5):
    """Of worlds with one rare label: the shares whose interval holds the true macro F1, with more than a quarter of the
    labels rare and with fewer, the mean widths, and the same shares of percentiles; NaN of no world."""
    rng = np.random.default_rng([seed, n_units, n_labels, round(1000 * rarest), per_unit])
    shares = np.array([*[(1 - rarest) / (n_labels - 1)] * (n_labels - 1), rarest])
    confusion = confusion_of(shares)
    truth = np.mean(2 * np.diag(confusion) / (confusion.sum(axis=0) + confusion.sum(axis=1)))
    held, before, widths, are_many = [], [], [], []
    for repetition in range(repetitions):
        rows = labelled(rng, n_units, shares, per_unit)
        is_there = np.ones(n_labels, dtype=bool) if counts_absent else rows.sum(axis=0)[:, :2].any(axis=1)
        averages = Averages(rows, prf_of_labels, lambda t: t[..., 0], partial(_equal_weights, is_there))
        metrics = partial(_macro_f1, is_there if counts_absent else None)
        one, other = (
            bootstrap(
                Block(rows, metrics, averages=own), headline="macro_f1", seed=repetition, n_resamples=N_RESAMPLES
            ).intervals.get("macro_f1", (0, 0))
            for own in ([averages], [])
        )
        held.append(one[0] <= truth <= one[1])
        before.append(other[0] <= truth <= other[1])
        widths.append((one[1] - one[0], other[1] - other[0]))
        are_many.append((rows.sum(axis=0)[is_there, 0] < 10).sum() > is_there.sum() / 4)
    is_many = np.array(are_many)
    return [
        np.mean(np.array(values)[chosen], axis=0) if chosen.any() else np.full(np.shape(values)[1:], np.nan)
        for chosen in (~is_many, is_many)
        for values in (held, before, widths)
    ], np.mean(is_many)


HIT = 0.75  # how often a label is right; else any label is as likely


def confusion_of(shares):
    """The population's share of each pair of gold and system label."""
    n = len(shares)
    return shares[:, np.newaxis] * (HIT * np.eye(n) + (1 - HIT) / n)


def labelled(rng, n_units, shares, per_unit):
    """Rows (units, labels, 3) of gold, system and both; in a unit of several items hits and labels hang together."""
    n = len(shares)
    skill = rng.beta(HIT * CONCENTRATION, (1 - HIT) * CONCENTRATION, (n_units, 1)) if per_unit > 1 else HIT
    gold = rng.choice(n, (n_units, per_unit), p=shares)
    system = np.where(rng.random(gold.shape) < skill, gold, rng.integers(n, size=gold.shape))
    rows = np.zeros((n_units, n, 3), dtype=np.int64)
    unit = np.arange(n_units)[:, np.newaxis]
    for kind, labels, is_counted in ((0, gold, True), (1, system, True), (2, gold, gold == system)):
        np.add.at(rows, (unit, labels, kind), np.broadcast_to(is_counted, gold.shape))
    return rows


def prf_of_labels(counts):
    t, p, c = np.moveaxis(np.asarray(counts), -1, 0)
    return prf_proportions(c, t, p)


def _equal_weights(is_there, counts):
    return {"macro_f1": Mean("f1", is_there.astype(float))}


def _macro_f1(is_there, counts):
    """Over the labels that either side has, or over these."""
    t, p, c = np.moveaxis(np.asarray(counts), -1, 0)
    there = t + p > 0 if is_there is None else is_there
    return {"macro_f1": ratio((ratio(2 * c, t + p) * there).sum(axis=-1), np.broadcast_to(there, t.shape).sum(axis=-1))}


def board(rng, skills, n_units, seed):
    """A comparison of systems of these skills on one gold."""
    gold = gamma_poisson(rng, MEAN_ITEMS, n_units)
    systems = [run(rng, skill, gold) for skill in skills]
    scores = [float(f1(rows.sum(axis=0))["f1"]) for rows in systems]
    blocks = [Block(rows, f1) for rows in systems]
    draws = np.array([resampled(block, seed, N_RESAMPLES, N_RESAMPLES)["f1"][0] for block in blocks])
    return scoring.compare_draws([str(number) for number in range(len(skills))], scores, draws, n_units)


def claims(skills, n_units, repetitions, seed=2):
    """Shares of boards whose ranges hold all true ranks, and that separate wrongly; of true differences found."""
    rng = np.random.default_rng([seed, n_units, len(skills)])
    truth = np.array([skill.f1 for skill in skills])
    better = truth[:, np.newaxis] > truth + 1e-12
    held, wrong, found, found_by_holm = [], [], [], []
    for repetition in range(repetitions):
        made = board(rng, skills, n_units, repetition)
        order = [int(name) for name in made.names]
        true = better[np.ix_(order, order)]
        ranges = np.array(made.rank_ranges)
        held.append(
            (ranges[:, 0] <= 1 + true.sum(axis=0)).all() and (ranges[:, 1] >= len(skills) - true.sum(axis=1)).all()
        )
        wrong.append((made.separated & ~true).any())
        if true.any():
            rows, columns = np.triu_indices(len(skills), 1)
            alone = np.ones_like(made.p)
            alone[rows, columns] = alone[columns, rows] = holm(made.p[rows, columns])
            found.append(made.separated[true].mean())
            found_by_holm.append(((alone < 1 - LEVEL) & (made.difference > 0))[true].mean())
    return np.mean(held), np.mean(wrong), np.mean(found or [np.nan]), np.mean(found_by_holm or [np.nan])


def block_totals(statistic, rows, blocks):
    """The statistic of all rows, and of the rows without each block, as pseudo-values."""
    without = np.array([statistic(rows[blocks != block]) for block in range(N_BLOCKS)])
    return pseudo_values(float(statistic(rows)), without)


def block_coverage(make, statistic, truth, n_units, repetitions, seed=4):
    """Share of repetitions whose grouped jackknife holds the truth; of those whose percentiles of blocks do; width."""
    rng = np.random.default_rng([seed, n_units])
    held, held_by_percentiles, widths = [], [], []
    for _ in range(repetitions):
        values = block_totals(statistic, make(rng, n_units), rng.permutation(n_units) % N_BLOCKS)
        low, high = jackknife_interval(values, LEVEL)
        held.append(low <= truth <= high)
        widths.append(high - low)
        drawn = values[rng.integers(N_BLOCKS, size=(N_RESAMPLES, N_BLOCKS))].mean(axis=1)
        low, high = percentile_interval(drawn, LEVEL)
        held_by_percentiles.append(low <= truth <= high)
    return np.mean(held), np.mean(held_by_percentiles), np.mean(widths)


def correlated(rng, n_units):
    """Pairs of normal numbers whose correlation is .8."""
    first, second = rng.normal(size=(2, n_units))
    return np.stack([first, 0.8 * first + 0.6 * second], axis=1)


# What a judge's total may be: its units, the total, and its true value.
TOTALS = (
    ("mean", lambda rng, n: rng.beta(2, 1, n), np.mean, 2 / 3),
    (
        "micro-F1",
        lambda rng, n: run(rng, SKILLS[0], gamma_poisson(rng, MEAN_ITEMS, n)),
        lambda rows: float(f1(rows.sum(axis=0))["f1"]),
        SKILLS[0].f1,
    ),
    ("correlation", correlated, lambda rows: np.corrcoef(rows.T)[0, 1], 0.8),
    ("median", lambda rng, n: rng.lognormal(size=n), np.median, 1.0),
)
BOARDS = (
    ("10 systems, ties in truth", [Skill(0.75, r) for r in (0.7, 0.7, 0.66, 0.66, 0.62, 0.62, 0.58, 0.5, 0.5, 0.42)]),
    ("10 equal systems", [Skill(0.75, 0.6)] * 10),
    ("20 equal systems", [Skill(0.75, 0.6)] * 20),
)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1_000, help="of each simulation (default 1000)")
    parser.add_argument("--tiny", action="store_true", help="whether it runs, in seconds; the figures say nothing")
    arguments = parser.parse_args()
    repetitions = 2 if arguments.tiny else arguments.repetitions
    began = time.perf_counter()
    print(f"Intervals of {LEVEL:.0%}, {repetitions} repetitions, {N_RESAMPLES} resamples each")
    print(f"{'units':>6} {'precision':>10} {'recall':>7} {'F1':>6} {'method':>11} {'held':>7} {'width':>7}")
    for n_units in (25, 50, 100, 300):
        for skill in SKILLS:
            held, width, method = coverage(n_units, skill, repetitions)
            print(
                f"{n_units:>6} {skill.precision:>10} {skill.recall:>7} {skill.f1:>6.3f} {method:>11} "
                f"{held:>7.1%} {width:>7.3f}"
            )
    print(f"\nRows of tables by label, {repetitions} repetitions each: how often intervals hold F1, precision, recall")
    print(f"{'gold items':>10} {'a unit':>7} {'precision':>10} {'recall':>7} {'F1':>7} {'P':>7} {'R':>7}")
    for per_unit in (1, 3):
        for n_items in ROW_SIZES:
            for share in ROW_SKILLS:
                held = row_coverage(n_items, Skill(share, share), per_unit, repetitions)
                shown = " ".join(f"{value:>7.1%}" for value in held)
                print(f"{n_items:>10} {per_unit:>7} {share:>10} {share:>7} {shown}")
    print(
        f"\nMacro F1 with one rare label, {repetitions} repetitions each: how often the interval holds it where at most"
    )
    print(
        "a quarter of the labels are rare, percentiles of these, widths of both; share of the others, and held there,"
    )
    print("percentiles there and widths of both")
    print(
        f"{'units':>6} {'labels':>7} {'rarest':>7} {'a unit':>7} {'held':>7} {'perc.':>7} {'width':>7} {'perc.':>7}",
        end="",
    )
    print(f" {'others':>7} {'held':>7} {'perc.':>7} {'width':>7} {'perc.':>7}")
    for per_unit in (1, 3):
        for n_labels in (4, 8):
            for n_units in (60, 200, 600):
                for rarest in (0.01, 0.02, 0.04, 0.08):
                    found, others = macro_coverage(n_units, n_labels, rarest, per_unit, repetitions)
                    held, before, (width, width_before), held_of_others, before_of_others, widths_of_others = found
                    print(
                        f"{n_units:>6} {n_labels:>7} {rarest:>7} {per_unit:>7} {held:>7.1%} {before:>7.1%} "
                        f"{width:>7.3f} {width_before:>7.3f} {others:>7.1%} {held_of_others:>7.1%} "
                        f"{before_of_others:>7.1%} {widths_of_others[0]:>7.3f} {widths_of_others[1]:>7.3f}"
                    )
    print(f"\nBoards, {repetitions} each: ranges that hold all true ranks; boards with a false separation;")
    print("share of true differences found, and by Holm's correction of single tests")
    print(f"{'board':<27} {'units':>6} {'ranges':>7} {'false':>7} {'found':>7} {'Holm':>7}")
    for (name, skills), n_units in ((BOARDS[0], 100), (BOARDS[0], 300), (BOARDS[1], 100), (BOARDS[2], 20)):
        held, wrong, found, by_holm = claims(skills, n_units, repetitions)
        print(f"{name:<27} {n_units:>6} {held:>7.1%} {wrong:>7.1%} {found:>7.2f} {by_holm:>7.2f}")
    print(f"\nTotals of a judge, {N_BLOCKS} blocks left out in turn, {repetitions} repetitions each: how often the")
    print("grouped jackknife holds the true total, and percentiles of its pseudo-values do")
    print(f"{'total':<12} {'units':>6} {'jackknife':>10} {'percentiles':>12} {'width':>7}")
    for name, make, statistic, truth in TOTALS:
        for n_units in (100, 1_000):
            held, by_percentiles, width = block_coverage(make, statistic, truth, n_units, repetitions)
            print(f"{name:<12} {n_units:>6} {held:>10.1%} {by_percentiles:>12.1%} {width:>7.3f}")
    print(f"\n{time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
