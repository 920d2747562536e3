"""Documents without tokens: spans by their characters, carried over to the tokens of the gold.

A span that does not begin and end where tokens of the gold do fits no tokens. It is kept apart, still in characters:
it counts as wrong, where spaCy would lose it without a word.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from scoring.messages import Message
from scoring.readers.spacy.documents import Document
from scoring.readers.spacy.documents.careful import Row, all_misplaced, character_places, overlaps, span_rows
from scoring.readers.spacy.documents.columns import Documents, text_of

_CHARACTER = Message.word("character")

OffBoundary = tuple[str, int, int, str]  # span group, "" for entities; first character, the one after the last; label


@dataclass(frozen=True)
class OnTokens:
    """A document on tokens, whatever shape it had."""

    document: Document  # with the keys of the format, its spans in tokens
    off_boundary: list[OffBoundary] = field(default_factory=list)  # its spans that fit no tokens


class TokenBoundaries:
    """Holds where a document's tokens begin and end: the first character of each and the one after its last."""

    def __init__(self, tokens: Sequence[tuple[int, int]]) -> None:
        # The token that begins at a character, and the token after the one that ends before a character.
        self.starts = {start: i for i, (start, _) in enumerate(tokens)}
        self._ends = {end: i + 1 for i, (_, end) in enumerate(tokens)}

    def __len__(self) -> int:
        """Return the number of tokens."""
        return len(self.starts)

    def divided(self, rows: list[Row]) -> tuple[list[Row], list[Row]]:
        """Return the spans in tokens, and those, still in characters, that do not begin and end where tokens do.

        >>> TokenBoundaries([(0, 3), (4, 7)]).divided([[0, 7, "PER", ""], [0, 2, "PER", ""]])
        ([[0, 2, 'PER', '']], [[0, 2, 'PER', '']])
        """
        on, off = [], []
        for start, end, label, kb in rows:
            first, last = self.starts.get(start), self._ends.get(end)
            if first is None or last is None or first >= last:
                off.append([start, end, label, kb])
            else:
                on.append([first, last, label, kb])
        return on, off


@dataclass(frozen=True)
class GoldText:
    """A document of the gold as documents without tokens are read against it."""

    words: list[str]
    spaces: list[bool]
    knows_spaces: bool
    text: str
    boundaries: TokenBoundaries


class GoldTexts:
    """The documents of the gold, each made ready once: a file may name one of them on each of its lines."""

    def __init__(self, gold: Documents) -> None:
        self._gold = gold
        self._ready: dict[int, GoldText] = {}

    def __getitem__(self, index: int) -> GoldText:
        if index not in self._ready:
            words, spaces = self._gold.words(index), self._gold.spaces(index)
            self._ready[index] = GoldText(
                words,
                spaces,
                bool(self._gold.knows_spaces[index]),
                text_of(words, spaces),
                TokenBoundaries(character_places(words, spaces)),
            )
        return self._ready[index]


def from_offsets(raw: Document, gold: GoldTexts | None, index: int | None) -> tuple[OnTokens, list[str]]:
    """Put the document on the tokens of the gold's document of this index, and return problems.

    Without `gold`, the document is one of the gold itself, where all text is one token. Without `index`, the gold has
    no document of this id; the caller says so when all documents are read.
    """
    text = raw.get("text")
    if text is not None and not isinstance(text, str):
        return OnTokens({}), [Message("text-must-string", '"text" must be a string')]
    if gold is None:
        return _whole_text(raw, text)
    if index is None:
        return OnTokens({"id": raw["id"], "words": []}), []
    gold_text = gold[index]
    if text is not None and text.rstrip(" ") != gold_text.text.rstrip(" "):
        return OnTokens({}), [_difference(str(raw["id"]), text, gold_text.text)]
    document: Document = {"id": raw["id"], "words": gold_text.words, "cats": raw.get("cats")}
    document["spaces"] = gold_text.spaces if gold_text.knows_spaces else None
    return _with_spans(raw, document, gold_text.boundaries, len(gold_text.text))


def _whole_text(raw: Document, text: str | None) -> tuple[OnTokens, list[str]]:
    """Make a document of the gold without tokens, in which nothing but categories can be scored."""
    if text is None:
        return OnTokens({}), [Message("no-words", 'no "words"')]
    if raw.get("ents") is not None or raw.get("spans") is not None:
        return OnTokens({}), [
            Message("gold-needs-tokens-entities", "gold needs tokens: entities and spans are compared on them")
        ]
    return OnTokens({"id": raw["id"], "words": [text] if text else [], "cats": raw.get("cats")}), []


def _with_spans(
    raw: Document, document: Document, boundaries: TokenBoundaries, length: int
) -> tuple[OnTokens, list[str]]:
    """Add the entities and spans of `raw` to the document; `length` is that of its text in characters."""
    off_boundary: list[OffBoundary] = []
    problems: list[str] = []
    if raw.get("ents") is not None:
        rows, problems = span_rows(raw["ents"], '"ents"')
        # In characters, so that spans which fit no tokens may not overlap others either.
        problems += overlaps(rows)
        document["ents"], off, outside = _divided(rows, boundaries, length)
        off_boundary += [("", *row) for row in off]
        problems += outside
    if isinstance(raw.get("spans"), dict):
        document["spans"] = {}
        for key, value in raw["spans"].items():
            rows, wrong = span_rows(value, Message("spans-group", '"spans", group {key!r},', key=key))
            document["spans"][key], off, outside = _divided(rows, boundaries, length)
            off_boundary += [(key, *row) for row in off]
            problems += wrong + outside
    elif raw.get("spans") is not None:
        problems.append(Message("spans-must-object-keys", '"spans" must be an object of keys and lists of spans'))
    return OnTokens(document, off_boundary), problems


def _divided(
    rows: list[Row], boundaries: TokenBoundaries, length: int
) -> tuple[list[Row], list[tuple[int, int, str]], list[str]]:
    """Return the spans in tokens, those that fit no tokens in characters, and problems of those outside the text."""
    inside = [row for row in rows if 0 <= row[0] < row[1] <= length]
    problems = all_misplaced(rows, length, _CHARACTER)
    on, off = boundaries.divided(inside)
    return on, [(start, end, label) for start, end, label, _ in off], problems


def _difference(identifier: str, system: str, gold: str) -> str:
    """Return where two texts that have to be equal differ, in words."""
    differing = (i for i, (a, b) in enumerate(zip(system, gold, strict=False)) if a != b)
    i = next(differing, min(len(system), len(gold)))
    near = slice(max(0, i - 1), i + 20)
    return Message(
        "document-text-differs-from",
        "document {identifier!r}: the text differs from the gold text at character {i}: {system!r} against {gold!r}",
        identifier=identifier,
        i=i,
        system=system[near],
        gold=gold[near],
    )
