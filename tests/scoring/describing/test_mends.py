"""What a message advises is done to the file by a program, and then the file reads better."""

import json
import re

import pytest

import scoring
from demo.plan import read_task
from scoring.readers.archive import Made
from tests.scoring.describing.shapes import ANSWERED, NUMBERS, SPOKEN, TEXTS, gold_of, table


def look(task, number, name, text):
    """The first problem of a run, or else its oddities."""
    gold, scenario = gold_of(task, number), read_task(task).scenarios[number - 1]
    sides = {"gold": Made({gold.name: gold.content}), "system": Made({name: text.encode()})}
    try:
        return scoring.describe(scenario.family, options=scenario.options, gold_is_open=True, **sides)
    except scoring.SubmissionError as error:
        return error.problems[0].message


@pytest.mark.parametrize("rows", [NUMBERS, [row[::-1] for row in NUMBERS]], ids=["id first", "number first"])
@pytest.mark.parametrize(("name", "sign"), [("run.csv", ","), ("run.tsv", "\t")])
def test_the_heading_that_is_asked_for_makes_the_file_readable(rows, name, sign):
    text = table(rows, sign=sign)
    heading = re.search(r"write '?([\w,⇥]+)'? above it", look("numbers", 1, name, text))[1].replace("⇥", "\t")
    assert look("numbers", 1, name, f"{heading}\n{text}").oddities == []


@pytest.mark.parametrize(
    ("task", "rows"), [("text", [(each["id"], each["text"]) for each in TEXTS]), ("transcripts", SPOKEN)]
)
def test_tabs_for_commas_make_a_csv_of_texts_readable(task, rows):
    message = look(task, 1, "run.csv", table(rows, ("id", "text")))
    heading = re.search(r"under the heading (\S+)", message)[1].replace("⇥", "\t")
    mended = heading + "\n" + "".join(f"{name}\t{text}\n" for name, text in rows)
    assert look(task, 1, "run.tsv", mended).oddities == []


def test_numbers_from_the_other_end_of_the_scale_rise_with_the_gold_s_once_they_are_taken_from_it():
    turned = table([[name, 5 - float(value)] for name, value in NUMBERS], ("id", "value"))
    [oddity] = look("numbers", 2, "run.csv", turned).oddities
    end = float(re.search(r"take each from (\S+):", oddity.suggestion)[1])
    mended = table([[name, end - (5 - float(value))] for name, value in NUMBERS], ("id", "value"))
    assert look("numbers", 2, "run.csv", mended).oddities == []


def test_full_stops_behind_answers_are_asked_about_beside_an_open_gold():
    answers = "".join(re.sub(r'"([^"]*)"', r'"\1."', line) + "\n" for line in ANSWERED)
    assert "end in a full stop" in str(look("qac", 1, "run.txt", answers).oddities[0].message)
    assert look("qac", 1, "run.txt", "\n".join(ANSWERED)).oddities == []


def test_capitals_are_no_trace_where_the_task_has_them():
    upper = [{**record, "text": record["text"].upper()} for record in TEXTS]
    gold = "".join(json.dumps({"id": record["id"], "refs": [record["text"]]}) + "\n" for record in upper)
    run = "".join(json.dumps(record) + "\n" for record in upper)
    sides = {"gold": Made({"gold.jsonl": gold.encode()}), "system": Made({"run.jsonl": run.encode()})}
    assert scoring.describe("text", **sides).oddities == []


def test_letters_are_answers_where_the_task_s_are():
    ids = [f"QAC1-{k}-01" for k in range(40)]
    gold = "".join(f"{name}\t1\t{'ABCD'[k % 4]}\t7\n" for k, name in enumerate(ids))
    run = "".join(f'{name}: "{"ABCD"[k % 3]}", 7\n' for k, name in enumerate(ids))
    sides = {"gold": Made({"gold.tsv": gold.encode()}), "system": Made({"run.txt": run.encode()})}
    assert scoring.describe("qac", **sides, options={"task": 2}).oddities == []
