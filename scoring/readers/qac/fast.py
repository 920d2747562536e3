r"""The fast path: regular lines taken out of a whole text by one regular expression.

It takes regular input only, and gives up on any other line, which the careful path (`careful.py`) reads and explains.
Both say the same of a regular line of a run, as the test `test_the_fast_path_reads_as_the_careful_one` shows. Of a
gold, the fast path takes every line that gives an answer, so that what is left is of another kind or malformed; the
test `test_damaged_files_are_refused_for_the_same_reasons` compares this with tests/scoring/plain/qac.py.

`split` by a pattern with groups gives the text between the matches and the groups in turn. Each match is then
represented by one sign, TAKEN, so that a look at what is left, the *frame* of a line, tells whether it is regular:

    text      Q-1-1: "Mie", 5, "Tsu", 6         Q-1-2: Mie, 5
    taken     "Mie", 5    "Tsu", 6              (nothing)
    frame     Q-1-1: TAKEN, TAKEN               Q-1-2: Mie, 5
              an ID and items: regular          not regular: the answer has no quotes
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from scoring.readers.qac.careful import ARTICLE, HEAD, NUMBER, RunLine
from scoring.readers.qac.text import ID

# A lone surrogate, which no decoded text contains.
_TAKEN = "\ud800"

_BLANKS = r"[^\S\n]*+"
# Without a backslash: whether a quote behind one ends the answer, the careful path finds out.
_ITEM = re.compile(rf'"([^"\\\n]*+)"{_BLANKS},{_BLANKS}({ARTICLE})')
_FRAME = re.compile(rf"{HEAD}(?:{_TAKEN}{_BLANKS}(?:,{_BLANKS}{_TAKEN}{_BLANKS})*+(?:,{_BLANKS})?+)?+")

_COLUMN_BLANKS = r"[^\S\t\n]*+"
_WORDS = rf"({_COLUMN_BLANKS}\S[^\t\n]*+)"
_ANSWER_LINE = re.compile(
    rf"^{_COLUMN_BLANKS}({ID}){_COLUMN_BLANKS}\t{_COLUMN_BLANKS}{NUMBER}{_COLUMN_BLANKS}\t{_WORDS}\t{_WORDS}$",
    re.MULTILINE,
)


def run_lines(text: str) -> Iterator[RunLine | None]:
    """Each line of a run in order; None where it is not regular, as comments and blank lines are not.

    >>> list(run_lines('# a run\\nQ-1-1: "Mie", 5, "Tsu", 6\\nQ-1-2: Mie, 5'))
    [None, ('Q-1-1', ['Mie', 'Tsu'], ['5', '6']), None]
    """
    pieces = _ITEM.split(text)
    answers, articles = pieces[1::3], pieces[2::3]
    # Usually none. An answer of blanks alone is a problem, which the careful path explains.
    blank = {answer for answer in set(answers) if not answer or answer.isspace()}
    end = 0
    for line in _TAKEN.join(pieces[0::3]).split("\n"):
        # Items that were taken out of a line that is not regular, such as a comment, count too.
        start, end = end, end + line.count(_TAKEN)
        frame = _FRAME.fullmatch(line)
        if frame and (not blank or blank.isdisjoint(answers[start:end])):
            yield frame[1], answers[start:end], articles[start:end]
        else:
            yield None


class AnswerLines(NamedTuple):
    """The lines of a gold that give an answer, in the order of the file, as columns of equal length."""

    questions: list[str]  # IDs
    numbers: list[str]  # digits without leading zeros
    answers: list[str]  # with their blanks
    articles: list[str]  # with their blanks


def answer_lines(text: str) -> tuple[AnswerLines, list[tuple[int, str]]]:
    r"""The answer lines of a gold, and all its other lines with their numbers from 1.

    >>> answer_lines("Q-1-1\t?\tWhere?\nQ-1-1\t01\tMie\t5")
    (AnswerLines(questions=['Q-1-1'], numbers=['1'], answers=['Mie'], articles=['5']), [(1, 'Q-1-1\t?\tWhere?')])
    """
    pieces = _ANSWER_LINE.split(text)
    frames = _TAKEN.join(pieces[0::5]).split("\n")
    others = [(number, line) for number, line in enumerate(frames, start=1) if line != _TAKEN]
    return AnswerLines(pieces[1::5], pieces[2::5], pieces[3::5], pieces[4::5]), others
