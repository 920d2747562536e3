"""Shares of labels and the information contrast: by hand, beside SciPy, and beside a plain second program."""

import json
from math import log2
from statistics import NormalDist, fmean

import numpy as np
import pytest

import scoring
from scoring.families.labels import LABELS
from scoring.readers.archive import Made

distance = pytest.importorskip("scipy.spatial.distance", reason="SciPy is the oracle here")
stats = pytest.importorskip("scipy.stats")
SOFT = {"task": "soft"}


def lines(rows):
    return "".join(json.dumps({"id": number, "label": row}) + "\n" for number, row in enumerate(rows))


def evaluate(gold, run, n_resamples=0, **options):
    sides = (Made({f"{name}.jsonl": lines(rows).encode()}) for name, rows in (("gold", gold), ("run", run)))
    return scoring.evaluate("labels", **dict(zip(("gold", "system"), sides, strict=True)), options=options,
                            n_resamples=n_resamples, seed=7)  # fmt: skip


def scores(gold, run, **options):
    return evaluate(gold, run, **SOFT | options).scores


GOLD = [{"A": 0.75, "B": 0.25}, {"A": 0.25, "B": 0.75}]
RUN = [{"A": 0.5, "B": 0.5}, {"A": 0.25, "B": 0.75}]


def test_the_example_of_the_document_comes_out():
    first = scores(GOLD[:1], RUN[:1], ordinal=True)
    assert first["manhattan"] == 0.5
    assert first["cross_entropy"] == pytest.approx(0.693147, abs=1e-6)
    assert first["jensen_shannon"] == pytest.approx(0.048795, abs=1e-6)
    assert first["wasserstein"] == 0.25
    both = scores(GOLD, RUN)
    assert both["icm_soft"] == pytest.approx(0.873847, abs=1e-6)
    assert both["icm_soft_norm"] == pytest.approx(0.650390, abs=1e-6)
    hard = evaluate("AABC", "AAAC", icm=True).scores
    assert (hard["icm"], hard["icm_norm"]) == pytest.approx((0.25, 0.583333), abs=1e-6)


def worlds(seed):
    """Ratings of six annotators, and a run that says shares with two decimals; four or so labels."""
    rng = np.random.default_rng(seed)
    labels = [str(point) for point in range(-2, int(rng.integers(0, 6)))]
    n = int(rng.integers(2, 25))
    gold = rng.multinomial(6, rng.dirichlet(np.ones(len(labels)), n)) / 6
    gold[0], gold[1] = np.eye(len(labels))[[0, -1]]
    run = rng.multinomial(100, rng.dirichlet(np.ones(len(labels)) / 2, n)) / 100
    return labels, gold, run


def as_objects(labels, shares):
    return [dict(zip(labels, own, strict=True)) for own in shares.tolist()]


def smoothed_cross_entropy(gold, run):
    def divided(shares):
        whole = [share or 0.001 for share in shares]
        return [share / sum(whole) for share in whole]

    return -sum(g * log2(p) for g, p in zip(divided(gold), divided(run), strict=True))


def contrast_of_shares(gold, run):
    """ICM-soft of each item, as PyEVALL has it, without hierarchy."""
    means = gold.mean(axis=0)
    curves = [NormalDist(mean, fmean(abs(own - mean))) for mean, own in zip(means, gold.T, strict=True)]

    def information(shares):
        bits = 0.0
        for share, curve in zip(shares, curves, strict=True):
            if share and curve.stdev:
                above = 1 - curve.cdf(share)
                bits += -log2(above) if above else log2(len(gold))
            elif share:
                bits += log2(len(gold)) if share > curve.mean else 0
        return bits

    return [
        2 * information(p) + 2 * information(g) - 3 * information(np.maximum(g, p))
        for g, p in zip(gold, run, strict=True)
    ]


