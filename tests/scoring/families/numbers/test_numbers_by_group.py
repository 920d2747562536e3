"""Correlations within and between groups, as SemEval-2026 task 2 ranks by them, and as SciPy counts them."""

import numpy as np
import pytest
from scipy import stats

import scoring
from scoring.families.numbers import NUMBERS
from scoring.readers.archive import open_files
from tests.scoring.families.labels.test_labels import table_of

KEYS = ("pearson_within", "pearson_between", "pearson_composite")
GOLD = [("1", "A", 1), ("2", "A", 3), ("3", "B", 5), ("4", "B", 5), ("5", "C", 2), ("6", "C", 4)]
RUN = [("1", 2), ("2", 3), ("3", 3), ("4", 5), ("5", 1), ("6", 1)]


def evaluate(folder, gold, run, n_resamples=0, **options):
    files = {"gold": folder / "gold.csv", "system": folder / "run.csv"}
    for path, rows, head in zip(files.values(), (gold, run), (("id", "user", "value"), ("id", "value")), strict=True):
        path.write_text(table_of(rows, head))
    options = {"group": "user", "group_correlations": "yes", **options}
    return scoring.evaluate("numbers", **files, options=options, n_resamples=n_resamples)


def test_the_worked_example_comes_out_with_an_interval(tmp_path):
    result = evaluate(tmp_path, GOLD, RUN, n_resamples=200, headline="pearson_composite")
    assert [result.scores[key] for key in KEYS] == pytest.approx([0.5, 0.654654, 0.582576], abs=1e-6)
    assert result.units == ["A", "B", "C"]


@pytest.mark.parametrize("seed", range(4))
def test_each_resample_counts_a_group_as_often_as_it_is_drawn(tmp_path, seed):
    rng = np.random.default_rng(seed)
    user = rng.integers(0, 12, 80)
    gold, system = rng.integers(1, 4, 80).astype(float), rng.integers(1, 6, 80) / 2
    rows = [(k, user[k], gold[k]) for k in range(80)]
    result = evaluate(tmp_path, rows, list(enumerate(system)))
    weights = rng.integers(0, 3, (5, len(result.units)))
    files = [open_files(tmp_path / name) for name in ("gold.csv", "run.csv")]
    read = NUMBERS.read_gold(files[0], result.options)
    counted = NUMBERS.count(read, NUMBERS.read_system(files[1], read, result.options), result.options)
    found = counted.weighted(weights)
    for number, drawn in enumerate(weights):
        groups = np.repeat([int(name) for name in result.units], drawn)
        within = [by_hand(gold[user == group], system[user == group]) for group in groups]
        within = np.mean([r for r in within if r is not None])
        means = [[side[user == group].mean() for group in groups] for side in (gold, system)]
        between = stats.pearsonr(*means).statistic
        expected = (within, between, np.tanh((np.arctanh(within) + np.arctanh(between)) / 2))
        assert [found[key][number] for key in KEYS] == pytest.approx(expected, abs=1e-9)


def by_hand(gold, system):
    """None where the gold says nothing, and 0 where the system says the same of all."""
    if np.ptp(gold) == 0:
        return None
    return 0.0 if np.ptp(system) == 0 else stats.pearsonr(gold, system).statistic


def test_where_all_numbers_of_each_group_are_equal_there_is_no_correlation_within(tmp_path):
    scores = evaluate(tmp_path, [("1", "A", 1), ("2", "B", 2), ("3", "C", 4)], [("1", 1), ("2", 3), ("3", 3)]).scores
    assert (scores["pearson_within"], scores["pearson_composite"]) == (None, None)
    assert scores["pearson_between"] == pytest.approx(stats.pearsonr([1, 2, 4], [1, 3, 3]).statistic)


@pytest.mark.parametrize("options", [{}, {"kind": "binary", "group": "user"}])
def test_it_needs_groups_of_numbers(options):
    with pytest.raises(scoring.ConfigurationError, match="group_correlations"):
        NUMBERS.configure({"group_correlations": "yes", **options})


def test_several_columns_have_their_own_and_their_mean():
    options = NUMBERS.configure({"columns": "valence,arousal", "group": "user", "group_correlations": "yes"})
    titles = NUMBERS.titles(options)
    assert "pearson_composite" in titles
    assert "valence_pearson_composite" in titles


def test_means_that_only_rounding_tells_apart_are_equal(tmp_path):
    gold = [("u", 0.2), ("u", 0.3), ("u", 0.1), ("v", 0.2), ("v", 0.2), *(("w", x) for x in (0.1, 0.1, 0.3, 0.2, 0.3))]
    run = [1, 3, 2, 5, 4, 2, 3, 5, 4, 1]
    for factor in (1, 10, 1e-9):
        rows = [(k, user, factor * value) for k, (user, value) in enumerate(gold)]
        result = evaluate(tmp_path, rows, list(enumerate(run)))
        assert [result.scores[key] for key in KEYS[1:]] == [None, None]
    apart = [(k, user, value + (1e-6 if user == "w" else 0)) for k, (user, value) in enumerate(gold)]
    assert evaluate(tmp_path, apart, list(enumerate(run))).scores[KEYS[1]] is not None
