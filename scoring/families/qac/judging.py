"""Finds which outputs of a run are right, by their strings and by their articles.

The rule itself stands at the head of `counting.py`. Here it is applied to all questions at once; the same in plain
Python, question by question, is `judge` in tests/scoring/plain/qac.py.

An *entry* is a string that the gold has for a question under a number, whatever the article: the lines `1 Tsu 101`
and `1 Tsu 102` are one entry, `2 Tsu 101` is another. Each output with a right string meets one entry:

1. Strings of both sides become codes, equal where the strings are equal.
2. A binary search in the sorted entries gives each output the range of entries with its question and its string.
   If the range is empty, the output is wrong.
3. A range of one entry leaves no choice. Only *contested* questions, in which some output has several entries to
   choose from, are gone through output by output, since the choice depends on what earlier outputs have claimed.
4. Entry and article as one number, looked up among those of the gold, tell whether the article fits.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Integers, starts_run
from scoring.readers.qac import NONE, AnswerSet, Pairing, Run, key


@dataclass(frozen=True)
class Outputs:
    """The outputs that count, by scored question and then by rank."""

    question: Integers  # (outputs,) index of the scored question in `Pairing.ids`
    rank: Integers  # (outputs,) from 1, inside the question
    index: Integers  # (outputs,) index into `Run.answers` and `Run.articles`


@dataclass(frozen=True)
class Verdicts:
    """Holds what is found about each output."""

    number: Integers  # (outputs,) number of the answer that it meets; NONE if its string is wrong
    article_ok: Flags  # (outputs,) whether the gold has its article for this answer in these words

    @property
    def is_right(self) -> Flags:
        """Return whether the string is right, whatever the article."""
        return np.asarray(self.number != NONE)


def judge(gold: AnswerSet, run: Run, pairing: Pairing, outputs: Outputs) -> Verdicts:
    r"""Return the answer that each output meets, and whether its article fits.

    Both outputs of the second question have a string of answers 1 and 2. The first takes 2, with its article; the
    second takes 1, because an unclaimed answer comes before a fitting article.

    >>> from scoring.readers.qac import pair, read_answer_set, read_run
    >>> gold = read_answer_set({"gold.tsv": b"Q-1-01\t1\tTsu\t5\nQ-2-01\t1\tBo\t6\nQ-2-01\t2\tBo\t7\n"}, "utf-8")
    >>> run = read_run({"run.txt": b'Q-1-01: "Ise", 5, "Tsu", 9\nQ-2-01: "Bo", 7, "Bo", 7\n'}, "utf-8")
    >>> outputs = Outputs(np.array([0, 0, 1, 1]), np.array([1, 2, 1, 2]), np.arange(4))
    >>> judge(gold, run, pair(gold, run, task=1), outputs)
    Verdicts(number=array([-1,  1,  2,  1]), article_ok=array([False, False,  True, False]))
    """
    gold_string, run_string, n_strings = _coded_strings(gold, run)
    entries = _entries_of(gold, pairing.of_gold, gold_string, n_strings)
    string = run_string[outputs.index]  # (outputs,)
    # (outputs,): question and string as one number, as the entries have it; NONE equals none of theirs.
    wanted = np.where(string == NONE, NONE, outputs.question * n_strings + string)
    first, end = entries.ranges_of(wanted)

    right = np.flatnonzero(end > first)  # (right outputs,): indices of outputs; so are all columns from here on
    question, first, end = outputs.question[right], first[right], end[right]
    support = _support_of(gold, run, entries, first, end, outputs.index[right])
    chosen = first.copy()  # an entry for each right output; of the entries of a range, the first has the lowest number
    is_contested = np.zeros(len(pairing.ids), dtype=bool)
    is_contested[question[end > first + 1]] = True
    # In a contested question, outputs without a choice count too, because they claim their answers.
    if len(contested := np.flatnonzero(is_contested[question])):
        chosen[contested] = _claim(
            entries.number, support, contested, question=question[contested], first=first[contested], end=end[contested]
        )

    verdicts = Verdicts(np.full(len(string), NONE), np.zeros(len(string), dtype=bool))
    verdicts.number[right] = entries.number[chosen]
    verdicts.article_ok[right] = support.fits(chosen)
    return verdicts


@dataclass(frozen=True)
class _Entries:
    """The strings of the scored questions under their numbers: sorted by question and string, then by number."""

    pair: Integers  # (entries,) question and string as one number, ascending
    number: Integers  # (entries,) number of the answer; ascending inside a pair
    lines: Integers  # (lines,) indices of the gold's lines of scored questions, in the order of their entries
    of_line: Integers  # (lines,) index of the entry that each of `lines` belongs to; ascending

    def ranges_of(self, pair: Integers) -> tuple[Integers, Integers]:
        """Return for each pair (n,) the first entry with it, and the end of its entries: both (n,)."""
        return np.searchsorted(self.pair, pair, "left"), np.searchsorted(self.pair, pair, "right")

    def lines_of(self, first: Integers, end: Integers) -> tuple[Integers, Integers]:
        """Return the lines whose entries lie in any of these ranges (n,), each line once, and the entry of each line.

        >>> zero, lines = np.array([0, 0, 0]), np.array([8, 3, 5, 6])
        >>> entries = _Entries(pair=zero, number=zero, lines=lines, of_line=np.array([0, 1, 1, 2]))
        >>> entries.lines_of(first=np.array([1, 1]), end=np.array([2, 2]))
        (array([3, 5]), array([1, 1]))
        """
        n_ends = len(self.pair) + 1
        # (entries + 1,): how many ranges begin at an entry, less those that end before it; summed up, how many cover
        # the entry.
        change = np.bincount(first, minlength=n_ends) - np.bincount(end, minlength=n_ends)
        is_covered = np.cumsum(change) > 0
        taken = is_covered[self.of_line]  # (lines,)
        return self.lines[taken], self.of_line[taken]


def _entries_of(gold: AnswerSet, scored: Integers, string: Integers, n_strings: int) -> _Entries:
    """Return the entries of the scored questions.

    `scored` is `Pairing.of_gold`, `string` (lines,) the code of each line.
    """
    question = scored[gold.question]  # (lines of the gold,): index of a scored question, or NONE
    pair = question * n_strings + string
    lines = np.flatnonzero(question != NONE)
    lines = lines[np.lexsort((gold.numbers[lines], pair[lines]))]
    pair, number = pair[lines], gold.numbers[lines]
    # Neighbours with the same pair and number differ in the article alone, or in how the string is blanked.
    starts_entry = starts_run(pair, number)
    return _Entries(pair[starts_entry], number[starts_entry], lines, np.cumsum(starts_entry) - 1)


@dataclass(frozen=True)
class _Support:
    """Holds which articles the gold has for the entries, as far as right outputs name them."""

    article: Integers  # (right outputs,) code of each one's article
    n_articles: int  # how many codes there are
    in_gold: Integers  # (n,) entry * n_articles + article for each such pair of the gold, ascending

    def fits(self, entry: Integers) -> Flags:
        """Tell for each right output (right outputs,) whether the gold has the output's article for the entry."""
        wanted = entry * self.n_articles + self.article
        # A last element that nothing equals, for what would be inserted behind all others.
        nearest = np.append(self.in_gold, NONE)[np.searchsorted(self.in_gold, wanted)]
        return np.asarray(nearest == wanted)


