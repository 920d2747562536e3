"""Tables of ids and cells: formats, quotes, headers, pairing, numbers, and all that is refused."""

import csv
import io
import json
import random
import re
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import ConfigurationError, SubmissionError
from scoring.readers.tables import (
    Cells,
    Column,
    Layout,
    check_unique,
    number_problem,
    numbers_of,
    pair,
    read_table,
    refuse_missing,
    tidy,
    write_table,
)
from tests.thoroughness import n_inputs

LABEL = [Column("label")]


def read(text, name="run.csv", wanted=LABEL, **layout):
    content = text if isinstance(text, bytes) else text.encode()
    return read_table({name: content}, Layout(**layout), wanted)


def rows_of(text, name="run.csv", **layout):
    found = read(text, name, **layout)
    found.problems.raise_all()
    return list(zip(found.ids.texts(), found.columns["label"].texts(), strict=True))


def problems_of(text, name="run.csv", wanted=LABEL, **layout):
    with pytest.raises(SubmissionError) as refused:
        read(text, name, wanted, **layout).problems.raise_all()
    return [str(problem) for problem in refused.value.problems]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.csv", "id,label\n1,A\n2,B\n"),
        ("run.csv", "\ufeffid,label\r\n1,A\r\n\r\n2,B"),
        ("run.csv", "id,label\r1,A\r2,B\r\r"),
        ("run.csv", 'x,label,id\n5" disk,A,1\n"a,\n""b""", B ,"2"\n'),
        ("run.csv", '\n\n"label","id"\n"A","1"\n   \n"B","2"\n'),
        ("RUN.TSV", "id\tlabel\n 1\tA\t\n2\tB\t\n".replace("label\n", "label\tnote\n")),
        ("a/run.tab", "id\tlabel\n1\tA\n2\tB\n"),
        ("run.jsonl", '{"id": 1, "label": "A"}\n\n{"label": "B", "id": "2", "x": [1.5, {"id": 3}]}'),
        ("run.ndjson", '{"id": "1", "label": "\\u0041"}\r\n{"label": "B", "id": 2}\r\n'),
        ("run.txt", "A\nB\n\n"),
    ],
)
def test_all_formats_give_the_same_rows(name, text):
    assert rows_of(text, name) == [("1", "A"), ("2", "B")]


def test_the_line_of_a_row_is_that_of_its_first_character():
    found = read('id,label\n"a\nb","X"\n\n"c","Y\nZ"\nd,W\n')
    assert [found.line(row) for row in range(3)] == [2, 5, 7]
    regular = read('id,label\n"a\nb","X"\n"c","Y"\n')
    assert [regular.line(row) for row in range(2)] == [2, 4]


def test_cells_are_trimmed_and_composed_and_nothing_else_is_equal():
    assert rows_of("id,label\n\u00a01 ,cafe\u0301\n01,NA\n") == [("1", "café"), ("01", "NA")]


def test_an_id_may_be_made_of_several_columns():
    found = read("b,a,label\n1,2,X\n3,,Y\n", id=("a", "b"))
    assert found.ids.texts() == ["2|1", ""]
    assert [str(problem) for problem in found.problems.listed()] == ["run.csv:3: empty id"]


def test_without_quotes_a_quote_is_data():
    assert rows_of('id\tlabel\n1\t"X\n2\tY"\n', "run.tsv", quotes=False) == [("1", '"X'), ("2", 'Y"')]


