"""METEOR (Banerjee and Lavie 2005) of equal words and equal stems, without synonyms, as NLTK aligns and counts.

reference   the cats sat on the mat        matches  the, cat (by its stem), on, mat, from the end of the text on:
text        on the mat a cat                        on the mat | cat: 4 in 2 chunks
P 4/5, R 4/6: F = PR / (.9 P + .1 R) = .677966, less .5 · (2/4)³ of it: .635593
"""

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from scoring import lazy
from scoring.columns import Floats

_ALPHA, _BETA, _GAMMA = 0.9, 3, 0.5  # of NLTK, and of METEOR 1.0

Words = list[str]


def meteor_rows(texts: Sequence[str], references: Sequence[Sequence[str]], words_of: Callable[[str], Words]) -> Floats:
    """Compute METEOR of each segment with its best reference, and a 1: (n, 2)."""
    stem = cache(lazy.load("nltk.stem.porter", "PorterStemmer")().stem)
    rows = np.ones((len(texts), 2))
    for row, text, of_text in zip(rows, texts, references, strict=True):
        words = words_of(text.lower())
        row[0] = max(_score(words, words_of(reference.lower()), stem) for reference in of_text)
    return rows


def _score(text: Words, reference: Words, stem: Callable[[str], str]) -> float:
    """Compute F of the matched words, less up to a half for the number of chunks that they stand in."""
    place = _aligned(text, reference)
    left = [k for k, match in enumerate(place) if match < 0]
    free = sorted(set(range(len(reference))) - set(place))
    by_stem = _aligned([stem(text[k]) for k in left], [stem(reference[k]) for k in free])
    for k, match in zip(left, by_stem, strict=True):
        if match >= 0:
            place[k] = free[match]
    matched = [(k, match) for k, match in enumerate(place) if match >= 0]
    if not matched:
        return 0.0
    precision, recall = len(matched) / len(text), len(matched) / len(reference)
    f = precision * recall / (_ALPHA * precision + (1 - _ALPHA) * recall)
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(matched, matched[1:], strict=False)]
    n_chunks = 1 + sum(step != (1, 1) for step in steps)
    return f * (1 - _GAMMA * (n_chunks / len(matched)) ** _BETA)


def _aligned(text: Words, reference: Words) -> list[int]:
    """Return for each word of a text its place in the reference, −1 without one; from the last words on.

    >>> _aligned("a b a".split(), "b a".split())
    [-1, 0, 1]
    """
    free: dict[str, list[int]] = {}
    for k, word in enumerate(reference):
        free.setdefault(word, []).append(k)
    return [places.pop() if (places := free.get(word)) else -1 for word in reversed(text)][::-1]
