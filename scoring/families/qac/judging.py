"""Which outputs of a run are right, by their strings and by their articles."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scoring.readers.qac import AnswerSet, Run, key

Integers = NDArray[np.int64]
Truths = NDArray[np.bool_]

NOBODY = -1


@dataclass(frozen=True)
class Outputs:
    """The outputs that count, by scored question and in their order.

    All arrays are (outputs,): the row of the question that each answers, its rank from 1, and its place among
    all outputs of the run.
    """

    question: Integers
    rank: Integers
    place: Integers


@dataclass(frozen=True)
class Verdicts:
    """For each output (outputs,) the number of the answer that it meets, or NOBODY, and whether its article is
    one that the gold has for this answer in these words."""

    number: Integers
    article_ok: Truths

    @property
    def is_right(self) -> Truths:
        """Whether the string is right, whatever the article."""
        return np.asarray(self.number != NOBODY)


def judge(gold: AnswerSet, row: Integers, run: Run, outputs: Outputs) -> Verdicts:
    """Each output with a right string meets one answer of its question; `row` (questions,) is NOBODY if not scored.

    Preferred is an answer that no output before it has met, then one with this article, then the lowest
    number. A string that stands under one number only leaves no choice, so these are looked up at once; only
    questions with a string under several numbers are gone through output by output.
    """
    string, run_string, n_strings = _strings(gold, run)
    article, run_article, n_articles = _articles(gold, run)
    lines = np.flatnonzero(row[gold.question] != NOBODY)
    pair = row[gold.question[lines]] * n_strings + string[lines]
    entries = _Entries(pair, gold.numbers[lines], article[lines], n_articles)
    given, support = run_string[outputs.place], run_article[outputs.place]
    wanted = np.where(given == NOBODY, NOBODY, outputs.question * n_strings + given)
    first, end = np.searchsorted(entries.pair, wanted, "left"), np.searchsorted(entries.pair, wanted, "right")
    chosen = np.where(end > first, first, NOBODY)
    contested = outputs.question[end > first + 1]
    if len(contested):
        among = np.flatnonzero((end > first) & np.isin(outputs.question, contested))
        chosen[among] = _claim(entries, outputs.question[among], first[among], end[among], support[among])
    return Verdicts(
        number=np.append(entries.number, NOBODY)[chosen],
        article_ok=(chosen != NOBODY) & entries.have(chosen, support),
    )


def is_new(*columns: Integers) -> Truths:
    """Of sorted columns, whether a row differs from the one before it."""
    new = np.zeros(len(columns[0]), dtype=bool)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return new


class _Entries:
    """Each string of a question under each of its numbers, sorted by `pair` (question and string), then number."""

    def __init__(self, pair: Integers, number: Integers, article: Integers, n_articles: int) -> None:
        order = np.lexsort((number, pair))
        pair, number = pair[order], number[order]
        new = is_new(pair, number)
        self.pair, self.number = pair[new], number[new]
        self.n_articles = n_articles
        self.supported = np.unique((np.cumsum(new) - 1) * n_articles + article[order])

    def have(self, entry: Integers, article: Integers) -> Truths:
        """Whether each entry has a line with this article."""
        return np.isin(entry * self.n_articles + article, self.supported)


def _claim(entries: _Entries, *columns: Integers) -> list[int]:
    """The entry of each output: of those from `first` to `end`, which suit its string, the preferred one."""
    number, supported = entries.number.tolist(), set(entries.supported.tolist())
    claimed: set[tuple[int, int]] = set()
    chosen = []
    for question, first, end, support in zip(*(column.tolist() for column in columns), strict=True):
        best = min(
            range(first, end),
            key=lambda entry: (
                (question, number[entry]) in claimed,
                entry * entries.n_articles + support not in supported,
                number[entry],
            ),
        )
        claimed.add((question, number[best]))
        chosen.append(best)
    return chosen


def _strings(gold: AnswerSet, run: Run) -> tuple[Integers, Integers, int]:
    """The answers of both sides as codes of equal strings, NOBODY for what the gold lacks; how many codes."""
    of_key: dict[str, int] = {}
    code = {answer: of_key.setdefault(key(answer), len(of_key)) for answer in set(gold.answers)}
    in_gold = _coded(gold.answers, code)
    for answer in set(run.answers).difference(code):
        code[answer] = of_key.get(key(answer), NOBODY)
    return in_gold, _coded(run.answers, code), len(of_key)


def _articles(gold: AnswerSet, run: Run) -> tuple[Integers, Integers, int]:
    """The articles of both sides as codes, one for all that the gold lacks; how many codes."""
    code = {article: k for k, article in enumerate(set(gold.articles))}
    unknown = len(code)
    in_run = np.fromiter((code.get(article, unknown) for article in run.articles), np.int64, len(run.articles))
    return _coded(gold.articles, code), in_run, unknown + 1


def _coded(values: Iterable[str], code: Mapping[str, int]) -> Integers:
    return np.fromiter(map(code.__getitem__, values), dtype=np.int64)
