"""A run beside a gold that everybody may read: rows that slipped, texts out of order, numbers with the sign turned."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np

from scoring.columns import Floats, Integers, sampled
from scoring.describing.contents import Beside, Contents
from scoring.describing.description import Oddity
from scoring.describing.wording import name_of
from scoring.messages import Message

_FEWEST = 20  # units
_SHIFTS = (1, -1, 2, -2, 3, -3)
_BETTER = 0.2  # by how much a run has to fit better elsewhere
_TURNED = -0.3  # correlation from which on numbers fall where the gold's rise
_LOOKED_AT = 300  # texts
_IN_FEW = 20  # texts with a word that tells them from others
_MOST_TRIED = 3  # of those that share most of these words with a text
_HALF = 0.5  # of the texts that fit others, and how well they have to


def odd_beside(contents: Contents) -> Iterator[Oddity]:
    """Yield `order` where a run fits the gold far better in another order than its own.

    Only for a gold that is open.
    """
    beside = contents.beside
    if beside is None or beside.n < _FEWEST:
        return
    fit = beside.fit(0)
    of = beside.n
    if fit <= _TURNED:
        message = Message(
            "falls-where-gold-rises", "The numbers fall where the gold's rise: they correlate by {r:.2f}.", r=fit
        )
        yield Oddity("order", message, of, of, contents.file, suggestion=Message("turn-sign", "turn their sign?"))
        return
    shift = max(_SHIFTS, key=beside.fit)
    values = {"units": name_of(abs(shift), contents.unit), "n": abs(shift)}
    if beside.fit(shift) >= fit + _BETTER:
        message = (
            Message("fits-later", "The run fits the gold far better if all stands {n} {units} earlier.", **values)
            if shift > 0
            else Message("fits-earlier", "The run fits the gold far better if all stands {n} {units} later.", **values)
        )
        suggestion = Message("rows-slipped", "did rows slip, such as by a heading that was counted?")
        yield Oddity("order", message, of, of, contents.file, suggestion=suggestion)
        return
    n, of = beside.elsewhere() if beside.elsewhere else (0, of)
    if n >= _HALF * of:
        message = Message(
            "fit-others-better",
            "{n:,} of {of:,} {units} fit others of the gold far better than their own.",
            n=n,
            of=of,
            units=name_of(of, contents.unit),
        )
        suggestion = Message("were-shuffled", "were they sorted or shuffled on the way?")
        yield Oddity("order", message, n, of, contents.file, suggestion=suggestion)


def of_labels(gold: Integers, run: Integers) -> Beside:
    """Compare labels (n,) by their codes: the share that is equal."""
    return Beside(len(gold), lambda shift: float(np.mean(np.equal(*_moved(gold, run, shift)))))


def of_numbers(gold: Floats, run: Floats) -> Beside:
    """Compare numbers (n,) by the correlation of their ranks, which no single one makes; 0 where there is none."""
    gold, run = (np.unique(values, return_inverse=True)[1].astype(np.float64) for values in (gold, run))

    def fit(shift: int) -> float:
        one, other = _moved(gold, run, shift)
        return float(np.corrcoef(one, other)[0, 1]) if np.ptp(one) and np.ptp(other) else 0.0

    return Beside(len(gold), fit)


def of_texts(gold: Sequence[str], run: Sequence[str]) -> Beside:
    """Compare texts (n,) by their words: twice those in common through those of both."""
    chosen = sampled(len(gold), _LOOKED_AT).tolist()
    words_of_gold = cache(lambda k: frozenset(gold[k].casefold().split()))
    words_of_run = cache(lambda k: frozenset(run[k].casefold().split()))

    def likeness(k: int, of_run: int) -> float:
        one, other = words_of_gold(k), words_of_run(of_run)
        return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0

    def fit(shift: int) -> float:
        likenesses = [likeness(k, k + shift) for k in chosen if 0 <= k + shift < len(run)]
        return float(np.mean(likenesses)) if likenesses else 0.0

    def elsewhere() -> tuple[int, int]:
        """Count the texts looked at that fit another one of the gold far better, and all that were looked at."""
        units_of: dict[str, list[int]] = {}
        for k in range(len(gold)):
            for word in words_of_gold(k):
                units_of.setdefault(word, []).append(k)
        telling = {word: units for word, units in units_of.items() if len(units) <= _IN_FEW}
        n = 0
        for k in chosen:
            shared = Counter(unit for word in words_of_run(k) for unit in telling.get(word, ()))
            best = max((likeness(unit, k) for unit, _ in shared.most_common(_MOST_TRIED)), default=0.0)
            n += best >= max(_HALF, likeness(k, k) + _BETTER)
        return n, len(chosen)

    return Beside(len(gold), fit, elsewhere)


def _moved(gold: Integers | Floats, run: Integers | Floats, shift: int) -> tuple[Integers | Floats, Integers | Floats]:
    """Return the gold's entries, and those of the run that stand so many places behind each."""
    n = len(gold)
    return gold[max(0, -shift) : n - max(0, shift)], run[max(0, shift) : n - max(0, -shift)]