@pytest.mark.parametrize("seed", range(8))
def test_scores_of_shares_are_those_of_scipy_and_of_a_plain_program(seed):
    labels, gold, run = worlds(seed)
    found = scores(as_objects(labels, gold), as_objects(labels, run), ordinal=True, labels=labels)
    places = np.arange(len(labels))
    rows = [*zip(gold, run, strict=True)]
    expected = {
        "manhattan": np.mean([distance.cityblock(g, p) for g, p in rows]),
        "cross_entropy": np.mean([-(g * np.log(np.clip(p, 1e-12, 1 - 1e-12) + 1e-9)).sum() for g, p in rows]),
        "smoothed_cross_entropy": np.mean([smoothed_cross_entropy(g, p) for g, p in rows]),
        "jensen_shannon": np.mean([distance.jensenshannon(g, p, base=2) ** 2 for g, p in rows]),
        "wasserstein": np.mean([stats.wasserstein_distance(places, places, g, p) for g, p in rows]),
        "icm_soft": np.mean(contrast_of_shares(gold, run)),
    }
    assert {key: found[key] for key in expected} == pytest.approx(expected, abs=1e-9)


def plain_contrast(gold, run):
    n = len(gold)

    def information(labels):
        return sum(-log2(max(sum(label in own for own in gold), 1) / n) for label in labels)

    return fmean(
        2 * information(p) + 2 * information(g) - 3 * information(g | p) for g, p in zip(gold, run, strict=True)
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_contrast_of_sets_is_that_of_a_plain_program_on_resamples_too(seed):
    rng = np.random.default_rng(seed)
    gold, run = ([{label for label in "ABCD" if rng.random() < 0.4} for _ in range(20)] for _ in range(2))
    result = evaluate(
        [*map(sorted, gold)], [*map(sorted, run)], task="multi", labels=[*"ABCD"], icm=True, n_resamples=9
    )
    contrast, own = plain_contrast(gold, run), plain_contrast(gold, gold)
    assert result.scores["icm"] == pytest.approx(contrast)
    assert result.scores["icm_norm"] == pytest.approx(max(0, (contrast + own) / (2 * own)))
    drawn = rng.integers(20, size=20)
    weights = np.bincount(drawn, minlength=20)
    again = LABELS.metrics(np.tensordot(weights, result.rows, 1), result.options)
    assert again["icm"] == pytest.approx(plain_contrast([gold[k] for k in drawn], [run[k] for k in drawn]))


def test_a_missing_row_is_a_miss_of_the_contrast_and_nobodys_false_alarm():
    gold, run = [{"A"}, {"B"}, {"B"}, {"C"}], [{"A"}, set(), {"B"}, {"C"}]
    found = evaluate("ABBC", ["A", None, "B", "C"], missing="wrong", icm=True).scores["icm"]
    assert found == pytest.approx(plain_contrast(gold, run))


def test_the_contrast_of_a_gold_with_one_label_has_no_normalised_form():
    found = evaluate("AA", "AA", icm=True).scores
    assert (found["icm"], found["icm_norm"]) == (0, None)


FORMS = {
    "objects in a table": ("run.csv", 'id,label\n0,"{""A"": 0.5, ""B"": 0.5}"\n1,"{""A"": 0.25, ""B"": 0.75}"\n', {}),
    "ratings in a table": ("run.csv", "id,label\n0,A;B\n1,B;A;B;B\n", {}),
    "ratings as a list": ("run.jsonl", '{"id": 0, "label": ["B", "A"]}\n{"id": 1, "label": ["A", "B", "B", "B"]}', {}),
    "one JSON": ("run.json", '{"0": {"label": {"A": 0.5, "B": 0.50}}, "1": {"label": {"B": 0.75, "A": 25e-2}}}', {}),
    "columns": ("run.csv", "id,A,B\n0,.5,.5\n1,.25,.75\n", {"multi_as": "columns", "labels": "A,B"}),
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_shares_are_the_same_in_each_form(form):
    name, content, options = FORMS[form]
    gold = Made(
        {"gold.csv": b"id,A,B\n0,0.75,0.25\n1,0.25,0.75\n"} if options else {"gold.jsonl": lines(GOLD).encode()}
    )
    run = Made({name: content.encode()})
    found = scoring.evaluate("labels", gold=gold, system=run, options=SOFT | options, n_resamples=0)
    assert found.scores == pytest.approx(scores(GOLD, RUN))


def test_a_missing_row_is_as_far_from_the_gold_as_can_be():
    found = scores([{"1": 1.0}, ["1", "3"]], [None, ["1", "3"]], missing="wrong", ordinal=True, labels="1,2,3")
    assert (found["manhattan"], found["jensen_shannon"], found["wasserstein"]) == (1, 0.5, 1)
    assert found["accuracy"] == 0.5


def test_what_is_given_to_labels_outside_the_list_is_no_share_of_it():
    found = evaluate(GOLD[:1], [{"A": 0.75, "Z": 0.15, "Y": 0.1}], **SOFT, unknown_labels="wrong")
    assert found.scores["manhattan"] == 0.5
    assert found.warnings == ["1 row with an unknown label counts as wrong"]


def test_shares_rounded_to_two_decimals_need_not_sum_to_one_exactly():
    assert scores([dict.fromkeys("ABCDEF", 0.17)], [dict.fromkeys("ABC", 0.33)])["jensen_shannon"] > 0
    with pytest.raises(scoring.SubmissionError, match=r"sum to 0\.98, not 1"):
        scores(GOLD[:1], [{"A": 0.49, "B": 0.49}])


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ({"A": 0.5, "B": 0.25}, "run.jsonl:2: the shares of the labels sum to 0.75, not 1"),
        ({"A": 1.5, "B": -0.5}, "run.jsonl:2: a share must lie between 0 and 1"),
        ({"A": "1"}, "run.jsonl:2: the share of 'A' must be a number"),
        ({"A": 1, "": 0}, "run.jsonl:2: empty label"),
        ({}, "run.jsonl:2: '{}' is no object of labels and their shares"),
        ({"A": 0.5, "Z": 0.5}, "run.jsonl:2: unknown label 'Z'"),
        (["A", 0.5], "a list of these or an object of labels and their shares"),
        (["A", ""], "run.jsonl:2: empty rating"),
        (None, "run.jsonl:2: empty label"),
        ('{"A": NaN}', "the share of 'A' must be a number"),
        ('{"A": 0.5, "A ": 0.5}', "label 'A' twice"),
        ('{"A": 1e999}', "a share must lie between 0 and 1"),
    ],
)
def test_what_is_no_distribution_is_refused_with_its_line(cell, words):
    with pytest.raises(scoring.SubmissionError) as refused:
        scores(GOLD, [GOLD[0], cell])
    assert words in str(refused.value)


