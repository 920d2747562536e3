"""Exact match and token F1 of texts, for several families, in the manner of SQuAD (Rajpurkar et al. 2016, 2018).

Texts are normalised as SQuAD's evaluation script does it: lower case, no ASCII punctuation, without the articles a, an
and the (which may be kept), and cut into tokens at white space. Japanese has no white space between words, so
that a Japanese string is one token. The same in plain Python: `squad_scores` in tests/scoring/plain/qac.py.
"""

import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from functools import cache

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
# Deleted and not replaced by a blank: "U.S." is one token, "us".
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)

Tokens = tuple[str, ...]


def first_answer_scores(
    answers: Sequence[Collection[str]], outputs: Sequence[str | None], *, english: bool
) -> list[tuple[float, float]]:
    """Compute exact match (0 or 1) and token F1 (0 to 1) of each output: the best over the gold's strings.

    `answers` are the gold's strings of each question or segment, `outputs` the output for each, None without one.
    `english` leaves out a, an and the.

    >>> first_answer_scores([["Red fox", "blue"], []], ["the red, RED fox", None], english=True)
    [(0.0, 0.8), (1.0, 1.0)]
    """
    tokens = tokens_of(english)

    def scores(expected: Collection[str], output: str | None) -> tuple[float, float]:
        if not expected or output is None:
            # As SQuAD 2.0: right only if there is no answer and none is given.
            agree = float(not expected and output is None)
            return agree, agree
        return _best([tokens(answer) for answer in expected], tokens(output), _token_f1)

    return [scores(expected, output) for expected, output in zip(answers, outputs, strict=True)]


def script_scores(
    answers: Sequence[Collection[str]], outputs: Sequence[str | None], *, english: bool, version: str
) -> list[tuple[float, float]]:
    """Compute the same by the script of SQuAD "1.1" or "2.0", in which an output may be empty; None: it is not there.

    2.0 leaves out answers without any token, and takes an empty answer where none is left. 1.1 has no empty answer: of
    two texts without tokens the exact match is 1 and F1 is 0.

    >>> script_scores([["the"], []], ["", ""], english=True, version="2.0")
    [(1.0, 1.0), (1.0, 1.0)]
    >>> script_scores([["the"]], ["a"], english=True, version="1.1")
    [(1.0, 0.0)]
    """
    tokens = tokens_of(english)

    def scores(expected: Collection[str], output: str | None) -> tuple[float, float]:
        given = tokens(output or "")
        wanted = [tokens(answer) for answer in expected]
        if version == "1.1":
            return (0.0, 0.0) if output is None else _best(wanted, given, _f1_of_some)
        return _best([answer for answer in wanted if answer] or [()], given, _token_f1)

    return [scores(expected, output) for expected, output in zip(answers, outputs, strict=True)]


def tokens_of(english: bool) -> Callable[[str], Tokens]:
    """Turn a text into its tokens, each text once."""

    @cache
    def tokens(text: str) -> Tokens:
        # Punctuation goes before the articles, so that "a-team" becomes "ateam" and keeps its a.
        plain = text.lower().translate(_NO_PUNCTUATION)
        return tuple((_ARTICLES.sub(" ", plain) if english else plain).split())

    return tokens


def _best(expected: Collection[Tokens], given: Tokens, f1: Callable[[Tokens, Tokens], float]) -> tuple[float, float]:
    """Return exact match and F1, each with the answer that is best for it."""
    if not expected:
        return 0.0, 0.0
    return float(given in expected), max([f1(answer, given) for answer in expected])


def _f1_of_some(gold: Tokens, system: Tokens) -> float:
    return _token_f1(gold, system) if gold and system else 0.0


def _token_f1(gold: Tokens, system: Tokens) -> float:
    """Compute the F1 of common tokens, a token given twice being common twice at most.

    >>> _token_f1(("red", "fox"), ("red", "red"))
    0.5
    """
    if not gold or not system:
        # A string of nothing but punctuation or articles has no tokens.
        return float(gold == system)
    common = (Counter(gold) & Counter(system)).total()
    return 2 * common / (len(gold) + len(system))
