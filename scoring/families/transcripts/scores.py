"""The columns of a row of counts, and the error rates made from sums of rows. Of all of them less is better."""

from collections.abc import Mapping

import numpy as np

from scoring.columns import Array, Floats
from scoring.family import Options, Scale

KINDS = (
    "hits",  # words of the reference that the transcript has
    "substitutions",
    "deletions",
    "insertions",
    "char_hits",  # the same of characters
    "char_substitutions",
    "char_deletions",
    "char_insertions",
    "utterances",  # 1 an utterance
    "wrong_utterances",  # 1 if any word of the utterance is wrong
)

SCORES = ("wer", "mer", "wil", "cer", "ser")

# The totals of the corpus that are sums of them.
TOTALS: Mapping[str, tuple[int, ...]] = {
    **{name: (KINDS.index(name),) for name in KINDS},
    "words": (0, 1, 2),
    "characters": (4, 5, 6),
}


def count_scores(count: str) -> list[str]:
    """Return the rate that a total is made for, where it is not that of words."""
    if count == "wrong_utterances":
        return ["ser"]
    return ["cer"] if count.startswith("char_") else []


def scales(options: Options) -> dict[str, Scale]:
    """Return scales: error rates are said in per cent."""
    return dict.fromkeys(SCORES, Scale(decimals=1, is_percent=True))


def metrics(counts: Array, options: Options) -> dict[str, Floats]:
    """Compute all scores (...) from sums of counts (..., kinds).

    NaN where the reference has no word, or no character.

    With H hits, S substitutions, D deletions, I insertions and N = H + S + D words of the reference, as in Morris,
    Maier and Green 2004 and in jiwer, but that jiwer gives I where N is 0:

    >>> scores = metrics(np.array([7, 1, 1, 0, 30, 1, 8, 0, 2, 2]), {})
    >>> {name: round(float(value), 6) for name, value in scores.items()}
    {'wer': 0.222222, 'mer': 0.222222, 'wil': 0.319444, 'cer': 0.230769, 'ser': 1.0}
    """
    sums = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    hits, substitutions, deletions, insertions = sums[:4]
    errors, n_said = substitutions + deletions + insertions, hits + substitutions + deletions
    heard = hits + substitutions + insertions  # words of the transcripts
    return {
        "wer": _over(errors, n_said),
        "mer": np.where(n_said > 0, _over(errors, n_said + insertions), np.nan),
        # A transcript without a word has lost all information.
        "wil": np.where(n_said > 0, np.where(heard > 0, 1 - _over(hits**2, n_said * heard), 1.0), np.nan),
        "cer": _over(sums[5:8].sum(axis=0), sums[4:7].sum(axis=0)),
        "ser": _over(sums[9], sums[8]),
    }


def error_rates(counts: Array) -> dict[str, Floats]:
    """Compute word and character error rate (...) from sums of the first eight kinds (..., at least 8)."""
    sums = np.moveaxis(np.asarray(counts, dtype=np.float64), -1, 0)
    return {
        "wer": _over(sums[1:4].sum(axis=0), sums[:3].sum(axis=0)),
        "cer": _over(sums[5:8].sum(axis=0), sums[4:7].sum(axis=0)),
    }


def _over(numerator: Floats, denominator: Floats) -> Floats:
    """Divide; NaN where the denominator is 0."""
    quotient = np.full(np.shape(denominator), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient
