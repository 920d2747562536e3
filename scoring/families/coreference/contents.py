"""Describes what was read of a run: mentions in entities."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from scoring.columns import Integers, numbered, owners
from scoring.describing.beside import odd_sizes
from scoring.describing.contents import Contents, Layer
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.coreference.documents import Document
from scoring.readers.coreference.sides import Side, System


def contents(files: Files, gold: Side, system: System, options: Options) -> Contents:
    documents = [document for _, document in system.pairs]
    sizes = np.array([len(document.entity_of) if document else 0 for document in documents], dtype=np.int64)
    n_entities = np.array([len(document.entities) if document else 0 for document in documents], dtype=np.int64)
    mentions = Layer(
        name=Message.noun("mention", "mentions"),
        unit=owners(sizes),
        # Each mention with the number of its entity in the document.
        content=numbered(item for document in documents if document for item in document.entity_of.items()),
        is_placed=True,
    )
    entities = Layer(name=Message.noun("entity", "entities"), unit=owners(n_entities))
    return Contents(
        unit=Message.noun("document", "documents"),
        n_units=len(documents),
        usually_reached=0.7,
        layers=[mentions, entities],
        file=_only(files),
        left_aside=_not_counted([document for document in documents if document], int(sizes.sum())),
        further=[*_odd_chains(sizes, n_entities, _only(files)), *_in_other_columns(files, int(sizes.sum()))],
        further_beside=lambda: [*_one_token_off(system, _only(files)), *_heads_alone(system, _only(files))],
    )


_ENTITY = re.compile(rb"[ \t]\(\d+\)?[ \t]")


def _in_other_columns(files: Files, n_mentions: int) -> list[Finding]:
    """Find mentions before the last column, where none is in it."""
    n = 0 if n_mentions else sum(len(_ENTITY.findall(files[path])) for path in files)
    if n < _FEWEST_MENTIONS:
        return []
    message = Message("mentions-in-other-columns", "{n:,} mentions stand before the last column, which has none.", n=n)
    suggestion = Message("mentions-in-last-column", "write the mentions into the last column")
    return [Finding.odd("unread", message, n, n, _only(files), suggestion=suggestion)]


def _one_token_off(system: System, file: str | None) -> Iterator[Finding]:
    """Yield `order` where mentions of columns are the gold's one token before or behind."""
    pairs = [(gold, document) for gold, document in system.pairs if document]
    mentions = [
        (gold, mention)
        for gold, document in pairs
        for mention in document.entity_of
        if isinstance(mention, tuple) and document.lengths is not None and len(document.lengths) == 1
    ]
    fits = {
        by: sum(1 for gold, (first, last) in mentions if (first + by, last + by) in gold.entity_of) for by in (-1, 0, 1)
    }
    by = max((-1, 1), key=lambda by: fits[by])
    n, of = fits[by], len(mentions)
    if n < max(_FEWEST_OFF, _MOSTLY * of) or fits[0] > n / 2:
        return
    message = Message(
        "mentions-one-token-off",
        "{n:,} of {of:,} mentions are the gold's one token before or behind, and {n_fits:,} where they stand.",
        n=n,
        of=of,
        n_fits=fits[0],
    )
    suggestion = Message("last-column-slipped", "has the last column slipped by one row?")
    yield Finding.odd("order", message, n, of, file, suggestion=suggestion)


def _heads_alone(system: System, file: str | None) -> Iterator[Finding]:
    """Yield `offsets` where each mention of columns has one token, and many of the gold's have more."""
    sides: list[list[int]] = [[], []]
    for pair in system.pairs:
        for sizes, document in zip(sides, pair, strict=True):
            mentions = document.entity_of if document and document.lengths is not None else ()
            sizes += [mention[1] - mention[0] + 1 for mention in mentions if isinstance(mention, tuple)]
    in_gold, in_run = (np.array(sizes, dtype=np.int64) for sizes in sides)
    yield from odd_sizes(Message.noun("mention", "mentions"), in_run, in_gold, file)


def _not_counted(documents: Sequence[Document], n_mentions: int) -> list[Finding]:
    """Return the mentions that the files have again, and those alone in their entities where these are left out."""
    n_repeated = sum(document.n_repeated for document in documents)
    n_alone = sum(document.n_alone for document in documents)
    of = n_mentions + n_repeated + n_alone
    repeated = Message("mentions-repeated", "{n:,} of {of:,} mentions repeat one and count once.", n=n_repeated, of=of)
    alone = Message(
        "mentions-alone",
        "{n:,} of {of:,} mentions are alone in their entities, which the task leaves out.",
        n=n_alone,
        of=of,
    )
    return [Finding.aside(n_repeated, of, repeated), Finding.aside(n_alone, of, alone)]


_FEWEST_MENTIONS, _FEWEST_DOCUMENTS = 3, 5
_FEWEST_OFF, _MOSTLY = 20, 0.4  # mentions that fit one token away, and their share
_NEARLY_ALL = 0.9


def _odd_chains(n_mentions: Integers, n_entities: Integers, file: str | None) -> list[Finding]:
    """Find documents (n,) whose mentions are all in one entity, or each in one of its own."""
    several = n_mentions >= _FEWEST_MENTIONS
    of = int(np.count_nonzero(several))
    in_one, apart = (int(np.count_nonzero(several & (n_entities == other))) for other in (1, n_mentions))
    if of < _FEWEST_DOCUMENTS or max(in_one, apart) < _NEARLY_ALL * of:
        return []
    if in_one >= apart:
        message = Message(
            "all-in-one-chain", "In {n:,} of {of:,} documents all mentions are in one entity.", n=in_one, of=of
        )
        suggestion = Message("number-entities", "was the number of the entity lost on the way?")
    else:
        message = Message(
            "no-chain", "In {n:,} of {of:,} documents every mention is an entity of its own.", n=apart, of=of
        )
        suggestion = Message("links-lost", "were the links between mentions lost on the way?")
    return [Finding.odd("chains", message, max(in_one, apart), of, file, suggestion=suggestion)]


def _only(files: Files) -> str | None:
    """Return the run's file, if it has no other."""
    return next(iter(files)) if len(files) == 1 else None