def test_without_a_header_columns_go_by_position():
    assert rows_of("1;A;x\n2;B;y\n", header=False, delimiter="semicolon") == [("1", "A"), ("2", "B")]
    assert problems_of("1\n2\n", header=False) == ["run.csv:1: 1 field instead of 2: id, label"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "id,Label\n1,A\n",
            "run.csv:1: column 'label' not found; the header has 'id', 'Label'; "
            "did you mean 'Label'? Rename it to 'label'",
        ),
        (
            "\n\nid;label\n1;A\n",
            "run.csv:3: column 'id' not found; the columns are separated by semicolons, expected commas",
        ),
        (
            "id,class\n1,A\n",
            "run.csv:1: column 'label' not found; the header has 'id', 'class'; "
            "did you mean 'class'? Rename it to 'label'",
        ),
        ("id,text,class\n1,x,A\n", "run.csv:1: column 'label' not found; the header has 'id', 'text', 'class'"),
        (
            "d001,A\nd002,B\n",
            "run.csv:1: the heading is missing, and the first line has 'd001', 'A': write 'id,label' above it",
        ),
        ("id,label,label\n1,A,A\n", "run.csv:1: column 'label' stands twice"),
        (
            "id,label\n1,A\n2,B,C\n",
            "run.csv:3: 3 fields instead of 2; put a cell that contains commas in double quotes",
        ),
        ('id,label\n1,A\n2,"B\n3,C\n', "run.csv:3: the quote is not closed"),
        ('id,label\n1,"A" x\n2,B\n', "run.csv:2: text after the closing quote"),
        ("id,label\n ,A\n", "run.csv:2: empty id"),
        ("", "run.csv: the file is empty"),
        ("\ufeff \r\n", "run.csv: the file is empty"),
        ("id,label\n1,A\0\n", "run.csv:2: a NUL character: this is no text, or it was damaged"),
        ("id,label\n1,A\n".encode("utf-16"), "run.csv: the file is UTF-16: save it as UTF-8"),
        ("id,label\n1,A\n".encode("utf-16-be"), "run.csv: the file is UTF-16: save it as UTF-8"),
        ("id,label\n1,é\n".encode("latin-1"), "run.csv:2:3: not valid UTF-8: byte 0xe9; save the file as UTF-8"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(90), "run.csv: an Excel file: save the sheet as CSV in UTF-8"),
    ],
)
def test_what_is_wrong_with_a_table_is_said_with_its_place(text, problem):
    assert problem in problems_of(text)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": 1, "label": NaN}', "not JSON"),
        ('{"id": 1, "label": "\\ud800"}', "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"id": 1' + 5_000 * "0" + ', "label": "A"}', "not JSON"),
        ("[1, 2]", "a line must be a JSON object"),
        ('{"id": 1, "label": "A", "label": "A"}', "key 'label' twice"),
        (
            '{"id": 1, "Label": "A"}',
            "no key 'label'; the object has 'id', 'Label'; did you mean 'Label'? Rename it to 'label'",
        ),
        ('{"id": 1.0, "label": "A"}', "id must be a string or an integer"),
        ('{"id": 1, "label": ["A"]}', "label must be a string or an integer"),
        ('{"id": null, "label": "A"}', "empty id"),
    ],
)
@pytest.mark.parametrize("is_fast", [True, False])
def test_what_is_wrong_with_an_object_is_said_with_its_line(line, problem, is_fast, monkeypatch):
    if not is_fast:
        monkeypatch.setattr("scoring.readers.tables.json_lines.fast_loads", None)
    first, *_ = problems_of('{"id": "0", "label": "A"}\n' + line, "run.jsonl")
    assert first.startswith(f"run.jsonl:2: {problem}")


def test_lists_and_numbers_are_taken_where_they_are_wanted():
    wanted = [Column("label", "list"), Column("p", "number")]
    found = read('{"id": 123456789012345678901, "label": ["b", 1, true], "p": 0.10}', "run.jsonl", wanted)
    assert not found.problems
    assert (found.ids[0], found.columns["label"][0], found.columns["p"][0]) == (
        "123456789012345678901",
        '["b", "1", "true"]',
        "0.10",
    )
    text = '{"id": 1, "label": [1.5], "p": "0.5"}'
    assert problems_of(text, "run.jsonl", wanted) == [
        "run.jsonl:1: label must be a string or an integer or a list of these",
        "run.jsonl:1: p must be a number, and not a text: take the quotes around 0.5 out",
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [("run.xlsx", "an Excel file"), ("run.json", "not JSON"), ("run", "unknown file ending")],
)
def test_other_endings_are_refused(name, words):
    assert words in problems_of("id,label\n1,A\n", name)[0]


def test_a_spreadsheet_inside_an_archive_is_known_by_its_parts():
    with pytest.raises(SubmissionError, match="an Excel file: save the sheet as CSV in UTF-8"):
        read_table({"[Content_Types].xml": b"<x/>", "xl/workbook.xml": b"<x/>"}, Layout(), LABEL)


def test_a_file_of_one_value_a_line_has_one_column():
    with pytest.raises(SubmissionError, match="one value a line holds one column alone"):
        read("A\n", "run.txt", [Column("label"), Column("group")])


GOLD = read("id,label\n1,A\n0012,B\nc,C\nd,D\n")


def paired(text, name="run.csv", **pairing):
    system = read(text, name)
    found = pair(GOLD, system, **pairing)
    refuse_missing(GOLD.ids, system, np.flatnonzero(found.is_missing))
    return found, [str(problem) for problem in system.problems.listed()]


def test_rows_pair_by_id_whatever_their_order():
    found, problems = paired("id,label\nd,X\nc,X\n0012,X\n1,X\n")
    assert not problems
    assert found.in_system.tolist() == [3, 2, 1, 0]