def test_ratings_outside_the_scale_are_told_of_gold_and_run():
    with pytest.raises(scoring.GoldError, match=r"gold.jsonl:2: label '6' is not in the list of labels"):
        scores([[1, 5], [6, 1]], [[1], [1]], labels="1,2,3,4,5")
    with pytest.raises(scoring.SubmissionError, match=r"run.jsonl:1: unknown label '7'"):
        scores([[1, 5]], [[7]], labels="1,2,3,4,5")


def test_a_key_of_an_object_that_stands_twice_is_refused():
    run = Made({"run.jsonl": b'{"id": 0, "label": {"A": 0.5, "A": 0.5}}\n{"id": 1, "label": "A"}\n'})
    with pytest.raises(scoring.SubmissionError, match=r"run.jsonl:1: key 'A' twice"):
        scoring.evaluate("labels", gold=Made({"gold.jsonl": lines(GOLD).encode()}), system=run, options=SOFT)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (SOFT | {"labels": "union"}, "with task=soft gold or a list"),
        (SOFT | {"probabilities": "p_"}, "only with task=single"),
        (SOFT | {"multi_as": "columns"}, "a list of labels"),
        (SOFT | {"headline": "wasserstein"}, "there is no score"),
        ({"task": "graded", "icm": True}, "option icm"),
    ],
)
def test_options_that_cannot_be_are_refused(options, words):
    with pytest.raises(scoring.ConfigurationError, match=words):
        LABELS.configure(options)


def test_the_gold_against_itself_is_at_no_distance():
    result = evaluate(GOLD, GOLD, **SOFT, ordinal=True, icm=True)
    distances = ("manhattan", "jensen_shannon", "wasserstein")
    assert [result.scores[key] for key in (*distances, "icm_soft_norm", "icm_norm")] == [0, 0, 0, 1, 1]
    assert {*result.lower_is_better} >= {*distances, "cross_entropy", "smoothed_cross_entropy"}
    assert result.headline == "manhattan"


