"""compare() and compare_draws(): worked examples, plain oracles, bad input."""

import itertools
import json

import numpy as np
import pytest

import scoring
from scoring.comparing.ranking import letter
from scoring.comparing.sentence import listed, sentence_on
from scoring.evaluation import Evaluation
from scoring.prf import ratio
from scoring.significance import Block, resampled, seed_of, swaps
from scoring.significance.alone import PairTestCache
from scoring.significance.pairs import holm, normal_deviate, simultaneous_factor, step_down

# F of twenty questions for three systems.
QUESTIONS = {
    "a": "1 .5 1 .75 1 .5 1 1 .5 .75 1 1 .5 1 .75 1 .25 1 1 .75",
    "b": ".75 .5 1 .5 1 .25 1 .75 .75 .5 1 1 .5 .75 .5 1 .5 1 .75 .75",
    "c": ".5 0 .75 .25 1 .25 .5 .5 0 .5 .5 .75 .25 .5 0 .75 0 .5 .5 .25",
}
QUESTION = ("question", "questions")


def mean(sums):
    return {"mean": ratio(sums[..., 0], sums[..., 1])}


def questions_of(text):
    values = np.array([float(value) for value in text.split()])
    return np.stack([values, np.ones(len(values))], axis=1)


def three_systems(n_resamples=1000, seed=2026):
    rows = {name: questions_of(text) for name, text in QUESTIONS.items()}
    draws = [resampled(Block(own, mean), seed, n_resamples)["mean"][0] for own in rows.values()]
    return list(rows), [float(own[:, 0].mean()) for own in rows.values()], np.array(draws)


def evaluation(f1_counts, name="f1", **changes):
    """A stored result of the eHealth-KD family: rows of correct, missing and spurious phrases."""
    rows = np.zeros((len(f1_counts), 8), dtype=np.int64)
    rows[:, [0, 3, 4]] = f1_counts
    family = scoring.FAMILIES["ehealthkd"]
    options = family.configure({"scenario": "2"})
    scores = {key: float(value) for key, value in family.metrics(rows.sum(axis=0), options).items()}
    facts = {
        "family": "ehealthkd",
        "options": options,
        "signature": "",
        "headline": "f1",
        "scores": scores,
        "intervals": {},
        "interval_methods": {},
        "counts": {},
        "units": [str(number) for number in range(len(rows))],
        "warnings": [],
        "n_resamples": 0,
        "confidence_level": 0.95,
        "seed": None,
        "gold_digest": "ab" * 32,
        "rows": rows,
        "draws": None,
        "table_intervals": {},
        "table_interval_methods": {},
        "make_tables": dict,
    }
    return Evaluation(**(facts | changes))


def some_results(n_systems=4, n_units=40, seed=1):
    rng = np.random.default_rng(seed)
    gold = rng.poisson(6, n_units) + 1
    results = {}
    for k in range(n_systems):
        correct = rng.binomial(gold, 0.8 - 0.1 * k)
        results[f"s{k}"] = evaluation(np.stack([correct, gold - correct, rng.poisson(1 + k, n_units)], axis=1))
    return results


def test_three_systems_over_twenty_questions_come_out_as_worked_by_hand():
    names, scores, draws = three_systems()
    found = scoring.compare_draws(names, scores, draws, 20, unit=QUESTION)
    assert found.names == ["a", "b", "c"]
    assert found.ranks == [1, 2, 3]
    assert found.rank_ranges == [(1, 2), (1, 2), (3, 3)]
    assert found.groups == [["a", "b"], ["c"]]
    assert found.difference[0, 1:] == pytest.approx([0.075, 0.4])
    assert found.se[[0, 0, 1], [1, 2, 2]] == pytest.approx([0.0347390, 0.0366566, 0.0439361], abs=1e-7)
    assert found.p[[0, 0, 1], [1, 2, 2]] * 1001 == pytest.approx([55, 1, 1])
    assert found.p_adjusted[[0, 0, 1], [1, 2, 2]] * 1001 == pytest.approx([55, 1, 1])
    assert found.critical_value == pytest.approx(2.2815838, abs=1e-7)
    rows = {row["name"]: row for row in found.table}
    assert rows["a"]["difference_low"] is rows["a"]["difference_high"] is rows["a"]["p_to_leader"] is None
    assert [rows["b"]["difference_low"], rows["b"]["difference_high"]] == pytest.approx(
        [-0.1635120, 0.0135120], abs=1e-6
    )
    assert [rows["c"]["difference_low"], rows["c"]["difference_high"]] == pytest.approx(
        [-0.4933977, -0.3066023], abs=1e-6
    )
    assert found.sentence == (
        f"Shared first: a ({scores[0]:.3f}) and b ({scores[1]:.3f}). "
        "20 questions cannot tell them apart; a is better than c."
    )
    assert found.warnings == []