def test_a_file_without_ids_pairs_by_order():
    assert paired("X\nX\nX\nX\n", "run.txt")[0].in_system.tolist() == [0, 1, 2, 3]
    assert paired("X\nX\nX\n", "run.txt")[1] == ["run.txt: expected 4 lines, found 3"]


def test_missing_unknown_and_repeated_ids_are_problems():
    found, problems = paired("id,label\n1,X\n")
    assert problems == [f"run.csv: id '{name}' is missing" for name in ("0012", "c", "d")]
    assert found.n_missing == 3
    assert paired("id,label\n1.0,X\n12,X\n1.2E+15,X\nc,X\nc,Y\nz,X\n")[1] == [
        "run.csv:2: id '1.0' is not in the gold; did a spreadsheet turn 1 into 1.0?",
        "run.csv:3: id '12' is not in the gold; did a spreadsheet drop the zeros of 0012?",
        "run.csv:4: id '1.2E+15' is not in the gold; "
        "this is the scientific notation of a spreadsheet: format the column as text",
        "run.csv:6: duplicate id 'c' (first on line 5)",
        "run.csv:7: id 'z' is not in the gold",
    ]


def test_rows_that_the_gold_lacks_may_be_left_out():
    found, problems = paired("id,label\n1,X\nz,X\nc,X\nd,X\n0012,X\n", refuse_unknown=False)
    assert not problems
    assert (found.in_gold.tolist(), found.n_unknown) == ([0, -1, 2, 3, 1], 1)


def test_of_many_problems_the_first_hundred_are_listed():
    text = "id,label\n" + "".join(f"x{n},A\n" for n in range(20_000))
    problems = paired(text)[1]
    assert len(problems) == 101
    assert problems[-1] == "run.csv: and 19900 more problems"


@pytest.mark.parametrize("text", ["0", "-.5", "+1.", "1e3", "2.5E-07", "007"])
def test_a_decimal_number_is_taken(text):
    assert numbers_of(Cells([text])).tolist() == [float(text)]


@pytest.mark.parametrize("text", ["", ".", "1e", "nan", "inf", "0x1", "1_0", "1,5", "5%", "1 0", "١", "--1", "1e1.5"])
def test_whatever_else_a_program_may_take_for_a_number_is_refused(text):
    assert np.isnan(numbers_of(Cells(["1", text]))[1])
    assert number_problem(text)


TEXTS = st.text(st.sampled_from('ab",\n é\u0301'), max_size=4) | st.text(st.sampled_from("ab"), min_size=7, max_size=70)
ROWS = st.lists(TEXTS, min_size=2, max_size=2).filter(lambda row: any(cell.strip() for cell in row))


@settings(max_examples=n_inputs(150))
@given(st.lists(ROWS, min_size=1, max_size=6), st.sampled_from([0, 1]))
def test_what_the_csv_module_writes_is_read(rows, quoting):
    file = io.StringIO()
    csv.writer(file, quoting=quoting, lineterminator="\n").writerows([["id", "label"], *rows])
    expected = [[tidy(cell) for cell in row] for row in rows]
    found = read(file.getvalue())
    assert [list(row) for row in zip(found.ids, found.columns["label"], strict=True)] == expected
    lines = accumulate((1 + sum(cell.count("\n") for cell in row) for row in rows), initial=2)
    assert [found.line(row) for row in range(len(rows))] == [*lines][:-1]


@settings(max_examples=n_inputs(100))
@given(st.lists(TEXTS, max_size=8), st.lists(TEXTS, max_size=8))
def test_ids_are_looked_up_as_a_dictionary_would(gold, system):
    gold = [*dict.fromkeys(filter(None, gold))]
    rows = json.dumps(gold), json.dumps(system)
    sides = [
        read("\n".join(json.dumps({"id": f"<{i}>"}) for i in json.loads(each)) or "{}", "x.jsonl", []) for each in rows
    ]
    if all(len(side) == len(own) for side, own in zip(sides, (gold, system), strict=True)):
        check_unique(sides[0])
        known = {name: row for row, name in enumerate(sides[0].ids.texts())}
        expected = [known.get(name, -1) for name in sides[1].ids.texts()]
        if not sides[0].problems:
            assert pair(*sides).in_gold.tolist() == expected


