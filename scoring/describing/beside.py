"""A run beside a gold that everybody may read: rows out of their order, labels exchanged, numbers turned round."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

import numpy as np

from scoring.columns import Floats, Integers, sampled
from scoring.describing.contents import Beside, Codes, Contents, Name
from scoring.describing.wording import name_of, quoted, shown
from scoring.findings import Finding
from scoring.messages import Message

_Column = TypeVar("_Column", Codes, Floats)

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
_MOST = 2 / 3  # of the texts, which fit better elsewhere where all of them have slipped
_CLEARLY = 0.1  # by how much each of these has to
_EXCHANGED, _GAIN = 0.6, 0.3  # how well a run fits whose labels were exchanged, and by how much better than it is
_FEWEST_OF_LABEL = 3
_NAMED = 5  # labels


def odd_beside(contents: Contents) -> Iterator[Finding]:
    """Yield `order` where a run fits the gold far better in another order than its own, `labels` with other labels."""
    if contents.further_beside:
        yield from contents.further_beside()
    if contents.beside:
        yield from _odd_order(contents.beside, contents)


def odd_parts(beside: Beside, unit: Name, file: str | None) -> Iterator[Finding]:
    """Yield what `odd_beside` does, of what stands in the units, such as the tags of words."""
    yield from _odd_order(beside, Contents(unit, beside.n, (), file=file))


def _odd_order(beside: Beside, contents: Contents) -> Iterator[Finding]:
    if beside.n < _FEWEST:
        return
    fit = beside.fit(0)
    of = beside.n
    if fit <= min(_TURNED, -_SURE * beside.chance) and beside.are_sets:
        message = Message("sets-turned-round", "The run has labels mostly where the gold has none of them.")
        suggestion = Message("write-the-others", "were those written that are not meant?")
        yield Finding.odd("labels", message, of, of, contents.file, suggestion=suggestion)
        return
    if fit <= min(_TURNED, -_SURE * beside.chance):
        message = Message(
            "falls-where-gold-rises", "The numbers fall where the gold's rise: they correlate by {r:.2f}.", r=fit
        )
        yield Finding.odd("order", message, of, of, contents.file, suggestion=_turned_back(contents))
        return
    if meant := _exchanged(beside.exchanged, fit + max(_GAIN, _SURE * beside.chance)):
        yield _labels_exchanged(meant, of, contents.file)
        return
    needed = fit + max(_BETTER, _SURE * beside.chance)
    if beside.reversed and beside.reversed() >= needed:
        message = Message("fits-reversed", "The run fits the gold far better from its last row to its first.")
        suggestion = Message("were-shuffled", "were they sorted or shuffled on the way?")
        yield Finding.odd("order", message, of, of, contents.file, suggestion=suggestion)
        return
    shift = max(_SHIFTS, key=beside.fit)
    values = {"units": name_of(abs(shift), contents.unit), "n": abs(shift)}
    if beside.fit(shift) >= needed and (beside.better is None or beside.better(shift) >= _MOST):
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


def _exchanged(exchange: Callable[[], tuple[float, Mapping[str, str]]] | None, needed: float) -> Mapping[str, str]:
    """Return {label of the run: the gold's} of those that stand for another, if the run fits so well then."""
    fit, meant = exchange() if exchange else (0.0, {})
    return meant if fit >= max(_EXCHANGED, needed) else {}


def _labels_exchanged(meant: Mapping[str, str], of: int, file: str | None) -> Finding:
    message = Message(
        "fits-exchanged",
        "The run fits the gold far better with its labels exchanged: {pairs}.",
        pairs=_pairs(meant),
    )
    suggestion = Message("labels-in-another-order", "are the labels numbered in another order?")
    return Finding.odd("labels", message, of, of, file, suggestion=suggestion)


def _pairs(meant: Mapping[str, str]) -> Message:
    """List labels with those for which they stand."""
    pairs = [
        Message("label-for-label", "{meant} for {label}", meant=shown(other), label=shown(label))
        for label, other in [*meant.items()][:_NAMED]
    ]
    if (n_more := len(meant) - _NAMED) > 0:
        pairs.append(Message("further-labels", "{n:,} more", n=n_more))
    return Message.listed(pairs)


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
        if (numbers.values >= 0).all():
            return Message("turn-round-and-bring", "does a high one mean little? turn them round, on the task's scale")
    return Message("turn-sign", "turn their sign?")


_FEWEST_SPANS, _SEVERAL = 20, 0.3  # spans, and the share of the gold's that have several tokens


def odd_sizes(things: Name, run: Integers, gold: Integers, file: str | None) -> Iterator[Finding]:
    """Yield `offsets` where each span of a run, which has many, has one token, and many of the gold's have more.

    `run` and `gold` are the sizes of their spans in tokens.
    """
    n, n_more = len(run), int(np.count_nonzero(gold > 1))
    if n < max(_FEWEST_SPANS, _HALF * len(gold)) or run.max() > 1 or n_more < _SEVERAL * len(gold):
        return
    message = Message(
        "spans-of-one-token",
        "Each of the {n:,} {things} has a single token, and {n_more:,} of the gold's {of:,} have more.",
        n=n,
        things=Message.word(things[1]),
        n_more=n_more,
        of=len(gold),
    )
    suggestion = Message("whole-spans", "write whole spans; was each of their tokens written, or one alone?")
    yield Finding.odd("offsets", message, n, n, file, suggestion=suggestion)


def of_labels(gold: Codes, run: Codes, names: Sequence[str]) -> Beside:
    """Compare labels (n,) by their codes, which are places in `names` or beyond: the share that is equal."""

    def exchanged() -> tuple[float, Mapping[str, str]]:
        meant = _beside_most(run, gold, len(names))
        # Labels that the gold has nowhere are told as such.
        if len({*meant.values()}) < len(meant) or not np.isin([*meant], gold).all():
            return 0.0, {}
        is_met = sum(int(np.count_nonzero((run == code) & (gold == other))) for code, other in meant.items())
        return is_met / len(gold), {names[code]: names[other] for code, other in meant.items() if code != other}

    return Beside(
        len(gold),
        lambda shift: float(np.mean(np.equal(*_moved(gold, run, shift)))),
        chance=0.5 / float(np.sqrt(max(len(gold), 1))),
        reversed=lambda: float(np.mean(gold == run[::-1])),
        exchanged=exchanged,
    )


def _beside_most(run: Codes, gold: Codes, n_codes: int) -> dict[int, int]:
    """Return {code of the run: the gold's beside which it stands most often}, of codes that it has a few times.

    >>> _beside_most(np.array([0, 0, 0, 1, 1, 1, 2]), np.array([1, 1, 0, 0, 0, 0, 2]), 3)
    {0: 1, 1: 0}
    """
    is_known = (run >= 0) & (run < n_codes) & (gold >= 0) & (gold < n_codes)
    pairs, sizes = np.unique(run[is_known].astype(np.int64) * n_codes + gold[is_known], return_counts=True)
    codes, others = np.divmod(pairs, max(n_codes, 1))
    totals = np.bincount(codes, sizes)
    meant: dict[int, int] = {}
    for k in np.lexsort((-sizes, codes)).tolist():
        if totals[codes[k]] >= _FEWEST_OF_LABEL:
            meant.setdefault(int(codes[k]), int(others[k]))
    return meant


def of_numbers(gold: Floats, run: Floats, names: Sequence[str] = ()) -> Beside:
    """Compare numbers (n,), or (n, names), by the correlation of their ranks, which no single one makes.

    It is 0 where there is none.
    """
    shape = gold.shape
    gold, run = (np.unique(values, return_inverse=True)[1].astype(np.float64).reshape(shape) for values in (gold, run))

    def correlation(one: Floats, other: Floats) -> float:
        return float(np.corrcoef(one.ravel(), other.ravel())[0, 1]) if np.ptp(one) and np.ptp(other) else 0.0

    return Beside(
        len(gold),
        lambda shift: correlation(*_moved(gold, run, shift)),
        chance=1 / float(np.sqrt(max(gold.size, 1))),
        reversed=lambda: correlation(gold, run[::-1]),
        exchanged=(lambda: _columns_exchanged(gold, run, names)) if 1 < len(names) <= _MOST_COLUMNS else None,
    )


_MOST_COLUMNS = 50
_MOST_CELLS = 20  # of items and labels, for each label that an item has


def odd_labels_of_spans(
    gold: tuple[Codes, Codes], run: tuple[Codes, Codes], names: Sequence[str], file: str | None
) -> Iterator[Finding]:
    """Yield `labels` where spans at the gold's places have labels that were exchanged.

    Each side is the places (n,) and the label codes (n,) of its spans; of several at one place the first counts.
    """
    places, of_gold, of_run = np.intersect1d(gold[0], run[0], return_indices=True)
    if len(places) >= _FEWEST:
        beside = of_labels(gold[1][of_gold], run[1][of_run], names)
        if meant := _exchanged(beside.exchanged, beside.fit(0) + max(_GAIN, _SURE * beside.chance)):
            yield _labels_exchanged(meant, beside.n, file)


def of_sets(
    gold: tuple[Integers, Integers], run: tuple[Integers, Integers], n: int, names: Sequence[str]
) -> Beside | None:
    """Compare the labels of n items, on each side their items and their codes; None where there are too many."""
    if n * len(names) > _MOST_CELLS * max(len(gold[0]), len(run[0])):
        return None
    cells = np.zeros((2, n, len(names)))
    for side, (items, codes) in zip(cells, (gold, run), strict=True):
        is_known = (codes >= 0) & (codes < len(names))
        side[items[is_known], codes[is_known]] = 1
    return replace(of_numbers(cells[0], cells[1], names), are_sets=True)


def _columns_exchanged(gold: Floats, run: Floats, names: Sequence[str]) -> tuple[float, Mapping[str, str]]:
    """Return what `Beside.exchanged` does, of numbers (n, names) by the mean correlation of their columns."""
    n = len(names)
    varies = [bool(np.ptp(side[:, k])) for side in (run, gold) for k in range(n)]
    if not all(varies):
        return 0.0, {}
    correlations = np.corrcoef(run, gold, rowvar=False)[:n, n:]
    meant = correlations.argmax(axis=1)
    if len(np.unique(meant)) < n or not (meant != np.arange(n)).any():
        return 0.0, {}
    return float(correlations.max(axis=1).mean()), {names[k]: names[meant[k]] for k in range(n) if meant[k] != k}


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

    def better(shift: int) -> float:
        """Return the share of the texts looked at that fit clearly better so many places behind."""
        there = [k for k in chosen if 0 <= k + shift < len(run)]
        return float(np.mean([likeness(k, k + shift) >= likeness(k, k) + _CLEARLY for k in there])) if there else 0.0

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

    return Beside(len(gold), fit, elsewhere, strange=strange, better=better)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.casefold())


def _moved(gold: _Column, run: _Column, shift: int) -> tuple[_Column, _Column]:
    """Return the gold's entries, and those of the run that stand so many places behind each."""
    n = len(gold)
    return gold[max(0, -shift) : n - max(0, shift)], run[max(0, shift) : n - max(0, -shift)]
