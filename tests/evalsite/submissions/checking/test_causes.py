"""Problems as a page tells them: each cause once, with its places, its first line and what that may be."""

import json
from functools import partial

import pytest

import scoring
from evalsite.submissions.causes import finding_from_json, finding_to_json
from evalsite.submissions.wording import cause_message
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ehealthkd.lines import MalformedLine, parse_phrase, parse_relation
from scoring.readers.explanations import explain
from scoring.readers.problems import cut
from scoring.readers.tables import Column, Layout, read_table


def wanted(n_columns, parse=parse_phrase):
    """What a line of so many columns is refused with."""
    with pytest.raises(MalformedLine) as refused:
        parse("\t".join("x" * n_columns))
    return refused.value.args[0]


WANTED = wanted(1)
NOT_JSON = Message("not-json", "not JSON: {msg}", msg="Expecting name")


def test_a_file_with_blanks_for_tabs_is_one_cause_with_its_line_as_it_is_and_as_it_should_be():
    files = {"run/a.txt": b"1 3 10;11 17 Concept punci\xc3\xb3n lumbar\n" * 189}
    [cause] = explain(cut([Finding(WANTED, "run/a.txt", line) for line in range(1, 190)]), files)
    assert (cause.message, cause.further) == (WANTED, "")
    assert [(place.file, place.lines) for place in cause.places] == [("run/a.txt", "lines 1 to 189 (all)")]
    assert cause.quote == "1 3 10;11 17 Concept punción lumbar"
    assert cause.hint == "Line 1 has blanks where tabs belong."
    assert cause.mended == "1⇥3 10;11 17⇥Concept⇥punción lumbar"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([4], "line 4, column 2"),
        ([1, 2, 3], "lines 1 to 3"),
        ([1, 2, 5], "lines 1 to 2 and 5"),
        ([1, 3, 5, 7, 9, 11, 13], "lines 1, 3, 5, 7, 9 and 2 more"),
        ([1, 2, 3, 4], "lines 1 to 4 (all)"),
    ],
)
def test_lines_are_told_in_words(lines, words):
    problems = [Finding("odd", "a", line, 2) for line in lines]
    [cause] = explain(problems, {"a": b"x\n" * (4 if lines[-1] == 4 and len(lines) > 1 else 20)})
    assert [place.lines for place in cause.places] == [words]


def test_one_cause_in_many_files_names_them_all():
    problems = [Finding("missing document", f"d{number}.json") for number in range(30)]
    [cause] = explain(problems)
    assert (cause_message(cause), len(cause.places), cause.further) == ("Missing document", 30, "")


def test_messages_that_differ_in_words_alone_are_one_cause_with_the_first_as_an_example():
    differs = partial(Message, "signal-differs", "signal differs from gold at offset {offset}")
    problems = [Finding(differs(offset=number), f"{number}.json") for number in range(9)]
    [cause] = explain(problems)
    assert (cause_message(cause), cause.further) == ("Signal differs from gold at offset 0", "and 8 more of this kind")
    assert len(cause.places) == 9


@pytest.mark.parametrize(
    ("line", "message", "hint", "mended"),
    [
        ("ID\tspans\tlabel\ttext", "The ID 'ID' is not an integer.", "Line 1 looks like a heading: take it out.", ""),
        (
            "T1\tConcept 4 8;9 22\tvías respiratorias",
            wanted(3),
            "Line 1 is in brat's format, which is not read here.",
            "1⇥4 8;9 22⇥Concept⇥vías respiratorias",
        ),
        (
            "R1\tis-a Arg1:T1 Arg2:T2",
            wanted(2, parse_relation),
            "Line 1 is in brat's format, which is not read here.",
            "is-a⇥1⇥2",
        ),
        ("1,4 8,Concept,x", WANTED, "Line 1 has commas where tabs belong.", ""),
        ('{"id": 1}', WANTED, "Line 1 is JSON, which is not read here.", ""),
        ("%PDF-1.7", "not UTF-8: byte 0xb5", "Line 1 begins a PDF document: save the data as plain text.", ""),
        ("<html>", WANTED, "Line 1 begins with <, as XML and HTML do, which are not read here.", ""),
        ("{'id': 1}", NOT_JSON, "Line 1 has single quotes, where JSON has double ones.", ""),
        ("1\t4 8\tConcept", WANTED, "", ""),
    ],
)
def test_a_line_of_another_format_is_recognised(line, message, hint, mended):
    [cause] = explain([Finding(message, "a", 1)], {"a": f"{line}\n".encode()})
    assert (cause.hint, cause.mended) == (hint, mended)


def test_a_heading_that_lacks_a_column_is_not_to_be_taken_out():
    with pytest.raises(scoring.SubmissionError) as refused:
        read_table({"run.csv": b"id,label\n1,A\n"}, Layout(), [Column("intent")])
    [cause] = explain(refused.value.problems, {"run.csv": b"id,label\n1,A\n"})
    assert "did you mean 'label'? Rename it to 'intent'" in cause.message
    assert cause.hint == ""


@pytest.mark.parametrize("name", ["run.jsonl", "document.json"])
def test_a_file_of_json_is_not_told_that_its_lines_are_json(name):
    [cause] = explain([Finding("span 0..9 is outside of the document", name, 1)], {name: b'{"id": "a"}\n'})
    assert cause.hint == ""


def test_an_empty_file_is_called_empty():
    [cause] = explain([Finding("not JSON: Expecting value (column 1)", "a.json", 1, 1)], {"a.json": b""})
    assert cause.hint == "The file is empty (0 bytes)."


def test_problems_come_back_from_the_database_as_they_were():
    problems = cut([Finding(WANTED, "a", line, 3) for line in range(1, 190)])
    stored = json.loads(json.dumps([finding_to_json(problem) for problem in problems]))
    assert explain(map(finding_from_json, stored)) == explain(problems)
    assert [each.kind for each in map(finding_from_json, stored)] == [each.kind for each in problems]
    assert finding_from_json({"message": "x"}) == scoring.Finding("x")
