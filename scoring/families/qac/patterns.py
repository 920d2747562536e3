"""Answers that are regular expressions: each output of a run that one matches becomes a wording of this answer.

Then outputs are judged as they always are (counting.py). A pattern may match anywhere in an output, as TREC's scripts
have it. Patterns are the organiser's and outputs a stranger's, so matching takes linear time (readers/patterns.py).
"""

from dataclasses import replace

import numpy as np

from scoring.families.qac.judging import Outputs
from scoring.family import Options
from scoring.readers.patterns import compiled
from scoring.readers.qac import NONE, AnswerSet, Pairing, Run, key

_Line = tuple[int, int, str, str]  # question, number, string, article


def expanded(gold: AnswerSet, run: Run, pairing: Pairing, outputs: Outputs, options: Options) -> AnswerSet:
    """Put the strings of these outputs in place of the gold's patterns; of documents only those that they name."""
    any_case = options["answers"] == "patterns_any_case"
    patterns = _patterns_of(gold, pairing)
    lines: dict[_Line, None] = {}
    matched: dict[tuple[int, str], list[_Pattern]] = {}  # by question and string, so that each is matched once
    for question, index in zip(outputs.question.tolist(), outputs.index.tolist(), strict=True):
        answer, article = run.answers[index], run.articles[index]
        if (question, answer) not in matched:
            words = key(answer)
            matched[question, answer] = [
                pattern
                for pattern in patterns.get(question, ())
                if compiled(pattern.text, any_case=any_case, has_words=True).search(words)
            ]
        for pattern in matched[question, answer]:
            cited = article if article in pattern.articles else pattern.any_article
            lines[pattern.question, pattern.number, answer, cited] = None
    return replace(
        gold,
        question=np.array([question for question, *_ in lines], dtype=np.int64),
        numbers=np.array([number for _, number, *_ in lines], dtype=np.int64),
        answers=[answer for *_, answer, _ in lines],
        articles=[article for *_, article in lines],
    )


class _Pattern:
    """A pattern of a question under a number, with all articles in which it is right."""

    def __init__(self, question: int, number: int, text: str, article: str) -> None:
        self.question = question  # index in the gold
        self.number = number
        self.text = text
        self.any_article = article
        self.articles: set[str] = set()


def _patterns_of(gold: AnswerSet, pairing: Pairing) -> dict[int, list[_Pattern]]:
    """Return the patterns of each scored question, by its index."""
    by_text: dict[tuple[int, int, str], _Pattern] = {}
    lines = zip(gold.question.tolist(), gold.numbers.tolist(), gold.answers, gold.articles, strict=True)
    for question, number, text, article in lines:
        known_pattern = by_text.setdefault((question, number, text), _Pattern(question, number, text, article))
        known_pattern.articles.add(article)
    by_question: dict[int, list[_Pattern]] = {}
    scored = pairing.of_gold.tolist()
    for (question, _, _), pattern in by_text.items():
        if scored[question] != NONE:
            by_question.setdefault(scored[question], []).append(pattern)
    return by_question
