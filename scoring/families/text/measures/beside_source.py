"""Texts beside their sources and references: SARI of simplified ones, GLEU of corrected ones.

    source the cat sat     text the cat rests     reference a cat rests

    SARI, words     added "rests", rightly, and the reference adds "a" as well: 1 of 1, 1 of 2
                    kept "the" and "cat", of which the reference keeps "cat": 1 of 2, 1 of 1
                    left out "sat", and the reference "the" as well: 1 of 1, 1 of 2
    GLEU, words     2 words of the reference, less 1 that should not have been kept ("the"): 1 of 3

What is summed are numbers of n-grams of each order; of several references each has an equal part.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from scoring.columns import Floats
from scoring.families.text.kinds import ORDERS
from scoring.prf import harmonic_mean, ratio

Ngrams = Counter[tuple[str, ...]]
References = Sequence[Sequence[str]]


def sari_rows(
    texts: Sequence[str], references: References, sources: Sequence[str], words_of: Callable[[str], list[str]]
) -> Floats:
    """Return right, given and wanted n-grams that are added, kept and left out, for each order: (n, 36).

    Xu et al. 2016, as EASSE counts: what is added counts once, however often it stands there.
    """
    rows = np.empty((len(texts), ORDERS, 9))
    for row, text, of_text, source in zip(rows, texts, references, sources, strict=True):
        sides = [_orders(words_of(side.lower())) for side in (source, text, *of_text)]
        for order in range(ORDERS):
            row[order] = _operations(*(side[order] for side in sides))
    return rows.reshape(len(texts), -1)


def _operations(source: Ngrams, text: Ngrams, *references: Ngrams) -> list[float]:
    """Return right, given and wanted ones of the three operations, in shares of the number of references.

    >>> sides = ("the cat sat", "the cat rests", "a cat rests")
    >>> _operations(*(Counter(zip(words.split())) for words in sides))
    [1, 1, 2, 1.0, 2.0, 1.0, 1.0, 1.0, 2.0]
    """
    n = len(references)
    wanted: Ngrams = sum(references, Counter())
    added, to_add = text.keys() - source.keys(), wanted.keys() - source.keys()
    counts: list[float] = [len(added & to_add), len(added), len(to_add)]
    of_kept: list[tuple[int, int, int]] = []
    of_deleted: list[tuple[int, int, int]] = []
    for ngram, number in source.items():
        of_source, kept = n * number, n * min(number, text[ngram])
        to_keep = min(of_source, wanted[ngram])
        deleted, to_delete = of_source - kept, of_source - to_keep
        of_kept.append((min(kept, to_keep), kept, to_keep))
        of_deleted.append((min(deleted, to_delete), deleted, to_delete))
    for pairs in (of_kept, of_deleted):
        counts += [sum(column) / n for column in zip(*pairs, strict=True)] or [0, 0, 0]
    return counts


def sari_scores(counts: Floats) -> dict[str, Floats]:
    """Compute SARI and its three parts from sums (..., 36): means over the orders of F1, from 0 to 100."""
    operations = counts.reshape(*counts.shape[:-1], ORDERS, 3, 3)
    right, given, wanted = np.moveaxis(operations, -1, 0)
    parts = 100 * harmonic_mean(ratio(right, given), ratio(right, wanted)).mean(axis=-2)
    parts_by_name = dict(zip(("sari_add", "sari_keep", "sari_delete"), np.moveaxis(parts, -1, 0), strict=True))
    return {"sari": parts.mean(axis=-1), **parts_by_name}


def gleu_rows(texts: Sequence[str], references: References, sources: Sequence[str]) -> Floats:
    """Return lengths of text and reference, matches less those of what should have changed, and n-grams: (n, 10).

    Napoles et al. 2015, as corrected in 2016; words stand between blanks. Of several references the mean counts,
    where the original draws one by lot, 500 times.
    """
    rows = np.empty((len(texts), 2 + 2 * ORDERS))
    for row, text, of_text, source in zip(rows, texts, references, sources, strict=True):
        words, of_source = text.split(), _orders(source.split())
        sides = [reference.split() for reference in of_text]
        orders = [_orders(side) for side in sides]
        row[:2] = len(words), np.mean([len(side) for side in sides])
        for order, ngrams in enumerate(_orders(words)):
            row[2 + order] = np.mean([_gleu_matches(ngrams, side[order], of_source[order]) for side in orders])
            row[2 + ORDERS + order] = max(len(words) - order, 0)
    return rows


def _gleu_matches(text: Ngrams, reference: Ngrams, source: Ngrams) -> int:
    matches = sum(min(number, reference[ngram]) for ngram, number in text.items())
    unchanged = sum(min(number, source[ngram]) for ngram, number in text.items() if ngram not in reference)
    return max(matches - unchanged, 0)


def gleu_score(counts: Floats) -> Floats:
    """Compute GLEU from sums (..., 10), from 0 to 1: 0 where any of them is."""
    length, of_reference = counts[..., 0], counts[..., 1]
    matches, ngrams = counts[..., 2 : 2 + ORDERS], counts[..., 2 + ORDERS :]
    is_there = (counts > 0).all(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(matches / ngrams).mean(axis=-1)
        brevity = np.minimum(0.0, 1 - of_reference / length)
        return np.where(is_there, np.exp(brevity + logs), 0.0)


def _orders(words: Sequence[str]) -> list[Ngrams]:
    """Return how often each n-gram stands there, for each order."""
    return [Counter(_ngrams(words, order)) for order in range(1, ORDERS + 1)]


def _ngrams(words: Sequence[str], order: int) -> Iterable[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(order)), strict=False)
