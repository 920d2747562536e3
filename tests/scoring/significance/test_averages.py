"""Means over labels of which some are rare: held against the rule in plain Python, and told wherever intervals are."""

import json
import math
from statistics import NormalDist

import numpy as np
import pytest

import scoring
from scoring.readers.archive import Made
from scoring.significance import weights

N_RESAMPLES = 400


def table(rows):
    return Made({"t.jsonl": "\n".join(json.dumps(row) for row in rows).encode()})


def world(n, shares, seed=1, group=1):
    """Both sides of n items, each of a group of some, whose labels have these shares."""
    rng = np.random.default_rng(seed)
    gold = rng.choice(len(shares), n, p=shares)
    system = np.where(rng.random(n) < 0.7, gold, rng.integers(len(shares), size=n))
    sides = [
        [{"id": k, "label": "abcdefgh"[code], "doc": k // group, "half": k % 2} for k, code in enumerate(codes)]
        for codes in (gold, system)
    ]
    return table(sides[0]), table(sides[1])


def evaluated(sides, options=None, n_resamples=N_RESAMPLES):
    return scoring.evaluate(
        "labels", gold=sides[0], system=sides[1], options=options or {}, n_resamples=n_resamples, seed=5
    )


def wilson(share, n):
    z = NormalDist().inv_cdf(0.975)
    centre, half = share + z * z / (2 * n), z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low, high = (centre - half) / (1 + z * z / n), (centre + half) / (1 + z * z / n)
    return max(0, low) if share else 0, min(1, high) if share < 1 else 1


def f1_of(j):
    return 2 * j / (1 + j)


def plain_macro_f1(sides, absent=()):
    """Score and ends of macro F1 over all labels, from items that are units of their own; `absent` are on no side."""
    gold, system = ([row["label"] for row in map(json.loads, side["t.jsonl"].decode().split("\n"))] for side in sides)
    labels = [*sorted({*gold, *system}), *absent]
    drawn = weights(5, len(gold), 0, N_RESAMPLES)

    def parts(weight):
        pairs = list(zip(gold, system, weight, strict=True))
        for label in labels:
            both = sum(n for one, other, n in pairs if one == other == label)
            either = sum(n for one, other, n in pairs if label in (one, other))
            yield label, both, either

    own = {label: (both, either) for label, both, either in parts([1] * len(gold))}
    score = {label: f1_of(both / either) if either else 0 for label, (both, either) in own.items()}
    common = [label for label in labels if gold.count(label) >= 10]
    whole = sum(score[label] for label in common)
    sums = [
        sum(f1_of(both / either) for label, both, either in parts(weight) if label in common)
        for weight in drawn.tolist()
    ]
    low, high = np.quantile(sums, [0.025, 0.975])
    below, above = max(0, whole - low) ** 2, max(0, high - whole) ** 2
    for label in set(labels) - set(common):
        both, either = own[label]
        value, ends = (
            (score[label], map(f1_of, wilson(both / either, either))) if either else (whole / len(common), (0, 1))
        )
        ends = [*ends]
        below, above = below + (value - ends[0]) ** 2, above + (ends[1] - value) ** 2
    mean = sum(score.values()) / len(labels)
    return mean, (mean - math.sqrt(below) / len(labels), mean + math.sqrt(above) / len(labels))


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("n", [40, 120])
def test_a_mean_with_a_rare_label_joins_the_labels_own_intervals(n, seed):
    sides = world(n, [0.46, 0.3, 0.2, 0.04], seed)
    found = evaluated(sides)
    score, ends = plain_macro_f1(sides)
    assert found.scores["macro_f1"] == pytest.approx(score)
    assert found.intervals["macro_f1"] == pytest.approx(ends, abs=1e-9)
    assert found.interval_methods["macro_f1"] == "mover"
    assert "interval:mover" in found.signature


def test_a_listed_label_that_neither_side_has_is_rare_where_absent_ones_count():
    sides = world(80, [0.5, 0.3, 0.2])
    options = {"labels": "a,b,c,d", "absent_labels": "count"}
    score, ends = plain_macro_f1(sides, absent=["d"])
    found = evaluated(sides, options)
    assert found.intervals["macro_f1"] == pytest.approx(ends, abs=1e-9)
    assert evaluated(sides, {"labels": "a,b,c,d"}).interval_methods["macro_f1"] == "percentile"


@pytest.mark.parametrize(("n", "method"), [(48, "bca"), (120, "percentile")])
def test_without_a_rare_label_intervals_are_those_of_the_resamples(n, method):
    found = evaluated(world(n, [0.4, 0.35, 0.25]))
    assert found.interval_methods["macro_f1"] == method
    if method == "percentile":
        assert found.intervals["macro_f1"] == pytest.approx(np.quantile(found.draws, [0.025, 0.975]))


def test_all_means_over_labels_are_taken_apart_and_no_other_score():
    found = evaluated(world(120, [0.5, 0.3, 0.15, 0.05]), {"beta": 0.5})
    methods = found.interval_methods
    parts = ("precision", "recall", "f1", "fbeta")
    taken_apart = {f"{mean}_{part}" for mean in ("macro", "weighted") for part in parts} | {"balanced_accuracy"}
    assert {name for name, method in methods.items() if method == "mover"} == taken_apart
    for name in taken_apart:
        low, high = found.intervals[name]
        assert 0 <= low <= found.scores[name] <= high <= 1
    # The gold's rows weigh, as they are drawn: what is right at all stays what it is, but for the rare label's end.
    assert found.intervals["weighted_recall"] == pytest.approx(found.intervals["accuracy"], abs=0.03)


def test_items_of_a_group_make_rare_labels_wider():
    shares = [0.4, 0.3, 0.28, 0.02]
    alone, grouped = (
        evaluated(world(240, shares, group=size), {"group": "doc"} if size > 1 else {}) for size in (1, 6)
    )
    assert grouped.interval_methods["macro_f1"] == "mover"
    assert len(grouped.units) == 40
    assert np.diff(grouped.intervals["macro_f1"]) != np.diff(alone.intervals["macro_f1"])


def test_each_slice_has_rare_labels_of_its_own():
    found = evaluated(world(240, [0.4, 0.3, 0.26, 0.04], seed=2), {"slices": "half", "labels": "a,b,c,d"})
    methods = [row["macro_f1"] for row in found.table_interval_methods["slices"]]
    assert "mover" in methods
    # A slice is a corpus of its own, but for its draws.
    for half, ends in enumerate(found.table_intervals["slices"]):
        rows = [
            [row for row in map(json.loads, side["t.jsonl"].decode().split("\n")) if row["half"] == half]
            for side in world(240, [0.4, 0.3, 0.26, 0.04], seed=2)
        ]
        alone = evaluated([table(own) for own in rows], {"labels": "a,b,c,d"})
        assert methods[half] == alone.interval_methods["macro_f1"]
        assert ends["macro_f1"] == pytest.approx(alone.intervals["macro_f1"], abs=0.03)


def test_many_rare_labels_are_warned_of_once():
    found = evaluated(world(120, [0.42, 0.42, 0.04, 0.04, 0.04, 0.04]))
    [warning] = [each for each in found.warnings if "fewer than ten gold items" in each]
    assert warning == (
        "macro_f1: 4 of 6 labels have fewer than ten gold items: this interval is too narrow, by our simulations it "
        "holds in 88 rather than 95 of 100"
    )
    few = evaluated(world(200, [0.49, 0.3, 0.2, 0.01], seed=2), {"labels": "a,b,c,d"})
    assert few.interval_methods["macro_f1"] == "mover"
    assert not [each for each in few.warnings if "fewer than ten" in each]


def test_folding_invented_labels_in_tables_leaves_the_interval_as_it_is():
    gold, system = (
        [json.loads(line) for line in side["t.jsonl"].decode().split("\n")] for side in world(90, [0.5, 0.3, 0.2])
    )
    for k, name in enumerate("xyz"):
        system[k]["label"] = name
    sides, options = (table(gold), table(system)), {"labels": "union"}
    apart, folded = (
        scoring.evaluate(
            "labels", gold=sides[0], system=sides[1], options=options, n_resamples=100, gold_labels_only=only
        )
        for only in (False, True)
    )
    assert apart.interval_methods["macro_f1"] == "mover"
    assert apart.intervals == folded.intervals


def test_the_mean_over_two_columns_weighs_the_labels_of_each_by_their_number():
    rng = np.random.default_rng(3)
    rows = [
        {"id": k, "hazard": "abc"[rng.choice(3, p=[0.6, 0.36, 0.04])], "product": "uvwxyz"[rng.integers(6)]}
        for k in range(150)
    ]
    run = [
        row | ({"hazard": "a"} if k % 7 == 0 else {"product": "u"} if k % 5 == 0 else {}) for k, row in enumerate(rows)
    ]
    found = evaluated(
        (table(rows), table(run)),
        {"label": "hazard", "second": "product", "labels": "union", "headline": "mean_macro_f1"},
    )
    assert found.interval_methods["mean_macro_f1"] == "mover"
    low, high = found.intervals["mean_macro_f1"]
    assert low < found.scores["mean_macro_f1"] < high


SPANS = {"gold_format": "table", "system_format": "table", "columns": "id,label", "fields": "a"}


def test_means_over_labels_of_annotations_are_taken_apart_too():
    rng = np.random.default_rng(4)
    rows = [{"id": f"d{k // 4}", "label": "ABC"[rng.choice(3, p=[0.6, 0.37, 0.03])], "a": f"x{k}"} for k in range(160)]
    run = [row | ({"a": "other"} if rng.random() < 0.3 else {}) for row in rows]
    found = scoring.evaluate(
        "mat", gold=table(rows), system=table(run), options=SPANS | {"content_annotations": "A,B,C"}, n_resamples=200
    )
    assert {name: found.interval_methods[name] for name in ("macro_f1", "weighted_f1", "f1")} == {
        "macro_f1": "mover",
        "weighted_f1": "mover",
        "f1": "percentile" if len(found.units) >= 50 else "bca",
    }


def test_means_over_categories_and_types_of_entities_are_taken_apart_too():
    rng = np.random.default_rng(6)
    words = ["w"] * 4
    gold = [
        {
            "id": str(k),
            "words": words,
            "cats": {name: float(name == kind) for name in "xyz"},
            "ents": [[0, 1, "PER"], [1, 2, "LOC"], *([[2, 3, "ORG"]] if k % 30 == 0 else [])],
        }
        for k, kind in enumerate(rng.choice(list("xyz"), 90, p=[0.6, 0.36, 0.04]))
    ]
    run = [
        row | ({"cats": {"x": 1.0, "y": 0.0, "z": 0.0}, "ents": row["ents"][:1]} if k % 5 == 0 else {})
        for k, row in enumerate(gold)
    ]
    options = {"scores": json.dumps([{"name": "textcat", "labels": ["x", "y", "z"]}, {"name": "seqeval"}])}
    found = scoring.evaluate("spacy", gold=table(gold), system=table(run), options=options, n_resamples=200)
    methods = found.interval_methods
    assert {methods[f"{mean}_f"] for mean in ("cats_macro", "seqeval_macro", "seqeval_weighted")} == {"mover"}
    assert methods["cats_score"] == "mover"
    assert found.intervals["cats_score"] == found.intervals["cats_macro_f"]
    assert methods["cats_micro_f"] == methods["seqeval_micro_f"] == "percentile"
