"""Probabilities of spans: their rank correlation by character, beside SciPy, and which spans then count."""

import json

import numpy as np
import pytest

import scoring
from scoring.families.mat import MAT
from scoring.readers.archive import Made

stats = pytest.importorskip("scipy.stats", reason="SciPy is the oracle here")
OPTIONS = {
    "gold_format": "table",
    "system_format": "table",
    "content_annotations": "made up",
    "columns": "id,-,soft[].start,soft[].end",
    "text_column": "answer",
    "probability": "soft[].prob",
    "overlap": True,
}


def lines(documents):
    """JSON Lines of {name: (length of the text, [(start, end, probability)])}."""
    rows = [
        {
            "id": name,
            "answer": "é" * length,
            "soft": [dict(zip(("start", "end", "prob"), own, strict=True)) for own in spans],
        }
        for name, (length, spans) in documents.items()
    ]
    return "".join(json.dumps(row) + "\n" for row in rows)


def evaluate(gold, system, **options):
    sides = {"gold": Made({"gold.jsonl": lines(gold).encode()}), "system": Made({"run.jsonl": lines(system).encode()})}
    return scoring.evaluate("mat", **sides, options=OPTIONS | options, n_resamples=0)


def plain(length, gold, system):
    """The correlation of one document, character by character."""
    values = [np.zeros(length), np.zeros(length)]
    for own, spans in zip(values, (gold, system), strict=True):
        for start, end, probability in spans:
            own[start:end] = probability
    constant = [len({*own.round(8).tolist()}) == 1 for own in values]
    return float(all(constant)) if any(constant) else stats.spearmanr(*values).statistic


def world(seed):
    rng = np.random.default_rng(seed)

    def spans(length):
        starts = rng.integers(0, length, rng.integers(0, 5)).tolist()
        return [(start, int(rng.integers(start, length)) + 1, round(float(rng.random()), 1)) for start in starts]

    lengths = rng.integers(1, 40, 6).tolist()
    return [{f"t{k}": (length, spans(length)) for k, length in enumerate(lengths)} for _ in range(2)]


@pytest.mark.parametrize("seed", range(8))
def test_the_correlation_is_that_of_scipy_character_by_character(seed):
    gold, system = world(seed)
    expected = [plain(length, own, system[name][1]) for name, (length, own) in gold.items()]
    result = evaluate(gold, system, headline="correlation")
    assert result.scores["correlation"] == pytest.approx(np.mean(expected))
    assert result.headline == "correlation"
    assert result.rows.shape[-1] == len(MAT.counts.kinds_with(result.options))
    np.testing.assert_allclose(result.rows[:, -1, -1], expected)


def test_a_side_that_gives_all_characters_the_same_agrees_with_another_one_alone():
    even, uneven = {"a": (10, [(0, 10, 0.3)])}, {"a": (10, [(0, 5, 0.9)])}
    found = [
        evaluate(*sides).scores["correlation"] for sides in ((even, {"a": (10, [])}), (even, uneven), (uneven, even))
    ]
    assert found == [1, 0, 0]


def test_spans_that_are_more_probable_than_not_count_for_all_other_scores():
    gold = {"a": (20, [(0, 8, 0.8), (10, 20, 0.5)])}
    scores = evaluate(gold, {"a": (20, [(0, 8, 0.51), (12, 14, 0.2)])}).scores
    assert (scores["f1"], scores["iou"]) == (1, 1)


def test_what_is_no_probability_is_refused_with_its_line():
    gold = {"a": (20, [(0, 8, 0.8)])}
    with pytest.raises(scoring.SubmissionError, match="run.jsonl:1: a probability must lie between 0 and 1"):
        evaluate(gold, {"a": (20, [(0, 8, 1.2)])})
    with pytest.raises(scoring.SubmissionError, match="run.jsonl:1"):
        evaluate(gold, {"a": (20, [(0, 8, "high")])})


def test_a_table_without_labels_has_spans_of_the_one_label():
    options = {"columns": "id,-,start,end", "header": False, "content_annotations": "P", "overlap": True}
    options |= {"gold_format": "table", "system_format": "table"}
    gold = Made({"gold.tsv": b"a\t0\t4\nb\t\t\n", "a.txt": b"x" * 20, "b.txt": b"y" * 20})
    run = Made({"run.tsv": b"a\t0\t4\na\t10\t14\n"})
    result = scoring.evaluate("mat", gold=gold, system=run, options=options, n_resamples=0)
    assert (result.scores["precision"], result.scores["proportional_precision"]) == (0.5, 0.5)
    assert [row["tag"] for row in result.tables["by_tag"]] == ["P", "<all>"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"overlap": False}, "option probability needs the format table for both sides, and overlap"),
        ({"system_format": "brat"}, "option probability needs the format table"),
        ({"probability": "prob"}, "all but the document has to be in the list of spans"),
        ({"content_annotations": "A,B"}, "content_annotations has to name one label"),
    ],
)
def test_options_that_cannot_be_are_refused(options, words):
    with pytest.raises(scoring.ConfigurationError, match=words):
        MAT.configure(OPTIONS | options)


@pytest.mark.parametrize("options", [{}, {"columns": "id,-,start,end,words", "probability": "p", "text_column": None}])
def test_the_specimen_is_read_and_perfect_against_itself(options):
    options = MAT.configure(OPTIONS | options)
    small = MAT.offer.specimen(options)
    for run, best in ((small.run, False), (small.gold, True)):
        result = scoring.evaluate("mat", gold=Made(small.gold), system=Made(run), options=options, n_resamples=0)
        assert (result.scores["correlation"] == pytest.approx(1)) is best
