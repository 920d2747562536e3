"""Some documents as they come from a file, turned into columns together."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, repeat
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers
from scoring.readers.spacy.documents.columns import SEPARATOR, Codes
from scoring.readers.spacy.documents.strings import Morphs, Strings
from scoring.readers.spacy.documents.trees import in_cycles

Document = dict[str, Any]
"""A document with the keys of the JSON Lines format."""

Columns = dict[str, NDArray[Any]]

KEYS = frozenset(
    ("id", "words", "spaces", "text", "tags", "pos", "lemmas", "morphs", "heads", "deps", "sent_starts")
    + ("ents", "ents_missing", "spans", "cats")
)
LARGEST_INTEGER = 2**63


class IrregularError(Exception):
    """Some document is written in another way than the usual one, or is wrong: look at each by itself."""


@dataclass(frozen=True)
class Chunk:
    """`starts` (n + 1,) says where the tokens of each document begin; `offset` is the number of the first one.

    `texts` are the words of each document, joined.
    """

    documents: Sequence[Document]
    keys: frozenset[str]
    offset: int
    texts: list[str]
    lengths: list[int]
    starts: Integers
    _values: dict[str, list[Any]] = field(default_factory=dict)

    @property
    def n_tokens(self) -> int:
        return int(self.starts[-1])

    def lists(self, key: str, fill: Callable[[int], Sequence[Any]]) -> list[list[Any]] | None:
        """The values of a key with one entry per word, documents without them filled; None if all are without."""
        values = self.values(key)
        kinds = set(map(type, values))
        if not kinds:
            return None
        if kinds == {type(None)}:
            return None
        require_types(kinds, {list, type(None)})
        if len(kinds) == 2:
            values = [fill(n) if value is None else value for value, n in zip(values, self.lengths, strict=True)]
        if list(map(len, values)) != self.lengths:
            raise IrregularError
        return values

    def values(self, key: str) -> list[Any]:
        """The value of each document; nothing if no document has the key."""
        if key not in self.keys:
            return []
        if key not in self._values:
            try:
                self._values[key] = list(map(itemgetter(key), self.documents))
            except KeyError:
                self._values[key] = [document.get(key) for document in self.documents]
        return self._values[key]

    def knows(self, key: str) -> Flags:
        """Which documents have a value that is not null."""
        if key not in self.keys:
            return np.zeros(len(self.documents), dtype=bool)
        if None not in self.values(key):
            return np.ones(len(self.documents), dtype=bool)
        return np.array([value is not None for value in self.values(key)])


def chunk_of(documents: Sequence[Document], offset: int) -> Chunk:
    keys = frozenset().union(*documents)
    if not keys <= KEYS and any(not key.startswith("_") for key in keys - KEYS):
        raise IrregularError
    words = [document["words"] for document in documents]
    require_types(set(map(type, words)), {list})
    lengths = list(map(len, words))
    texts = list(map(SEPARATOR.join, words))
    if "text" in keys:
        _check_texts(documents)
    return Chunk(documents, keys, offset, texts, lengths, np.concatenate([[0], np.cumsum(lengths)]))


def columns_of(chunk: Chunk, strings: Strings, morphs: Morphs) -> Columns:
    """The columns of the documents, without those of tokens that hold nothing but their default.

    IrregularError, or what the wrong type of a value leads to.
    """
    columns = {
        "blank": _blank(chunk),
        "tag": _codes(chunk.lists("tags", _unset), strings, chunk.n_tokens),
        "pos": _codes(chunk.lists("pos", _unset), strings, chunk.n_tokens),
        "lemma": _codes(chunk.lists("lemmas", _unset), strings, chunk.n_tokens),
        "morph": _codes(chunk.lists("morphs", lambda n: [None] * n), morphs, chunk.n_tokens),
        "space": _spaces(chunk),
        "head": _heads(chunk),
        "dep": _deps(chunk, strings),
        "sent_start": _sent_starts(chunk),
        **_span_columns(chunk, strings),
        **_category_columns(chunk, strings),
        "length": np.array(chunk.lengths),
        "knows_spaces": chunk.knows("spaces"),
        "has_heads": chunk.knows("heads"),
        "has_sents": chunk.knows("sent_starts"),
        "has_ents": chunk.knows("ents"),
    }
    return {name: column for name, column in columns.items() if column is not None}


def require_types(kinds: Iterable[type], allowed: set[type]) -> None:
    if not set(kinds) <= allowed:
        raise IrregularError


def fits(text: str, words: list[str], spaces: list[bool] | None) -> bool:
    """Whether the text is that of the words with their blanks, blanks at the end aside."""
    blanks = repeat(" ") if spaces is None else [" " if space else "" for space in spaces]
    return text.rstrip(" ") == "".join(chain.from_iterable(zip(words, blanks, strict=False))).rstrip(" ")


def _check_texts(documents: Sequence[Document]) -> None:
    for document in documents:
        text = document.get("text")
        if text is not None and not fits(text, document["words"], document.get("spaces")):
            raise IrregularError


def _unset(length: int) -> list[str]:
    return [""] * length


def _blank(chunk: Chunk) -> Flags | None:
    """Which tokens are nothing but white space; no token may be empty."""
    joined = SEPARATOR.join(filter(None, chunk.texts))
    if SEPARATOR * 2 in joined or joined.startswith(SEPARATOR) or joined.endswith(SEPARATOR):
        raise IrregularError
    if len(joined.split(None, 1)) < 2 and not joined.isspace() and joined == joined.strip():
        return None
    return np.array([word.isspace() for text in chunk.texts if text for word in text.split(SEPARATOR)], dtype=bool)


def _codes(lists: list[list[Any]] | None, codes: Strings | Morphs, n_tokens: int) -> Codes | None:
    if lists is None:
        return None
    return np.fromiter(map(codes.__getitem__, chain.from_iterable(lists)), np.int32, n_tokens)


def _spaces(chunk: Chunk) -> Flags | None:
    lists = chunk.lists("spaces", lambda n: [True] * n)
    if lists is None:
        return None
    flat = list(chain.from_iterable(lists))
    require_types(map(type, flat), {bool})
    return np.array(flat, dtype=bool)


def _deps(chunk: Chunk, strings: Strings) -> Codes | None:
    lists = chunk.lists("deps", _unset)
    codes = _codes(lists, strings, chunk.n_tokens)
    if lists is None or codes is None:
        return None
    if (chunk.knows("deps") & ~chunk.knows("heads")).any():
        raise IrregularError
    if not codes.all() and None in chain.from_iterable(lists):
        raise IrregularError
    return codes


def _heads(chunk: Chunk) -> Codes | None:
    lists = chunk.lists("heads", lambda n: list(range(n)))
    if lists is None:
        return None
    own = np.arange(chunk.n_tokens) - np.repeat(chunk.starts[:-1], chunk.lengths)
    head = _integers(list(chain.from_iterable(lists)))
    if head.size and (head.min() < 0 or (head >= np.repeat(chunk.lengths, chunk.lengths)).any()):
        raise IrregularError
    if (head > own).any() and in_cycles(head, chunk.starts).any():
        raise IrregularError
    return head


def _sent_starts(chunk: Chunk) -> NDArray[np.int8] | None:
    lists = chunk.lists("sent_starts", lambda n: [0] * n)
    if lists is None:
        return None
    flat = list(chain.from_iterable(lists))
    require_types(map(type, flat), {int})
    if not set(flat) <= {-1, 0, 1}:
        raise IrregularError
    return np.array(flat, dtype=np.int8)


def _span_columns(chunk: Chunk, strings: Strings) -> dict[str, NDArray[Any] | None]:
    rows, number = _rows(chunk.values("ents"))
    found = _checked_spans(rows, number, strings, chunk)
    missing = _missing(chunk, found)
    _check_overlaps(found, chunk)
    groups, spans = _groups(chunk, strings)
    return {
        **{f"ents_{name}": column for name, column in found.items()},
        **{f"spans_{name}": column for name, column in spans.items()},
        "missing": missing,
        "group_document": groups[:, 0] + np.int32(chunk.offset),
        "group_key": groups[:, 1],
    }


def _rows(lists: list[Any]) -> tuple[list[Any], Codes]:
    """The entries of all lists, one after the other, and the number of the list of each."""
    require_types(map(type, lists), {list, type(None)})
    sizes = [len(value) if value else 0 for value in lists]
    rows = list(chain.from_iterable(filter(None, lists)))
    return rows, np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)


def _checked_spans(rows: list[Any], number: Codes, strings: Strings, chunk: Chunk) -> Columns:
    """[start, end, label] or [start, end, label, kb_id] of each row, inside its document and not empty."""
    require_types(map(type, rows), {list})
    sizes = set(map(len, rows))
    if not sizes <= {3, 4}:
        raise IrregularError
    if sizes == {3, 4}:
        rows = [row if len(row) == 4 else [*row, ""] for row in rows]
    columns: list[Sequence[Any]] = list(zip(*rows, strict=True)) or [(), (), ()]
    start, end = _integers(columns[0]), _integers(columns[1])
    if ((start < 0) | (end > np.array(chunk.lengths)[number]) | (start >= end)).any():
        raise IrregularError
    return {
        "document": number + np.int32(chunk.offset),
        "key": np.zeros(len(rows), dtype=np.int32),
        "start": start,
        "end": end,
        "label": _texts(columns[2], strings),
        "kb": _texts(columns[3], strings) if len(columns) == 4 else np.zeros(len(rows), dtype=np.int32),
    }


def _integers(values: Sequence[Any]) -> Codes:
    require_types(map(type, values), {int})
    return np.array(values, dtype=np.int32)


def _texts(values: Sequence[Any], strings: Strings) -> Codes:
    require_types(map(type, values), {str})
    return np.fromiter(map(strings.__getitem__, values), np.int32, len(values))


def _missing(chunk: Chunk, ents: Columns) -> Flags | None:
    """The tokens of unknown entity status; none of them may belong to an entity."""
    rows, number = _rows(chunk.values("ents_missing"))
    if not rows:
        return None
    missing = np.zeros(chunk.n_tokens, dtype=bool)
    for (start, end), k in zip(rows, number.tolist(), strict=True):
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= chunk.lengths[k]:
            raise IrregularError
        missing[chunk.starts[k] + start : chunk.starts[k] + end] = True
    before = np.concatenate([[0], np.cumsum(missing)])
    first = chunk.starts[ents["document"] - chunk.offset]
    if (before[first + ents["end"]] > before[first + ents["start"]]).any():
        raise IrregularError
    return missing


def _check_overlaps(ents: Columns, chunk: Chunk) -> None:
    first = chunk.starts[ents["document"] - chunk.offset]
    start, end = first + ents["start"], first + ents["end"]
    if (start[1:] < end[:-1]).any():
        order = np.argsort(start, kind="stable")
        if (start[order][1:] < end[order][:-1]).any():
            raise IrregularError


def _groups(chunk: Chunk, strings: Strings) -> tuple[Codes, Columns]:
    """The (document, key) of all groups, documents counted in the chunk, and their spans in the order of the file."""
    groups: list[tuple[int, int]] = []
    lists: list[Any] = []
    values = chunk.values("spans")
    require_types(map(type, values), {dict, type(None)})
    for k, value in enumerate(values):
        for key, rows in (value or {}).items():
            groups.append((k, strings[key]))
            lists.append(rows)
    require_types(map(type, lists), {list})
    rows, number = _rows(lists)
    table = np.array(groups, dtype=np.int32).reshape(-1, 2)
    spans = _checked_spans(rows, table[number, 0], strings, chunk)
    return table, spans | {"key": table[number, 1]}


def _category_columns(chunk: Chunk, strings: Strings) -> Columns:
    given = chunk.values("cats")
    require_types(map(type, given), {dict, type(None)})
    cats: list[dict[str, Any]] = [{} if value is None else value for value in given]
    values = list(chain.from_iterable(map(dict.values, cats)))
    require_types(map(type, values), {float, int})
    value = np.array(values, dtype=np.float64)
    # One of the two JSON parsers reads longer integers as floats: both have to refuse them.
    if not (np.abs(value) < LARGEST_INTEGER).all():
        raise IrregularError
    return {
        "cats_document": np.repeat(np.arange(len(cats), dtype=np.int32) + np.int32(chunk.offset), list(map(len, cats))),
        "cats_label": _category_labels(cats, len(values), strings),
        "cats_value": value,
    }


def _category_labels(cats: list[dict[str, Any]], n_values: int, strings: Strings) -> Codes:
    usual = list(cats[0]) if cats else []
    if all(list(labels) == usual for labels in cats):
        return np.tile(np.array([strings[label] for label in usual], dtype=np.int32), len(cats))
    return np.fromiter(map(strings.__getitem__, chain.from_iterable(cats)), np.int32, n_values)
