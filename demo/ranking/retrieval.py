"""A small search engine: how much a text is like each article, by the words that both have."""

import math
import re
from collections import Counter
from functools import cache

from demo.qac.articles import articles

# Okapi BM25 with its usual values (Robertson and Zaragoza 2009).
_K1, _B = 1.2, 0.75


@cache
def likenesses(text: str) -> dict[str, float]:
    """{article: BM25 of its title and text}; 0 where no word is shared."""
    words = _words(text)
    average = sum(sum(counts.values()) for counts in _counts().values()) / len(_counts())
    return {
        article: sum(_weight(word, counts, sum(counts.values()) / average) for word in words)
        for article, counts in _counts().items()
    }


@cache
def in_title(text: str) -> dict[str, float]:
    """{article: share of its title's words that the text has}."""
    words = set(_words(text))
    shares = {}
    for article in articles():
        title = set(_words(article.title))
        shares[article.id] = len(title & words) / len(title)
    return shares


def _weight(word: str, counts: Counter[str], length: float) -> float:
    n = counts[word]
    return _rarity().get(word, 0.0) * n * (_K1 + 1) / (n + _K1 * (1 - _B + _B * length))


@cache
def _counts() -> dict[str, Counter[str]]:
    return {article.id: Counter(_words(f"{article.title} {article.text}")) for article in articles()}


@cache
def _rarity() -> dict[str, float]:
    seen = Counter(word for counts in _counts().values() for word in counts)
    return {word: math.log(1 + (len(_counts()) - n + 0.5) / (n + 0.5)) for word, n in sorted(seen.items())}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
