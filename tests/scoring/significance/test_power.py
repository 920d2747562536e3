"""Tests how much a comparison can tell: hand-worked sizes, independent oracles, and the command."""

import json

import numpy as np
import pytest
from scipy import stats

import scoring
from scoring.__main__ import main
from scoring.significance import Block, resampled
from scoring.significance.power import critical_value_among, factor, units_needed
from tests.scoring.comparing.test_compare import mean, questions_of, some_results, three_systems


def compared(**changes):
    names, scores, draws = three_systems()
    return scoring.compare_draws(names, scores, draws, **({"n_units": 20} | changes))


def test_twenty_questions_tell_what_the_worked_numbers_say():
    found = scoring.power_of(compared())
    # Neighbours: a and b with .0347390, b and c with .0439361; 2.5479124 standard errors in an interval for all pairs.
    se = (0.0347390 + 0.0439361) / 2
    assert found.se == pytest.approx(se, abs=1e-7)
    assert found.threshold == pytest.approx(2.5479124 * se, abs=1e-7)
    assert found.detectable == pytest.approx((2.5479124 + stats.t.ppf(0.8, 19)) * se, abs=1e-7)
    assert found.n_units == 20
    assert found.n_systems == 3


def test_the_threshold_is_the_half_width_of_the_interval_against_the_leader():
    comparison = compared()
    row = comparison.table[1]
    half = row["difference_to_leader"] - row["difference_low"]
    assert half == pytest.approx(factor(comparison.critical_value, 20) * comparison.se[0, 1])


def test_the_critical_value_of_equal_systems_is_that_of_the_studentized_range():
    for n_systems in (2, 3, 10, 100):
        for level in (0.9, 0.95, 0.99):
            expected = stats.studentized_range.ppf(level, n_systems, np.inf) / np.sqrt(2)
            assert critical_value_among(n_systems, level) == pytest.approx(expected, rel=1e-6)


def test_a_test_of_many_units_has_the_power_of_the_textbook():
    """Two-sided z test: the power at (1.96 + 0.8416) standard errors is 80 %, to the far tail, which is nothing."""
    size = factor(critical_value_among(2, 0.95), 10**6, 0.8)
    assert stats.norm.sf(stats.norm.ppf(0.975) - size) == pytest.approx(0.8, abs=1e-4)


def test_with_few_units_half_and_four_fifths_are_found_in_drawn_normal_differences():
    """The t test itself is the oracle, whose spread is estimated anew on each sample."""
    n_units, critical_value = 25, stats.norm.ppf(0.975)
    # The bootstrap's standard error of a mean of unit normals, which `factor` takes, is this in the long run.
    se = np.sqrt((n_units - 1) / n_units) / np.sqrt(n_units)
    rng = np.random.default_rng(11)
    for power in (0.5, 0.8):
        samples = rng.normal(factor(critical_value, n_units, power) * se, 1, (20_000, n_units))
        assert np.mean(stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05) == pytest.approx(power, abs=0.02)


def test_the_needed_units_are_the_fewest_that_find_the_difference():
    for difference in (0.5, 0.05, 0.01, 0.001):
        needed = units_needed(difference, se=0.03, n_units=120, critical_value=3.1)
        sizes = [factor(3.1, n, 0.8) * 0.03 * np.sqrt(120 / n) for n in (needed - 1, needed)]
        assert sizes[1] <= difference
        assert needed == 20 or sizes[0] > difference


def test_no_number_of_units_is_asked_for_beyond_reason():
    assert units_needed(1e-9, se=0.03, n_units=120, critical_value=3.1) == 2**40


def test_the_spread_of_the_draws_is_that_of_the_linearised_ratio():
    """Oracle: a ratio of sums moves with each unit by (x − θ·y) / mean(y), and so does a difference of two."""
    rng = np.random.default_rng(5)
    gold = rng.poisson(6, 400) + 1
    both = [np.stack([rng.binomial(gold, share), gold], axis=1).astype(float) for share in (0.6, 0.7)]
    draws = [resampled(Block(rows, mean), 3, 4000)["mean"][0] for rows in both]
    scores = [float(rows[:, 0].sum() / rows[:, 1].sum()) for rows in both]
    comparison = scoring.compare_draws(["a", "b"], scores, np.array(draws), 400)
    shares = [(rows[:, 0] - score * rows[:, 1]) / rows[:, 1].mean() for rows, score in zip(both, scores, strict=True)]
    assert scoring.power_of(comparison).se == pytest.approx(np.std(shares[0] - shares[1]) / np.sqrt(400), rel=0.03)


