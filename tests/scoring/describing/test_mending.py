"""What messages and hints advise is applied by a program to the file: it then reads, or nothing was advised."""

import csv
import io
import json
import re
import time
import zipfile

import pytest

import scoring
from demo.plan import read_task
from scoring.readers import mending
from scoring.readers.archive import Made
from scoring.readers.explanations import explain
from scoring.spelling.respelling import respelling
from tests.scoring.describing.shapes import (
    LABELS,
    NUMBERS,
    PHRASES,
    RANKED,
    REFUSED,
    SEGMENTED,
    SPOKEN,
    TEXTS,
    Shape,
    gold_of,
    json_lines,
    table,
)
from tests.scoring.describing.wrong_shapes import WRONG

ROWS = [(each["id"], each["text"]) for each in TEXTS]


def sides_of(shape):
    gold, scenario = gold_of(shape.task, shape.scenario), read_task(shape.task).scenarios[shape.scenario - 1]
    files = {gold.name: gold.content}
    if gold.name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(gold.content)) as archive:
            files = {path: archive.read(path) for path in archive.namelist()}
    return scenario.family, {"gold": Made(files), "options": scenario.options, "drop_marks": True}


def problems_of(shape, files=None):
    family, sides = sides_of(shape)
    files = files or {path: text.encode() for path, text in shape.files.items()}
    return scoring.check(family, system=Made(files), **sides), files


def refused(task, name, files, words):
    return Shape(task, name, files if isinstance(files, dict) else {"run.csv": files}, 1, REFUSED, words)


