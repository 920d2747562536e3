"""The baseline reads: the article with the rarest words of the question, and what looks like an answer in it."""

import math
import re
from collections import Counter
from functools import cache

from demo.qac.articles import Article, articles
from demo.qac.errors import Outputs
from demo.qac.questions import Question

# What a question that begins like this wants to see; anything else wants names.
PATTERNS = (
    (r"When|Since|In which year", r"\b1\d{3}\b"),
    (r"How|What (?:is the )?(?:length|height|depth|gauge|area|greatest)", r"\b\d[\d,]*(?: (?:sq )?[a-z]+)?\b"),
    (r"Who|Whom|By whom|Under whom", r"\b[A-Z]\w+ [A-Z]\w+\b"),
    (r"", r"\b[A-Z]\w+(?: (?:of )?[A-Z]\w+)*\b"),
)


def look_up(questions: tuple[Question, ...], task: int) -> dict[str, Outputs]:
    """Answers by question; a question of a series is read together with the first one."""
    answers = {}
    first = ""
    for question in questions:
        if question.id.endswith("-01"):
            first = question.text
        words = _words(f"{first} {question.text}" if task == 3 else question.text)
        article = max(articles(), key=lambda each: (_likeness(words, each), each.id))
        found = _candidates(question.text, article)
        answers[question.id] = [(value, article.id) for value in found[: 5 if task == 1 else 2]]
    return answers


def _likeness(words: set[str], article: Article) -> float:
    return sum(_rarity()[word] for word in sorted(words & _read()[article]))


@cache
def _read() -> dict[Article, set[str]]:
    """The words of each article."""
    return {article: _words(f"{article.title} {article.text}") for article in articles()}


@cache
def _rarity() -> dict[str, float]:
    seen = Counter(word for words in _read().values() for word in words)
    return {word: math.log(len(articles()) / count) for word, count in seen.items()}


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\w,]*\w", text.lower()))


def _candidates(question: str, article: Article) -> list[str]:
    pattern = next(looks for begins, looks in PATTERNS if re.match(begins, question))
    found = re.findall(pattern, article.text)
    return list(dict.fromkeys(value for value in (*found, article.title) if value.lower() not in question.lower()))
