"""Problems gathered by their cause: a file in the wrong format has one cause, however many lines it has.

Two problems of one file have the same cause if their messages are equal. Messages of one kind that differ in their
values, as of ids that the gold lacks, become one cause as soon as there are several of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from scoring.findings import Finding, Run
from scoring.messages import WORD, Message

MOST_MESSAGES = 3  # of one form, each with a cause of its own; more of them become one
_MOST_CAUSES = 199  # beside one for those that are counted only
_MOST_RUNS = 1_000  # of lines, of one cause
# Problems whose causes are looked for; a file of a million bad lines has shown what is wrong with it long before.
_MOST_LOOKED_AT = 10_000
_NOT_LOOKED_AT = Message("not-looked-at", "further problems, which were counted and not looked at one by one")


def causes_of(problems: Iterable[Finding], most_messages: int = MOST_MESSAGES) -> list[Finding]:
    """Return the causes in the order of their first problems; what "and 9 more" stands for is among them.

    Up to `most_messages` of one form are causes of their own.

    >>> missing = [Message("id-missing", "id {id!r} is missing", id=name) for name in "abcdefz"]
    >>> lines = [1, 2, 3, 4, 5, 6, 9]
    >>> [cause] = causes_of(Finding(each, "run.txt", line) for each, line in zip(missing, lines))
    >>> print(cause, cause.n, cause.lines, cause.is_mixed)
    run.txt:1: id 'a' is missing 7 ((1, 6), (9, 9)) True
    """
    causes = Causes(most_messages)
    for problem in problems:
        causes.add(problem)
    return causes.listed()


Form = tuple[Any, ...]


def form_of(message: str) -> Form:
    """Return the kinds of the message and of those inside it, without what differs from problem to problem.

    >>> form_of(Message("at-place", "{place}: {problem}", place="a", problem=Message("no-rows", "no rows")))
    ('at-place', ('no-rows',))
    """
    if not isinstance(message, Message):
        return (message,)
    if message.kind == WORD:
        return WORD, message.template
    return message.kind, *(form_of(inner) for inner in message.values.values() if isinstance(inner, Message))


class Causes:
    """The causes of problems that come one by one; little is kept of each problem."""

    def __init__(self, most_messages: int = MOST_MESSAGES) -> None:
        self._most_messages = most_messages
        # By file and form of the message, and then by message.
        self._gathered: dict[tuple[str | None, Form], dict[str, _Gathered]] = {}
        # By file, how many were counted without looking for their causes.
        self._counted: dict[str | None, int] = {}
        self._n_looked_at = 0
        self.n = 0  # how many problems there are in all

    def __bool__(self) -> bool:
        return bool(self.n)

    @property
    def is_full(self) -> bool:
        """Return whether further problems are counted only."""
        return self._n_looked_at >= _MOST_LOOKED_AT

    def count(self, number: int, file: str | None) -> None:
        """Count further problems of a file, whose causes are not looked for."""
        self.n += number
        self._counted[file] = self._counted.get(file, 0) + number

    def add(self, problem: Finding) -> None:
        """Add a problem, or those that it stands for."""
        for cause in problem.rest:
            self._add(cause, cause.n, cause.lines, is_mixed=cause.is_mixed)
        if not problem.rest:
            lines = () if problem.line is None else ((problem.line, problem.line),)
            self._add(problem, 1, lines, is_mixed=False)

    def listed(self) -> list[Finding]:
        """Return all causes, in the order of their first problems, and last those that were counted only."""
        gathered = [one.cause() for of_one_form in self._gathered.values() for one in of_one_form.values()]
        counted = [Finding(_NOT_LOOKED_AT, file, n=n, is_mixed=True) for file, n in self._counted.items()]
        return gathered + counted

    def _add(self, problem: Finding, n: int, lines: Sequence[Run], *, is_mixed: bool) -> None:
        if self.is_full:
            self.count(n, problem.file)
            return
        self._n_looked_at += 1
        form = problem.file, form_of(problem.message)
        if form not in self._gathered and len(self._gathered) >= _MOST_CAUSES:
            self.count(n, problem.file)
            return
        self.n += n
        by_message = self._gathered.setdefault(form, {})
        first = next(iter(by_message.values()), None)
        if first is not None and (first.is_mixed or is_mixed or self._is_one_too_many(by_message, problem)):
            for other in list(by_message.values())[1:]:
                first.take(other.n, other.lines)
            first.is_mixed = True
            first.take(n, lines)
            by_message.clear()
            by_message[first.problem.message] = first
        else:
            cause = by_message.setdefault(problem.message, _Gathered(problem, is_mixed=is_mixed))
            cause.take(n, lines)

    def _is_one_too_many(self, by_message: "dict[str, _Gathered]", problem: Finding) -> bool:
        return problem.message not in by_message and len(by_message) >= self._most_messages


class _Gathered:
    """Holds what is known so far of one cause."""

    def __init__(self, problem: Finding, *, is_mixed: bool) -> None:
        self.problem = problem
        self.is_mixed = is_mixed
        self.n = 0
        self.lines: list[Run] = []

    def take(self, n: int, lines: Sequence[Run]) -> None:
        """Take further problems of this cause."""
        self.n += n
        for first, last in lines:
            if self.lines and self.lines[-1][0] <= first <= self.lines[-1][1] + 1:
                self.lines[-1] = (self.lines[-1][0], max(last, self.lines[-1][1]))
            elif len(self.lines) < _MOST_RUNS:
                self.lines.append((first, last))

    def cause(self) -> Finding:
        return replace(self.problem, n=self.n, lines=tuple(joined(self.lines)), is_mixed=self.is_mixed)


def joined(runs: Iterable[Run]) -> list[Run]:
    """Join runs in ascending order, without overlaps.

    >>> joined([(7, 8), (1, 2), (3, 5)])
    [(1, 5), (7, 8)]
    """
    merged: list[Run] = []
    for first, last in sorted(runs):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged
