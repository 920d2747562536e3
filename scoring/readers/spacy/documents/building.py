"""Documents gathered from files, piece by piece, into columns of the whole corpus.

A reader hands over some documents at a time, which become columns at once: what is kept of a large file are arrays,
and never its documents as Python objects.
"""

from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from scoring.columns import Integers, ranks, starts_from_sizes
from scoring.readers.spacy.documents.chunks import Columns, chunk_of, columns_of
from scoring.readers.spacy.documents.columns import Categories, Documents, Spans
from scoring.readers.spacy.documents.document import Document
from scoring.readers.spacy.documents.strings import Morphs, Strings
from scoring.readers.spacy.documents.treebank import Treebank

# Documents and tokens that become columns together, where they are entered one by one.
_MOST_WAITING = 1_000
_MOST_WAITING_TOKENS = 2**15


class Builder:
    """Takes documents in the order of the files and gives their columns.

    With a `gold`, the texts of a system get the gold's codes.
    """

    def __init__(self, gold: Documents | None = None) -> None:
        self.strings = gold.strings.copy() if gold is not None else Strings()
        # The file and line of each document that was entered, by its id.
        self.seen: dict[str, tuple[str, int]] = {}
        # The ids of documents that have problems. Readers put them in, so that such a document is not also missing.
        self.refused: set[str] = set()
        # Of all documents together, where a reader was asked for it.
        self.treebank: Treebank | None = None
        self._gold_texts = dict(zip(gold.ids, gold.texts, strict=True)) if gold is not None else {}
        self._morphs = Morphs(self.strings)
        # The pieces of each column, one for each chunk that has it.
        self._columns: dict[str, list[NDArray[Any]]] = {}
        # Of each chunk: the names of its columns and the number of its tokens.
        self._chunks: list[frozenset[str]] = []
        self._n_tokens: list[int] = []
        # Of each document: its words, joined, and its file.
        self._texts: list[str] = []
        self._files: list[str] = []
        # Documents that were entered one by one, and wait for others.
        self._waiting: list[Document] = []
        self._waiting_lines: list[int] = []
        self._n_waiting_tokens = 0
        # The columns of `Spans` for each span that fits no tokens.
        self._off_boundary: list[tuple[int, int, int, int, int, int]] = []

    def __len__(self) -> int:
        return len(self.seen)

    def add(self, document: Document, line: int, file: str) -> None:
        """Enter a document in its regular form, whose id is a new text and which begins on the line.

        It waits for others: columns of a single sentence take more time and memory than the sentence does.
        """
        self._waiting.append(document)
        self._waiting_lines.append(line)
        self._n_waiting_tokens += len(document["words"])
        self._files.append(file)
        self.seen[document["id"]] = (file, line)
        if len(self._waiting) >= _MOST_WAITING or self._n_waiting_tokens >= _MOST_WAITING_TOKENS:
            self._add_waiting()

    def _add_waiting(self) -> None:
        """Make the columns of the documents that wait."""
        if not self._waiting:
            return
        chunk = chunk_of(self._waiting, len(self._texts))
        columns = columns_of(chunk, self.strings, self._morphs)
        columns["lines"] = np.array(self._waiting_lines, dtype=np.int32)
        for name, column in columns.items():
            self._columns.setdefault(name, []).append(column)
        self._chunks.append(frozenset(columns))
        self._n_tokens.append(chunk.n_tokens)
        self._texts += map(self._shared, (document["id"] for document in self._waiting), chunk.texts)
        self._waiting, self._waiting_lines, self._n_waiting_tokens = [], [], 0

    def add_off_boundary(self, key: str, start: int, end: int, label: str) -> None:
        """Add a span of the document entered last whose `start` and `end`, in characters, fit no tokens."""
        strings = self.strings
        self._off_boundary.append((len(self) - 1, strings[key], start, end, strings[label], 0))

    def documents(self, paths: list[str], warnings: list[str]) -> Documents:
        """Return all that was entered."""
        self._add_waiting()
        columns = {name: self._joined(name, dtype) for name, dtype in _DTYPES.items()}
        first = starts_from_sizes(columns.pop("length"))
        columns |= {name: self._of_tokens(name, dtype, first) for name, dtype in _TOKEN_DTYPES.items()}
        off = np.array(self._off_boundary, dtype=np.int32).reshape(-1, 6)
        return Documents(
            strings=self.strings,
            ids=list(self.seen),
            files=self._files,
            texts=self._texts,
            first=first,
            ents=_spans(columns, "ents"),
            spans=_spans(columns, "spans"),
            groups=np.stack([columns.pop("group_document"), columns.pop("group_key")], axis=1),
            off_boundary=Spans(*off.T),
            cats=Categories(columns.pop("cats_document"), columns.pop("cats_label"), columns.pop("cats_value")),
            paths=paths,
            warnings=warnings,
            treebank=self.treebank,
            **columns,
        )

    def _shared(self, identifier: str, text: str) -> str:
        """Return the gold's own object if it is equal: half of the texts need no memory then."""
        gold = self._gold_texts.get(identifier)
        return gold if gold == text else text

    def _joined(self, name: str, dtype: DTypeLike) -> NDArray[Any]:
        """Join a column that every chunk has."""
        pieces = self._columns.pop(name, [])
        return np.concatenate(pieces) if pieces else np.empty(0, dtype=dtype)

    def _of_tokens(self, name: str, dtype: DTypeLike, first: Integers) -> NDArray[Any]:
        """Join a column of all tokens: its default for the tokens of chunks that lack it."""
        pieces = self._columns.pop(name, [])
        if len(pieces) == len(self._chunks) and pieces:
            return np.concatenate(pieces)
        # The system gives out memory for zeros when something is written there: an absent column takes none.
        column = np.zeros(int(first[-1]), dtype=dtype)
        if name == "space":
            column[:] = True
        elif name == "head":
            # Without a tree each token is its own head.
            column[:] = ranks(np.diff(first))
        starts = starts_from_sizes(self._n_tokens).tolist()
        chunks_with_it = (k for k, names in enumerate(self._chunks) if name in names)
        for k, piece in zip(chunks_with_it, pieces, strict=True):
            column[starts[k] : starts[k + 1]] = piece
        return column


# Columns of documents, spans and categories.
_DTYPES: dict[str, DTypeLike] = {
    "length": np.int64,
    "lines": np.int32,
    **dict.fromkeys(("knows_spaces", "has_heads", "has_sents", "has_ents"), np.bool_),
    **{f"{kind}_{f.name}": np.int32 for kind in ("ents", "spans") for f in fields(Spans)},
    **dict.fromkeys(("group_document", "group_key", "cats_document", "cats_label"), np.int32),
    "cats_value": np.float64,
}

# Columns of tokens; the default of all but `space` and `head` is 0.
_TOKEN_DTYPES: dict[str, DTypeLike] = {
    **dict.fromkeys(("tag", "pos", "lemma", "morph", "iob", "head", "dep"), np.int32),
    **dict.fromkeys(("blank", "space", "missing"), np.bool_),
    "sent_start": np.int8,
}


def _spans(columns: Columns, kind: str) -> Spans:
    return Spans(**{f.name: columns.pop(f"{kind}_{f.name}") for f in fields(Spans)})