@settings(max_examples=n_inputs(200))
@given(st.binary(max_size=60) | st.text(max_size=40).map(str.encode), st.sampled_from(["csv", "tsv", "jsonl", "txt"]))
def test_random_bytes_are_read_or_refused(content, ending):
    try:
        read_table({f"run.{ending}": content}, Layout(), LABEL).problems.raise_all()
    except SubmissionError as error:
        assert error.problems  # noqa: PT017 - nothing else may escape


def test_numbers_are_those_that_python_reads():
    shapes = ["-0", "+0.0", ".5", "5.", "+", "-.", ".", "", "1e5", "--1", "1-1", "1.2.3", "0,5", "٣", "1_0"]
    shapes += ["9" * n for n in range(14, 20)] + ["0" * 17 + "1.5", "0.1234567890123456", "1234567.12345678"]
    rng = random.Random(3)
    signs = "0123456789" * 3 + ".-+e"
    shapes += ["".join(rng.choices(signs, k=rng.randint(1, 18))) for _ in range(20_000)]
    pattern = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
    expected = np.array([float(text) if pattern.fullmatch(text) else np.nan for text in shapes])
    found = numbers_of(Cells(shapes))
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


@pytest.mark.parametrize(
    "text",
    [
        '[{"id": "a", "label": "x", "more": [1, {"n": 2}]}, {"id": "b", "label": true}]',
        '{"a": {"label": "x"}, "b": {"id": "b", "label": true}}',
        '{"a": "x", "b": true}',
        '{"id": "a", "label": "x"}\n{"id": "b", "label": true}\n',
    ],
)
def test_one_json_value_is_a_table(text):
    assert rows_of(text, "run.json") == [("a", "x"), ("b", "true")]


def test_rows_of_a_json_value_are_told_by_the_lines_on_which_they_begin():
    text = '[\n  {\n    "id": "a",\n    "label": "x"\n  },\n  {\n    "id": "b"\n  }\n]\n'
    assert problems_of(text, "run.json") == ["run.json:6: no key 'label'; the object has 'id'"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"id": "a"}', "run.json:1:13: not JSON: Expecting ',' delimiter"),
        ('[{"id": "a", "label": "x"}] x', "run.json:1:29: not JSON: Extra data"),
        ("[1]", "run.json:1: a line must be a JSON object"),
        ("[" * 100_000, "run.json: not JSON: nested too deeply"),
        ('{"a" "x"}', "run.json:1:6: not JSON: Expecting ':' delimiter"),
    ],
)
def test_a_json_value_that_is_no_table_is_refused(text, message):
    assert problems_of(text, "run.json")[0] == message


def cells_of(text, name, ids, *wanted, header=True):
    found = read(text, name, [Column(each) for each in wanted], id=ids, header=header)
    found.problems.raise_all()
    return (
        found.ids.texts(),
        [found.columns[each].texts() for each in wanted],
        [found.line(k) for k in range(len(found))],
    )


ASPECTS = """{"ID": "r1", "Aspect_VA": [{"Aspect": "food", "VA": "7.50#6.20"}, {"Aspect": "staff", "VA": "2#3.1"}]}
{"ID": "r2", "Aspect_VA": []}
{"ID": "r3", "Aspect_VA": [{"Aspect": "food", "VA": "5#5"}], "more": {"x": 1}}
"""


def test_a_name_leads_into_a_list_and_to_a_part_of_a_cell():
    names = ("Aspect_VA[].VA#1", "Aspect_VA[].VA#2")
    assert cells_of(ASPECTS, "run.jsonl", ("ID", "Aspect_VA[].Aspect"), *names) == (
        ["r1|food", "r1|staff", "r3|food"],
        [["7.50", "2", "5"], ["6.20", "3.1", "5"]],
        [1, 1, 3],
    )
    assert cells_of("id,VA\n1,a#b\n2,\n", "run.csv", ("id",), "VA#2")[1] == [["b", ""]]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"ID": "r", "L": [{"a": 1}]}', "run.jsonl:1: no key 'x'; the object has 'a'"),
        ('{"ID": "r"}', "run.jsonl:1: no key 'L'; the object has 'ID'"),
        ('{"ID": "r", "L": [1]}', "run.jsonl:1: L must be a list of objects"),
        ('{"ID": "r", "L": {"x": 1}}', "run.jsonl:1: L must be a list of objects"),
        (
            '{"ID": "r", "L": [{"x": "1#2"}, {"x": "3"}]}',
            "run.jsonl:1: '3' has no part 2: 'L[].x#2' takes parts with #",
        ),
    ],
)
def test_what_is_wrong_inside_a_list_is_said_with_its_line(text, problem):
    [found] = problems_of(text, "run.jsonl", [Column("L[].x#2")], id=("ID",))
    assert found.startswith(problem)