def test_distances_have_intervals_and_slices():
    gold = [{"id": k, "label": {"A": k / 20, "B": 1 - k / 20}, "lang": "xy"[k % 2]} for k in range(20)]
    run = [{"id": k, "label": {"A": (k * 7 % 20) / 20, "B": 1 - (k * 7 % 20) / 20}} for k in range(20)]
    files = [Made({"x.jsonl": "".join(json.dumps(row) + "\n" for row in side).encode()}) for side in (gold, run)]
    result = scoring.evaluate(
        "labels", gold=files[0], system=files[1], options=SOFT | {"slices": "lang"}, n_resamples=400, seed=7
    )
    low, high = result.intervals["manhattan"]
    assert low < result.scores["manhattan"] < high
    of_slices = [row["manhattan"] for row in result.tables["slices"]]
    assert np.mean(of_slices) == pytest.approx(result.scores["manhattan"])
    assert result.scores["slice_min"] == max(of_slices)  # the worst one is the farthest


def test_an_item_shows_the_shares_of_both_sides():
    unit = LABELS.views.unit_record
    files = [{"x.jsonl": lines(side).encode()} for side in (GOLD, [None, RUN[1]])]
    options = LABELS.configure(SOFT | {"missing": "wrong"})
    assert unit(*files, "1", options)["items"][0]["shares"] == [
        {"label": "A", "gold": 0.25, "system": 0.25},
        {"label": "B", "gold": 0.75, "system": 0.75},
    ]
    assert unit(*files, "0", options)["items"][0]["missing"]


@pytest.mark.parametrize("options", [{}, {"multi_as": "columns", "labels": "A,B"}, {"format": "jsonl"}])
def test_specimen_and_gold_are_runs(options):
    options = LABELS.configure(SOFT | options)
    small = LABELS.offer.specimen(options)
    perfect = LABELS.files.gold_as_submission(small.gold, options)
    for run, is_perfect in ((small.run, False), (perfect, True)):
        found = scoring.evaluate("labels", gold=Made(small.gold), system=Made(run), options=options, n_resamples=0)
        assert (found.scores["manhattan"] < 1e-9) is is_perfect
    assert scoring.check("labels", gold=Made(small.gold), system=Made(LABELS.files.sample(small.gold, options)),
                         options=options) == []  # fmt: skip


def information_of_tree(own, gold, parents):
    """PyEVALL's recursion: a label, the others, less what the first shares with these."""

    def with_ancestors(label):
        return [label, *(with_ancestors(parents[label]) if label in parents else [])]

    def of_label(label):
        n = sum(any(label in with_ancestors(each) for each in labels) for labels in gold)
        return -log2(max(n, 1) / len(gold))

    def of_set(labels):
        if not labels:
            return 0.0
        first, *others = labels
        common = {next((each for each in with_ancestors(first) if each in with_ancestors(o)), None) for o in others}
        return of_label(first) + of_set(others) - of_set(sorted(common - {None}))

    return of_set(sorted(own))


@pytest.mark.parametrize("seed", range(4))
def test_the_contrast_in_a_hierarchy_is_that_of_common_ancestors(seed):
    rng = np.random.default_rng(seed)
    parents = {"B": "A", "C": "B", "D": "B", "E": "A"}
    gold, run = ([{label for label in "ABCDEF" if rng.random() < 0.3} for _ in range(20)] for _ in range(2))
    options = {"task": "multi", "labels": [*"ABCDEF"], "icm": True}
    options["hierarchy"] = [f"{above} > {below}" for below, above in parents.items()]
    result = evaluate([*map(sorted, gold)], [*map(sorted, run)], **options)
    expected = fmean(
        2 * information_of_tree(p, gold, parents)
        + 2 * information_of_tree(g, gold, parents)
        - 3 * information_of_tree(g | p, gold, parents)
        for g, p in zip(gold, run, strict=True)
    )
    assert result.scores["icm"] == pytest.approx(expected)
    assert evaluate([*map(sorted, gold)], [*map(sorted, gold)], **options).scores["icm_norm"] == pytest.approx(1)


