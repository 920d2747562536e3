"""Documents without tokens: spans by their characters, on the tokens of the gold."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.readers.spacy.documents.checking import Row, overlaps, span_rows
from scoring.readers.spacy.documents.chunks import Document
from scoring.readers.spacy.documents.columns import Documents, text_of

OffBoundary = tuple[str, int, int, str]  # group, "" for entities; characters; label


@dataclass(frozen=True)
class Placed:
    """A document with the usual keys, and its spans that fit no tokens."""

    document: Document
    off_boundary: list[OffBoundary] = field(default_factory=list)


class Places:
    """From characters to tokens, given the characters of each token."""

    def __init__(self, tokens: Sequence[tuple[int, int]]) -> None:
        self.starts = {start: i for i, (start, _) in enumerate(tokens)}
        self._ends = {end: i + 1 for i, (_, end) in enumerate(tokens)}

    def __len__(self) -> int:
        return len(self.starts)

    def divided(self, rows: list[Row]) -> tuple[list[Row], list[Row]]:
        """The spans in tokens, and those, still in characters, that do not begin and end where tokens do."""
        on, off = [], []
        for start, end, label, kb in rows:
            first, last = self.starts.get(start), self._ends.get(end)
            if first is None or last is None or first >= last:
                off.append([start, end, label, kb])
            else:
                on.append([first, last, label, kb])
        return on, off


def from_offsets(raw: Document, gold: Documents | None, place: int | None) -> tuple[Placed, list[str]]:
    """The document on the tokens of the gold's document `place`; in the gold itself, all text is one token.

    Without a place, the id is not in the gold, which is for the caller to say.
    """
    text = raw.get("text")
    if text is not None and not isinstance(text, str):
        return Placed({}), ['"text" must be a string']
    if gold is None:
        return _whole_text(raw, text)
    if place is None:
        return Placed({"id": raw["id"], "words": []}), []
    words, spaces = gold.words(place), gold.spaces(place)
    own = text_of(words, spaces)
    if text is not None and text.rstrip(" ") != own.rstrip(" "):
        return Placed({}), [_difference(str(raw["id"]), text, own)]
    document: Document = {"id": raw["id"], "words": words, "cats": raw.get("cats")}
    document["spaces"] = spaces if gold.knows_spaces[place] else None
    return _with_spans(raw, document, Places(_characters(words, spaces)), len(own))


def _whole_text(raw: Document, text: str | None) -> tuple[Placed, list[str]]:
    if text is None:
        return Placed({}), ['no "words"']
    if raw.get("ents") is not None or raw.get("spans") is not None:
        return Placed({}), ["gold needs tokens: entities and spans are compared on them"]
    return Placed({"id": raw["id"], "words": [text] if text else [], "cats": raw.get("cats")}), []


def _with_spans(raw: Document, document: Document, places: Places, length: int) -> tuple[Placed, list[str]]:
    off_boundary: list[OffBoundary] = []
    problems: list[str] = []
    if raw.get("ents") is not None:
        rows, problems = span_rows(raw["ents"], '"ents"')
        problems += overlaps(rows)
        document["ents"] = _divided("", rows, places, length, off_boundary, problems)
    if isinstance(raw.get("spans"), dict):
        document["spans"] = {}
        for key, value in raw["spans"].items():
            rows, found = span_rows(value, f'"spans", group {key!r},')
            problems += found
            document["spans"][key] = _divided(key, rows, places, length, off_boundary, problems)
    elif raw.get("spans") is not None:
        problems.append('"spans" must be an object of keys and lists of spans')
    return Placed(document, off_boundary), problems


def _divided(
    key: str, rows: list[Row], places: Places, length: int, off_boundary: list[OffBoundary], problems: list[str]
) -> list[Row]:
    inside = []
    for row in rows:
        if 0 <= row[0] < row[1] <= length:
            inside.append(row)
        else:
            problems.append(f"span {row[0]}..{row[1]} lies outside the document (length {length})")
    on, off = places.divided(inside)
    off_boundary += [(key, start, end, label) for start, end, label, _ in off]
    return on


def _characters(words: list[str], spaces: list[bool]) -> list[tuple[int, int]]:
    found, start = [], 0
    for word, space in zip(words, spaces, strict=True):
        found.append((start, start + len(word)))
        start += len(word) + space
    return found


def _difference(identifier: str, system: str, gold: str) -> str:
    at = next((i for i, (a, b) in enumerate(zip(system, gold, strict=False)) if a != b), min(len(system), len(gold)))
    near = slice(max(0, at - 1), at + 20)
    return (
        f"document {identifier!r}: the text differs from the gold text at character {at}: "
        f"{system[near]!r} against {gold[near]!r}"
    )
