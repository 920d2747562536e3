"""Random answer sets and runs, on which the engine has to find what a plain program finds."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import scoring
from scoring.commands import qac as command
from tests.scoring.plain import qac as plain
from tests.thoroughness import n_inputs

ANSWERS = (
    "a",
    "A",
    " a ",
    "a  b",
    "a\u3000b",
    "café",
    "cafe\u0301",
    'say "so"',
    "b\\c",
    "the a",
    "東京",
    "a, b",
    "...",
)
ARTICLES = ("1", "2", "x\\y", "#3")
QUESTIONS = [f"Q{group}-{series}-0{branch}" for group in (1, 2) for series in (1, 10) for branch in (1, 2, 3)]
FAMILY_ERRORS = {"gold": scoring.GoldError, "system": scoring.SubmissionError}

several = settings(max_examples=n_inputs(300), derandomize=True, suppress_health_check=[HealthCheck.too_slow])
options_given = st.fixed_dictionaries(
    {
        "task": st.sampled_from((1, 2, 3)),
        "article": st.sampled_from(("ignore", "require")),
        "squad": st.sampled_from(("off", "en", "plain")),
    }
)


@st.composite
def gold_lines(draw):
    lines = []
    for question in draw(st.lists(st.sampled_from(QUESTIONS), min_size=1, unique=True)):
        answers = draw(st.lists(st.tuples(st.integers(1, 3), st.sampled_from(ANSWERS), st.sampled_from(ARTICLES))))
        lines += [f"{question}\t{number}\t{answer}\t{article}" for number, answer, article in answers] or [question]
        if draw(st.booleans()):
            lines.append(f"{question}\t?\tWhy?")
    return draw(st.permutations(lines))


@st.composite
def run_lines(draw):
    lines = []
    for question in draw(st.lists(st.sampled_from([*QUESTIONS, "X-9-01", "X-9-02"]), unique=True)):
        outputs = draw(st.lists(st.tuples(st.sampled_from(ANSWERS), st.sampled_from(ARTICLES)), max_size=8))
        gap = draw(st.sampled_from((" ", "", "\t", " \u3000")))
        items = [f"{json.dumps(answer, ensure_ascii=False)}{gap},{gap}{article}" for answer, article in outputs]
        separator = draw(st.sampled_from((":", "", ",", " : ,")))
        lines.append(f"{question}{separator}{gap}{f'{gap},{gap}'.join(items)}{draw(st.sampled_from(('', gap, ',')))}")
    return draw(st.permutations(lines))


@st.composite
def damaged(draw, lines):
    """The lines with some pieces put in, taken out or doubled."""
    text = "\n".join(draw(lines))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 4)))
        piece = draw(st.sampled_from(("", '"', "\\", ",", "\t", "\n", "\r\n", "#", '"" , 1', " ", "Q1-1-01", "?", "0")))
        text = text[:start] + piece + text[end:]
    return text


@several
@given(gold=gold_lines().map("\n".join), run=run_lines().map("\n".join), options=options_given)
def test_scores_counts_and_tables_are_those_of_the_plain_program(gold, run, options):
    check_alike(gold.encode(), run.encode(), options)


@several
@given(gold=damaged(gold_lines()), run=damaged(run_lines()), options=options_given)
def test_damaged_files_are_refused_for_the_same_reasons(gold, run, options):
    check_alike(gold.encode(), run.encode(), options)


def check_alike(gold, run, options):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "gold.tsv").write_bytes(gold)
        Path(folder, "run.txt").write_bytes(run)
        files = {"gold": Path(folder, "gold.tsv"), "system": Path(folder, "run.txt")}
        try:
            expected = plain.evaluate(gold, run, **options)
        except plain.Refused as error:
            with pytest.raises(FAMILY_ERRORS[error.side]) as refused:
                scoring.evaluate("qac", **files, options=options)
            check_same_problems(refused.value.problems, error.problems)
            return
        result = scoring.evaluate("qac", **files, options=options)
    assert result.counts == expected["counts"]
    assert result.scores == {
        name: value if value is None else pytest.approx(value, abs=1e-9) for name, value in expected["scores"].items()
    }
    for table in ("questions", "answers", "unanswerable"):
        assert [list(record.values()) for record in result.tables[table]] == expected[table]


def check_same_problems(found, expected):
    assert len(found) == len(expected)
    for problem, (line, message) in zip(sort(found), sorted(expected, key=str), strict=True):
        assert problem.line == line
        assert problem.message.startswith(message)


def sort(problems):
    return sorted(problems, key=lambda problem: str((problem.line, problem.message)))


@settings(several, max_examples=n_inputs(60))
@given(gold=gold_lines().map("\n".join), run=run_lines().map("\n".join), task=st.sampled_from("123"))
def test_the_command_prints_and_writes_what_the_plain_program_does(gold, run, task):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "gold.tsv").write_text(gold, encoding="utf-8", newline="")
        (folder / "run.txt").write_text(run, encoding="utf-8", newline="")
        outcomes = []
        for program in (plain, command):
            printed = folder / "printed"
            arguments = ["-a", folder / "gold.tsv", "-t", task, "--res-dat", folder / "res.dat", folder / "run.txt"]
            with pytest.MonkeyPatch.context() as patched, printed.open("w", encoding="utf-8") as stdout:
                patched.setattr("sys.stdout", stdout)
                status = program.main(list(map(str, arguments)))
            outcomes.append((status, printed.read_text("utf-8"), status or (folder / "res.dat").read_bytes()))
        assert outcomes[0] == outcomes[1]
