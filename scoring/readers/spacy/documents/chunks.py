"""Documents in their regular form (document.py) turned into columns, many of them together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from scoring.columns import Flags, Integers, owners, starts_from_sizes
from scoring.readers.spacy.documents.columns import SEPARATOR, Codes
from scoring.readers.spacy.documents.document import WRITTEN_TAGS, Document
from scoring.readers.spacy.documents.strings import UNSET, Morphs, Strings

# {name: array over the documents, tokens, spans or categories of a chunk}
Columns = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Chunk:
    """Some documents that are turned into columns together."""

    documents: Sequence[Document]
    offset: int  # the index of the first document in the corpus
    texts: list[str]  # the words of each document, joined by SEPARATOR
    lengths: list[int]  # the number of words of each document
    starts: Integers  # (documents + 1,): the first token of each document, counted over the chunk

    @property
    def n_tokens(self) -> int:
        return int(self.starts[-1])

    def lists(self, key: str, fill: Callable[[int], list[Any]]) -> list[list[Any]] | None:
        """Return the lists of a key, one entry per word; None if no document has them.

        A document without them gets what `fill` makes of its number of words.
        """
        values = self.values(key)
        if all(value is None for value in values):
            return None
        return [fill(n) if value is None else value for value, n in zip(values, self.lengths, strict=True)]

    def values(self, key: str) -> list[Any]:
        """Return the value of each document, None where it is null or absent."""
        return [document.get(key) for document in self.documents]

    def knows(self, key: str) -> Flags:
        """Return which documents have a value that is not null."""
        return np.array([value is not None for value in self.values(key)], dtype=bool)


def chunk_of(documents: Sequence[Document], offset: int) -> Chunk:
    words = [document["words"] for document in documents]
    lengths = list(map(len, words))
    return Chunk(documents, offset, list(map(SEPARATOR.join, words)), lengths, starts_from_sizes(lengths))


def columns_of(chunk: Chunk, strings: Strings, morphs: Morphs) -> Columns:
    """Make the columns of the documents; a column of tokens is left out if no document of the chunk has it."""
    columns = {
        "blank": _blank(chunk),
        "tag": _codes(chunk.lists("tags", _unset), strings, chunk.n_tokens),
        "pos": _codes(chunk.lists("pos", _unset), strings, chunk.n_tokens),
        "lemma": _codes(chunk.lists("lemmas", _unset), strings, chunk.n_tokens),
        "morph": _codes(chunk.lists("morphs", lambda n: [None] * n), morphs, chunk.n_tokens),
        "iob": _codes(chunk.lists(WRITTEN_TAGS, _unset), strings, chunk.n_tokens),
        "space": _flat(chunk.lists("spaces", lambda n: [True] * n), np.bool_),  # unknown spaces are blanks
        "head": _flat(chunk.lists("heads", lambda n: list(range(n))), np.int32),
        "dep": _codes(chunk.lists("deps", _unset), strings, chunk.n_tokens),
        "sent_start": _flat(chunk.lists("sent_starts", lambda n: [0] * n), np.int8),
        **_span_columns(chunk, strings),
        **_category_columns(chunk, strings),
        "length": np.array(chunk.lengths),
        "knows_spaces": chunk.knows("spaces"),
        "has_heads": chunk.knows("heads"),
        "has_sents": chunk.knows("sent_starts"),
        "has_ents": chunk.knows("ents"),
    }
    return {name: column for name, column in columns.items() if column is not None}


def _unset(length: int) -> list[str]:
    return [""] * length


def _blank(chunk: Chunk) -> Flags | None:
    """Return which tokens are nothing but white space."""
    joined = SEPARATOR.join(filter(None, chunk.texts))
    # Most corpora have no white space in any word, which one look at all words together tells.
    if len(joined.split(None, 1)) < 2 and not joined.isspace() and joined == joined.strip():
        return None
    return np.array([word.isspace() for text in chunk.texts if text for word in text.split(SEPARATOR)], dtype=bool)


def _codes(lists: list[list[Any]] | None, codes: Strings | Morphs, n_tokens: int) -> Codes | None:
    """Return the code of each entry, a new one for a new text."""
    if lists is None:
        return None
    return np.fromiter(map(codes.__getitem__, chain.from_iterable(lists)), np.int32, n_tokens)


def _flat(lists: list[list[Any]] | None, dtype: DTypeLike) -> NDArray[Any] | None:
    return None if lists is None else np.array(list(chain.from_iterable(lists)), dtype=dtype)


def _span_columns(chunk: Chunk, strings: Strings) -> dict[str, NDArray[Any] | None]:
    """Make the columns of entities, of span groups and their spans, and of tokens of unknown entity status."""
    rows, document = _rows(chunk.values("ents"))
    groups, spans = _groups(chunk, strings)
    return {
        **{f"ents_{name}": column for name, column in _spans(rows, document, strings, chunk).items()},
        **{f"spans_{name}": column for name, column in spans.items()},
        "missing": _missing(chunk),
        "group_document": groups[:, 0] + np.int32(chunk.offset),
        "group_key": groups[:, 1],
    }


def _rows(lists: list[Any]) -> tuple[list[Any], Codes]:
    """Return the entries of all lists, one after the other, and the index of the list of each."""
    sizes = [len(value) if value else 0 for value in lists]
    rows = list(chain.from_iterable(filter(None, lists)))
    return rows, owners(np.array(sizes, dtype=np.int64)).astype(np.int32)


def _spans(rows: list[Any], document: Codes, strings: Strings, chunk: Chunk) -> Columns:
    """Make the columns of spans.

    Each row is [start, end, label] or [start, end, label, kb_id]; `document` is its document, counted in the chunk.
    """
    return {
        "document": document + np.int32(chunk.offset),
        "key": np.zeros(len(rows), dtype=np.int32),
        "start": np.array([row[0] for row in rows], dtype=np.int32),
        "end": np.array([row[1] for row in rows], dtype=np.int32),
        "label": np.array([strings[row[2]] for row in rows], dtype=np.int32),
        "kb": np.array([strings[row[3]] if len(row) == 4 else UNSET for row in rows], dtype=np.int32),
    }


def _missing(chunk: Chunk) -> Flags | None:
    """Return the tokens of unknown entity status."""
    rows, document = _rows(chunk.values("ents_missing"))
    if not rows:
        return None
    missing = np.zeros(chunk.n_tokens, dtype=bool)
    for (start, end), k in zip(rows, document.tolist(), strict=True):
        missing[chunk.starts[k] + start : chunk.starts[k] + end] = True
    return missing


def _groups(chunk: Chunk, strings: Strings) -> tuple[Codes, Columns]:
    """Return the (document, key) of all groups, documents counted in the chunk, and their spans in file order."""
    groups: list[tuple[int, int]] = []
    lists: list[Any] = []
    for k, value in enumerate(chunk.values("spans")):
        for key, rows in (value or {}).items():
            groups.append((k, strings[key]))
            lists.append(rows)
    rows, group = _rows(lists)
    table = np.array(groups, dtype=np.int32).reshape(-1, 2)
    spans = _spans(rows, table[group, 0], strings, chunk)
    return table, spans | {"key": table[group, 1]}


def _category_columns(chunk: Chunk, strings: Strings) -> Columns:
    """Return the values of categories."""
    cats: list[dict[str, Any]] = [value or {} for value in chunk.values("cats")]
    document = np.arange(len(cats), dtype=np.int32) + np.int32(chunk.offset)
    return {
        "cats_document": np.repeat(document, list(map(len, cats))),
        "cats_label": np.array([strings[label] for labels in cats for label in labels], dtype=np.int32),
        "cats_value": np.array([value for values in cats for value in values.values()], dtype=np.float64),
    }