def test_a_pair_has_the_percentiles_of_its_difference():
    names, scores, draws = three_systems()
    pair = scoring.compare_draws(names, scores, draws, 20).pair("c", "a")
    assert (pair.difference, pair.low, pair.high) == pytest.approx(
        (-0.4, *np.quantile(draws[2] - draws[0], [0.025, 0.975]))
    )
    assert pair.separated


def test_the_plain_step_down_below_comes_out_as_worked_by_hand():
    moved = [
        [0.5, 1.2, 2.4, 0.3, 1.1, 0.9, 3.2, 0.2, 1.5],
        [1, 2.1, 0.4, 0.8, 1.9, 0.3, 0.6, 1.2, 0.7],
        [0.2, 0.9, 1.3, 0.4, 0.1, 2.2, 0.3, 0.5, 0.6],
    ]
    assert plain_step_down([3, 2, 0.5], moved) == pytest.approx([0.2, 0.3, 0.6])


def plain_step_down(t, moved):
    """The P × B matrix in memory, every maximum anew."""
    order = np.argsort(t)
    adjusted = np.empty(len(t))
    for place, pair in enumerate(order):
        largest = np.max([moved[other] for other in order[: place + 1]], axis=0)
        adjusted[pair] = (1 + np.count_nonzero(largest >= t[pair] - 1e-9)) / (len(largest) + 1)
    for place in range(len(t) - 2, -1, -1):
        adjusted[order[place]] = max(adjusted[order[place]], adjusted[order[place + 1]])
    return adjusted


@pytest.mark.parametrize("seed", range(5))
def test_all_pairs_agree_with_a_plain_matrix_of_pairs_and_resamples(seed):
    rng = np.random.default_rng(seed)
    scores = np.sort(rng.normal(0.6, 0.02, 7))[::-1]
    draws = scores[:, np.newaxis] + rng.normal(0, 0.01, (7, 400)) + rng.normal(0, 0.03, 400)
    found = scoring.compare_draws(list("abcdefg"), scores.tolist(), draws, 10**7)
    pairs = list(itertools.combinations(range(7), 2))
    se = [np.std(draws[a] - draws[b], ddof=1) for a, b in pairs]
    t = [(scores[a] - scores[b]) / own for (a, b), own in zip(pairs, se, strict=True)]
    moved = [np.abs(draws[a] - draws[b] - scores[a] + scores[b]) / own for (a, b), own in zip(pairs, se, strict=True)]
    rows, columns = np.array(pairs).T
    assert found.se[rows, columns] == pytest.approx(se)
    assert found.p_adjusted[rows, columns] == pytest.approx(plain_step_down(t, moved))
    assert found.p[rows, columns] == pytest.approx(
        [(1 + np.count_nonzero(m >= own - 1e-9)) / 401 for m, own in zip(moved, t, strict=True)]
    )


def test_small_samples_ask_for_more():
    assert normal_deviate(np.array([3.0]), 12) == pytest.approx(2.428069)
    assert normal_deviate(np.array([3.0]), 100) == pytest.approx(2.913575)
    assert normal_deviate(np.array([3.0]), 1000) == pytest.approx(2.991038)
    assert normal_deviate(np.array([np.inf]), 12) == np.inf
    assert simultaneous_factor(3, 100) == pytest.approx(3.093053)


def test_holm():
    assert holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])


def test_the_first_trial_of_swaps_is_as_published():
    assert swaps(2026, 20, 0, 1).astype(int).tolist() == [[1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0]]


def test_randomisation_comes_near_to_all_swaps_there_are():
    rows = some_results(2, n_units=10)
    a, b = (result.rows for result in rows.values())
    metrics = scoring.FAMILIES["ehealthkd"].metrics
    options = rows["s0"].options
    every = np.array(list(itertools.product([0, 1], repeat=10)))
    moved = np.tensordot(every, b - a, axes=1)
    first = metrics(a.sum(0) + moved, options)["f1"]
    second = metrics(b.sum(0) - moved, options)["f1"]
    observed = abs(rows["s0"].scores["f1"] - rows["s1"].scores["f1"])
    exact = np.count_nonzero(np.abs(first - second) >= observed - 1e-9) / len(every)
    found = scoring.compare(rows, 20_000, method="randomisation")
    assert found.p[0, 1] == pytest.approx(exact, abs=0.01)
    assert found.critical_value is None
    assert found.signature.split("|")[-2] == "test:randomisation, holm"