_WHOLE = table(LABELS, ("id", "intent"))
_OBJECTS = [{"id": name, "intent": label} for name, label in LABELS]
_BLANKS = {path: text.replace("\t", " ") for path, text in PHRASES.items()}
_COMMAS = {path: text.replace("\t", ",") for path, text in PHRASES.items()}
_HEADED = {path: f"ID\tlabel\n{text}" if "output" in path else text for path, text in PHRASES.items()}
_RENAMED = {path.replace(".json", ".txt"): text for path, text in SEGMENTED.items()}
_OTHER_SIGNS = {path.replace("-", "_"): text for path, text in SEGMENTED.items()}
_NUMBERS_ALONE = {path.removeprefix("bulletin-").lstrip("0"): text for path, text in SEGMENTED.items()}
_COPIES = {path.replace(".json", " (1).json"): text for path, text in SEGMENTED.items()}
_FENCED = {path: f"```json\n{text}\n```\n" for path, text in SEGMENTED.items()}
_DECIMALS = [[name, value.replace(".", ",")] for name, value in NUMBERS]
_OTHER_KEYS = json_lines({"example_id": name, "prediction": label} for name, label in LABELS)
_SEGMENTS = json_lines({"segment_id": name, "text": text} for name, text in ROWS)
_MIXED = "".join(f"{name}{',' if k % 2 else chr(9)}{label}\n" for k, (name, label) in enumerate(LABELS))
_COMMAS_AT_ENDS = json_lines(_OBJECTS).replace("}\n", "},\n")
_RANKED = "".join(" ".join(row) + "\n" for row in RANKED)
MENDABLE = [
    refused("labels", "column in capitals", table(LABELS, ("id", "Intent")), "did you mean 'Intent'? Rename it"),
    refused("labels", "column of another name", table(LABELS, ("id", "label")), "did you mean 'label'? Rename it"),
    refused("labels", "semicolons", table(LABELS, ("id", "intent"), ";"), "separated by semicolons, expected commas"),
    refused("labels", "tabs", table(LABELS, ("id", "intent"), "\t"), "separated by tabs, expected commas"),
    refused("labels", "commas", {"run.tsv": _WHOLE}, "separated by commas, expected tabs"),
    refused("labels", "key", {"run.jsonl": json_lines(_OBJECTS).replace('"intent"', '"Intent"')}, "Rename it"),
    refused("labels", "without heading", table(LABELS), "write 'id,intent' above it"),
    refused("labels", "tabs without heading", {"run.tsv": table(LABELS, sign="\t")}, "write id⇥intent above it"),
    refused("labels", "exchanged", table([row[::-1] for row in LABELS], ("id", "intent")), "exchange the names"),
    refused("labels", "fence", f"```csv\n{_WHOLE}```\n", "code fence, as chat programs write it: take it out"),
    refused("labels", "courtesy", f"Sure, here are the labels:\n{_WHOLE}", "around its answer: take it out"),
    refused("labels", "log", f"loading\n\nready\n{_WHOLE}", "the heading stands on line 4: take out what is above it"),
    refused("labels", "reasoning", f"<think>\nhm\n</think>\n{_WHOLE}", "the heading stands on line 4"),
    refused("labels", "warning", f"UserWarning: slow\n{_WHOLE}", "the heading stands on line 2"),
    refused("text", "CSV", table(ROWS, ("id", "text")), "save it with tabs"),
    refused("text", "CSV as text", {"run.txt": table(ROWS)}, "save it with tabs"),
    refused("text", "heading", {"run.txt": "id,text\n" + "".join(f"{text}\n" for _, text in ROWS)}, "take it out"),
    refused("text", "column", {"run.tsv": table(ROWS, ("id", "texts"), "\t")}, "rename the column 'texts' to 'text'"),
    refused("text", "key", {"run.jsonl": json_lines(TEXTS).replace('"text"', '"Text"')}, 'rename "Text" to "text"'),
    refused("text", "another id", {"run.jsonl": _SEGMENTS}, 'rename "segment_id" to "id"'),
    refused("text", "blank lines", {"run.txt": "".join(f"{text}\n\n" for _, text in ROWS)}, "take these out"),
    refused("text", "tabs without heading", {"run.tsv": table(ROWS, sign="\t")}, "write id⇥text above it"),
    refused("transcripts", "CSV", table(SPOKEN, ("id", "text")), "save it with tabs"),
    refused("labels", "CSV as text", {"run.txt": _WHOLE}, "rename the file to run.csv"),
    refused("labels", "half a download", {"run.csv.part": _WHOLE}, "rename the file to run.csv"),
    refused("labels", "CSV without ending", {"run": _WHOLE}, "rename the file to run.csv"),
    refused("labels", "JSON as CSV", {"run.csv": json_lines(_OBJECTS)}, "rename the file to run.jsonl"),
    refused(
        "labels", "tabs as JSON", {"run.json": table(LABELS, ("id", "intent"), "\t")}, "rename the file to run.tsv"
    ),
    refused("numbers", "CSV as text", {"run.txt": table(NUMBERS, ("id", "value"))}, "rename the file to run.csv"),
    refused("text", "tabs as text", {"run.txt": table(ROWS, ("id", "text"), "\t")}, "rename the file to run.tsv"),
    refused("text", "JSON as table", {"run.tsv": json_lines(TEXTS)}, "rename the file to run.jsonl"),
    refused("numbers", "decimal commas", table(_DECIMALS, ("id", "value"), ";"), "commas, expected points"),
    refused(
        "labels", "a part", table([[*row, "x"] for row in LABELS], ("pair_id", "intent_1", "text")), "mean 'pair_id'"
    ),
    refused("labels", "the last", {"run.jsonl": _OTHER_KEYS}, "did you mean 'prediction'? Rename it to 'intent'"),
    refused(
        "labels", "other rows", "id,intent\n" + table(LABELS, sign=";"), "separated by semicolons, expected commas"
    ),
    refused("labels", "other heading", "id;intent\n" + table(LABELS), "separated by semicolons, expected commas"),
    refused("labels", "mixed rows", "id\tintent\n" + _MIXED, "separated by tabs, expected commas"),
    refused(
        "labels", "ends of rows", "id,intent\n" + table([[*row, ""] for row in LABELS]), "line ends in a separator"
    ),
    refused("labels", "end of heading", "id,intent,\n" + table(LABELS), "the heading ends in a separator"),
    refused("labels", "two headings", _WHOLE.replace("t130,", "id,intent\nt130,"), "is repeated here"),
    refused("labels", "comment", f"# ours\n{_WHOLE}", "is a comment: take it out"),
    refused("labels", "commas of a list", {"run.jsonl": _COMMAS_AT_ENDS}, "ends in a comma: take it out"),
    refused("numbers", "commas unquoted", "id,value\n" + "".join(map("{0[0]},{0[1]}\n".format, _DECIMALS)), "points"),
    refused("ranking", "commas", {"run.txt": "".join(",".join(row) + "\n" for row in RANKED)}, "where blanks belong"),
    refused("ranking", "heading", {"run.txt": f"qid Q0 docno rank score tag\n{_RANKED}"}, "looks like a heading"),
    refused("ehealthkd", "blanks", _BLANKS, "has blanks where tabs belong"),
    refused("ehealthkd", "commas", _COMMAS, "has commas where tabs belong"),
    refused("ehealthkd", "heading", _HEADED, "looks like a heading: take it out"),
    refused("mat", "another ending", _RENAMED, "is it 'bulletin-001.json', which is missing? Rename it"),
    refused("mat", "numbers alone", _NUMBERS_ALONE, "is it 'bulletin-001.json', which is missing? Rename it"),
    refused("mat", "copies", _COPIES, "is it 'bulletin-001.json', which is missing? Rename it"),
    refused("mat", "fences", _FENCED, "code fence, as chat programs write it: take it out"),
    refused("mat", "other signs", _OTHER_SIGNS, "is it 'bulletin-001.json', which is missing? Rename it"),
]


