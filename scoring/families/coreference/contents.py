"""Describes what was read of a run: mentions in entities."""

import numpy as np

from scoring.columns import numbered, owners
from scoring.describing.contents import Contents, Layer
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
        layers=[mentions, entities],
        file=_only(files),
    )


def _only(files: Files) -> str | None:
    """The run's file, if it has no other."""
    return next(iter(files)) if len(files) == 1 else None