def test_names_lead_into_one_list_alone():
    with pytest.raises(ConfigurationError, match="two lists, 'a' and 'b'"):
        read("{}", "run.jsonl", [Column("b[].x")], id=("a[].id",))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("run.jsonl", '{"label": true}\n\n{"label": "B"}\n'),
        ("run.json", '[{"label": true},\n\n {"label": "B"}]'),
        ("run.csv", "x,label\n1,true\n1,B\n"),
    ],
)
def test_rows_without_ids_are_named_by_their_numbers_and_pair_in_their_order(name, text):
    run = read(text, name, id=("#",))
    assert (run.ids.texts(), run.columns["label"].texts()) == (["1", "2"], ["true", "B"])
    gold = read("id,label\nx,A\ny,B\nz,C\n")
    assert pair(gold, run).in_system.tolist() == [0, 1, -1]
    assert [str(problem) for problem in run.problems.listed()] == [f"{name}: expected 3 lines, found 2"]
    assert read('{"label": "A"}', "run.json", id=("#",)).columns["label"].texts() == ["A"]


def test_columns_without_a_header_may_be_named_by_their_numbers():
    text = "en-de\tM\t1\t0.5\nen-de\tM\t2\t-1\n"
    assert cells_of(text, "run.tsv", ("1", "3"), "4", header=False)[:2] == (["en-de|1", "en-de|2"], [["0.5", "-1"]])
    assert problems_of("a\tb\n", "run.tsv", [Column("4")], id=("1",), header=False) == [
        "run.tsv:1: 2 fields instead of 4: 1, 4"
    ]
    assert cells_of("a\tb\n", "run.tsv", ("id",), "4", header=False)[1] == [["b"]]


@pytest.mark.parametrize("indent", [None, 1])
def test_one_object_with_a_list_is_read_by_its_elements(indent):
    questions = [{"id": "q1", "answer": "yes"}, {"id": "q2", "answer": "no"}]
    text = json.dumps({"team": "x", "questions": questions, "more": [1]}, indent=indent)
    ids, cells, lines = cells_of(text, "run.json", ("questions[].id",), "questions[].answer")
    assert (ids, cells) == (["q1", "q2"], [["yes", "no"]])
    assert lines == ([1, 2] if indent is None else [4, 8])


@pytest.mark.parametrize(
    ("columns", "rows", "content"),
    [
        (["id", "L[].a", "L[].b#2"], [("r", "x", 1), ("r", "y", 2)], {"id": "r", "L": [{"a": "x", "b": "0#1"}]}),
        (["#", "label"], [(1, "A"), (2, "B")], {"label": "A"}),
    ],
)
def test_what_is_written_is_read_as_the_same_rows(columns, rows, content):
    [(name, written)] = write_table("run", columns, rows, Layout(format="jsonl"), 1).items()
    first = json.loads(written.splitlines()[0])
    assert first == content | ({"L": [*content["L"], {"a": "y", "b": "0#2"}]} if "L" in content else {})
    found = read(written, name, [Column(each) for each in columns[1:]], id=(columns[0],))
    assert [found.columns[each].texts() for each in columns[1:]] == [
        [str(row[place]) for row in rows] for place in range(1, len(columns))
    ]


@pytest.mark.parametrize(("name", "sign"), [("run.csv", ","), ("run.tsv", "\t")])
def test_rows_without_anything_in_any_cell_are_no_rows(name, sign):
    text = sign.join(["id", "label", "note"]) + "\n" + sign.join(["1", "A", ""]) + "\n" + 3 * (2 * sign + "\n")
    assert rows_of(text + " " + 5 * sign + "\n", name) == [("1", "A")]
    assert problems_of(text + sign + "A" + sign, name) == [f"{name}:6: empty id"]


def test_an_empty_row_of_a_table_without_ids_keeps_its_place():
    found = read("label,note\nA,x\n,\nB,y\n", id=("#",))
    assert list(found.columns["label"].texts()) == ["A", "", "B"]


def test_a_column_without_a_name_is_called_by_its_place():
    assert rows_of(",label\n1,A\n2,B\n", id=("Unnamed: 0",)) == [("1", "A"), ("2", "B")]
    assert rows_of("Unnamed: 0,label\n1,A\n", id=("Unnamed: 0",)) == [("1", "A")]
    said = "run.csv:1: column 'id' not found; the header has 'Unnamed: 0', 'label'; did you mean 'Unnamed: 0'?"
    assert problems_of(",label\n1,A\n") == [f"{said} Rename it to 'id'"]
