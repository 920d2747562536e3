r"""The lines of a gold that give an answer, taken out of the whole text by one regular expression.

Every line that gives an answer is taken, so that what is left is of another kind or malformed, which `lines.py`
explains. `split` by a pattern with groups gives the text between the matches and the groups in turn.
"""

import re
from typing import NamedTuple

from scoring.readers.qac.lines import NUMBER
from scoring.readers.qac.text import ID

# In the place of a line that was taken: a lone surrogate, which no decoded text contains.
_TAKEN = "\ud800"

_COLUMN_BLANKS = r"[^\S\t\n]*+"
_WORDS = rf"({_COLUMN_BLANKS}\S[^\t\n]*+)"
_ANSWER_LINE = re.compile(
    rf"^{_COLUMN_BLANKS}({ID}){_COLUMN_BLANKS}\t{_COLUMN_BLANKS}{NUMBER}{_COLUMN_BLANKS}\t{_WORDS}\t{_WORDS}$",
    re.MULTILINE,
)


class AnswerLines(NamedTuple):
    """The lines of a gold that give an answer, in the order of the file, as columns of equal length."""

    questions: list[str]  # IDs
    numbers: list[str]  # digits without leading zeros
    answers: list[str]  # with their blanks
    articles: list[str]  # with their blanks


def answer_lines(text: str) -> tuple[AnswerLines, list[tuple[int, str]]]:
    r"""Return the answer lines of a gold, and all its other lines with their numbers from 1.

    >>> answer_lines("Q-1-1\t?\tWhere?\nQ-1-1\t01\tMie\t5")
    (AnswerLines(questions=['Q-1-1'], numbers=['1'], answers=['Mie'], articles=['5']), [(1, 'Q-1-1\t?\tWhere?')])
    """
    pieces = _ANSWER_LINE.split(text)
    frames = _TAKEN.join(pieces[0::5]).split("\n")
    others = [(number, line) for number, line in enumerate(frames, start=1) if line != _TAKEN]
    return AnswerLines(pieces[1::5], pieces[2::5], pieces[3::5], pieces[4::5]), others
