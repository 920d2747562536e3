"""One document with the entities of both sides: in its text where there is one, else as lists of mentions."""

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any

from scoring.families.coreference.sides import read_gold, read_system
from scoring.readers.chains import Document, Mention, shown


def view(
    gold_files: Mapping[str, bytes], system_files: Mapping[str, bytes], unit: str, options: Mapping[str, Any]
) -> dict[str, Any]:
    """The document's words by sentence (None without a text), and the entities of each side.

    An entity has its label, the other side's entities that share mentions with it, and its mentions: their
    text, first and last word of their pieces counted through the document from 0, and the label of the
    other side's entity that has the mention, None if it is not there. KeyError if there is no such document.
    """
    gold_side = read_gold(gold_files, options, words_of=unit)
    system = read_system(system_files, gold_side, options, words_of=unit)
    for gold, own in system.pairs:
        if gold.name == unit:
            return {
                "document": shown(unit),
                "words": gold.words and [[shown(word) for word in sentence] for sentence in gold.words],
                "gold": _entities(gold, own),
                "system": _entities(own, gold) if own else [],
            }
    raise KeyError(unit)


def _entities(document: Document, other: Document | None) -> list[dict[str, Any]]:
    words = list(chain.from_iterable(document.words or []))
    found = []
    for label, mentions in zip(document.labels, document.entities, strict=True):
        records = [_mention(mention, document, words, other) for mention in _in_order(mentions, document)]
        shared = Counter(record["other"] for record in records if record["other"] is not None)
        found.append(
            {
                "entity": shown(label),
                "mentions": records,
                "shared": [{"entity": name, "mentions": number} for name, number in shared.items()],
            }
        )
    return found


def _in_order(mentions: list[Mention], document: Document) -> list[Mention]:
    """As they stand in the text, the longer of two that begin together first."""
    places = document.places
    return sorted(mentions, key=lambda mention: [(first, -last) for first, last in places.get(mention, ())])


def _mention(mention: Mention, document: Document, words: list[str], other: Document | None) -> dict[str, Any]:
    places = document.places.get(mention, ())
    text = " … ".join(" ".join(words[first : last + 1]) for first, last in places)
    entity = other.entity_of.get(mention) if other else None
    return {
        "text": shown(text if places else mention),
        "places": [list(place) for place in places],
        "other": shown(other.labels[entity]) if other and entity is not None else None,
    }
