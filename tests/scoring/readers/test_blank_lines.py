"""Tests that blank lines by the million change nothing in what is read and said, and cost next to nothing."""

import re
import time
from contextlib import suppress
from pathlib import Path

import pytest

import scoring
from scoring.readers import blank_lines
from scoring.readers.ranking import kinds
from scoring.readers.tables import records
from tests.fuzz.targets import TARGETS
from tests.thoroughness import EVERY_INPUT

FILES = [
    (k, name) for k, target in enumerate(TARGETS) for name in target.names if name in (target.system or target.gold)
]
BLANKS = {"feeds": b"\n", "blanks": b" \n", "tabs": b"\t\n", "carriage returns": b"\r\n"}
PLACES = ("alone", "before", "after", "between")
ALL = [(blank, place) for blank in BLANKS for place in PLACES]
MOST_SECONDS = 2.5  # of processor time; a check has ten
NOTHING = re.compile("(?!)")
NOTHING_OF_BYTES = re.compile(b"(?!)")


def with_blanks(content: bytes, blank: str, place: str, n_bytes: int) -> bytes:
    unit = BLANKS[blank]
    run = unit * (n_bytes // len(unit))
    whole = content if content.endswith(b"\n") else content + b"\n"
    middle = content.find(b"\n", len(content) // 2) + 1
    return {
        "alone": run,
        "before": run + content,
        "after": whole + run,
        "between": content[:middle] + run + content[middle:],
    }[place]


@pytest.fixture
def upload(tmp_path):
    """Return what writes gold and system of a target, one file of the system with blank lines."""

    def written(k: int, name: str, blank: str, place: str, n_bytes: int) -> tuple[Path, Path]:
        target = TARGETS[k]
        system = target.system or target.gold
        own = {each: system[each] for each in target.names if each in system}
        own[name] = with_blanks(own[name], blank, place, n_bytes)
        for folder, files in (("gold", target.gold), ("system", own)):
            for path, content in files.items():
                (tmp_path / folder / path).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / folder / path).write_bytes(content)
        return tmp_path / "gold", tmp_path / "system"

    return written


def result(k: int, gold: Path, system: Path) -> list[object]:
    """Return all that is said of the run: each problem with those that it stands for, or the scores."""
    target = TARGETS[k]
    given = {"gold": gold, "system": system, "options": target.options}
    try:
        if problems := scoring.check(target.family, **given):
            return [(str(each), each.kind, each.rest) for each in problems]
        evaluation = scoring.evaluate(target.family, **given)
        return [repr(evaluation.scores), *map(str, evaluation.warnings)]
    except scoring.ScoringError as error:
        return [type(error).__name__, str(error)]


def every_line(monkeypatch) -> None:
    """Have all readers look at each blank line by itself."""
    monkeypatch.setattr(blank_lines, "_RUN", {str: NOTHING, bytes: NOTHING_OF_BYTES})
    monkeypatch.setattr(blank_lines, "_BLANKS", {str: re.compile(""), bytes: re.compile(b"")})
    monkeypatch.setattr(records, "_BLANK_LINES", dict.fromkeys(records._BLANK_LINES, NOTHING))
    monkeypatch.setattr(kinds, "_BLANK", NOTHING_OF_BYTES)


@pytest.mark.parametrize("number", range(len(FILES)))
def test_problems_lines_and_scores_are_those_of_reading_each_blank_line(upload, monkeypatch, number):
    k, name = FILES[number]
    chosen = ALL if EVERY_INPUT else [ALL[(number * 5 + step) % len(ALL)] for step in (0, 6, 11)]
    for blank, place in chosen:
        paths = upload(k, name, blank, place, 30_000)
        skipping = result(k, *paths)
        with monkeypatch.context() as patched:
            every_line(patched)
            assert result(k, *paths) == skipping, (blank, place)


@pytest.mark.parametrize("number", range(len(FILES)))
def test_a_check_of_two_megabytes_of_blank_lines_ends_within_a_second_or_two(upload, number):
    k, name = FILES[number]
    for blank, place in ALL if EVERY_INPUT else [ALL[number * 5 % len(ALL)]]:
        gold, system = upload(k, name, blank, place, 2_000_000)
        # What else the machine does makes it longer, never shorter.
        quick = any(seconds_of_check(k, gold, system) < MOST_SECONDS for _ in range(3))
        assert quick, (TARGETS[k].family, name, blank, place)


def seconds_of_check(k: int, gold: Path, system: Path) -> float:
    target = TARGETS[k]
    before = time.process_time()
    with suppress(scoring.ScoringError):
        scoring.check(target.family, gold=gold, system=system, options=target.options)
    return time.process_time() - before


@pytest.mark.parametrize("blank", BLANKS)
def test_the_lines_of_a_text_keep_their_numbers(blank):
    text = with_blanks(b"a\nb\nc\nd\n", blank, "between", 1_000)
    lines = text.split(b"\n")
    left: list[int] = []
    read = list(blank_lines.numbered_lines(text, left_out=lambda first, n: left.extend(range(first, first + n))))
    assert all(lines[number - 1] == line for number, line in read)
    assert sorted([*left, *(number for number, _ in read)]) == list(range(1, len(lines) + 1))
    assert len(read) < 10
    as_text = list(blank_lines.numbered_lines(text.decode()))
    assert [(number, line.decode()) for number, line in read] == as_text


def test_a_long_line_of_blanks_costs_what_it_is_long():
    for text in (" " * 2_000_000, "\n" + " " * 2_000_000 + "x", ("x" + "\n" * 15) * 100_000, "\n \tx" * 400_000):
        before = time.process_time()
        n_lines = sum(1 for _ in blank_lines.numbered_lines(text))
        assert n_lines == text.count("\n") + 1
        assert time.process_time() - before < MOST_SECONDS
