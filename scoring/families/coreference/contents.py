"""Describes what was read of a run: mentions in entities."""

import numpy as np

from scoring.columns import Integers, numbered, owners
from scoring.describing.contents import Contents, Layer
from scoring.describing.description import Oddity
from scoring.family import Files, Options
from scoring.messages import Message
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
        further=_odd_chains(sizes, n_entities, _only(files)),
    )


_FEWEST_MENTIONS, _FEWEST_DOCUMENTS = 3, 5
_NEARLY_ALL = 0.9


def _odd_chains(n_mentions: Integers, n_entities: Integers, file: str | None) -> list[Oddity]:
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
    return [Oddity("chains", message, max(in_one, apart), of, file, suggestion=suggestion)]


def _only(files: Files) -> str | None:
    """Return the run's file, if it has no other."""
    return next(iter(files)) if len(files) == 1 else None
