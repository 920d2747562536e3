"""Tests what all readers say about problems."""

import pytest

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.readers.problems import (
    LISTED,
    ProblemCollector,
    Problems,
    cut,
    cut_each_file,
    decoded,
    only_file,
    only_lines,
    raise_all,
    unpaired_ids,
)


def texts(error):
    return [str(problem) for problem in error.value.problems]


def test_problems_are_listed_by_line_up_to_a_number():
    problems = Problems("run.txt")
    assert not problems
    problems.raise_all()
    for line in range(LISTED + 5, 0, -1):
        problems.add("odd", line)
    with pytest.raises(SubmissionError) as refused:
        problems.raise_all()
    assert len(texts(refused)) == LISTED + 1
    assert texts(refused)[0] == "run.txt:6: odd"
    assert texts(refused)[-1] == "run.txt: and 5 more"


@pytest.mark.parametrize(("number", "last"), [(0, None), (3, "2"), (4, "and 1 more")])
def test_long_lists_are_cut(number, last):
    found = [str(problem) for problem in cut((Finding(str(k)) for k in range(number)), most=3)]
    assert len(found) == min(number, 4)
    assert last is None or found[-1] == last


def test_each_file_is_cut_by_itself():
    problems = [Finding(str(k), file) for file in "ab" for k in range(3)]
    assert [str(problem) for problem in cut_each_file(problems, most=2)] == [
        *("a: 0", "a: 1", "a: and 1 more"),
        *("b: 0", "b: 1", "b: and 1 more"),
    ]


def test_nothing_is_raised_without_problems():
    raise_all([])
    with pytest.raises(SubmissionError) as refused:
        raise_all(Finding(str(k)) for k in range(LISTED + 2))
    assert texts(refused)[-1] == "and 2 more"


def test_several_files_are_refused_by_name():
    assert only_file({"a": b""}) == "a"
    with pytest.raises(SubmissionError) as refused:
        only_file(dict.fromkeys("abcdefg", b""))
    assert texts(refused) == ["expected exactly one file, found 7: a, b, c, d, e, …"]


@pytest.mark.parametrize(
    ("content", "encoding", "problem"),
    [
        (b"\xe9", "utf-8", "f:1:1: not UTF-8: byte 0xe9; save the file as UTF-8"),
        (b"one\r\ntwo\rth\xc3\xa9\xff", "utf-8", "f:3:4: not UTF-8: byte 0xff; save the file as UTF-8"),
        (b"one\n\xff", "utf-8", "f:2:1: not UTF-8: byte 0xff; save the file as UTF-8"),
        (b"\xa4\xa2\n\xa4", "euc-jp", "f:2:1: not EUC-JP: byte 0xa4; save the file as EUC-JP"),
    ],
)
def test_another_encoding_is_refused_with_line_column_and_byte(content, encoding, problem):
    with pytest.raises(SubmissionError) as refused:
        decoded(content, "f", encoding)
    assert texts(refused) == [problem]


def test_a_byte_order_mark_is_dropped():
    assert decoded(b"\xef\xbb\xbfone", "f") == "one"


@pytest.mark.parametrize(
    ("content", "lines"),
    [(b"", []), (b"\n", [""]), (b"a", ["a"]), (b"a\rb\r\n", ["a", "b"]), ("a\u2028b\x0b\n".encode(), ["a\u2028b\x0b"])],
)
def test_lines_end_at_line_feeds_and_carriage_returns_alone(content, lines):
    assert only_lines({"f": content}) == ("f", lines)


def test_refused_ids_are_not_called_missing():
    found = unpaired_ids(["a", "b", "c"], {"x": ("g", 3), "a": ("g", 1)}, "f", missing="document", refused={"b"})
    assert [str(problem) for problem in found] == ["g:3: id 'x' is not in the gold data", "f: document 'c' is missing"]


def test_of_a_million_problems_all_are_counted_and_few_are_kept():
    found = ProblemCollector()
    found += (Finding(f"line {k} is odd", "a", k) for k in range(1, 200_001))
    listed = list(found)
    assert len(listed) == LISTED + 1
    assert str(listed[-1]) == f"a: and {200_000 - LISTED} more"
    assert sum(cause.n for cause in listed[-1].rest) == 200_000 - LISTED
    assert list(map(str, cut_each_file(listed))) == list(map(str, listed))