@pytest.mark.parametrize("shape", MENDABLE, ids=str)
def test_advice_is_given_and_mends_the_file(shape):
    problems, files = problems_of(shape)
    causes = explain(problems, files)
    assert any(shape.words in f"{cause.message} {cause.hint}" for cause in causes)
    mended = mending.mended_files(files, problems)
    assert problems_of(shape, mended)[0] == []
    family, sides = sides_of(shape)
    assert scoring.describe(family, system=Made(mended), **sides).oddities == []


@pytest.mark.parametrize("shape", [shape for shape in WRONG if shape.kind == REFUSED], ids=str)
def test_each_advice_on_a_wrong_file_leaves_fewer_problems(shape):
    problems, files = problems_of(shape)
    mended = mending.mended_files(files, problems)
    if mended == files:
        return  # nothing is advised that a program can do
    assert sum(problem.n for problem in problems_of(shape, mended)[0]) < sum(problem.n for problem in problems)


RESPELT = [shape for shape in WRONG if shape.name.startswith("ids ") and " all" in shape.words]


@pytest.mark.parametrize("shape", [shape for shape in RESPELT if "run.csv" in shape.files], ids=str)
def test_ids_written_as_the_message_says_are_read(shape):
    [(path, text)] = shape.files.items()
    head, *rows = csv.reader(io.StringIO(text))
    gold = gold_of(shape.task, shape.scenario).content.decode()
    wanted = [row[0] for row in csv.reader(io.StringIO(gold))][1:]
    meant = respelling([row[0] for row in rows], wanted).meant
    mended = table([[meant[row[0]], *row[1:]] for row in rows], head)
    assert problems_of(shape, {path: mended.encode()})[0] == []


_SCALED = [shape for shape in WRONG if re.search(r"(multiply|divide) them by|turn their sign", shape.words)]
_CHANGES = {
    "multiply": lambda value, factor: value * factor,
    "divide": lambda value, factor: value / factor,
    "turn": lambda value, factor: -value,
}


@pytest.mark.parametrize("shape", [shape for shape in _SCALED if "run.csv" in shape.files], ids=str)
def test_numbers_changed_as_the_suggestion_says_lie_on_the_scale(shape):
    family, sides = sides_of(shape)
    [oddity] = scoring.describe(family, system=Made({"run.csv": shape.files["run.csv"].encode()}), **sides).oddities
    verb = oddity.suggestion.split()[0]
    factor = float(re.search(r"[\d.]+|$", oddity.suggestion)[0] or 1)
    head, *rows = csv.reader(io.StringIO(shape.files["run.csv"]))
    mended = table([[row[0], _CHANGES[verb](float(row[1]), factor)] for row in rows], head)
    assert scoring.describe(family, system=Made({"run.csv": mended.encode()}), **sides).oddities == []


@pytest.mark.parametrize(
    ("shape", "instead"),
    [
        # Once the heading is right the cells below it are those of the other column.
        (
            refused("numbers", "both", table([row[::-1] for row in NUMBERS], ("Id", "value")), ""),
            "column 'id' not found; the header has 'Id', 'value'",
        ),
        (
            refused(
                "numbers", "two columns", table([[*row, row[1]] for row in NUMBERS], ("id", "value_x", "value_y")), ""
            ),
            "'value_x', 'value_y' may be meant: rename the one that you mean to 'value'",
        ),
    ],
    ids=str,
)
def test_what_would_lead_astray_is_not_advised(shape, instead):
    problems, _ = problems_of(shape)
    message = problems[0].message
    assert message.endswith(instead)
    assert not re.search("Rename it|expected|exchange|did you mean", message)


def test_a_hint_beside_a_line_that_does_not_help_is_left_out():
    text = "Sure, here are the labels:\nid,intent\n" + table([["x", label] for _, label in LABELS])
    shape = refused("labels", "courtesy before ids that nobody knows", text, "")
    problems, files = problems_of(shape)
    assert {cause.hint for cause in explain(problems, files)} == {""}


def test_of_a_large_upload_nothing_is_read_again_and_nothing_advised(monkeypatch):
    monkeypatch.setattr(mending, "_MOST_BYTES", 1_000)
    monkeypatch.setattr(mending, "mended_files", None)
    [problem] = problems_of(MENDABLE[0])[0]
    assert problem.message == "column 'intent' not found; the header has 'id', 'Intent'"
    assert problem.kind == "column-not-found-header"


