"""Tells what is odd in judgements that are to rank runs; a warning tells of queries without a relevant document."""

from collections.abc import Iterator

import numpy as np

from scoring.columns import owners
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.ranking import Judgements, read_gold

_DEEP = 0.5  # share of the queries


def gold_remarks(files: Files, options: Options) -> list[Finding]:
    """Return what its maker should look at before anything is ranked by it."""
    gold = read_gold(files, options)
    return [Finding(message, gold.paths[0]) for message in _remarks(gold, options)]


def _remarks(gold: Judgements, options: Options) -> Iterator[str]:
    least, n_units = options["relevance"], len(gold.queries)
    owner = owners(np.diff(gold.starts))
    n_relevant = np.bincount(owner[gold.grades >= least], minlength=n_units)
    n_judged = np.bincount(owner[gold.grades >= 0], minlength=n_units)
    # Judgements of relevant documents alone are the usual ones, and most scores need no others.
    if options["headline"].startswith(("bpref", "gm_bpref", "judged_")) and not (n_judged > n_relevant).any():
        yield Message("none-judged-irrelevant", "no document is judged as not relevant: bpref and Judged say little")
    depth = options["depth"]
    if depth is not None and np.count_nonzero(n_relevant > depth) > _DEEP * n_units:
        n, of = np.count_nonzero(n_relevant > depth), n_units
        yield Message(
            "relevant-beyond-depth",
            "{n} of {of} queries have more relevant documents than the {depth} that count: no run finds all",
            n=int(n),
            of=of,
            depth=depth,
        )
