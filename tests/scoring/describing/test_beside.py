"""Where everybody may read the gold, runs that fit it in another order than their own are told; else they are not."""

import json
import random
import re

import pytest

import scoring
from demo.plan import read_task
from scoring.readers.archive import Made
from tests.scoring.describing.oddities import one_oddity
from tests.scoring.describing.shapes import (
    ANNOTATED,
    ANSWERED,
    CHAINS,
    LABELS,
    NUMBERS,
    RANKED,
    SPOKEN,
    SUBJECTS,
    TEXTS,
    annotated,
    gold_of,
    json_lines,
    of_types,
    ranked,
    segmented,
    table,
)

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


def reversed_(values):
    return [*values[::-1]]


def in_pairs(values):
    """Exchange each value with its neighbour."""
    return [values[k ^ 1] for k in range(len(values))]


def queried(change):
    queries = [*dict.fromkeys(row[0] for row in RANKED)]
    other = dict(zip(queries, change(queries), strict=True))
    return {"run.txt": "".join(" ".join([other[row[0]], *row[1:]]) + "\n" for row in RANKED)}


def answered(change):
    parts = [line.partition(" ") for line in ANSWERED]
    others = change([answers for _, _, answers in parts])
    return {"run.txt": "".join(f"{name} {answers}\n" for (name, *_), answers in zip(parts, others, strict=True))}


@pytest.fixture
def describe(tmp_path):
    def described(task, files, number=1, *, gold_is_open=True):
        gold, scenario = gold_of(task, number), read_task(task).scenarios[number - 1]
        (tmp_path / gold.name).write_bytes(gold.content)
        files = {"gold": tmp_path / gold.name, "system": Made({path: text.encode() for path, text in files.items()})}
        return scoring.describe(scenario.family, options=scenario.options, gold_is_open=gold_is_open, **files)

    return described


