"""Exact match and token F1 of texts, for several families, in the manner of SQuAD (Rajpurkar et al. 2016, 2018).

Texts are normalised as SQuAD's evaluation script does it: lower case, no ASCII punctuation, without the articles a, an
and the (which may be kept), and cut into tokens at white space. Japanese has no white space between words, so
that a Japanese string is one token. The same in plain Python: `squad_scores` in tests/scoring/plain/qac.py.
"""

import re
import string
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
# Deleted and not replaced by a blank: "U.S." is one token, "us".
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)

Tokens = tuple[str, ...]


def first_answer_scores(
    answers: Sequence[Collection[str]], outputs: Sequence[str | None], *, english: bool
) -> list[tuple[float, float]]:
    """Exact match (0 or 1) and token F1 (0 to 1) of each output: the best over the gold's strings.

    `answers` are the gold's strings of each question or segment, `outputs` the output for each, None without one.
    `english` leaves out a, an and the.

    >>> first_answer_scores([["Red fox", "blue"], []], ["the red, RED fox", None], english=True)
    [(0.0, 0.8), (1.0, 1.0)]
    """

    @cache
    def tokens(text: str) -> Tokens:
        # Punctuation goes before the articles, so that "a-team" becomes "ateam" and keeps its a.
        plain = text.lower().translate(_NO_PUNCTUATION)
        return tuple((_ARTICLES.sub(" ", plain) if english else plain).split())

    def scores(expected: Collection[str], output: str | None) -> tuple[float, float]:
        if not expected or output is None:
            # As SQuAD 2.0: right only if there is no answer and none is given.
            agree = float(not expected and output is None)
            return agree, agree
        given = tokens(output)
        # The best string may be another one for each of the two.
        return (
            max(float(tokens(answer) == given) for answer in expected),
            max(_token_f1(tokens(answer), given) for answer in expected),
        )

    return [scores(expected, output) for expected, output in zip(answers, outputs, strict=True)]


def _token_f1(gold: Tokens, system: Tokens) -> float:
    """The F1 of common tokens, a token given twice being common twice at most.

    >>> _token_f1(("red", "fox"), ("red", "red"))
    0.5
    """
    if not gold or not system:
        # A string of nothing but punctuation or articles has no tokens.
        return float(gold == system)
    common = (Counter(gold) & Counter(system)).total()
    return 2 * common / (len(gold) + len(system))
