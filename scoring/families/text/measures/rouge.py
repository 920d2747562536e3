"""ROUGE (Lin 2004) as rouge-score 0.1.2 defines it: F of common words, of pairs of words and of subsequences.

Words are runs of the letters a to z and digits, in small letters: texts in other alphabets have none, and score 0.
ROUGE-Lsum takes the lines of a text for its sentences. For each sentence of the reference it joins what is common with
every sentence of the system, and counts a word at most as often as both sides have it.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TypeVar

import numpy as np

from scoring import lazy
from scoring.columns import Floats
from scoring.families.text.kinds import ROUGE

Words = list[str]
_Item = TypeVar("_Item")
_OTHERS = re.compile(r"[^a-z0-9]+")
_SHORTEST_STEMMED = 4  # letters of a word that is stemmed


def rouge_rows(texts: Sequence[str], references: Sequence[Sequence[str]], *, stemmed: bool) -> Floats:
    """Compute F of ROUGE-1, -2, -L and -Lsum of each segment, each with its best reference, and a 1: (n, 5).

    >>> rouge_rows(["the cat sat on a mat"], [["the cat sat on the mat"]], stemmed=False).round(3)
    array([[0.833, 0.6  , 0.833, 0.833, 1.   ]])
    """
    words_of, in_common = _tokenizer(stemmed=stemmed), _common_length()
    rows = np.ones((len(texts), len(ROUGE) + 1))
    for row, text, of_text in zip(rows, texts, references, strict=True):
        system = _Side(text, words_of)
        scores = [_scores(_Side(reference, words_of), system, in_common) for reference in of_text]
        row[: len(ROUGE)] = np.max(scores, axis=0)
    return rows


def has_words(text: str) -> bool:
    """Return whether ROUGE finds any word in a text."""
    return bool(_OTHERS.sub("", text.lower()))


class _Side:
    """A text as it is compared: its words, and their lines where there are several."""

    def __init__(self, text: str, words_of: Callable[[str], Words]) -> None:
        lines = [line for line in text.split("\n") if line]
        self.words = words_of(text)
        self.sentences = [words_of(line) for line in lines] if len(lines) > 1 else [self.words]
        self.pairs = Counter(zip(self.words, self.words[1:], strict=False))
        self.counts = Counter(self.words)


def _scores(reference: _Side, system: _Side, in_common: Callable[[Words, Words], int]) -> tuple[float, ...]:
    n, m = len(reference.words), len(system.words)
    longest = in_common(reference.words, system.words)
    is_single = len(reference.sentences) == len(system.sentences) == 1
    return (
        _f(_overlap(reference.counts, system.counts), n, m),
        _f(_overlap(reference.pairs, system.pairs), max(n - 1, 0), max(m - 1, 0)),
        _f(longest, n, m),
        _f(longest if is_single else _in_sentences(reference, system), n, m),
    )


def _f(common: int, n_reference: int, n_system: int) -> float:
    """Return the F1 of recall common / n_reference and precision common / n_system; 0 where there is nothing."""
    if not common:
        return 0.0
    precision, recall = common / max(1, n_system), common / max(1, n_reference)
    return 2 * precision * recall / (precision + recall)


def _overlap(a: Counter[_Item], b: Counter[_Item]) -> int:
    """Return how many are common, one given twice being common twice at most."""
    return sum(min(n, b[key]) for key, n in a.items() if key in b)


def _in_sentences(reference: _Side, system: _Side) -> int:
    """Return how many words of the reference are in the union of subsequences with each sentence of the system."""
    left_reference, left_system = Counter(reference.counts), Counter(system.counts)
    hits = 0
    for sentence in reference.sentences:
        places: set[int] = set()
        for other in system.sentences:
            places.update(_subsequence(sentence, other))
        for place in sorted(places):
            word = sentence[place]
            if left_reference[word] and left_system[word]:
                left_reference[word] -= 1
                left_system[word] -= 1
                hits += 1
    return hits


def _subsequence(a: Words, b: Words) -> Iterable[int]:
    """Return the places in `a` of one of the longest subsequences common with `b`, from the last to the first.

    Of several it is the one that is found going back from both ends: equal words are taken; else the last word of `b`
    is left out if that keeps more than leaving out that of `a`.

    The lengths L(i, j) of the first i and j words are kept as bits (Hyyrö 2004): in row j, bit i - 1 is 0 where
    L(i, j) = L(i - 1, j) + 1. Where the words differ, such a step says that L(i, j - 1) is the greater.

    >>> list(_subsequence("a b c".split(), "c a b".split()))
    [1, 0]
    """
    places: dict[str, int] = {}
    for i, word in enumerate(a):
        places[word] = places.get(word, 0) | 1 << i
    row = full = (1 << len(a)) - 1
    rows = [row]
    for word in b:
        met = row & places.get(word, 0)
        row = ((row + met) | (row - met)) & full
        rows.append(row)
    i, j = len(a), len(b)
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            yield i
        elif rows[j] >> (i - 1) & 1:
            i -= 1
        else:
            j -= 1


def _tokenizer(*, stemmed: bool) -> Callable[[str], Words]:
    if not stemmed:
        return lambda text: _OTHERS.sub(" ", text.lower()).split()
    stem = cache(lazy.load("nltk.stem.porter", "PorterStemmer")().stem)
    return lambda text: [
        stem(word) if len(word) >= _SHORTEST_STEMMED else word for word in _OTHERS.sub(" ", text.lower()).split()
    ]


def _common_length() -> Callable[[Words, Words], int]:
    """Return a function for the length of the longest common subsequence of two lists of words."""
    similarity: Callable[[Words, Words], int] = lazy.load("rapidfuzz.distance.LCSseq", "similarity")
    return similarity
