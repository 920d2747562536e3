"""Rankings whose scores order them otherwise than their author seems to have meant, or that break off."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from scoring.describing.contents import Beside
from scoring.describing.missing import look_of
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ranking import Judgements, Run, glance
from scoring.readers.ranking.columns import shown
from scoring.readers.ranking.glance import Glance

_MOST = 0.9
_FEWEST = 5  # queries
_FEWEST_SINGLE = 10  # queries that have one document each


def odd_orders(files: Files, run: Run, options: Options) -> Iterator[Finding]:
    """Yield what looks odd in the first rankings of a run: their documents, their scores, and what these say."""
    yield from _one_each(run, options)
    seen = glance(files)
    if seen.n < _FEWEST:
        return
    yield from _same(seen, run.path)
    yield from _headless(seen, run.path)
    # Numbers that are ranks rise from line to line.
    if options["order"] != "rank":
        yield from _equal(seen, run.path)
        yield from _rising(seen, run.path)
        yield from _by_name(seen, run.path)


_FIRST = 10  # documents of a query
_FEWEST_DOCUMENTS = 20  # of which none is judged by no chance


def never_judged(seen: Glance, gold: Judgements, path: str) -> Iterator[Finding]:
    """Yield `ids` where none of the documents at the beginning of a run is judged, though their names look alike."""
    judged = frozenset(gold.documents)
    n = len(seen.documents)
    if n < _FEWEST_DOCUMENTS or not judged.isdisjoint(seen.documents):
        return
    if look_of(_text(seen.documents[0])) not in {look_of(_text(name)) for name in judged}:
        return  # which is told of them
    message = Message(
        "no-document-judged",
        "None of the {n:,} documents is judged for any query: {example} is not, for example, and {other} is.",
        n=n,
        example=shown(seen.documents[0]),
        other=shown(gold.documents[0]),
    )
    suggestion = Message("take-names-from-collection", "take their names from the task's collection")
    yield Finding.odd("ids", message, n, n, path, suggestion=suggestion)


def _text(name: bytes) -> str:
    return name.decode(errors="replace")


def of_first_documents(seen: Glance, gold: Judgements) -> Beside:
    """Compare the first documents of each query with those that are relevant for one: the share of these."""

    @cache
    def relevant(unit: int) -> frozenset[bytes]:
        return frozenset(name for name, grade in gold.judged(unit).items() if grade > 0)

    def share(unit: int, of_run: int) -> float:
        names = seen.first.get(gold.queries[of_run], ())
        right = relevant(unit)
        return sum(1 for name in names if name in right) / min(len(right), _FIRST) if right else 0.0

    def fit(shift: int) -> float:
        n = len(gold.queries)
        return float(np.mean([share(unit, unit + shift) for unit in range(n) if 0 <= unit + shift < n] or [0.0]))

    def fit_reversed() -> float:
        n = len(gold.queries)
        return float(np.mean([share(unit, n - 1 - unit) for unit in range(n)]))

    return Beside(len(gold.queries), fit, reversed=fit_reversed)


def _one_each(run: Run, options: Options) -> Iterator[Finding]:
    """Yield `partial` where each query has one document, and the task looks at more."""
    n = len(run.queries)
    looks_at_one = options["depth"] == 1 or str(options.get("headline") or "").endswith("_1")
    if looks_at_one or n < _FEWEST_SINGLE or not (run.n_documents == 1).all():
        return
    message = Message("one-document-each", "Each of the {n:,} queries has a single document.", n=n)
    suggestion = Message("write-whole-rankings", "were the rankings cut? write all documents that were ranked")
    yield Finding.odd("partial", message, int(np.sum(run.n_documents)), n, run.path, suggestion=suggestion)


def _headless(seen: Glance, path: str) -> Iterator[Finding]:
    """Yield `partial` where rankings do not begin at their first rank."""
    if seen.n_headless < _MOST * seen.n:
        return
    message = Message(
        "no-first-rank", "In {n:,} of {of:,} queries no document has rank 1.", n=seen.n_headless, of=seen.n
    )
    suggestion = Message("write-whole-rankings", "were the rankings cut? write all documents that were ranked")
    yield Finding.odd("partial", message, seen.n_headless, seen.n, path, suggestion=suggestion)


def _same(seen: Glance, path: str) -> Iterator[Finding]:
    if seen.n_alike < _MOST * seen.n:
        return
    message = Message(
        "same-ranking",
        "{n:,} of {of:,} queries have the very same documents in the same order.",
        n=seen.n_alike,
        of=seen.n,
    )
    suggestion = Message("same-written-for-each", "was the same result written for each of them?")
    yield Finding.odd("duplicates", message, seen.n_alike, seen.n, path, suggestion=suggestion)


def _equal(seen: Glance, path: str) -> Iterator[Finding]:
    """Yield `constant` where scores are all equal, or were cut so that most are."""
    if seen.n_flat >= _MOST * seen.n:
        message = Message(
            "scores-equal",
            "In {n:,} of {of:,} queries all scores are equal, so that the order is that of the names.",
            n=seen.n_flat,
            of=seen.n,
        )
        suggestion = Message("write-falling-scores", "write falling scores: the ranks say nothing")
        yield Finding.odd("constant", message, seen.n_flat, seen.n, path, suggestion=suggestion)
    elif seen.n_rounded >= _MOST * seen.n:
        message = Message(
            "scores-rounded",
            "In {n:,} of {of:,} queries scores from 0 to 1 have one decimal at most, and most documents share theirs"
            " with others, so that their order is that of the names.",
            n=seen.n_rounded,
            of=seen.n,
        )
        suggestion = Message("write-whole-scores", "write scores with all their decimals")
        yield Finding.odd("constant", message, seen.n_rounded, seen.n, path, suggestion=suggestion)


def _by_name(seen: Glance, path: str) -> Iterator[Finding]:
    """Yield `order` where documents are ranked in the order of their names."""
    if seen.n_by_name < _MOST * seen.n or seen.n_alike >= _MOST * seen.n:
        return
    message = Message(
        "ranked-by-name",
        "In {n:,} of {of:,} queries the documents are ranked in the order of their names.",
        n=seen.n_by_name,
        of=seen.n,
    )
    suggestion = Message("were-shuffled", "were they sorted or shuffled on the way?")
    yield Finding.odd("order", message, seen.n_by_name, seen.n, path, suggestion=suggestion)


def _rising(seen: Glance, path: str) -> Iterator[Finding]:
    """Yield `order` where scores rise from rank to rank, as distances do."""
    if seen.n_rising < _MOST * seen.n:
        return
    message = Message(
        "scores-rise",
        "In {n:,} of {of:,} queries scores rise from rank to rank, so that the last document counts as the best.",
        n=seen.n_rising,
        of=seen.n,
    )
    suggestion = Message("write-with-minus", "are these distances or ranks? write them with a minus")
    yield Finding.odd("order", message, seen.n_rising, seen.n, path, suggestion=suggestion)
