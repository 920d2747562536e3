"""One document with the mentions and entities of both sides: over its text where there is one, else as lists."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from scoring.families.coreference.matching import matched
from scoring.readers.coreference.documents import Document, Mention, WordRange, shown
from scoring.readers.coreference.sides import read_gold, read_system

# {column: plain value}.
Record = dict[str, Any]

# The most characters of each piece of a mention that are shown.
_MOST_CHARACTERS = 200
# Between the pieces of a discontinuous mention.
_GAP = " … "
# A mention of empty nodes alone, which the text does not show.
_EMPTY = "∅"


def unit_record(
    gold_files: Mapping[str, bytes], system_files: Mapping[str, bytes], unit: str, options: Mapping[str, Any]
) -> Record:
    """Return what the page of a document shows; KeyError if there is no such document.

    `text` (only of a format with words) has a line for each sentence. `gold` and `system` are the mentions
    of each side in the order of the text: `entity`, `mention`, and `other`, the entity of the other side
    that has the same mention (None if there is none); over a text also `start`, `end` and the `pieces`
    [start, end] between which a discontinuous one lies, in characters of `text`. `gold_entities` and
    `system_entities` tell of each entity how many mentions it has, how many of them the other side has,
    and in which of its entities.
    """
    gold_side = read_gold(gold_files, options, words_of=unit)
    system = read_system(system_files, gold_side, options, words_of=unit)
    for gold, renamed in matched([pair for pair in system.pairs if pair[0].name == unit], options):
        text = _Text(gold)
        sides = {"gold": (gold, renamed), "system": (renamed, gold)}
        mentions = {name: _mentions(*pair, text) for name, pair in sides.items()}
        entities = {f"{name}_entities": _entities(rows) for name, rows in mentions.items()}
        return ({"text": text.text} if gold.words else {}) | mentions | entities
    raise KeyError(unit)


class _Text:
    """The text of a document, a sentence a line, and where each word begins and ends in it."""

    def __init__(self, document: Document) -> None:
        # Only what can be printed, so that no word of the file breaks a line.
        lines = [[shown(word) for word in words] for words in document.words or []]
        self.text = "\n".join(map(" ".join, lines))
        # Of each word, in characters; the end is exclusive.
        self._starts: list[int] = []
        self._ends: list[int] = []
        # As if a word had ended just before the text: between two words is one character, a blank or a line feed.
        end = -1
        for word in chain.from_iterable(lines):
            self._starts.append(end + 1)
            end += 1 + len(word)
            self._ends.append(end)
        # For pieces without words behind the last word.
        self._starts.append(len(self.text))

    def piece(self, words: WordRange) -> list[int]:
        """Return [start, end] of a range of words, end exclusive: of no length if it holds no word."""
        first, last = words
        return [self._starts[first], self._ends[last] if last >= first else self._starts[first]]

    def of(self, pieces: Sequence[Sequence[int]]) -> str:
        """Return the text of a mention, cut short: nested mentions may together be far longer than the text."""
        cut = [self.text[start : min(end, start + _MOST_CHARACTERS)] for start, end in pieces]
        return shown(_GAP.join(cut)) or _EMPTY


def _mentions(document: Document | None, other: Document | None, text: _Text) -> list[Record]:
    """Make a row for each mention of one side, in the order of the text; none for a document that is missing."""
    if document is None:
        return []
    rows = []
    for label, mentions in zip(document.labels, document.entities, strict=True):
        for mention in mentions:
            row: Record = {"entity": shown(label), "mention": shown(mention), "other": _label(mention, other)}
            if ranges := document.word_ranges.get(mention):
                pieces = [text.piece(words) for words in ranges]
                row |= {"mention": text.of(pieces), "start": pieces[0][0], "end": pieces[-1][1], "pieces": pieces}
            rows.append(row)
    # The longer one of two that begin together comes first. Without a text they stay in the order of the file.
    return sorted(rows, key=lambda row: (row.get("start", 0), -row.get("end", 0)))


def _label(mention: Mention, document: Document | None) -> str | None:
    """Return the entity of a document that has this mention, if there is one."""
    if document is None or mention not in document.entity_of:
        return None
    return shown(document.labels[document.entity_of[mention]])


def _entities(mentions: list[Record]) -> list[Record]:
    """Make a row for each entity of one side, in the order of their first mentions."""
    # For each entity, how many of its mentions each entity of the other side has; None is for no entity.
    others: dict[str, Counter[str | None]] = {}
    for row in mentions:
        others.setdefault(row["entity"], Counter())[row["other"]] += 1
    return [
        {
            "entity": entity,
            "mentions": shared.total(),
            "found": shared.total() - shared[None],
            "others": ", ".join(f"{other} ({n})" for other, n in shared.most_common() if other is not None),
        }
        for entity, shared in others.items()
    ]
