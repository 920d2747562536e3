"""Scores by overlap: by hand, and beside sets of characters on random documents."""

import json

import numpy as np
import pytest

import scoring
from scoring.families.mat import MAT
from scoring.readers.archive import Made

OPTIONS = {"content_annotations": "PER,LOC", "overlap": True}


def documents(*sides):
    """One document of 40 characters for each list of spans (label, start, end)."""
    return Made(
        {
            f"{number}.json": json.dumps(
                {"signal": "x" * 40, "asets": [{"type": label, "annots": [[start, end]]} for label, start, end in own]}
            ).encode()
            for number, own in enumerate(sides)
        }
    )


def evaluate(gold, system, n_resamples=0, **options):
    sides = {"gold": documents(*gold), "system": documents(*system)}
    return scoring.evaluate("mat", **sides, options=OPTIONS | options, n_resamples=n_resamples, seed=3)


GOLD = [("PER", 0, 8), ("LOC", 20, 30)]
SYSTEM = [("PER", 0, 4), ("PER", 2, 10), ("LOC", 25, 35)]


def test_the_example_of_the_document_comes_out():
    result = evaluate([GOLD], [SYSTEM])
    expected = {
        "character_precision": 0.65,
        "character_recall": 13 / 18,
        "character_f1": 26 / 38,
        "iou": 0.52,
        "document_f1": 26 / 38,
        "proportional_precision": 0.65,
        "proportional_recall": 0.75,
        "proportional_f1": 2 * 0.65 * 0.75 / 1.4,
    }
    assert {key: result.scores[key] for key in expected} == pytest.approx(expected)
    by_tag = {row["tag"]: row for row in result.tables["overlap"]}
    assert [by_tag["LOC"][f"{side}_characters"] for side in ("gold", "system", "shared")] == [10, 10, 5]
    assert by_tag["PER"]["proportional_recall"] == 1
    assert by_tag["<all>"]["character_f1"] == result.scores["character_f1"]


def plain(gold, system):
    """The same from sets of characters; stretches are runs of characters under spans that overlap."""
    sets = [
        [{(label, k) for label, start, end in own for k in range(start, end)} for own in side]
        for side in (gold, system)
    ]
    shared = [len(g & p) for g, p in zip(*sets, strict=True)]
    sizes = [(len(g), len(p)) for g, p in zip(*sets, strict=True)]
    parts = [
        [
            len(stretch & others) / len(stretch)
            for own, others in zip(side, characters, strict=True)
            for stretch in stretches(own)
        ]
        for side, characters in ((gold, sets[1]), (system, sets[0]))
    ]
    return {
        "iou": np.mean([c / (g + p - c) if g + p else 1 for c, (g, p) in zip(shared, sizes, strict=True)]),
        "document_f1": np.mean([2 * c / (g + p) if g + p else 1 for c, (g, p) in zip(shared, sizes, strict=True)]),
        "character_recall": sum(shared) / sum(g for g, _ in sizes),
        "character_precision": sum(shared) / sum(p for _, p in sizes),
        "proportional_recall": np.mean(parts[0]),
        "proportional_precision": np.mean(parts[1]),
    }


def stretches(spans):
    merged: list[set] = []
    for label, start, end in spans:
        own = {(label, k) for k in range(start, end)}
        for other in [each for each in merged if each & own]:
            merged.remove(other)
            own |= other
        merged.append(own)
    return merged


def world(seed):
    rng = np.random.default_rng(seed)

    def side():
        spans = [
            [("PER" if rng.random() < 0.6 else "LOC", start, min(40, start + 1 + int(rng.integers(12))))
             for start in rng.integers(0, 39, rng.integers(0, 5)).tolist()]
            for _ in range(6)
        ]  # fmt: skip
        return [[("PER", 3, 9)], *spans]

    return side(), side()


@pytest.mark.parametrize("seed", range(8))
def test_scores_are_those_of_sets_of_characters(seed):
    gold, system = world(seed)
    expected = plain(gold, system)
    found = evaluate(gold, system).scores
    assert {key: found[key] for key in expected} == pytest.approx(expected)


def test_scores_of_resamples_are_those_of_the_documents_drawn():
    gold, system = world(2)
    result = evaluate(gold, system, n_resamples=200)
    drawn = [0, 0, 3, 5, 2, 2, 6]
    again = MAT.metrics(np.tensordot(np.bincount(drawn, minlength=7), result.rows, 1), result.options)
    expected = plain([gold[k] for k in drawn], [system[k] for k in drawn])
    assert {key: float(again[key]) for key in expected} == pytest.approx(expected)
    assert {"iou", "proportional_f1"} <= result.intervals.keys()
    assert len(MAT.counts.kinds_with(result.options)) == result.rows.shape[-1]


def test_spans_that_touch_are_two_and_those_that_repeat_one():
    touching = evaluate([[("PER", 0, 4), ("PER", 4, 8)]], [[("PER", 0, 4)]]).scores
    assert touching["proportional_recall"] == 0.5
    repeated = evaluate([[("PER", 0, 4)]], [[("PER", 0, 4), ("PER", 0, 4), ("PER", 20, 24)]], pairing="2.x").scores
    assert repeated["proportional_precision"] == 0.5


def test_labels_of_the_other_side_share_nothing():
    scores = evaluate([[("PER", 0, 4)]], [[("LOC", 0, 4)]]).scores
    assert (scores["character_f1"], scores["iou"], scores["proportional_f1"]) == (0, 0, 0)


def test_nothing_on_both_sides_is_full_agreement_and_nothing_on_one_side_none():
    scores = evaluate([[], [("PER", 0, 4)]], [[], []]).scores
    assert (scores["iou"], scores["document_f1"]) == (0.5, 0.5)
    assert (scores["character_precision"], scores["character_recall"], scores["character_f1"]) == (1, 0, 0)
    assert evaluate([[]], [[("PER", 1, 2)]]).scores["proportional_f1"] == 0


def test_another_score_can_rank_and_then_no_repairs_are_told():
    result = evaluate([GOLD], [SYSTEM], headline="iou")
    assert result.headline == "iou"
    assert "overlap:yes" in result.signature
    assert "overlap" not in evaluate([GOLD], [SYSTEM], overlap=False).signature
    assert "fbeta" in MAT.headline(MAT.configure({"beta": 2}))
    assert evaluate([GOLD], [SYSTEM], beta=2).scores["character_fbeta"] == pytest.approx(5 * 13 / (4 * 18 + 20))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"overlap": True, "discontinuous": "parts"}, "option overlap"),
        ({"headline": "iou"}, "there is no score"),
        ({"overlap": True, "headline": "iuo"}, "did you mean 'iou'"),
    ],
)
def test_options_that_cannot_be_are_refused(options, words):
    with pytest.raises(scoring.ConfigurationError, match=words):
        MAT.configure(options)
