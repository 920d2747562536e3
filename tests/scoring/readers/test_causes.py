"""Problems by their causes, also those that a list cut short stands for."""

from functools import partial

import pytest

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.causes import causes_of
from scoring.readers.ehealthkd import read_gold, read_system
from scoring.readers.problems import Problems, cut
from tests.scoring.readers.test_ehealthkd import GOLD, make_files


def told(problems):
    return [(cause.message, cause.n, cause.lines, cause.is_mixed) for cause in causes_of(problems)]


def test_equal_messages_are_one_cause_with_the_lines_of_all():
    problems = [Finding("odd", "a", line) for line in (1, 2, 3, 7, 9, 8)] + [Finding("odd", "b", 1)]
    assert told(problems) == [("odd", 6, ((1, 3), (7, 9)), False), ("odd", 1, ((1, 1),), False)]


def test_up_to_three_messages_of_one_form_stay_apart_and_more_become_one():
    columns = partial(Message, "columns", "Line has {n} columns")
    problems = [Finding(columns(n=n), "a", n) for n in (1, 2, 3)]
    assert [message for message, *_ in told(problems)] == [f"Line has {n} columns" for n in (1, 2, 3)]
    assert told([*problems, Finding(columns(n=9), "a", 9)]) == [("Line has 1 columns", 4, ((1, 3), (9, 9)), True)]


@pytest.mark.parametrize("template", ["id {id!r} twice", 'id "{id}" twice', "id {id} twice"])
def test_values_do_not_make_another_cause(template):
    problems = [Finding(Message("id-twice", template, id=name), "a") for name in ("x", "y z", "ñ", "4", "v")]
    assert [(n, is_mixed) for _, n, _, is_mixed in told(problems)] == [(5, True)]


def test_what_is_inside_of_a_message_makes_another_cause():
    reasons = [Message("too-long", "too long"), Message("too-many", "too many: {n}", n=3), "its own words"]
    reasons += [Message.word("gold"), Message.word("system")]
    problems = [Finding(Message("at", "{place}: {why}", place=n, why=why), "a") for why in reasons for n in range(5)]
    assert [(n, is_mixed) for _, n, _, is_mixed in told(problems)] == [(5, True)] * 4 + [(5, True)]


def test_what_a_list_cut_short_stands_for_is_told_with_the_rest():
    collected = Problems("a", most=2)
    for line in range(1, 190):
        collected.add("odd", line)
    expected = [("odd", 189, ((1, 189),), False)]
    assert told(collected.listed()) == expected
    assert told(cut([Finding("odd", "a", line) for line in range(1, 190)], most=100)) == expected
    assert [str(problem) for problem in collected.listed()] == ["a:1: odd", "a:2: odd", "a: and 187 more"]


def test_a_file_with_blanks_for_tabs_has_one_cause_on_all_its_lines():
    with pytest.raises(SubmissionError) as refused:
        read_system(make_files(phrases="1 4 8 Concept x\n" * 250), GOLD, 1)
    message = "Line has 1 column, 4 are needed (ID, spans, label, text). Separate them by single tabs."
    assert told(refused.value.problems) == [(message, 250, ((1, 250),), False)]


def test_sentences_of_another_file_are_one_cause():
    sentences = "".join(f"frase {number}\n" for number in range(60))
    gold = read_gold(make_files(sentences=sentences, phrases="", relations=""), 1)
    with pytest.raises(SubmissionError) as refused:
        read_system(make_files(sentences=sentences.replace("frase", "oración")), gold, 1)
    [cause] = causes_of(refused.value.problems)
    assert (cause.n, cause.lines, cause.is_mixed) == (60, ((1, 60),), True)


def test_causes_are_bounded_however_many_problems_there_are():
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 3000)))
    assert len(causes_of(Finding(letter, "a") for letter in letters)) == 200
    [cause] = causes_of(Finding("odd", "a", line) for line in range(1, 5000, 2))
    assert (cause.n, len(cause.lines)) == (2500, 1000)