def test_the_contrast_asks_for_a_tree():
    with pytest.raises(scoring.ConfigurationError, match="each label has one parent at most, and 'C' has several"):
        LABELS.configure({"icm": True, "hierarchy": "A > C, B > C"})


EACH = {"task": "multi", "shares": True}
TREE = {"yes": {"direct": {}, "reported": {"news": {}, "talk": {}}}, "no": {}}
PAIRS = "yes > direct, yes > reported, reported > news, reported > talk"


def test_the_examples_of_labels_that_do_not_exclude_each_other_and_of_a_hierarchy_come_out():
    found = scores([{"joy": 1, "fear": 0.5}], [{"joy": 0.5, "fear": 0.5}], **EACH, labels="joy,fear,anger")
    assert found["manhattan"] == pytest.approx(1 / 3)
    assert found["cross_entropy"] == pytest.approx(0.462098, abs=1e-6)
    assert found["jensen_shannon"] == pytest.approx(0.103759, abs=1e-6)
    assert found["subset_accuracy"] == 1
    gold = [{"direct": 1}, {"direct": 0.5, "reported": 0.5}, {"no": 1}]
    of_tree = scores(gold, [{"reported": 1}, *gold[1:]], hierarchy="yes > direct, yes > reported")
    assert of_tree["icm_soft"] == pytest.approx(0.716699, abs=1e-6)
    assert of_tree["icm_soft_norm"] == pytest.approx(0.591794, abs=1e-6)


def paths(tree, above=()):
    for label, below in tree.items():
        yield label, [*above, label]
        yield from paths(below, [*above, label])


def plain_contrast_in_tree(gold, run):
    """Return the mean ICM-soft by recursion over the deepest ancestors that two labels share, as PyEVALL does it."""
    path = dict(paths(TREE))

    def largest_below(own, label):
        return max((share for other, share in own.items() if label in path[other]), default=0.0)

    columns = {label: [largest_below(own, label) for own in gold] for label in path}
    curves = {
        label: NormalDist(fmean(own), fmean(abs(share - fmean(own)) for share in own)) for label, own in columns.items()
    }

    def bits(label, share):
        return -log2(1 - curves[label].cdf(share)) if share else 0.0

    def information(own):
        if not own:
            return 0.0
        (label, share), *others = own.items()
        shared = {}
        for other, its in others:
            if common := [each for each in path[label] if each in path[other]]:
                shared[common[-1]] = max(shared.get(common[-1], 0.0), min(share, its))
        return bits(label, share) + information(dict(others)) - information(shared)

    def union(first, second):
        return {label: max(first.get(label, 0.0), second.get(label, 0.0)) for label in first | second}

    return fmean(
        2 * information(p) + 2 * information(g) - 3 * information(union(g, p)) for g, p in zip(gold, run, strict=True)
    )


@pytest.mark.parametrize("options", [SOFT, EACH])
@pytest.mark.parametrize("seed", range(3))
def test_the_contrast_of_shares_in_a_tree_is_that_of_the_recursion(options, seed):
    rng = np.random.default_rng(seed)
    labels = [label for label, _ in paths(TREE)]

    def row():
        own = rng.choice(labels, int(rng.integers(1, 5)), replace=False).tolist()
        whole = rng.dirichlet(np.ones(len(own))) if options == SOFT else rng.integers(1, 7, len(own)) / 6
        return dict(zip(own, whole.tolist(), strict=True))

    gold = [row() for _ in range(15)] + [{label: 1.0} for label in labels]
    run = [row() for _ in gold]
    found = evaluate(gold, run, **options, labels=labels, hierarchy=PAIRS).scores
    contrast, own = plain_contrast_in_tree(gold, run), plain_contrast_in_tree(gold, gold)
    assert found["icm_soft"] == pytest.approx(contrast, abs=1e-9)
    assert found["icm_soft_norm"] == pytest.approx(max(0, (contrast + own) / (2 * own)), abs=1e-9)


