"""Plain lines, JSON Lines and columns of segments: what ends a line, where one fell out, and what is refused."""

import json
import random
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.errors import SubmissionError
from scoring.readers.problems import Problems
from scoring.readers.segments import json_lines, json_records, plain_lines, read_columns, wrong_number
from scoring.readers.segments.shifting import _place

WORDS = ["sun", "rain", "snow", "wind", "ice", "fog", "hail", "storm", "cloud", "dew", "frost", "mist"]
_texts = st.text(st.characters(codec="utf-8"), max_size=20)
_values = st.recursive(st.none() | st.booleans() | st.integers() | _texts, lambda inner: st.lists(inner, max_size=3))


def _sentences(rng: random.Random, number: int) -> list[str]:
    return [" ".join(rng.sample(WORDS, 6)) for _ in range(number)]


def test_only_line_feeds_end_a_line_and_other_signs_are_told():
    lines = plain_lines("a\u2028b\r\nc\x0bd\re\n\n".encode(), "run.txt")
    assert lines.texts == ["a\u2028b", "c\x0bd\re", ""]
    assert lines.odd.said == (
        "line 1 holds U+2028, which some programs take for the end of a line (3 such characters in the file)"
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_called_by_its_name(encoding):
    with pytest.raises(SubmissionError, match="UTF-16"):
        plain_lines("plain words\n".encode(encoding), "run.txt")


def test_a_wrong_byte_is_told_with_the_line_that_line_feeds_count():
    with pytest.raises(SubmissionError) as caught:
        plain_lines(b"a\rb\nfine\nno \xff", "run.txt")
    assert [str(problem) for problem in caught.value.problems] == [
        "run.txt:3:4: not UTF-8: byte 0xff; save the file as UTF-8"
    ]


@pytest.mark.parametrize("seed", range(8))
def test_the_line_that_fell_out_is_found(seed):
    rng = random.Random(seed)
    gold = _sentences(rng, 30)
    line, number = rng.randrange(1, 28), rng.randrange(1, 3)
    system = plain_lines("\n".join(gold[: line - 1] + gold[line - 1 + number :]).encode(), "run.txt")
    problem = wrong_number(gold, system)
    assert problem.line == line
    assert f"{30 - number} lines instead of 30; from line {line} on they fit the gold {number} later" in problem.message


@pytest.mark.parametrize("seed", range(8))
def test_the_line_that_slipped_in_is_found(seed):
    rng = random.Random(seed)
    gold = _sentences(rng, 30)
    line = rng.randrange(1, 31)
    system = plain_lines("\n".join([*gold[: line - 1], "nothing of it", *gold[line - 1 :]]).encode(), "run.txt")
    problem = wrong_number(gold, system)
    assert problem.line == line
    assert f"line {line} seems to be too many" in problem.message


def test_texts_that_have_nothing_in_common_get_no_guess():
    problem = wrong_number(["one two", "three four"], plain_lines(b"x y\n", "run.txt"))
    assert (problem.message, problem.line) == ("1 lines instead of 2", None)


def test_the_place_is_the_first_best_of_all_that_a_plain_search_tries():
    rng = random.Random(1)
    for _ in range(40):
        gold = [" ".join(rng.choices("abcd", k=3)) for _ in range(rng.randrange(1, 9))]
        system = [" ".join(rng.choices("abcd", k=3)) for _ in range(rng.randrange(1, 9))]
        if len(gold) != len(system):
            assert _place(gold, system) == _place_by_search(gold, system)


def _place_by_search(gold: list[str], system: list[str]) -> int | None:
    n, later = min(len(gold), len(system)), len(gold) - len(system)
    sums = []
    for p in range(n + 1):
        pairs = [(gold[i], system[i]) for i in range(p)]
        pairs += [(gold[i + max(later, 0)], system[i + max(-later, 0)]) for i in range(p, n)]
        sums.append(sum(_alike(*pair) for pair in pairs))
    best = next(p for p in range(n + 1) if sums[p] >= max(sums) - 1e-9)
    return best if sums[best] >= 0.3 * n - 1e-9 else None


def _alike(a: str, b: str) -> float:
    first, second = set(a.split()), set(b.split())
    return 2 * len(first & second) / (len(first) + len(second))


@given(st.dictionaries(_texts, _values, max_size=4), st.booleans())
@example({"id": -(2**63) - 1}, False)
@settings(max_examples=100)
def test_the_fast_path_of_json_reads_as_the_careful_one(record, escaped):
    line = json.dumps(record, ensure_ascii=escaped)
    fast = json_lines._fast(line)
    assert fast is None or fast == json_lines._careful(line)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": 1, "text": "a", "text": "b"}', "key 'text' twice"),
        ('{"id": 1, "x": {"y": 1, "y": 2}}', "key 'y' twice"),
        ('{"id": 1, "text": "a"', "not JSON"),
        ('{"id": NaN}', "not JSON"),
        ('{"id": "\\ud800"}', "not JSON: half of a surrogate pair"),
        ('{"id": ' + "[" * 100_000, "not JSON"),
        ("[1]", "a line must be a JSON object"),
    ],
)
def test_a_line_of_json_is_refused_with_its_number(line, message):
    problems = Problems("run.jsonl")
    records = list(json_records(f'{{"id": 7}}\n\n{line}\n'.encode(), "run.jsonl", problems))
    assert records == [(1, {"id": 7})]
    [problem] = problems.listed()
    assert problem.line == 3
    assert message in problem.message


def test_columns_say_what_is_missing_and_which_lines_do_not_fit():
    problems = Problems("run.tsv")
    table = read_columns(b"id\tid\tx\na\tb\n\n1\t2\t3\n", "run.tsv", ("id", "text"), problems)
    assert list(table.rows(problems)) == [(4, ["1", "2", "3"])]
    assert [str(problem) for problem in problems.listed()] == [
        "run.tsv:1: a column name stands twice",
        "run.tsv:1: no column text; rename the column 'x' to 'text'",
        "run.tsv:2: 2 columns instead of 3",
    ]


@given(st.binary(max_size=60))
@settings(max_examples=100)
def test_random_bytes_raise_nothing_but_submission_errors(content):
    problems = Problems("run")
    for read in (
        lambda: wrong_number(["a b", "c"], plain_lines(content, "run")),
        lambda: list(json_records(content, "run", problems)),
        lambda: list(read_columns(content, "run", ("id",), problems).rows(problems)),
    ):
        with suppress(SubmissionError):
            read()
