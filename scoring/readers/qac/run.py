"""A run: per line a question and its answers in order, each with the article that supports it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from scoring.readers.qac.text import ID, Problems, is_skipped, key, only_file, read_text

# Possessive throughout: a line of a million blanks must not be tried in a million ways.
_BLANKS = r"[^\S\n]*+"
_ARTICLE = r'[^\s,"]++'
_HEAD = rf"{_BLANKS}({ID}){_BLANKS}(?::{_BLANKS})?+(?:,{_BLANKS})?+"
# Stands for an answer and its article that are taken out of the text; no decoded text contains it.
_TAKEN = "\ud800"
_PLAIN_ITEM = re.compile(rf'"([^"\\\n]*+)"{_BLANKS},{_BLANKS}({_ARTICLE})')
_PLAIN_LINE = re.compile(rf"{_HEAD}(?:{_TAKEN}{_BLANKS}(?:,{_BLANKS}{_TAKEN}{_BLANKS})*+(?:,{_BLANKS})?+)?+")

_START = re.compile(_HEAD)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"\s*+')
_COMMA = re.compile(r",\s*+")
_SUPPORT = re.compile(rf"({_ARTICLE})\s*+")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True)
class Run:
    """Questions in the order of the file; the outputs of question i are starts[i] to starts[i + 1]."""

    ids: list[str]
    starts: NDArray[np.int64]
    answers: list[str]
    articles: list[str]

    @cached_property
    def index_of(self) -> dict[str, int]:
        """The index of each question."""
        return {question: i for i, question in enumerate(self.ids)}


def read_run(files: Mapping[str, bytes], encoding: str) -> Run:
    """The run in the only file; SubmissionError with all problems."""
    path = only_file(files)
    text = read_text(files, path, encoding)
    problems = Problems(path)
    run = _parse(text, problems)
    problems.raise_any()
    return run


def _parse(text: str, problems: Problems) -> Run:
    """Takes everything out of the text that looks like an unescaped item, and looks at what is left.

    Where it is a line's frame, the line's items are those taken out; all other lines are read with care.
    """
    pieces = _PLAIN_ITEM.split(text)
    answers, articles = pieces[1::3], pieces[2::3]
    frames = _TAKEN.join(pieces[0::3]).split("\n")
    blank = {answer for answer in set(answers) if not answer or answer.isspace()}
    found = _Collected(problems)
    lines: list[str] = []
    end = 0
    for number, frame in enumerate(frames, start=1):
        start, end = end, end + frame.count(_TAKEN)
        plain = _PLAIN_LINE.fullmatch(frame)
        if plain and (not blank or blank.isdisjoint(answers[start:end])):
            found.add(number, plain[1], answers[start:end], articles[start:end])
        elif not is_skipped(frame):
            lines = lines or text.split("\n")
            _read_line(lines[number - 1], number, found, problems)
    return found.run()


class _Collected:
    """Questions with their outputs; one that comes a second time is a problem."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._sizes: dict[str, int] = {}
        self._answers: list[str] = []
        self._articles: list[str] = []

    def add(self, line: int, question: str, answers: list[str], articles: list[str]) -> None:
        if question in self._sizes:
            self._problems.add(f"question twice: {question}", line)
            return
        self._sizes[question] = len(answers)
        self._answers += answers
        self._articles += articles

    def run(self) -> Run:
        starts = np.array([0, *accumulate(self._sizes.values())], dtype=np.int64)
        return Run(list(self._sizes), starts, self._answers, self._articles)


def _read_line(line: str, number: int, found: _Collected, problems: Problems) -> None:
    """A line that is not plain: it has escapes, or something wrong."""
    head = _START.match(line)
    if not head:
        problems.add(f"no question ID: a line begins with one such as QAC1-1001-01, not with {_shown(line)}", number)
        return
    answers: list[str] = []
    articles: list[str] = []
    place = head.end()
    while place < len(line):
        item = _Item(line, place)
        if item.wanted:
            problems.add(
                f"cannot read answers: expected {item.wanted}, found {_shown(line[item.end :])}", number, item.end + 1
            )
            return
        if not key(item.answer):
            problems.add("empty answer: leave it out, or write what was found", number, place + 1)
        answers.append(item.answer)
        articles.append(item.article)
        place = item.end
        if place < len(line):
            comma = _COMMA.match(line, place)
            if not comma:
                problems.add(f"cannot read answers: expected a comma, found {_shown(line[place:])}", number, place + 1)
                return
            place = comma.end()
    found.add(number, head[1], answers, articles)


class _Item:
    """An answer and its article from `place` on; `wanted` tells what is not there, at `end`."""

    def __init__(self, line: str, place: int) -> None:
        self.answer = self.article = ""
        self.wanted = ""
        self.end = place
        for pattern, wanted in (
            (_QUOTED, "an answer in double quotes"),
            (_COMMA, "a comma and an article"),
            (_SUPPORT, "an article"),
        ):
            part = pattern.match(line, self.end)
            if not part:
                self.wanted = wanted
                return
            self.end = part.end()
            if pattern is _QUOTED:
                self.answer = _ESCAPED.sub(r"\1", part[1])
            elif pattern is _SUPPORT:
                self.article = part[1]


def _shown(text: str) -> str:
    """The start of what was found."""
    words = text.strip()
    return repr(words if len(words) <= 40 else words[:40] + "…") if words else "the end of the line"