def test_an_upload_is_read_again_four_times_at_most():
    read = []
    files = {f"{number}.csv": b"id,Intent\n1,a\n" for number in range(9)}
    message = problems_of(MENDABLE[0])[0][0].message
    findings = [scoring.Finding(message, path, 1) for path in files]
    kept = mending.tried(findings, files, 100, lambda made: read.append(made) or [], lambda made: [])
    assert len(read) == 4
    assert [finding.message == message for finding in kept] == [True] * 3 + [False] * 6


def test_what_is_still_wrong_once_the_advice_is_followed_is_told_with_it():
    rows = [[name, "asking" if k < 3 else label] for k, (name, label) in enumerate(LABELS)]
    problems, _ = problems_of(refused("labels", "two slips", table(rows, ("id", "Intent")), ""))
    assert [problem.kind for problem in problems] == ["column-not-found-header-did", "left-once-fixed"]
    assert "this is left: unknown label 'asking'" in problems[1].message


def test_what_is_odd_once_the_advice_is_followed_is_told_with_it():
    alike = table([[name, "ask"] for name, _ in LABELS], ("id", "Intent"))
    problems, _ = problems_of(refused("labels", "one label", alike, ""))
    assert [problem.kind for problem in problems] == ["column-not-found-header-did", "odd-once-fixed"]


def test_a_name_in_other_letters_is_told_whatever_stands_under_it():
    rows = table([[name, label.upper()] for name, label in LABELS], ("id", "Intent"))
    problems, _ = problems_of(refused("labels", "capitals", rows, ""))
    assert [problem.kind for problem in problems] == ["column-not-found-header-did", "left-once-fixed"]


def test_a_fence_is_told_with_the_column_that_is_called_otherwise():
    problems, _ = problems_of(refused("labels", "fence", f"```\n{table(LABELS, ('id', 'Intent'))}```\n", ""))
    assert not any(problem.is_refuted for problem in problems)
    assert "column 'intent' not found" in problems[-1].message


def test_a_column_whose_texts_have_traces_is_offered_with_these():
    lines = json_lines({"id": name, "generated": f"Sure! Here is: {text}"} for name, text in ROWS)
    problems, _ = problems_of(refused("text", "generated", {"run.jsonl": lines}, ""))
    assert [problem.kind for problem in problems[:1]] == ["key-missing-rename"]
    assert "what a chatbot says" in problems[-1].message


def test_a_column_left_over_is_not_offered_where_its_values_do_not_suit():
    numbers = "id\tn\n" + "".join(f"{name}\t{k}\n" for k, (name, _) in enumerate(ROWS))
    assert "rename" not in problems_of(refused("text", "numbers", {"run.tsv": numbers}, ""))[0][0].message
    ranks = table([[name, k] for k, (name, _) in enumerate(NUMBERS)], ("id", "rank"))
    assert "rename" not in problems_of(refused("numbers", "ranks", ranks, ""))[0][0].message
    texts = "id\tversion\n" + "".join(f"{name}\t{text}\n" for name, text in ROWS)
    assert "rename" in problems_of(refused("text", "texts", {"run.tsv": texts}, ""))[0][0].message


def test_a_file_of_line_ends_takes_no_long_to_be_looked_at():
    finding = problems_of(refused("labels", "signs", {"run.csv": table(LABELS, ("id", "intent"), ";")}, ""))[0][0]
    seconds = []
    for n_lines in (2_000, 16_000):
        began = time.process_time()
        for _ in range(20):
            mending._with_decimals(finding, {"run.csv": b"\n" * n_lines})
        seconds.append(time.process_time() - began)
    assert seconds[1] < 20 * seconds[0] + 0.1, "eight times the lines; the square would be 64 times"


def test_json_keys_and_headings_of_the_same_name_are_told_apart():
    objects = json.dumps(_OBJECTS).replace('"intent"', '"Intent"')
    shape = refused("labels", "key in an array", {"run.json": objects}, "")
    problems, files = problems_of(shape)
    assert problems_of(shape, mending.mended_files(files, problems[:1]))[0] == []


def test_a_heading_behind_a_number_sign_is_no_comment_to_be_taken_out():
    shape = refused("labels", "commented heading", f"# {_WHOLE}", "")
    problems, files = problems_of(shape)
    [cause] = explain(problems, files)
    assert "did you mean '# id'? Rename it to 'id'" in cause.message
    assert cause.hint == ""
    assert problems_of(shape, mending.mended_files(files, problems))[0] == []
