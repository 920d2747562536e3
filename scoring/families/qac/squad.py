"""Exact match and token F1 in the manner of SQuAD (Rajpurkar et al. 2016, 2018), of a question's first output."""

import re
import string
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)

Tokens = tuple[str, ...]


def first_answer_scores(
    answers: Sequence[Collection[str]], outputs: Sequence[str | None], *, english: bool
) -> list[tuple[float, float]]:
    """Exact match and token F1 of each question: the best over the gold's strings.

    Where the gold has no answer, or the run no output, both are 1 if neither has one, else 0. `english`
    leaves out a, an and the.
    """

    @cache
    def tokens(text: str) -> Tokens:
        plain = text.lower().translate(_NO_PUNCTUATION)
        return tuple((_ARTICLES.sub(" ", plain) if english else plain).split())

    def scores(expected: Collection[str], output: str | None) -> tuple[float, float]:
        if not expected or output is None:
            agree = float(not expected and output is None)
            return agree, agree
        found = tokens(output)
        return (
            max(float(tokens(answer) == found) for answer in expected),
            max(_token_f1(tokens(answer), found) for answer in expected),
        )

    return [scores(expected, output) for expected, output in zip(answers, outputs, strict=True)]


def _token_f1(gold: Tokens, system: Tokens) -> float:
    if not gold or not system:
        return float(gold == system)
    common = (Counter(gold) & Counter(system)).total()
    return 2 * common / (len(gold) + len(system))
