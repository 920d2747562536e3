"""Annotations of one side as its documents are read, and the problems found on the way."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.errors import Problem
from scoring.readers.mat.columns import Integers
from scoring.readers.mat.types import Alias, Types

_LISTED = 100


class MalformedDocument(Exception):
    """What keeps a document, or one of its lines, from being read; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


@dataclass(frozen=True)
class Collected:
    """Annotations as columns, in the order in which they were read; nothing is checked yet.

    `type` is an index into `types`, `label` into `labels`, `document` counts as `Collector.begin` was told.
    """

    types: list[str]
    labels: list[str]
    document: Integers
    type: Integers
    label: Integers
    start: Integers
    end: Integers


class Collector:
    """Takes the annotations of one document after the other, many at once.

    `types` is None while it is not known what counts: then every type is taken. Tokens are only taken
    `with_tokens`.
    """

    def __init__(self, types: Types | None, aliases: Mapping[str, tuple[Alias, ...]], *, with_tokens: bool) -> None:
        self.types = types
        self.aliases = aliases
        self.problems: list[Problem] = []
        self.content_annotations: dict[str, None] = {}
        self.token_annotations: dict[str, None] = {}
        self._with_tokens = with_tokens
        self._types: dict[str, int] = {}
        self._labels: dict[str, int] = {}
        self._blocks = array("q")
        self._starts = array("q")
        self._ends = array("q")
        self._document = 0
        self._file = ""
        self._n_problems = 0

    def begin(self, document: int, file: str) -> None:
        self.end()
        self._document = document
        self._file = file

    def end(self) -> None:
        if self._n_problems > _LISTED:
            self.problems.append(Problem(f"and {self._n_problems - _LISTED} more", self._file))
        self._n_problems = 0

    def wants(self, name: str) -> bool:
        """Whether annotations of this type have to be read at all."""
        types = self.types
        return types is None or self._with_tokens or not types.is_token(name) or types.is_content(name)

    def counts(self, name: str) -> bool:
        """Whether annotations of this type are scored, so that their place in the text matters."""
        types = self.types
        return types is None or types.is_content(name) or (self._with_tokens and types.is_token(name))

    def add(self, name: str, label: str, starts: Sequence[int], ends: Sequence[int]) -> None:
        """Annotations of one type and label; OverflowError, and none is taken, if an offset is beyond int64."""
        own_starts, own_ends = array("q", starts), array("q", ends)
        self._starts += own_starts
        self._ends += own_ends
        type_code = self._types.setdefault(name, len(self._types))
        label_code = self._labels.setdefault(label, len(self._labels))
        self._blocks.extend((self._document, type_code, label_code, len(starts)))

    def report(self, message: str, line: int | None = None, column: int | None = None) -> None:
        """A problem of the document at hand; very long lists are cut."""
        self._n_problems += 1
        if self._n_problems <= _LISTED:
            self.problems.append(Problem(message, self._file, line, column))

    def report_error(self, error: MalformedDocument) -> None:
        self.report(str(error), error.line, error.column)

    def collected(self) -> Collected:
        self.end()
        blocks = np.array(self._blocks, dtype=np.int64).reshape(-1, 4)
        document, type_code, label = (np.repeat(blocks[:, column], blocks[:, 3]) for column in range(3))
        return Collected(
            types=list(self._types),
            labels=list(self._labels),
            document=document,
            type=type_code,
            label=label,
            start=np.array(self._starts, dtype=np.int64),
            end=np.array(self._ends, dtype=np.int64),
        )


def decode_utf8(content: bytes) -> str:
    """The text; MalformedDocument says where the first byte stands that is no UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        before = content[: error.start].decode()
        message = f"not valid UTF-8: byte 0x{content[error.start]:02x}"
        raise MalformedDocument(message, *line_and_column(before, len(before))) from None


def line_and_column(text: str, place: int) -> tuple[int, int]:
    """Of the character at this place, both counted from 1; lines end in a newline."""
    return text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
