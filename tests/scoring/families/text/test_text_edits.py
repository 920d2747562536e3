"""TER's edits beside sacreBLEU's own: the same numbers, in a time that nobody can make long."""

import random
import time

import pytest

import scoring
from scoring.families.text.measures import edits
from scoring.families.text.measures.edits import fewest_edits

lib_ter = pytest.importorskip("sacrebleu.metrics.lib_ter", reason="the peer that edits are compared with")

# Ways in which a text differs from its reference: honest ones, and such as make many candidates.
SHAPES = {
    "wrong and missing words": lambda words, rng: [
        word if rng.random() < 0.7 else f"q{rng.randrange(20)}" for word in words if rng.random() < 0.95
    ],
    "a run that has moved": lambda words, rng: moved(words, rng.randrange(len(words)), rng.randrange(len(words))),
    "turned round": lambda words, rng: words[::-1],
    "turned round, with other words": lambda words, rng: words[::-1] + [f"x{k}" for k in range(20)],
    "turned round behind other words": lambda words, rng: [f"x{k}" for k in range(20)] + words[::-1],
    "turned round twice": lambda words, rng: words[::-1] * 2,
    "in any order": lambda words, rng: rng.sample(words, len(words)),
    "halves that have changed places": lambda words, rng: words[len(words) // 2 :] + words[: len(words) // 2],
    "neighbours that have changed places": lambda words, rng: [
        word for k in range(0, len(words), 2) for word in words[k : k + 2][::-1]
    ],
    "one word": lambda words, rng: words[:1] * len(words),
    "a third of the words": lambda words, rng: words[::3],
    "far more words": lambda words, rng: words[len(words) // 2 :] + ["x"] * 40 + words[: len(words) // 2],
    "nothing": lambda words, rng: [],
}


def moved(words, start, to):
    run, rest = words[start : start + 3], words[:start] + words[start + 3 :]
    return rest[:to] + run + rest[to:]


LENGTHS = (1, 2, 3, 5, 8, 10)  # sacreBLEU takes a second for some of 30 words


@pytest.mark.parametrize("shape", SHAPES)
def test_edits_are_those_of_sacrebleu(shape):
    rng = random.Random(shape)
    for length in LENGTHS:
        for n_words in (4, length, 1000):
            reference = [f"w{rng.randrange(n_words)}" for _ in range(length)]
            text = SHAPES[shape](reference, rng)
            expected = (*lib_ter.translation_edit_rate(text, reference)[:1], True)
            assert fewest_edits(text, reference) == expected, (text, reference)


@pytest.mark.parametrize(
    ("length", "shape"), [(40, "in any order"), (70, "a run that has moved"), (26, "turned round")]
)
def test_edits_of_long_texts_are_those_of_sacrebleu_around_the_diagonal(length, shape):
    rng = random.Random(length)
    reference = [f"w{rng.randrange(40)}" for _ in range(length)]
    text = SHAPES[shape](reference, rng)
    assert fewest_edits(text, reference).number == lib_ter.translation_edit_rate(text, reference)[0]


def test_edits_of_a_text_that_is_far_shorter_than_its_reference_are_those_of_sacrebleu():
    reference = [f"w{k}" for k in range(200)]
    assert fewest_edits(["w150", "w3"], reference).number == lib_ter.translation_edit_rate(["w150", "w3"], reference)[0]


def test_limits_are_those_of_sacrebleu():
    names = ("MAX_SHIFT_SIZE", "MAX_SHIFT_DIST", "BEAM_WIDTH", "MAX_SHIFT_CANDIDATES")
    assert [getattr(edits, name) for name in names] == [getattr(lib_ter, f"_{name}") for name in names]


def test_a_text_turned_round_costs_far_less_than_sacrebleu_takes():
    reference = [f"w{k}" for k in range(16)]
    text = reference[::-1] * 3
    theirs = seconds(lambda: lib_ter.translation_edit_rate(text, reference))
    assert min(seconds(lambda: fewest_edits(text, reference)) for _ in range(3)) < theirs / 4


def seconds(work):
    before = time.process_time()
    work()
    return time.process_time() - before


def test_beyond_the_budget_no_more_shifts_are_looked_for():
    reference = [f"w{k}" for k in range(16)]
    text = [word for k in (12, 8, 4, 0) for word in reference[k : k + 4]]
    assert fewest_edits(text, reference) == (9, True)
    without_shifts = lib_ter.BeamEditDistance(reference)(text)[0]
    # Not even the text's own table, and not those of the candidates.
    assert [fewest_edits(text, reference, budget) for budget in (0, 40_000)] == [(without_shifts, False)] * 2


def test_a_run_whose_shifts_were_not_all_tried_says_so(tmp_path, monkeypatch):
    (tmp_path / "gold.txt").write_text("the cat sat on the mat\n" * 2)
    (tmp_path / "run.txt").write_text("on the mat the cat sat\n" * 2)
    paths = {"gold": tmp_path / "gold.txt", "system": tmp_path / "run.txt"}
    assert scoring.evaluate("text", **paths, options={"metrics": "ter"}).warnings == []
    monkeypatch.setattr(fewest_edits, "__defaults__", (0,))
    warnings = scoring.evaluate("text", **paths, options={"metrics": "ter"}).warnings
    assert warnings == ["TER: 2 segments are so long that not all shifts were tried; sacreBLEU may find fewer edits"]
