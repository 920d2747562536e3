"""Labels whose rows or labels make sense together: groups, variants of an original, and a hierarchy of labels."""

import json
import random

import numpy as np
import pytest

import scoring
from scoring.families.labels import LABELS
from scoring.labels import OTHER
from tests.scoring.families.labels.test_labels import evaluate, table_of

VARIANTS = [("1", "", "yes"), ("2", "1", "yes"), ("3", "1", "no"), ("4", "", "no"), ("5", "4", "yes")]
VARIANT_HEAD = ("id", "original", "label")
sklearn_metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn is the oracle here")
TREE = "Ethos > Ad Hominem, Ad Hominem > Doubt, Ad Hominem > Smears"


def run_of(*labels):
    return table_of([(str(k), label) for k, label in enumerate(labels, start=1)])


def test_consistency_and_faithfulness_of_the_worked_example(tmp_path):
    gold = table_of(VARIANTS, VARIANT_HEAD)
    result = evaluate(tmp_path, gold, run_of("yes", "yes", "no", "no", "no"), original="original", n_resamples=200)
    keys = ("group_accuracy", "consistency", "preserved_accuracy", "faithfulness")
    assert [result.scores[key] for key in keys] == [0.5, 1, 1, 0.5]
    assert result.units == ["1", "4"]
    assert result.intervals["group_accuracy"] is not None


def test_a_variant_may_be_consistent_and_wrong(tmp_path):
    gold = table_of(VARIANTS, VARIANT_HEAD)
    scores = evaluate(tmp_path, gold, run_of("no", "no", "no", "no", "no"), original="original").scores
    assert (scores["consistency"], scores["preserved_accuracy"], scores["faithfulness"]) == (1, 0, 0.5)


def test_rows_that_are_missing_on_both_sides_of_a_pair_are_not_consistent(tmp_path):
    gold = table_of(VARIANTS, VARIANT_HEAD)
    run = table_of([("4", "no")])
    scores = evaluate(tmp_path, gold, run, original="original", missing="wrong").scores
    assert (scores["consistency"], scores["faithfulness"]) == (0, 0)


def test_without_a_variant_of_a_kind_its_score_does_not_apply(tmp_path):
    gold = table_of(VARIANTS[:2], VARIANT_HEAD)
    scores = evaluate(tmp_path, gold, run_of("yes", "yes"), original="original").scores
    assert (scores["consistency"], scores["faithfulness"]) == (1, None)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("1", "", "a"), ("2", "9", "a")], "gold.csv:3: original '9' is not in the gold"),
        ([("1", "2", "a"), ("2", "1", "a")], "gold.csv:2: original '2' was itself made from another row"),
        ([("1", "1", "a"), ("2", "1", "a")], "gold.csv:2: row '1' names itself as its original"),
    ],
)
def test_an_original_that_is_none_is_told_with_its_line(tmp_path, rows, words):
    with pytest.raises(scoring.GoldError) as refused:
        evaluate(tmp_path, table_of(rows, VARIANT_HEAD), run_of("a", "a"), original="original")
    assert words in str(refused.value)


def test_a_group_counts_as_right_where_all_of_its_rows_are(tmp_path):
    rng = np.random.default_rng(3)
    groups, gold, run = (rng.integers(high, size=90) for high in (25, 2, 2))
    run = np.where(rng.random(90) < 0.7, gold, run)
    table = table_of(zip(range(90), gold, groups, strict=True), ("id", "label", "story"))
    result = evaluate(
        tmp_path, table, table_of(enumerate(run)), group="story", group_accuracy="yes", headline="group_accuracy"
    )
    whole = [all(gold[groups == group] == run[groups == group]) for group in set(groups.tolist())]
    assert result.scores["group_accuracy"] == pytest.approx(np.mean(whole))
    # A resample of stories: each is right or wrong as often as it is drawn.
    weights = rng.integers(0, 3, len(result.units))
    resampled = LABELS.metrics(np.tensordot(weights, np.asarray(result.rows), 1), result.options)["group_accuracy"]
    of_unit = [all(gold[groups == int(unit)] == run[groups == int(unit)]) for unit in result.units]
    assert resampled == pytest.approx(np.average(of_unit, weights=weights))