def test_a_larger_test_of_the_same_kind_tells_the_difference_that_it_was_made_for():
    found = scoring.power_of(compared())
    larger = found.on(found.needed(0.03))
    assert larger.detectable <= 0.03 < found.on(found.needed(0.03) - 1).detectable


def test_more_systems_make_every_difference_harder_to_tell():
    found = scoring.power_of(compared())
    sizes = [found.among(k).detectable for k in (2, 3, 10, 30)]
    assert sizes == sorted(sizes)
    assert found.among(10).se == found.se


def test_nothing_is_known_where_nothing_is_told_apart():
    names, scores, draws = three_systems()
    assert scoring.power_of(compared(n_units=19)) is None
    assert scoring.power_of(scoring.compare_draws(names[:1], scores[:1], draws[:1], 20)) is None
    assert scoring.power_of(scoring.compare(some_results(), 200, method="randomisation")) is None


def test_copies_of_a_run_say_nothing_about_the_spread():
    names, scores, draws = three_systems()
    with_copy = scoring.compare_draws(["a", "copy", "b"], [scores[0], *scores[:2]], draws[[0, 0, 1]], 20)
    assert scoring.power_of(with_copy).se == pytest.approx(0.0347390, abs=1e-7)
    only_copies = scoring.compare_draws(["a", "copy"], [scores[0]] * 2, draws[[0, 0]], 20)
    assert scoring.power_of(only_copies) is None


def test_references_and_systems_beyond_the_tenth_do_not_count():
    rng = np.random.default_rng(2)
    rows = [questions_of(" ".join(map(str, rng.binomial(4, 0.9 - 0.05 * k, 40) / 4))) for k in range(12)]
    draws = np.array([resampled(Block(each, mean), 1, 500)["mean"][0] for each in rows])
    scores = [float(each[:, 0].mean()) for each in rows]
    names = [f"s{k}" for k in range(12)]
    whole = scoring.compare_draws(names, scores, draws, 40, references=["s0"])
    spreads = [whole.se[k, k + 1] for k in range(9)]
    assert scoring.power_of(whole).se == pytest.approx(np.median(spreads))


@pytest.mark.parametrize("power", [0.4, 1, "often"])
def test_a_power_that_is_none_is_refused(power):
    with pytest.raises(scoring.ConfigurationError, match="power must be at least 0.5 and below 1"):
        scoring.power_of(compared(), power=power)


def test_neither_no_difference_nor_a_board_of_one_can_be_asked_for():
    found = scoring.power_of(compared())
    with pytest.raises(scoring.ConfigurationError, match="above 0"):
        found.needed(0)
    with pytest.raises(scoring.ConfigurationError, match="two systems"):
        found.among(1)


def column(path, is_found):
    path.write_text("".join(f"w{k} {'B-X' if is_found(k) else 'O'}\n\n" for k in range(40)))
    return str(path)


@pytest.fixture
def arguments(tmp_path):
    paths = [
        column(tmp_path / "gold.conll", lambda k: True),
        column(tmp_path / "good.conll", lambda k: k % 10 != 0),
        column(tmp_path / "fair.conll", lambda k: k % 6 != 0),
    ]
    return ["power", "spacy", "--gold", *paths, "-o", 'scores=[{"name": "ner"}]', "--resamples", "500"]


def test_the_command_says_what_the_gold_tells_and_what_it_takes_to_tell_more(arguments, capsys):
    assert main([*arguments, "--difference", "0.01", "--difference", "0.05"]) == 0
    told, table, tested = capsys.readouterr().out.rstrip("\n").split("\n\n")
    assert told.startswith("With these 40 documents, a difference of about 0.1")
    assert "is detected in 80 % of all cases, and one of 0." in told
    assert [line.split()[0] for line in table.splitlines()] == ["difference", "0.01", "0.05"]
    assert tested == "All pairs of 2 systems tested together, confidence 95 %."


def test_the_command_gives_json_for_a_board_of_more_systems(arguments, capsys):
    assert main([*arguments, "--among", "10", "--format", "json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["n_systems"] == 10
    assert facts["critical_value"] == pytest.approx(3.1637, abs=1e-4)
    assert [difference for difference, _ in facts["needed"]] == [0.005, 0.01, 0.02, 0.05]
    assert facts["unit"] == ["document", "documents"]


def test_the_command_refuses_what_tells_nothing(arguments, capsys):
    assert main([*arguments[:5], *arguments[6:]]) == 2  # one system alone
    assert "nothing is known: that takes two systems that differ, on at least 20 units" in capsys.readouterr().err
    assert main([*arguments, "--power", "1"]) == 2
    assert main([*arguments, "--difference", "0"]) == 2