def test_randomisation_corrects_all_pairs_by_holm():
    found = scoring.compare(some_results(), 500, method="randomisation")
    rows, columns = np.triu_indices(4, 1)
    assert found.p_adjusted[rows, columns] == pytest.approx(holm(found.p[rows, columns]))
    assert found.table[1]["difference_low"] is None


def test_stored_draws_and_rows_give_the_same_numbers():
    rows = some_results()
    seed = seed_of("ab" * 32)
    stored = {}
    for name, result in rows.items():
        block = Block(
            result.rows, lambda counts, own=result: scoring.FAMILIES["ehealthkd"].metrics(counts, own.options)
        )
        draws = resampled(block, seed, 600)["f1"][0]
        stored[name] = evaluation(result.rows[:, [0, 3, 4]], seed=seed, draws=draws, n_resamples=600)
    from_rows, from_draws = scoring.compare(rows, 500), scoring.compare(stored, 500)
    assert from_rows.as_dict(matrices=True) == from_draws.as_dict(matrices=True)


def test_a_stored_result_is_compared_without_any_other_file(tmp_path):
    rows = some_results()
    for name, result in rows.items():
        result.save(tmp_path / name)
    loaded = {name: Evaluation.load(tmp_path / name) for name in rows}
    assert scoring.compare(loaded, 300).as_dict(matrices=True) == scoring.compare(rows, 300).as_dict(matrices=True)


def test_a_system_never_differs_from_itself():
    rows = some_results(2)
    found = scoring.compare(rows | {"copy": rows["s0"]}, 500)
    assert found.table[1]["identical_to"] == "s0"
    assert found.difference[0, 1] == 0
    assert found.p[0, 1] == found.p_adjusted[0, 1] == 1
    assert found.ranks == [1, 1, 3]


def test_the_order_in_which_systems_are_given_changes_nothing():
    rows = some_results()
    backwards = dict(reversed(rows.items()))
    assert scoring.compare(rows, 500).as_dict(matrices=True) == scoring.compare(backwards, 500).as_dict(matrices=True)


def test_a_reference_changes_nothing_for_the_others():
    rows = some_results()
    alone = scoring.compare({name: rows[name] for name in ("s0", "s1", "s2")}, 500)
    found = scoring.compare(rows, 500, references=["s3"])
    assert found.names == ["s0", "s1", "s2"]
    assert np.array_equal(found.p_adjusted, alone.p_adjusted)
    [baseline] = found.references
    assert baseline["name"] == "s3"
    assert [row["system"] for row in baseline["against"]] == ["s0", "s1", "s2"]
    assert baseline["against"][0]["difference"] == pytest.approx(rows["s0"].scores["f1"] - rows["s3"].scores["f1"])
    assert baseline["against"][0]["separated"]


def test_below_twenty_units_nothing_is_separated():
    found = scoring.compare(some_results(n_units=19), 500)
    assert not found.separated.any()
    assert found.rank_ranges == [(1, 4)] * 4
    assert found.warnings == ["fewer than 20 sentences: nothing is separated"]
    assert found.sentence == "Highest score: s0 (0.821). 19 sentences are too few to tell systems apart."


def test_intervals_against_the_leader_agree_with_the_test():
    for seed in range(20):
        found = scoring.compare(some_results(6, n_units=60, seed=seed), 400)
        for row, is_worse in zip(found.table[1:], found.separated[0, 1:], strict=True):
            assert (row["difference_high"] <= 0) == is_worse


def test_resamples_without_a_score_are_left_out_for_all():
    names, scores, draws = three_systems()
    draws[1, :50] = np.nan
    found = scoring.compare_draws(names, scores, draws, 20)
    kept = scoring.compare_draws(names, scores, draws[:, 50:], 20)
    assert np.array_equal(found.p_adjusted, kept.p_adjusted)
    assert found.warnings == ["50 of 1000 resamples left out: the score of a system is undefined"]
    draws[1, :101] = np.nan
    with pytest.raises(scoring.ConfigurationError, match="in 101 of 1000 resamples"):
        scoring.compare_draws(names, scores, draws, 20)


def test_a_system_without_a_score_comes_last_and_has_no_place():
    names, scores, draws = three_systems()
    found = scoring.compare_draws([*names, "d"], [*scores, None], np.vstack([draws, draws[:1] * np.nan]), 20)
    assert found.names == ["a", "b", "c", "d"]
    assert found.scores[3] is found.ranks[3] is found.rank_ranges[3] is None
    assert found.difference.shape == (3, 3)
    assert found.table[3]["name"] == "d"
    assert found.table[3]["rank"] is None
    assert list(found.table[3]) == list(found.table[0])


