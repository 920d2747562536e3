"""Rankings whose scores order them otherwise than their author seems to have meant, or that break off."""

from collections.abc import Iterator

import numpy as np

from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ranking import Run, glance
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
    # Numbers that are ranks rise from line to line.
    if options["order"] != "rank":
        yield from _equal(seen, run.path)
        yield from _rising(seen, run.path)
        yield from _by_name(seen, run.path)


def _one_each(run: Run, options: Options) -> Iterator[Finding]:
    """Yield `partial` where each query has one document, and the task looks at more."""
    n = len(run.queries)
    looks_at_one = options["depth"] == 1 or str(options.get("headline") or "").endswith("_1")
    if looks_at_one or n < _FEWEST_SINGLE or not (run.n_documents == 1).all():
        return
    message = Message("one-document-each", "Each of the {n:,} queries has a single document.", n=n)
    suggestion = Message("write-whole-rankings", "were the rankings cut? write all documents that were ranked")
    yield Finding.odd("partial", message, int(np.sum(run.n_documents)), n, run.path, suggestion=suggestion)


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