def test_a_label_near_the_right_one_is_right_in_part(tmp_path):
    gold, run = table_of([("1", "Doubt"), ("2", "Ethos")]), table_of([("1", "Smears"), ("2", "Ad Hominem")])
    scores = evaluate(tmp_path, gold, run, hierarchy=TREE, beta=2).scores
    assert (scores["h_precision"], scores["h_recall"]) == (3 / 5, 3 / 4)
    assert scores["h_f1"] == pytest.approx(2 / 3)
    assert scores["h_fbeta"] == pytest.approx(5 * 3 / (4 * 4 + 5))
    assert scores["accuracy"] == 0


@pytest.mark.parametrize("seed", range(5))
def test_labels_with_several_parents_count_each_ancestor_once(tmp_path, seed):
    rng = random.Random(seed)
    names = [f"n{k:02}" for k in range(12)]
    pairs = list({(names[rng.randrange(k)], names[k]) for k in range(1, 12) for _ in range(2)})

    def above(label):
        return {label}.union(*(above(parent) for parent, child in pairs if child == label))

    gold = [rng.sample(names, rng.randint(1, 4)) for _ in range(40)]
    run = [[label for label in own if rng.random() < 0.6] + rng.sample(names, 1) for own in gold]
    files = {"gold": tmp_path / "gold.jsonl", "system": tmp_path / "run.jsonl"}
    for path, rows in zip(files.values(), (gold, run), strict=True):
        lines = [json.dumps({"id": k, "label": sorted(set(own))}) for k, own in enumerate(rows)]
        path.write_text("\n".join(lines))
    options = {"task": "multi", "hierarchy": [" > ".join(pair) for pair in pairs], "headline": "h_f1"}
    scores = scoring.evaluate("labels", **files, options=options).scores
    sets = [[set().union(*map(above, own)) for own in rows] for rows in (gold, run)]
    both = sum(len(one & other) for one, other in zip(*sets, strict=True))
    assert scores["h_recall"] == pytest.approx(both / sum(map(len, sets[0])))
    assert scores["h_precision"] == pytest.approx(both / sum(map(len, sets[1])))


TWO = ("id", "hazard", "product")


def two_labels(seed, n=120):
    rng = np.random.default_rng(seed)
    gold = [rng.choice(list("abc"), n), rng.choice(list("vwxyz"), n)]
    run = [
        np.where(rng.random(n) < 0.6, own, rng.choice(list("abcd" if own is gold[0] else "vxyzq"), n)) for own in gold
    ]
    return gold, run


@pytest.mark.parametrize("seed", range(4))
def test_a_second_label_counts_where_the_first_is_right(tmp_path, seed):
    (hazards, products), (hazards_said, products_said) = two_labels(seed)
    files = [
        table_of(zip(range(120), *own, strict=True), TWO)
        for own in ((hazards, products), (hazards_said, products_said))
    ]
    result = evaluate(tmp_path, *files, label="hazard", second="product", labels="union")
    is_right = hazards_said == hazards
    first = sklearn_metrics.f1_score(hazards, hazards_said, average="macro")
    second = sklearn_metrics.f1_score(products[is_right], products_said[is_right], average="macro")
    assert result.scores["second_macro_f1"] == pytest.approx(second)
    assert result.scores["mean_macro_f1"] == pytest.approx((first + second) / 2)
    assert result.scores["second_accuracy"] == pytest.approx(np.mean((products == products_said)[is_right]))
    assert LABELS.headline(result.options) == "mean_macro_f1"
    weights = np.random.default_rng(seed).integers(0, 3, 120)
    drawn = np.repeat(np.arange(120), weights)
    right = drawn[is_right[drawn]]
    resampled = LABELS.metrics(np.tensordot(weights, np.asarray(result.rows), 1), result.options)["second_macro_f1"]
    assert resampled == pytest.approx(sklearn_metrics.f1_score(products[right], products_said[right], average="macro"))


def test_a_second_label_that_the_gold_lacks_is_refused_or_wrong(tmp_path):
    gold = table_of([("1", "a", "x"), ("2", "b", "y")], TWO)
    run = table_of([("1", "a", "q"), ("2", "b", "y")], TWO)
    options = {"label": "hazard", "second": "product"}
    with pytest.raises(scoring.SubmissionError) as refused:
        evaluate(tmp_path, gold, run, **options)
    assert "run.csv:2: unknown label 'q'" in str(refused.value)
    scores = evaluate(tmp_path, gold, run, unknown_labels="wrong", **options).scores
    assert (scores["macro_f1"], scores["second_accuracy"], scores["second_macro_f1"]) == (1, 0.5, 0.5)