def test_nobody_with_a_score_is_an_empty_board():
    found = scoring.compare_draws(["a"], [None], np.full((1, 10), np.nan), 30)
    assert found.sentence == "No system has been scored yet."
    assert found.difference.shape == (0, 0)


def test_one_system_is_alone():
    found = scoring.compare_draws(["a"], [0.5], np.full((1, 10), 0.5), 30)
    assert found.sentence == "a (0.500) is the only system so far."
    assert found.rank_ranges == [(1, 1)]
    assert found.critical_value is None


def test_a_difference_without_any_spread_is_certain():
    draws = np.repeat([[0.9], [0.5]], 100, axis=1)
    found = scoring.compare_draws(["a", "b"], [0.9, 0.5], draws, 50)
    assert found.p[0, 1] == found.p_adjusted[0, 1] == pytest.approx(1 / 101)
    assert found.separated[0, 1]


def test_a_comparison_is_plain_json():
    found = scoring.compare(some_results(), 200, references=["s2"])
    text = json.dumps(found.as_dict(matrices=True), allow_nan=False)
    assert json.loads(text)["separated"][0][0] is False
    assert "difference" not in found.as_dict()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_resamples": 0}, "n_resamples must be an integer from 1 to 1000000"),
        ({"n_resamples": True}, "n_resamples must be an integer from 1 to 1000000"),
        ({"n_resamples": 1_000_001}, "n_resamples must be an integer from 1 to 1000000"),
        ({"confidence_level": 1}, "confidence_level must lie between 0 and 1"),
        ({"seed": -1}, r"seed must be an integer from 0 to 2\*\*64 - 1"),
        ({"seed": 2**64}, r"seed must be an integer from 0 to 2\*\*64 - 1"),
        ({"references": ["nobody"]}, "unknown reference nobody"),
        ({"references": ["s0", "s1", "s2", "s3"]}, "no system left to rank"),
        ({"method": "jackknife"}, "method must be one of bootstrap, randomisation"),
    ],
)
def test_wrong_arguments_are_the_callers_fault(arguments, message):
    with pytest.raises(scoring.ConfigurationError, match=message):
        scoring.compare(some_results(), **arguments)


def test_nothing_cannot_be_compared():
    with pytest.raises(scoring.ConfigurationError, match="nothing to compare"):
        scoring.compare({})


def test_systems_on_another_gold_or_by_other_options_are_refused():
    rows = some_results(1)
    counts = rows["s0"].rows[:, [0, 3, 4]]
    with pytest.raises(scoring.ConfigurationError, match="b was not scored against the same gold"):
        scoring.compare(rows | {"b": evaluation(counts, gold_digest="cd" * 32)})
    other = scoring.FAMILIES["ehealthkd"].configure({"scenario": "2", "rules": "documented"})
    with pytest.raises(scoring.ConfigurationError, match="b was not scored with the same options"):
        scoring.compare(rows | {"b": evaluation(counts, options=other)})
    details = scoring.FAMILIES["ehealthkd"].configure({"scenario": "2", "details": True})
    assert scoring.compare(rows | {"b": evaluation(counts, options=details)}, 100).ranks == [1, 1]


def test_without_rows_other_resamples_cannot_be_drawn():
    draws = np.full(10, 0.5)
    bare = evaluation(np.ones((30, 3)), rows=np.empty((0, 0)), draws=draws, seed=3, n_resamples=10)
    assert scoring.compare([bare], 10).ranks == [1]
    with pytest.raises(scoring.ConfigurationError, match="1 has no rows to draw from again"):
        scoring.compare([bare], 20)


