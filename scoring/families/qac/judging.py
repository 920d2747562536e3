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
    entries = _Entries(gold, row, row[gold.question] * n_strings + string)
    given = run_string[outputs.place]
    first, end = entries.of_pair(np.where(given == NOBODY, NOBODY, outputs.question * n_strings + given))
    right = np.flatnonzero(end > first)
    question, first, end = outputs.question[right], first[right], end[right]
    lines, entry = entries.lines_between(first, end)
    supports = _Supports(
        entry,
        [gold.articles[line] for line in lines.tolist()],
        [run.articles[place] for place in outputs.place[right].tolist()],
    )
    chosen = first.copy()
    is_contested = np.zeros(len(row), dtype=bool)
    is_contested[question[end > first + 1]] = True
    if len(among := np.flatnonzero(is_contested[question])):
        chosen[among] = _claim(entries.number, supports, question[among], first[among], end[among], among)
    verdicts = Verdicts(np.full(len(given), NOBODY), np.zeros(len(given), dtype=bool))
    verdicts.number[right] = entries.number[chosen]
    verdicts.article_ok[right] = supports.have(chosen)
    return verdicts


def is_new(*columns: Integers) -> Truths:
    """Of sorted columns, whether a row differs from the one before it."""
    new = np.zeros(len(columns[0]), dtype=bool)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    return new


class _Entries:
    """Each string of a scored question under each of its numbers, in one line of the gold or several.

    Sorted by `pair`, a code (lines,) of the question and the string, and then by number.
    """

    def __init__(self, gold: AnswerSet, row: Integers, pair: Integers) -> None:
        lines = np.flatnonzero(row[gold.question] != NOBODY)
        self._lines = lines[np.lexsort((gold.numbers[lines], pair[lines]))]
        pair, number = pair[self._lines], gold.numbers[self._lines]
        new = is_new(pair, number)
        self._of_line = np.cumsum(new) - 1
        self._pair, self.number = pair[new], number[new]

    def of_pair(self, pair: Integers) -> tuple[Integers, Integers]:
        """The first entry of each pair, and the end of its entries."""
        return np.searchsorted(self._pair, pair, "left"), np.searchsorted(self._pair, pair, "right")

    def lines_between(self, first: Integers, end: Integers) -> tuple[Integers, Integers]:
        """The lines of the gold in any of these ranges of entries, and the entry of each."""
        n = len(self._pair)
        opened = np.bincount(first, minlength=n + 1) - np.bincount(end, minlength=n + 1)
        inside = (np.cumsum(opened) > 0)[self._of_line]
        return self._lines[inside], self._of_line[inside]


class _Supports:
    """The articles that the gold has for each entry, as far as some output with a right string names them.

    `article` (right outputs,) is the code of each such output's article, `pairs` are entry and article in one
    number, sorted.
    """

    def __init__(self, entry: Integers, gold_articles: list[str], run_articles: list[str]) -> None:
        code = {article: k for k, article in enumerate(dict.fromkeys(run_articles))}
        self.article = _coded(run_articles, code)
        self.n_articles = len(code)
        known = [code.get(article, NOBODY) for article in gold_articles]
        in_gold = np.array(known, dtype=np.int64)
        self.pairs = np.sort(entry[in_gold != NOBODY] * self.n_articles + in_gold[in_gold != NOBODY])

    def have(self, entry: Integers) -> Truths:
        """Whether the entry of each output has the output's article."""
        wanted = entry * self.n_articles + self.article
        found = np.append(self.pairs, NOBODY)[np.searchsorted(self.pairs, wanted)]
        return np.asarray(found == wanted)


def _claim(number: Integers, supports: _Supports, *columns: Integers) -> list[int]:
    """The preferred entry of each output: of those from `first` to `end`, which suit its string."""
    numbers, supported = number.tolist(), set(supports.pairs.tolist())
    articles, n_articles = supports.article.tolist(), supports.n_articles
    claimed: set[tuple[int, int]] = set()
    chosen = []
    for question, first, end, output in zip(*(column.tolist() for column in columns), strict=True):
        best = min(
            range(first, end),
            key=lambda entry: (
                (question, numbers[entry]) in claimed,
                entry * n_articles + articles[output] not in supported,
                numbers[entry],
            ),
        )
        claimed.add((question, numbers[best]))
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


def _coded(values: Iterable[str], code: Mapping[str, int]) -> Integers:
    return np.fromiter(map(code.__getitem__, values), dtype=np.int64)