def _support_of(
    gold: AnswerSet, run: Run, entries: _Entries, first: Integers, end: Integers, output: Integers
) -> _Support:
    """Return the support of right outputs, whose entries lie from `first` to `end`; `output` indexes the run's.

    Most lines of a gold are met by no output: only the articles of those that are met become codes.
    """
    lines, entry = entries.lines_of(first, end)
    given = [run.articles[index] for index in output.tolist()]
    code = {article: number for number, article in enumerate(dict.fromkeys(given))}
    # (lines,): code of the line's article, NONE if no output has given this article.
    article = np.array([code.get(gold.articles[line], NONE) for line in lines.tolist()], dtype=np.int64)
    is_given = article != NONE
    in_gold = np.sort(entry[is_given] * len(code) + article[is_given])
    return _Support(_codes_of(given, code), len(code), in_gold)


def _claim(
    number: Integers, support: _Support, output: Integers, *, question: Integers, first: Integers, end: Integers
) -> list[int]:
    """Return the preferred entry for each output, from `first` to `end`, in the order of the questions and ranks.

    Preferred is an entry whose answer no earlier output of the question has claimed, then one with the output's
    article, then the lowest number. An answer is claimed even if the article does not fit. `output` are indices into
    `support.article`, `number` those of the entries.

    >>> support = _Support(article=np.array([0, 0, 0]), n_articles=1, in_gold=np.array([1]))
    >>> same, none, two = np.zeros(3, dtype=int), np.zeros(3, dtype=int), np.full(3, 2)
    >>> _claim(np.array([4, 9]), support, np.arange(3), question=same, first=none, end=two)
    [1, 0, 1]
    """
    numbers, in_gold = number.tolist(), set(support.in_gold.tolist())
    articles, n_articles = support.article.tolist(), support.n_articles
    claimed: set[tuple[int, int]] = set()  # question and number
    chosen = []
    columns = (question, first, end, output)
    for asked, start, stop, index in zip(*(column.tolist() for column in columns), strict=True):
        best = min(
            range(start, stop),
            # False comes before True.
            key=lambda entry: (
                (asked, numbers[entry]) in claimed,
                entry * n_articles + articles[index] not in in_gold,
                numbers[entry],
            ),
        )
        claimed.add((asked, numbers[best]))
        chosen.append(best)
    return chosen


def _coded_strings(gold: AnswerSet, run: Run) -> tuple[Integers, Integers, int]:
    """Code the gold's strings (lines,) and the run's (all outputs,), and return how many codes there are.

    Equal strings have equal codes; NONE stands for a string of the run that the gold lacks. Each distinct string is
    normalised once, however often it stands there.
    """
    code_of_key: dict[str, int] = {}
    code = {answer: code_of_key.setdefault(key(answer), len(code_of_key)) for answer in set(gold.answers)}
    in_gold = _codes_of(gold.answers, code)
    for answer in set(run.answers).difference(code):
        code[answer] = code_of_key.get(key(answer), NONE)
    return in_gold, _codes_of(run.answers, code), len(code_of_key)


def _codes_of(values: Iterable[str], code: Mapping[str, int]) -> Integers:
    return np.fromiter(map(code.__getitem__, values), dtype=np.int64)
