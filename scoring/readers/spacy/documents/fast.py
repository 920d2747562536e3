"""The fast path of the readers: many documents in their regular form, turned into columns together.

It takes regular input only (document.py says what that is) and raises IrregularError on anything else, without saying
what or where: whole columns are checked at once, so it knows of nothing but that something is irregular. Then the
careful path (careful.py) reads document by document, takes everything that is allowed, explains every problem, and
hands the documents that are in order to this module again, in their regular form. So both paths give the same columns
for regular documents, only that texts may get their codes in another order; a test in
tests/scoring/readers/test_spacy_formats.py shows it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Flags, Integers, owners, ranks, starts_from_sizes
from scoring.readers.spacy.documents.columns import SEPARATOR, Codes
from scoring.readers.spacy.documents.document import KEYS, LARGEST_INTEGER, WRITTEN_TAGS, Document, is_text_of
from scoring.readers.spacy.documents.strings import Morphs, Strings
from scoring.readers.spacy.documents.trees import in_cycles

# {name: array over the documents, tokens, spans or categories of a chunk}
Columns = dict[str, NDArray[Any]]


class IrregularError(Exception):
    """Some document is irregular or wrong: the careful path has to look at each by itself."""


@dataclass(frozen=True)
class Chunk:
    """Some documents that are turned into columns together."""

    documents: Sequence[Document]
    keys: frozenset[str]  # all keys that any of the documents has
    offset: int  # the index of the first document in the corpus
    texts: list[str]  # the words of each document, joined by SEPARATOR
    lengths: list[int]  # the number of words of each document
    starts: Integers  # (documents + 1,): the first token of each document, counted over the chunk
    _values: dict[str, list[Any]] = field(default_factory=dict)  # what `values` has looked up before

    @property
    def n_tokens(self) -> int:
        return int(self.starts[-1])

    def lists(self, key: str, fill: Callable[[int], Sequence[Any]]) -> list[list[Any]] | None:
        """The lists of a key, one entry per word; None if no document has them.

        A document without them gets what `fill` makes of its number of words.
        """
        values = self.values(key)
        types = set(map(type, values))
        if types <= {type(None)}:
            return None
        _require_types(types, {list, type(None)})
        if len(types) == 2:
            values = [fill(n) if value is None else value for value, n in zip(values, self.lengths, strict=True)]
        if list(map(len, values)) != self.lengths:
            raise IrregularError
        return values

    def values(self, key: str) -> list[Any]:
        """The value of each document, None where it is null or absent; an empty list if no document has the key."""
        if key not in self.keys:
            return []
        if key not in self._values:
            # Usually all documents have the same keys.
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
    """The documents, their words checked as far as that can be done without making columns."""
    keys = frozenset().union(*documents)
    # Keys with an underscore in front are the user's own.
    if not keys <= KEYS and any(not key.startswith("_") for key in keys - KEYS):
        raise IrregularError
    words = [document["words"] for document in documents]
    _require_types(set(map(type, words)), {list})
    lengths = list(map(len, words))
    texts = list(map(SEPARATOR.join, words))
    if "text" in keys:
        _check_texts(documents)
    return Chunk(documents, keys, offset, texts, lengths, starts_from_sizes(lengths))


def columns_of(chunk: Chunk, strings: Strings, morphs: Morphs) -> Columns:
    """The columns of the documents; a column of tokens is left out if no document of the chunk has it.

    IrregularError, or the error that a value of the wrong type leads to, such as TypeError.
    """
    columns = {
        "blank": _blank(chunk),
        "tag": _codes(chunk.lists("tags", _unset), strings, chunk.n_tokens),
        "pos": _codes(chunk.lists("pos", _unset), strings, chunk.n_tokens),
        "lemma": _codes(chunk.lists("lemmas", _unset), strings, chunk.n_tokens),
        "morph": _codes(chunk.lists("morphs", lambda n: [None] * n), morphs, chunk.n_tokens),
        "iob": _codes(chunk.lists(WRITTEN_TAGS, _unset), strings, chunk.n_tokens),
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


def _require_types(types: Iterable[type], allowed: set[type]) -> None:
    """Exact types: True is an integer to isinstance, but not to JSON."""
    if not set(types) <= allowed:
        raise IrregularError


def _check_texts(documents: Sequence[Document]) -> None:
    """A text that is given beside the words has to be made of them."""
    for document in documents:
        text = document.get("text")
        if text is not None and not is_text_of(text, document["words"], document.get("spaces")):
            raise IrregularError


def _unset(length: int) -> list[str]:
    return [""] * length


def _blank(chunk: Chunk) -> Flags | None:
    """Which tokens are nothing but white space; no token may be empty."""
    joined = SEPARATOR.join(filter(None, chunk.texts))
    # An empty word leaves two separators beside each other, or one at an end.
    if SEPARATOR * 2 in joined or joined.startswith(SEPARATOR) or joined.endswith(SEPARATOR):
        raise IrregularError
    # Most corpora have no white space in any word, which one look at all words together tells.
    if len(joined.split(None, 1)) < 2 and not joined.isspace() and joined == joined.strip():
        return None
    return np.array([word.isspace() for text in chunk.texts if text for word in text.split(SEPARATOR)], dtype=bool)


def _codes(lists: list[list[Any]] | None, codes: Strings | Morphs, n_tokens: int) -> Codes | None:
    """The code of each entry, a new one for a new text; TypeError from `codes` if one is no text."""
    if lists is None:
        return None
    # Looking up in a dictionary without a loop in Python is what makes this path fast.
    return np.fromiter(map(codes.__getitem__, chain.from_iterable(lists)), np.int32, n_tokens)


def _spaces(chunk: Chunk) -> Flags | None:
    """Whether a blank follows each token; unknown spaces are blanks."""
    lists = chunk.lists("spaces", lambda n: [True] * n)
    if lists is None:
        return None
    flat = list(chain.from_iterable(lists))
    _require_types(map(type, flat), {bool})
    return np.array(flat, dtype=bool)


def _deps(chunk: Chunk, strings: Strings) -> Codes | None:
    """The labels of all tokens. Each is given as a text, and a document with labels has heads."""
    lists = chunk.lists("deps", _unset)
    codes = _codes(lists, strings, chunk.n_tokens)
    if lists is None or codes is None:
        return None
    if (chunk.knows("deps") & ~chunk.knows("heads")).any():
        raise IrregularError
    # Null is a text to `strings`, which tags may be; a label may not.
    if not codes.all() and None in chain.from_iterable(lists):
        raise IrregularError
    return codes


def _heads(chunk: Chunk) -> Codes | None:
    """The head of each token, as an index in its document: inside of it, and without cycles."""
    lists = chunk.lists("heads", lambda n: list(range(n)))
    if lists is None:
        return None
    lengths = np.diff(chunk.starts)
    head = _integers(list(chain.from_iterable(lists)))
    if head.size and (head.min() < 0 or (head >= np.repeat(lengths, lengths)).any()):
        raise IrregularError
    # Where no head comes after its token there cannot be a cycle.
    if (head > ranks(lengths)).any() and in_cycles(head, chunk.starts).any():
        raise IrregularError
    return head


def _sent_starts(chunk: Chunk) -> NDArray[np.int8] | None:
    """1, -1 and 0 as they are given; true, false and null are left to the careful path."""
    lists = chunk.lists("sent_starts", lambda n: [0] * n)
    if lists is None:
        return None
    flat = list(chain.from_iterable(lists))
    _require_types(map(type, flat), {int})
    if not set(flat) <= {-1, 0, 1}:
        raise IrregularError
    return np.array(flat, dtype=np.int8)


def _span_columns(chunk: Chunk, strings: Strings) -> dict[str, NDArray[Any] | None]:
    """The columns of entities, of span groups and their spans, and of tokens of unknown entity status."""
    rows, document = _rows(chunk.values("ents"))
    ents = _checked_spans(rows, document, strings, chunk)
    missing = _missing(chunk, ents)
    _check_overlaps(ents, chunk)
    groups, spans = _groups(chunk, strings)
    return {
        **{f"ents_{name}": column for name, column in ents.items()},
        **{f"spans_{name}": column for name, column in spans.items()},
        "missing": missing,
        "group_document": groups[:, 0] + np.int32(chunk.offset),
        "group_key": groups[:, 1],
    }


def _rows(lists: list[Any]) -> tuple[list[Any], Codes]:
    """The entries of all lists, one after the other, and the index of the list of each."""
    _require_types(map(type, lists), {list, type(None)})
    sizes = [len(value) if value else 0 for value in lists]
    rows = list(chain.from_iterable(filter(None, lists)))
    return rows, owners(np.array(sizes, dtype=np.int64)).astype(np.int32)


def _checked_spans(rows: list[Any], document: Codes, strings: Strings, chunk: Chunk) -> Columns:
    """The columns of spans, each inside its document and not empty.

    Each row is [start, end, label] or [start, end, label, kb_id]; `document` is its document, counted in the chunk.
    """
    _require_types(map(type, rows), {list})
    sizes = set(map(len, rows))
    if not sizes <= {3, 4}:
        raise IrregularError
    if sizes == {3, 4}:
        rows = [row if len(row) == 4 else [*row, ""] for row in rows]
    columns: list[Sequence[Any]] = list(zip(*rows, strict=True)) or [(), (), ()]
    start, end = _integers(columns[0]), _integers(columns[1])
    if ((start < 0) | (end > np.diff(chunk.starts)[document]) | (start >= end)).any():
        raise IrregularError
    return {
        "document": document + np.int32(chunk.offset),
        "key": np.zeros(len(rows), dtype=np.int32),
        "start": start,
        "end": end,
        "label": _texts(columns[2], strings),
        "kb": _texts(columns[3], strings) if len(columns) == 4 else np.zeros(len(rows), dtype=np.int32),
    }


def _integers(values: Sequence[Any]) -> Codes:
    """OverflowError, which counts as irregular, beyond 32 bits: no document has so many tokens."""
    _require_types(map(type, values), {int})
    return np.array(values, dtype=np.int32)


def _texts(values: Sequence[Any], strings: Strings) -> Codes:
    """The codes of texts, of which none may be null."""
    _require_types(map(type, values), {str})
    return np.fromiter(map(strings.__getitem__, values), np.int32, len(values))


def _missing(chunk: Chunk, ents: Columns) -> Flags | None:
    """The tokens of unknown entity status; none of them may belong to an entity."""
    rows, document = _rows(chunk.values("ents_missing"))
    if not rows:
        return None
    missing = np.zeros(chunk.n_tokens, dtype=bool)
    for (start, end), k in zip(rows, document.tolist(), strict=True):
        if type(start) is not int or type(end) is not int or not 0 <= start < end <= chunk.lengths[k]:
            raise IrregularError
        missing[chunk.starts[k] + start : chunk.starts[k] + end] = True
    before = starts_from_sizes(missing)
    first = chunk.starts[ents["document"] - chunk.offset]
    if (before[first + ents["end"]] > before[first + ents["start"]]).any():
        raise IrregularError
    return missing


def _check_overlaps(ents: Columns, chunk: Chunk) -> None:
    """Entities may not overlap; they are usually in the order of the text, which saves sorting."""
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
    _require_types(map(type, values), {dict, type(None)})
    for k, value in enumerate(values):
        for key, rows in (value or {}).items():
            groups.append((k, strings[key]))
            lists.append(rows)
    _require_types(map(type, lists), {list})
    rows, group = _rows(lists)
    table = np.array(groups, dtype=np.int32).reshape(-1, 2)
    spans = _checked_spans(rows, table[group, 0], strings, chunk)
    return table, spans | {"key": table[group, 1]}


def _category_columns(chunk: Chunk, strings: Strings) -> Columns:
    """The values of categories, which have to be finite numbers."""
    given = chunk.values("cats")
    _require_types(map(type, given), {dict, type(None)})
    cats: list[dict[str, Any]] = [{} if value is None else value for value in given]
    values = list(chain.from_iterable(map(dict.values, cats)))
    _require_types(map(type, values), {float, int})
    value = np.array(values, dtype=np.float64)
    # NaN is no smaller than anything.
    if not (np.abs(value) < LARGEST_INTEGER).all():
        raise IrregularError
    return {
        "cats_document": np.repeat(np.arange(len(cats), dtype=np.int32) + np.int32(chunk.offset), list(map(len, cats))),
        "cats_label": _category_labels(cats, len(values), strings),
        "cats_value": value,
    }


def _category_labels(cats: list[dict[str, Any]], n_values: int, strings: Strings) -> Codes:
    """The code of each label; usually all documents have the same labels in the same order."""
    common = list(cats[0]) if cats else []
    if all(list(labels) == common for labels in cats):
        return np.tile(np.array([strings[label] for label in common], dtype=np.int32), len(cats))
    return np.fromiter(map(strings.__getitem__, chain.from_iterable(cats)), np.int32, n_values)
