"""Where everybody may read the gold, runs that fit it in another order than their own are told; else they are not."""

import random

import pytest

import scoring
from demo.plan import read_task
from scoring.readers.archive import Made
from tests.scoring.describing.oddities import one_oddity
from tests.scoring.describing.shapes import LABELS, NUMBERS, SPOKEN, TEXTS, gold_of, json_lines, table

_MOVED = "The run fits the gold far better if all stands"


def moved(values, by):
    return [*values[by:], *values[:by]]


def shuffled(values):
    return random.Random(7).sample(values, len(values))


def labels(change):
    names, given = zip(*LABELS, strict=True)
    return {"run.csv": table(zip(names, change(given), strict=True), ("id", "intent"))}


def numbers(change):
    names, given = zip(*NUMBERS, strict=True)
    return {"run.csv": table(zip(names, change(given), strict=True), ("id", "value"))}


def texts(change):
    given = change([each["text"] for each in TEXTS])
    return {"run.jsonl": json_lines({**each, "text": text} for each, text in zip(TEXTS, given, strict=True))}


def spoken(change):
    names, given = zip(*SPOKEN, strict=True)
    return {"run.tsv": "".join(f"{name}\t{text}\n" for name, text in zip(names, change(given), strict=True))}


@pytest.fixture
def describe(tmp_path):
    def described(task, files, *, gold_is_open=True):
        gold, scenario = gold_of(task, 1), read_task(task).scenarios[0]
        (tmp_path / gold.name).write_bytes(gold.content)
        files = {"gold": tmp_path / gold.name, "system": Made({path: text.encode() for path, text in files.items()})}
        return scoring.describe(scenario.family, options=scenario.options, gold_is_open=gold_is_open, **files)

    return described


WRONG = [
    ("labels", labels(lambda given: moved(given, -1)), f"{_MOVED} 1 item earlier."),
    ("labels", labels(lambda given: moved(given, 2)), f"{_MOVED} 2 items later."),
    ("numbers", numbers(lambda given: moved(given, -1)), f"{_MOVED} 1 item earlier."),
    ("numbers", numbers(lambda given: [f"{5 - float(value):.2f}" for value in given]), "they correlate by −0.9"),
    ("text", texts(lambda given: moved(given, 1)), f"{_MOVED} 1 segment later."),
    ("text", texts(shuffled), "segments fit others of the gold far better than their own."),
    ("transcripts", spoken(lambda given: moved(given, -1)), f"{_MOVED} 1 utterance earlier."),
    ("transcripts", spoken(shuffled), "utterances fit others of the gold far better than their own."),
]


@pytest.mark.parametrize(("task", "files", "words"), WRONG)
def test_another_order_is_told_where_the_gold_is_open(task, files, words, describe):
    one_oddity(describe(task, files), "order", words)


@pytest.mark.parametrize(("task", "files", "words"), WRONG)
def test_nothing_of_it_is_told_where_the_gold_is_hidden(task, files, words, describe):
    assert describe(task, files, gold_is_open=False).oddities == []


@pytest.mark.parametrize(
    ("task", "write"), [("labels", labels), ("numbers", numbers), ("text", texts), ("transcripts", spoken)]
)
def test_a_run_in_its_own_order_is_left_alone(task, write, describe):
    assert describe(task, write(list)).oddities == []


def test_numbers_that_only_rise_with_the_belief_in_1_have_no_scale(tmp_path):
    rows = [(f"d{k}", k * k % 7 % 2) for k in range(40)]
    (tmp_path / "gold.csv").write_text(table(rows, ("id", "value")))
    (tmp_path / "run.csv").write_text(
        table([(name, 9 * value - 4 + k / 99) for k, (name, value) in enumerate(rows)], ("id", "value"))
    )
    options = {"kind": "binary", "range": "any"}
    files = {"gold": tmp_path / "gold.csv", "system": tmp_path / "run.csv"}
    assert scoring.describe("numbers", options=options, **files).oddities == []