def test_distances_of_labels_that_do_not_exclude_each_other_are_those_of_scipy_on_resamples_too():
    rng = np.random.default_rng(3)
    gold, run = rng.integers(0, 7, (2, 12, 4)) / 6 * rng.integers(0, 2, (2, 12, 4))
    result = evaluate(as_objects("ABCD", gold), as_objects("ABCD", run), 9, **EACH, labels=[*"ABCD"], missing="wrong")
    sides = [np.stack([side, 1 - side], axis=-1) for side in (gold, run)]
    found = {
        "manhattan": np.abs(sides[0] - sides[1]).sum(axis=-1).mean(axis=-1),
        "jensen_shannon": (distance.jensenshannon(*sides, base=2, axis=-1) ** 2).mean(axis=-1),
    }
    drawn = np.bincount(rng.integers(12, size=12), minlength=12)
    again = LABELS.metrics(np.tensordot(drawn, result.rows, 1), result.options)
    for key, of_items in found.items():
        assert result.scores[key] == pytest.approx(of_items.mean())
        assert again[key] == pytest.approx(np.average(of_items, weights=drawn))


SETS = {
    "shares": {"A": 1, "B": 0.5},
    "shares of yes and no": {"A": {"0": 0, "1": 1}, "B": {"0": 0.5, "1": 0.5}},
    "sets of annotators": [["A", "B"], ["A"], ["B", "A"], ["A"]],
}


@pytest.mark.parametrize("cell", SETS.values(), ids=SETS)
def test_each_form_of_shares_by_label_says_the_same(cell):
    found = evaluate([SETS["shares"], {}], [cell, None], **EACH)
    assert (found.scores["manhattan"], found.scores["icm_soft_norm"], found.scores["macro_f1"]) == (0, 1, 1)
    assert evaluate([SETS["shares"], {}], [cell, {}], **EACH, threshold=0.6).counts["predicted_labels"] == 1


def test_a_missing_row_is_as_far_from_each_label_as_can_be_and_labels_outside_the_list_are_no_cells():
    gold = [{"A": 1, "B": 0.25}, {"A": 0.5}]
    found = evaluate(gold, [{"A": 1, "B": 0.25, "Z": 1}], **EACH, missing="wrong", unknown_labels="wrong").scores
    assert found["manhattan"] == pytest.approx((0 + (2 * 0.5 + 2 * 1) / 2) / 2)
    assert evaluate(gold, [gold[0], {}], **EACH).scores["manhattan"] == pytest.approx((0 + 1 / 2) / 2)


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ({"A": 1.5}, "run.jsonl:1: a share must lie between 0 and 1"),
        ({"A": {"0": 0.5, "1": 0.75}}, "run.jsonl:1: the share of 'A' must be a number"),
        ({"A": {"0": "x"}}, "run.jsonl:1: the share of '0' must be a number"),
        ({"A": {"0": 10**400, "1": 0.5}}, "run.jsonl:1: the share of 'A' must be a number"),
        ({"A": [1]}, "run.jsonl:1: the share of 'A' must be a number"),
        ([["A"], "B"], "run.jsonl:1: label must be a string or an integer"),
        ([["A", ""]], "run.jsonl:1: empty rating"),
        ([["A", 0.5]], "run.jsonl:1: label must be a string or an integer"),
        ([["Z"]], "run.jsonl:1: unknown label 'Z'"),
    ],
)
def test_what_is_no_share_of_a_label_is_refused_with_its_line(cell, words):
    with pytest.raises(scoring.SubmissionError) as refused:
        evaluate([{"A": 1}, {"B": 1}], [cell, {"B": 1}], **EACH)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (SOFT | {"shares": True}, "only with task=multi"),
        ({"task": "multi", "threshold": 0.5}, "only with shares"),
        (EACH | {"threshold": 0}, "above 0 and at most 1"),
        (EACH | {"labels": "union"}, "gold or a list"),
        (EACH | {"hierarchy": "a > c, b > c"}, "one parent at most"),
    ],
)
def test_options_of_shares_by_label_that_cannot_be_are_refused(options, words):
    with pytest.raises(scoring.ConfigurationError, match=words):
        LABELS.configure(options)