@pytest.mark.parametrize(
    ("names", "better", "expected"),
    [
        ("", [], "No system has been scored yet."),
        ("A", [], "A (0.900) is the only system so far."),
        ("AB", ["A>B"], "First: A (0.900), better than B."),
        ("ABC", ["A>B", "A>C"], "First: A (0.900), better than all 2 others."),
        ("AB", [], "Shared first: A (0.900) and B (0.800). 30 questions cannot tell them apart."),
        ("ABC", [], "Shared first: A (0.900), B (0.800) and C (0.700). 30 questions cannot tell them apart."),
        (
            "ABC",
            ["A>C"],
            "Shared first: A (0.900) and B (0.800). 30 questions cannot tell them apart; A is better than C.",
        ),
        (
            "ABCDE",
            ["A>D", "A>E", "C>D"],
            "Shared first: A (0.900), B (0.800) and C (0.700). 30 questions cannot tell them apart; "
            "A is better than the other 2.",
        ),
        # Not to be told apart from the first is not enough to share its place: here B is better than C.
        ("ABC", ["B>C"], "Shared first: A (0.900) and B (0.800). 30 questions cannot tell them apart."),
        ("ABCD", ["A>B", "B>C", "A>D"], "First: A (0.900), better than 2 of the other 3."),
        (
            "ABCDE",
            ["B>C", "A>D", "A>E"],
            "Shared first: A (0.900) and B (0.800). 30 questions cannot tell them apart; "
            "A is better than 2 of the other 3.",
        ),
    ],
)
def test_the_sentence_above_a_board(names, better, expected):
    scores = [0.9 - 0.1 * place for place in range(len(names))]
    separated = np.zeros((len(names), len(names)), dtype=bool)
    for first, second in (pair.split(">") for pair in better):
        separated[names.index(first), names.index(second)] = True

    assert sentence_on(list(names), scores, separated, 30, QUESTION, are_too_few=False) == expected


@pytest.mark.parametrize(
    ("n_units", "reason"),
    [(1, "1 question is too few to tell systems apart."), (7, "7 questions are too few to tell systems apart.")],
)
def test_of_few_units_the_sentence_names_the_highest_score_alone(n_units, reason):
    said = sentence_on(["A", "B"], [0.9, 0.8], np.zeros((2, 2), dtype=bool), n_units, QUESTION, are_too_few=True)

    assert said == f"Highest score: A (0.900). {reason}"


def test_long_lists_of_names_are_cut():
    assert listed("B") == "B"
    assert listed("BC") == "B and C"
    assert listed("BCDEF") == "B, C, D, E and F"
    assert listed("BCDEFGHIJKLM") == "B, C, D, E, F and 7 more"


def test_groups_go_on_after_z():
    assert [letter(number) for number in (0, 25, 26, 27, 701, 702)] == ["a", "z", "aa", "ab", "zz", "aaa"]


@pytest.mark.parametrize("spread", [0.0, 0.02, 0.4])
def test_what_is_known_of_pairs_changes_no_number_when_systems_come_go_and_change_places(spread):
    rng = np.random.default_rng(7)
    names = [f"system {number}" for number in range(24)]
    scores = dict(zip(names, rng.uniform(0.4, 0.4 + spread, len(names)), strict=True))
    draws = {name: score + rng.normal(0, 0.01, 300) for name, score in scores.items()}
    draws["system 3"], scores["system 3"] = draws["system 2"], scores["system 2"]
    cache = PairTestCache()
    for left_out in ([], ["system 5"], ["system 1", "system 9"]):
        shown = [name for name in names if name not in left_out]
        rng.shuffle(shown)
        draws["system 7"] = draws["system 7"] + rng.normal(0, 0.01, 300)
        given = (shown, [scores[name] for name in shown], [draws[name] for name in shown], 200)
        options = {"references": ["system 0"], "seed": 1}
        fresh, again = scoring.compare_draws(*given, **options), scoring.compare_draws(*given, **options, cache=cache)
        assert again.as_dict(matrices=True) == fresh.as_dict(matrices=True)


def test_pairs_that_cannot_matter_are_left_out_of_the_maximum_and_change_no_number():
    """Each pair stands against the largest deviation of all pairs with a smaller t, itself among them."""
    rng = np.random.default_rng(11)
    scores = np.sort(rng.uniform(0.3, 0.7, 14))[::-1]
    draws = scores[:, np.newaxis] + rng.normal(0, 0.02, (14, 400))
    pairs = np.column_stack(np.triu_indices(14, 1))
    found = step_down(scores, draws, pairs, 10_000, 0.95)

    moved = np.abs((draws - scores[:, np.newaxis])[pairs[:, 0]] - (draws - scores[:, np.newaxis])[pairs[:, 1]])
    moved *= 1 / found.se[:, np.newaxis]
    t = normal_deviate(found.difference / found.se, 10_000)
    rising = np.argsort(t)
    largest = np.maximum.accumulate(moved[rising], axis=0)
    stepped = (1 + np.count_nonzero(largest >= t[rising, np.newaxis] - 1e-9, axis=1)) / 401
    expected = np.maximum.accumulate(stepped[::-1])[::-1]
    assert found.p_adjusted[rising].tolist() == expected.tolist()
    assert found.critical_value == pytest.approx(np.quantile(largest[-1], 0.95), abs=1e-14)