def test_the_page_of_an_item_shows_its_second_label():
    options = LABELS.configure({"label": "hazard", "second": "product", "unknown_labels": "wrong"})
    gold = {"g.csv": table_of([("1", "a", "x"), ("2", "b", "y")], TWO).encode()}
    run = {"r.csv": table_of([("1", "a", "x"), ("2", "b", "q")], TWO).encode()}
    shown = [LABELS.views.unit_record(gold, run, unit, options)["items"][0]["second"] for unit in ("1", "2")]
    assert shown == [
        {"column": "product", "gold": "x", "system": "x", "right": True},
        {"column": "product", "gold": "y", "system": OTHER, "right": False},
    ]


def test_without_a_right_first_label_there_is_nothing_to_count(tmp_path):
    gold, run = table_of([("1", "a", "x"), ("2", "b", "y")], TWO), table_of([("1", "b", "x"), ("2", "a", "y")], TWO)
    scores = evaluate(tmp_path, gold, run, label="hazard", second="product").scores
    assert (scores["mean_macro_f1"], scores["second_macro_f1"], scores["second_accuracy"]) == (0, 0, None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"second": "s", "task": "multi"}, "option second"),
        ({"second": "label"}, "the column of the first label"),
        ({"hierarchy": "a > b, b > c, c > a"}, "go round in a circle"),
        ({"hierarchy": "a > a"}, "a > a"),
        ({"hierarchy": "a, b"}, "expected pairs of labels"),
        ({"hierarchy": "a > b", "task": "graded"}, "hierarchy"),
        ({"original": "o", "task": "multi"}, "original"),
        ({"group_accuracy": "yes"}, "column of groups"),
    ],
)
def test_what_cannot_be_is_refused_before_a_file_is_read(options, words):
    with pytest.raises(scoring.ConfigurationError) as refused:
        LABELS.configure(options)
    assert words in str(refused.value)


def test_what_is_not_chosen_stands_in_no_signature(tmp_path):
    signature = evaluate(tmp_path, run_of("a", "b"), run_of("a", "b"), group_accuracy="no").signature
    assert not {"hierarchy", "group", "group_accuracy", "original"} & {
        field.partition(":")[0] for field in signature.split("|")
    }


@pytest.mark.parametrize("options", [{"original": "first"}, {"hierarchy": TREE}, {"second": "product"}])
def test_the_gold_against_itself_is_perfect_and_a_sample_is_valid(tmp_path, options):
    configured = LABELS.configure(options)
    made = LABELS.offer.specimen(configured)
    for name, content in made.gold.items():
        (tmp_path / name).write_bytes(content)
    [gold] = tmp_path.iterdir()
    files = {gold.name: gold.read_bytes()}
    for make in (LABELS.files.gold_as_submission, LABELS.files.sample):
        [(name, content)] = make(files, configured).items()
        (tmp_path / name).write_bytes(content)
        scores = scoring.evaluate("labels", gold=gold, system=tmp_path / name, options=options).scores
        if make is LABELS.files.gold_as_submission:
            assert {
                scores[key] for key in ("group_accuracy", "h_f1", "consistency", "mean_macro_f1") if key in scores
            } <= {1, None}


def errors_of_annotators(tmp_path, gold, run, **options):
    """Evaluate rows (item, annotator, label)."""
    head = ("id", "annotator", "label")
    sides = (table_of(rows, head) for rows in (gold, run))
    options = {"id": "id,annotator", "group": "id", "group_error": True, "n_resamples": 0} | options
    return evaluate(tmp_path, *sides, **options).scores["group_error"]


@pytest.mark.parametrize(
    ("said", "options", "error"),
    [
        (("1", "3", "5"), {}, (1 / 2 + 0) / 2),
        (("1", "3", "5"), {"ordinal": True}, (2 / 5 / 2 + 0) / 2),
        (("1", "3", None), {"ordinal": True, "missing": "wrong"}, (2 / 5 / 2 + 4 / 5) / 2),
        (("1;2", "1", ""), {"task": "multi"}, ((1 / 5 + 0) / 2 + 1 / 5) / 2),
    ],
)
def test_the_errors_of_annotators_are_averaged_by_item(tmp_path, said, options, error):
    gold = [("a", "Ann1", "1"), ("a", "Ann2", "1"), ("b", "Ann1", "5")]
    run = [(*row[:2], label) for row, label in zip(gold, said, strict=True) if label is not None]
    found = errors_of_annotators(tmp_path, gold, run, labels="1,2,3,4,5", **options)
    assert found == pytest.approx(error)


def test_errors_of_groups_need_groups():
    with pytest.raises(scoring.ConfigurationError, match="group_error"):
        LABELS.configure({"group_error": True})
