"""A run beside a gold that everybody may read: rows that slipped, texts out of order, numbers with the sign turned."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np

from scoring.columns import Floats, Integers, sampled
from scoring.describing.contents import Beside, Contents
from scoring.describing.wording import name_of, quoted
from scoring.findings import Finding
from scoring.messages import Message

_FEWEST = 20  # units
_SHIFTS = (1, -1, 2, -2, 3, -3)
_BETTER = 0.2  # by how much a run has to fit better elsewhere
_SURE = 5  # standard errors; a seventh of runs that fit nowhere reach two of them at some shift
_TURNED = -0.3  # correlation from which on numbers fall where the gold's rise
_LOOKED_AT = 300  # texts
_IN_FEW = 20  # texts with a word that tells them from others
_MOST_TRIED = 3  # of those that share most of these words with a text
_FEWEST_WORDS, _STRANGE = 100, 0.8  # words of a run, and the share of them that is strange
_SEPARATE = 3  # words of a text of the gold, where blanks part them
_HALF = 0.5  # of the texts that fit others, and how well they have to


def odd_beside(contents: Contents) -> Iterator[Finding]:
    """Yield `order` where a run fits the gold far better in another order than its own.

    Only for a gold that is open.
    """
    if contents.further_beside:
        yield from contents.further_beside()
    beside = contents.beside
    if beside is None or beside.n < _FEWEST:
        return
    fit = beside.fit(0)
    of = beside.n
    if fit <= min(_TURNED, -_SURE * beside.chance):
        message = Message(
            "falls-where-gold-rises", "The numbers fall where the gold's rise: they correlate by {r:.2f}.", r=fit
        )
        yield Finding.odd("order", message, of, of, contents.file, suggestion=_turned_back(contents))
        return
    shift = max(_SHIFTS, key=beside.fit)
    values = {"units": name_of(abs(shift), contents.unit), "n": abs(shift)}
    if beside.fit(shift) >= fit + max(_BETTER, _SURE * beside.chance):
        message = (
            Message("fits-later", "The run fits the gold far better if all stands {n} {units} earlier.", **values)
            if shift > 0
            else Message("fits-earlier", "The run fits the gold far better if all stands {n} {units} later.", **values)
        )
        suggestion = Message("rows-slipped", "did rows slip, such as by a heading that was counted?")
        yield Finding.odd("order", message, of, of, contents.file, suggestion=suggestion)
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
        yield Finding.odd("order", message, n, of, contents.file, suggestion=suggestion)
    elif beside.strange:
        yield from _strange(beside.strange, contents)


def _strange(count: Callable[[], tuple[int, int, str]], contents: Contents) -> Iterator[Finding]:
    """Yield `words` where hardly any word is one of the gold's."""
    n, of, example = count()
    if of < _FEWEST_WORDS or n < _STRANGE * of:
        return
    message = Message(
        "strange-words",
        "{n:,} of {of:,} words occur nowhere in the gold, such as {example}.",
        n=n,
        of=of,
        example=quoted(example),
    )
    suggestion = Message("another-language", "is it another language, or are these parts of words?")
    yield Finding.odd("words", message, n, of, contents.file, suggestion=suggestion)


def _turned_back(contents: Contents) -> Message:
    """Return how the numbers rise with the gold's and stay on its scale: with the other sign, or from its other end."""
    for numbers in contents.numbers:
        if numbers.low == 0 and ((numbers.values >= 0) & (numbers.values <= numbers.high)).all():
            return Message("take-from-high", "take each from {high:g}: does a high one mean little?", high=numbers.high)
    return Message("turn-sign", "turn their sign?")


def of_labels(gold: Integers, run: Integers) -> Beside:
    """Compare labels (n,) by their codes: the share that is equal."""
    return Beside(
        len(gold),
        lambda shift: float(np.mean(np.equal(*_moved(gold, run, shift)))),
        chance=0.5 / float(np.sqrt(max(len(gold), 1))),
    )


def of_numbers(gold: Floats, run: Floats) -> Beside:
    """Compare numbers (n,) by the correlation of their ranks, which no single one makes; 0 where there is none."""
    gold, run = (np.unique(values, return_inverse=True)[1].astype(np.float64) for values in (gold, run))

    def fit(shift: int) -> float:
        one, other = _moved(gold, run, shift)
        return float(np.corrcoef(one, other)[0, 1]) if np.ptp(one) and np.ptp(other) else 0.0

    return Beside(len(gold), fit, chance=1 / float(np.sqrt(max(len(gold), 1))))


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

    def strange() -> tuple[int, int, str]:
        """Count the run's words that the gold has nowhere; none where blanks do not part the gold's words."""
        texts = [_words(text) for text in gold]
        if sum(map(len, texts)) < _SEPARATE * len(texts):
            return 0, 0, ""
        words_there = frozenset().union(*texts)
        words = [word for k in chosen for word in _words(run[k])]
        others = [word for word in words if word not in words_there]
        return len(others), len(words), others[0] if others else ""

    return Beside(len(gold), fit, elsewhere, strange=strange)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.casefold())


def _moved(gold: Integers | Floats, run: Integers | Floats, shift: int) -> tuple[Integers | Floats, Integers | Floats]:
    """Return the gold's entries, and those of the run that stand so many places behind each."""
    n = len(gold)
    return gold[max(0, -shift) : n - max(0, shift)], run[max(0, shift) : n - max(0, -shift)]
