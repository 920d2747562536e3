"""QAC runs and answer sets: what their lines may look like, and every line that is not as it should be."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.errors import SubmissionError
from scoring.readers.problems import Problems
from scoring.readers.qac import key, read_answer_set, read_run
from scoring.readers.qac.lines import run_line
from tests.thoroughness import n_inputs

GOLD = "QAC1-1-01\t?\tWho?\nQAC1-1-01\t1\tMie\t990101001\nQAC1-1-01\t2\tTsu\t990101002\nQAC1-2-01\n"
RUN = '# a run\nQAC1-1-01: "Mie", 990101001, "the \\"elder\\"", 5\nQAC1-2-01\n'


def run_of(text, encoding="utf-8"):
    return read_run({"run.txt": text if isinstance(text, bytes) else text.encode(encoding)}, encoding)


def outputs_of(line):
    run = run_of(line)
    return list(zip(run.answers, run.articles, strict=True))


def gold_of(text, encoding="utf-8"):
    return read_answer_set({"gold.tsv": text if isinstance(text, bytes) else text.encode(encoding)}, encoding)


def problems_of(read, text):
    with pytest.raises(SubmissionError) as refused:
        read(text)
    return refused.value.problems


def found(problems):
    return [(problem.line, problem.column, problem.message.split(":")[0]) for problem in problems]


@pytest.mark.parametrize(
    ("line", "outputs"),
    [
        ("Q-1-1", []),
        ("Q-1-1:", []),
        ("Q-1-1 : , ", []),
        (' \tQ-1-1  :  ,  "a" , x ', [("a", "x")]),
        ('Q-1-1 "a", x', [("a", "x")]),
        ('Q-1-1"a",x', [("a", "x")]),
        ('Q-1-1, "a", x, "b", y,', [("a", "x"), ("b", "y")]),
        ('Q-1-1: "a", x , "b", y , ', [("a", "x"), ("b", "y")]),
        ('Q-1-1:\u3000"a",\u3000x,\u3000"b", y', [("a", "x"), ("b", "y")]),
        ('Q-1-1: "a, b: # c", x#1', [("a, b: # c", "x#1")]),
        ('Q-1-1: "a", x # "b", y', [("a", "x")]),
        ('Q-1-1: "a", x, # "b", y', [("a", "x")]),
        ('Q-1-1: "a", #1, "b", y', [("a", "#1"), ("b", "y")]),
        ("Q-1-1: # nothing", []),
        ('Q-1-1: " a  b ", x', [(" a  b ", "x")]),
        (r'Q-1-1: "\"a\" \\ \b", x, "c", y', [('"a" \\ b', "x"), ("c", "y")]),
        (r'Q-1-1: "a\\", x\y', [("a\\", r"x\y")]),
        ('Q-1-1: "a\u2028b\x85c", x', [("a\u2028b\x85c", "x")]),
        ('Q-1-1: "京", 東', [("京", "東")]),
    ],
)
def test_a_line_gives_its_answers_in_order(line, outputs):
    assert outputs_of(line) == outputs
    assert run_of(line).ids == ["Q-1-1"]


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("hello", None, "no question ID"),
        ("QAC1-1001", None, "no question ID"),
        ('"Mie", 5', None, "no question ID"),
        ("É-1-1", None, "no question ID"),
        ("Q-1-1x", 6, "cannot read answers"),
        ("Q-1-1: Mie, 5", 8, "cannot read answers"),
        ('Q-1-1: "Mie', 8, "cannot read answers"),
        ('Q-1-1: "Mie\\", 5', 8, "cannot read answers"),
        ('Q-1-1: "Mie"', 13, "cannot read answers"),
        ('Q-1-1: "Mie" 5', 14, "cannot read answers"),
        ('Q-1-1: "Mie", ', 15, "cannot read answers"),
        ('Q-1-1: "Mie", "Tsu", 5', 15, "cannot read answers"),
        ('Q-1-1: "Mie", 5 "Tsu", 5', 17, "cannot read answers"),
        ('Q-1-1: "Mie", 5 6', 17, "cannot read answers"),
        ('Q-1-1: "Mie", 5,, "Tsu", 6', 17, "cannot read answers"),
        ("Q-1-1:,,", 8, "cannot read answers"),
        ("Q-1-1::", 7, "cannot read answers"),
        ('Q-1-1: "", 5', 8, "empty answer"),
        ('Q-1-1: "a", 5, " \u3000", 6', 16, "empty answer"),
    ],
)
def test_a_line_that_cannot_be_read_is_refused_with_its_place(line, column, message):
    problems = problems_of(run_of, f"# first\n\nQ-9-1\n{line}\n")
    assert found(problems) == [(4, column, message)]
    assert problems[0].file == "run.txt"


def test_all_problems_of_a_run_are_found_in_one_go():
    problems = problems_of(run_of, 'x\nQ-1-1: "", 5, "", 6, 7\nQ-2-1\nQ-2-1: "a", 1\nQ-1-1\n')
    assert found(problems) == [
        (1, None, "no question ID"),
        (2, 8, "empty answer"),
        (2, 15, "empty answer"),
        (2, 22, "cannot read answers"),
        (4, None, "question twice"),
    ]
    assert "question twice: Q-2-1" in problems[-1].message


@pytest.mark.parametrize("read", [run_of, gold_of])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_at_a_line_feed_a_carriage_return_or_both(read, end):
    text = {run_of: RUN, gold_of: GOLD}[read]
    changed = read(text.replace("\n", end))
    assert (changed.ids, changed.answers) == (read(text).ids, read(text).answers)
    broken = problems_of(read, ("# x\n\nbroken\n").replace("\n", end))
    assert [problem.line for problem in broken] == [3]


@pytest.mark.parametrize("read", [run_of, gold_of])
def test_a_byte_order_mark_is_dropped(read):
    text = {run_of: RUN, gold_of: GOLD}[read]
    assert read("\ufeff" + text).ids == read(text).ids


@pytest.mark.parametrize("encoding", ["utf-8", "euc-jp", "shift_jis"])
def test_both_files_are_read_in_the_declared_encoding(encoding):
    assert run_of('Q-1-1: "東京ソ", 5', encoding).answers == ["東京ソ"]
    assert gold_of("Q-1-1\t1\t東京ソ\t5", encoding).answers == ["東京ソ"]


@pytest.mark.parametrize("encoding", ["utf-8", "euc-jp", "shift_jis"])
@pytest.mark.parametrize("read", [read_run, read_answer_set])
def test_the_line_of_the_first_byte_that_cannot_be_read_is_named(read, encoding):
    with pytest.raises(SubmissionError) as refused:
        read({"f": "# 東\r\n\r".encode(encoding) + b"# \xff\n\xff"}, encoding)
    assert [(problem.file, problem.line) for problem in refused.value.problems] == [("f", 3)]
    assert f"not valid {encoding}" in str(refused.value)


@pytest.mark.parametrize("read", [read_run, read_answer_set])
def test_several_files_are_refused_and_named(read):
    with pytest.raises(SubmissionError, match="exactly one file, found 2: a, b"):
        read({"a": b"Q-1-1\n", "b": b"Q-1-1\n"}, "utf-8")


@pytest.mark.parametrize("read", [read_run, read_answer_set])
def test_a_file_beyond_the_limit_is_refused(read):
    with pytest.raises(SubmissionError, match="larger than 64 MB"):
        read({"f": b"#" * (64 * 2**20 + 1)}, "utf-8")


def test_an_answer_set_keeps_its_lines_in_order_and_sorts_its_questions():
    gold = gold_of('Q-2-1\t007\tb\t2\n Q-1-1 \t 1 \ta\t1\n#\nQ-2-1\t1\t c \tx,"y\n\nQ-10-1\n')
    assert gold.ids == ["Q-1-1", "Q-10-1", "Q-2-1"]
    assert gold.question.tolist() == [2, 0, 2]
    assert gold.numbers.tolist() == [7, 1, 1]
    assert (gold.answers, gold.articles) == (["b", "a", " c "], ["2", "1", 'x,"y'])
    assert gold.paths == ["gold.tsv"]


def test_the_text_of_a_question_may_stand_anywhere():
    gold = gold_of("Q-1-1\t?\tWho?\nQ-2-1\nQ-1-1\t1\ta\t1\nQ-2-1\t?\tWhere?\n")
    assert gold.texts == {"Q-1-1": "Who?", "Q-2-1": "Where?"}
    assert gold.ids == ["Q-1-1", "Q-2-1"]


@pytest.mark.parametrize(
    ("line", "messages"),
    [
        ("1\ta\t5", ["no question ID"]),
        ("\tQ-1-1", ["no question ID"]),
        ("Q-1-1 1 a 5", ["no question ID"]),
        ("Q-1-1x", ["no question ID"]),
        ("Q-1-1\t", ["expected four columns"]),
        ("Q-1-1\t1\ta", ["expected four columns"]),
        ("Q-1-1\t1\ta\tb\t5", ["expected four columns"]),
        ("Q-1-1\t?", ["expected three columns"]),
        ("Q-1-1\t?\ta\tb", ["expected three columns"]),
        ("Q-1-1\tone\ta\t5", ["answer number must be a positive integer"]),
        ("Q-1-1\t0\ta\t5", ["answer number must be a positive integer"]),
        ("Q-1-1\t-1\ta\t5", ["answer number must be a positive integer"]),
        ("Q-1-1\t1.0\ta\t5", ["answer number must be a positive integer"]),
        ("Q-1-1\t１\ta\t5", ["answer number must be a positive integer"]),
        (f"Q-1-1\t{'9' * 5000}\ta\t5", ["answer number must be a positive integer"]),
        ("Q-1-1\t1\t\t5", ["empty answer"]),
        ("Q-1-1\t1\t \u3000\t5", ["empty answer"]),
        ("Q-1-1\t1\ta\t", ["empty article"]),
        ("Q-1-1\t\t\t", ["answer number must be a positive integer", "empty answer", "empty article"]),
    ],
)
def test_a_line_of_the_gold_that_cannot_be_read_is_refused(line, messages):
    problems = problems_of(gold_of, f"#\nQ-1-1\t1\ta\t5\n{line}\n")
    assert [problem.line for problem in problems] == [3] * len(messages)
    assert all(problem.message.startswith(text) for problem, text in zip(problems, messages, strict=True))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "no question"),
        ("# nothing\n \t\n", None, "no question"),
        ("Q-1-1\t1\ta\t5\nQ-1-1\n", 2, "question Q-1-1 is marked as having no answer and has answers"),
        ("Q-1-1\nQ-1-1\t1\ta\t5\n", 1, "question Q-1-1 is marked as having no answer and has answers"),
        ("Q-2-1\nQ-1-1\t?\tWho?\n", 2, "question Q-1-1 has no answer line"),
    ],
)
def test_what_only_the_whole_gold_can_tell(text, line, message):
    [problem] = problems_of(gold_of, text)
    assert (problem.line, problem.file) == (line, "gold.tsv")
    assert problem.message.startswith(message)


def test_thousands_of_problems_are_counted_and_not_listed():
    problems = problems_of(run_of, "x\n" * 5000)
    assert len(problems) == 101
    assert problems[-1].message == "and 4900 more"


@pytest.mark.parametrize(
    ("first", "second", "are_equal"),
    [
        ("café", "cafe\u0301", True),
        (" a\u3000\u00a0 b\t", "a b", True),
        ("1998", "１９９８", False),
        ("Mie", "mie", False),
        ("a,b", "a, b", False),
        ("ｶﾅ", "カナ", False),
    ],
)
def test_equal_strings_have_one_key(first, second, are_equal):
    assert (key(first) == key(second)) is are_equal


@pytest.mark.parametrize("line", [" " * 200_000 + "x", 'Q-1-1: "' + "a" * 200_000, "Q-1-1" + " :" * 100_000])
def test_a_long_line_takes_no_longer_than_its_length(line):
    assert len(problems_of(run_of, line)) == 1


several = settings(max_examples=n_inputs(300), derandomize=True)
PIECES = st.sampled_from(
    ["Q-1-1", "Q-2-01", ":", ",", '"', "\\", "a", "京", " ", "\t", "\n", "\r", "#", "?", "1", "\ufeff"]
)


regular_items = st.lists(
    st.tuples(st.sampled_from(["a", " b  c ", "京", "a, b: #"]), st.sampled_from(["1", "x\\y", "#3"])), max_size=4
)


@several
@given(
    items=regular_items,
    separator=st.sampled_from(["", ":", ",", " : ,"]),
    gap=st.sampled_from(["", " ", "\t", " \u3000"]),
    end=st.sampled_from(["", " ", ","]),
)
def test_a_line_of_a_run_may_be_written_with_any_gaps(items, separator, gap, end):
    written = f"{gap},{gap}".join(f'"{answer}"{gap},{gap}{article}' for answer, article in items)
    line = f"{gap}Q-1-1{separator}{gap}{written}{end if items else ''}"
    problems = Problems("run.txt")
    read = run_line(line, 1, problems)
    assert read == ("Q-1-1", [answer for answer, _ in items], [article for _, article in items])
    assert not problems


@several
@given(data=st.binary(max_size=60) | st.lists(PIECES, max_size=30).map(lambda pieces: "".join(pieces).encode()))
@pytest.mark.parametrize("read", [read_run, read_answer_set])
def test_nothing_but_a_submission_error_comes_of_any_bytes(read, data):
    try_to_read(read, data)


@several
@given(data=st.data())
@pytest.mark.parametrize(("read", "text"), [(read_run, RUN), (read_answer_set, GOLD)])
def test_nothing_but_a_submission_error_comes_of_a_damaged_file(read, text, data):
    content = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content)))
        content[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    try_to_read(read, bytes(content))


def try_to_read(read, content):
    for encoding in ("utf-8", "euc-jp", "shift_jis"):
        problems = None
        try:
            read({"f": content}, encoding)
        except SubmissionError as error:
            problems = error.problems
        assert problems != []
        assert all("\n" not in str(problem) for problem in problems or ())