WRONG = [
    ("labels", labels(lambda given: moved(given, -1)), f"{_MOVED} 1 item earlier."),
    ("labels", labels(lambda given: moved(given, 2)), f"{_MOVED} 2 items later."),
    ("numbers", numbers(lambda given: moved(given, -1)), f"{_MOVED} 1 item earlier."),
    ("numbers", numbers(lambda given: [f"{5 - float(value):.2f}" for value in given]), "they correlate by −0.9"),
    ("labels", labels(reversed_), "from its last row to its first."),
    ("numbers", numbers(reversed_), "from its last row to its first."),
    ("ranking", queried(lambda queries: moved(queries, 1)), f"{_MOVED} 1 query earlier."),
    ("ranking", queried(reversed_), "from its last row to its first."),
    ("qac", answered(lambda given: moved(given, -1)), f"{_MOVED} 1 question earlier."),
    ("text", texts(in_pairs), "segments fit others of the gold far better than their own."),
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


_NEXT = dict(zip(_INTENTS := sorted({label for _, label in LABELS}), moved(_INTENTS, 1), strict=True))
_CATEGORIES = sorted(json.loads(ANNOTATED[0])["cats"])
_OTHER_COLUMNS = dict(zip(_CATEGORIES, moved(_CATEGORIES, 1), strict=True))
_STREETS = {"STOP": "STREET", "STREET": "STOP"}


def with_other_ents(change):
    return annotated(lambda record, _: {"ents": [entity for span in record["ents"] for entity in change(*span)]})


EXCHANGED = [
    ("labels", 1, labels(lambda given: [_NEXT[label] for label in given])),
    ("spacy", 3, annotated(lambda record, _: {"cats": {_OTHER_COLUMNS[k]: v for k, v in record["cats"].items()}})),
    ("spacy", 1, with_other_ents(lambda start, end, label: [[start, end, _STREETS.get(label, label)]])),
    ("mat", 1, segmented(of_types({"PERSON": "PLACE", "PLACE": "PERSON"}))),
]


@pytest.mark.parametrize(("task", "number", "files"), EXCHANGED, ids=["labels", "categories", "entities", "spans"])
def test_labels_that_stand_for_each_other_are_told_with_those_that_they_stand_for(task, number, files, describe):
    oddity = one_oddity(describe(task, files, number), "labels", "far better with its labels exchanged: ")
    assert oddity.suggestion == "are the labels numbered in another order?"
    assert describe(task, files, number, gold_is_open=False).oddities == []


def test_labels_that_are_only_spelt_otherwise_are_not_told_to_be_exchanged(describe):
    run = with_other_ents(lambda start, end, label: [[start, end, label.lower()]])
    one_oddity(describe("spacy", run), "case")


def subjects(change):
    names, given = zip(*SUBJECTS, strict=True)
    return {"run.csv": table(zip(names, change(given), strict=True), ("id", "subjects"))}


_EVERY = ("waste", "traffic", "water", "pool", "library", "permits", "parks", "lighting")


def without(cell):
    return ";".join(subject for subject in _EVERY if subject not in cell.split(";"))


def test_sets_of_labels_have_an_order_too_and_may_be_turned_round(describe):
    one_oddity(describe("labels", subjects(lambda given: moved(given, -1)), 2), "order", f"{_MOVED} 1 item earlier.")
    one_oddity(
        describe("labels", subjects(lambda given: [*map(without, given)]), 2), "labels", "where the gold has none"
    )
    assert describe("labels", subjects(list), 2).oddities == []


def test_categories_as_one_minus_shares_are_told_to_be_taken_from_one(describe):
    gold = map(json.loads, gold_of("spacy", 3).content.decode().splitlines())
    turned = json_lines(record | {"cats": {k: 1 - v for k, v in record["cats"].items()}} for record in gold)
    assert "take each from 1" in one_oddity(describe("spacy", {"run.jsonl": turned}, 3), "order").suggestion


def test_negative_numbers_that_rise_with_the_gold_s_are_not_told_to_turn_their_sign(describe):
    distances = numbers(lambda given: [f"{float(value) - 5:.2f}" for value in given])
    assert one_oddity(describe("numbers", distances), "range").suggestion == "add 5 to each?"
    turned = numbers(lambda given: [f"{-float(value):.2f}" for value in given])
    assert "turn their sign?" in {oddity.suggestion for oddity in describe("numbers", turned).oddities}
    assert "turn their sign? or" in one_oddity(describe("numbers", distances, gold_is_open=False), "range").suggestion


def test_one_number_for_many_is_told_where_the_gold_has_others_there(describe):
    zeros = numbers(lambda given: [value if k % 2 else "0" for k, value in enumerate(given)])
    one_oddity(describe("numbers", zeros), "range", "of 240 numbers are 0, and the gold's of these are")
    assert describe("numbers", zeros, gold_is_open=False).oddities == []


def test_documents_that_are_never_judged_are_told_though_their_names_look_alike(describe):
    others = ranked(lambda row: [*row[:2], row[2].replace("SE", "XX"), *row[3:]])
    one_oddity(describe("ranking", others), "ids", "documents is judged for any query: 'XX")
    assert describe("ranking", others, gold_is_open=False).oddities == []


def test_spans_of_one_token_each_are_told_where_many_of_the_gold_s_have_more(describe):
    single = with_other_ents(lambda start, end, label: [[k, k + 1, label] for k in range(start, end)])
    one_oddity(describe("spacy", single), "offsets", "has a single token, and")


def _last_words(record, _):
    for several in record["asets"]:
        for row in several["annots"] if several["type"] in _NAMES else ():
            row[0] = row[1] - len(record["signal"][row[0] : row[1]].split()[-1])
    return record


_NAMES = {"PERSON", "ORGANISATION", "PLACE", "VESSEL", "DATE", "EVENT", "CAUSE"}


def test_the_last_words_of_names_alone_are_told(describe):
    one_oddity(describe("mat", segmented(_last_words)), "offsets", "spans has a single token, and")


def test_few_mentions_of_one_token_may_be_meant(describe):
    pronouns = re.sub(r"(?m)^(.*\t(?!he|she|his|her|it)\S+)\t\S+$", r"\1\t-", CHAINS)
    kept = re.sub(r"(?m)\t(?!\(\d+\)$)[(|)\d]+$", "\t-", pronouns)
    assert all(oddity.kind != "offsets" for oddity in describe("coreference", {"run.conll": kept}).oddities)


def test_answers_in_small_letters_and_several_in_one_are_told(describe):
    small = {"run.txt": "".join(re.sub('"[^"]*"', lambda m: m[0].lower(), line) + "\n" for line in ANSWERED)}
    one_oddity(describe("qac", small), "traces", "answers have no capitals.")
    gold = [line.split("\t") for line in gold_of("qac", 1).content.decode().splitlines()]
    wanted: dict[str, list[str]] = {}
    for name, answer in ((row[0], row[2]) for row in gold if row[1:] and row[1] != "?"):
        wanted.setdefault(name, []).append(answer)
    joined = "".join(f'{name}: "{" / ".join(answers[:2])}", SE0104\n' for name, answers in wanted.items())
    oddity = one_oddity(describe("qac", {"run.txt": joined}, 2), "traces", "answers are several in one: ")
    assert oddity.suggestion == "write each between quotes of its own, with its article"


def test_tags_of_the_word_before_are_told(describe):
    gold = map(json.loads, gold_of("spacy", 2).content.decode().splitlines())
    slipped = json_lines(record | {"tags": moved(record["tags"], 1)} for record in gold)
    one_oddity(describe("spacy", {"run.jsonl": slipped}, 2), "order", f"{_MOVED} 1 word later.")
