"""Annotations of one side as its documents are read, and the problems found on the way."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from scoring.columns import Floats, Integers
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.mat.types import Alias, Types
from scoring.readers.problems import Problems, not_decoded


class MalformedDocument(Exception):
    """Holds what keeps a document, or one of its lines, from being read; `line` and `column` count from 1."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


# What else has to be equal in two annotations of one label, start and end: nothing, the start and end of each part, or
# what a structure of BRAT is made of, whose first item is a letter.
Shape = tuple[Any, ...]


def is_structure(shape: Shape) -> bool:
    """Return whether it is of an annotation about others."""
    return bool(shape) and isinstance(shape[0], str)


class StatedWords(NamedTuple):
    """The words beside the offsets of an annotation, where they are not what stands there."""

    line: int
    words: str


@dataclass(frozen=True)
class Collected:
    """n annotations, in the order in which they were read; nothing is checked yet."""

    types: list[str]  # types in the order of their first annotation
    labels: list[str]  # labels in the order of their first annotation
    document: Integers  # (n,) number given to `Collector.begin`
    type: Integers  # (n,) index into types
    label: Integers  # (n,) index into labels
    start: Integers  # (n,) as in the file, in its unit, possibly outside the text
    end: Integers  # (n,) as in the file
    shapes: list[Shape]  # of annotations in several parts these; the first one is that of all others
    shape: Integers  # (n,) index into shapes
    moved: list[str]  # documents whose offsets counted other line ends
    careless: list[tuple[str, int, str]]  # document, line and text where the words beside the offsets differ
    said: dict[int, StatedWords]  # of the annotations in one part to which that happens
    probability: Floats | None  # (n,) of each; None where none is said
    values: Floats | None  # (n, values) of tuples with numbers; None where there are none


class Collector:
    """Takes the annotations of one document after the other, many at once.

    `types` is None while it is not known what counts: then every type is taken. Tokens are only taken
    `with_tokens`, because reading them takes most of the time and a system's seldom count.
    """

    def __init__(self, types: Types | None, aliases: Mapping[str, tuple[Alias, ...]], *, with_tokens: bool) -> None:
        self.types = types
        self.aliases = aliases
        # Problems of the documents that have ended.
        self.problems: list[Finding] = []
        # Labels that metadata name, as the keys of dictionaries, which keep their order and each once.
        self.content_annotations: dict[str, None] = {}
        self.token_annotations: dict[str, None] = {}
        self._with_tokens = with_tokens
        # Codes of types and labels, given in the order in which they come.
        self._types: dict[str, int] = {}
        self._labels: dict[str, int] = {}
        self._shapes: dict[Shape, int] = {(): 0}
        self._file = ""
        self._moved: list[str] = []
        self._careless: list[tuple[str, int, str]] = []
        self._said: dict[int, StatedWords] = {}
        self._probabilities: dict[int, float] = {}
        self._values: Floats | None = None
        # Five numbers for each call of `add`: document, type, label, shape, how many annotations.
        self._blocks = array("q")
        # Offsets of all annotations. Arrays take 8 bytes for each, a list of Python's integers 40.
        self._starts = array("q")
        self._ends = array("q")
        self._document = 0
        self._of_document = Problems("")

    def begin(self, document: int, file: str) -> None:
        """Begin a document: from here on annotations are of it, and problems of this file."""
        self.end()
        self._document = document
        self._file = file
        self._of_document = Problems(file)

    def end(self) -> None:
        """End the document at hand: its problems are complete."""
        self.problems += self._of_document.listed()
        self._of_document = Problems("")

    def wants(self, name: str) -> bool:
        """Return whether annotations of this type have to be read at all.

        Types that do not count are read, too, because a warning gives their number.
        """
        types = self.types
        return types is None or self._with_tokens or not types.is_token(name) or types.is_content(name)

    def counts(self, name: str) -> bool:
        """Return whether annotations of this type are scored, so that their offsets matter."""
        types = self.types
        return types is None or types.is_content(name) or (self._with_tokens and types.is_token(name))

    def add(self, name: str, label: str, starts: Sequence[int], ends: Sequence[int], shape: Shape = ()) -> None:
        """Add annotations of one type, label and shape.

        Raises OverflowError, and takes none, if an offset is beyond int64.
        """
        own_starts, own_ends = array("q", starts), array("q", ends)
        self._starts += own_starts
        self._ends += own_ends
        type_code = self._types.setdefault(name, len(self._types))
        label_code = self._labels.setdefault(label, len(self._labels))
        shape_code = self._shapes.setdefault(shape, len(self._shapes)) if shape else 0
        self._blocks.extend((self._document, type_code, label_code, shape_code, len(starts)))

    def add_all(
        self,
        document: Integers,
        names: Sequence[str],
        name: Integers,
        shapes: Sequence[Shape],
        shape: Integers,
        start: Integers,
        end: Integers,
        values: Floats | None,
    ) -> None:
        """Add all annotations (n,) of a side, sorted by document; `name` and `shape` index names and shapes."""
        self._values = values
        types, labels = (
            np.array([codes.setdefault(key, len(codes)) for key in names], dtype=np.int64)
            for codes in (self._types, self._labels)
        )
        own_shapes = np.array([self._shapes.setdefault(key, len(self._shapes)) for key in shapes], dtype=np.int64)
        ones = np.ones(len(document), dtype=np.int64)
        blocks = np.column_stack([document, types[name], labels[name], own_shapes[shape], ones])
        for column, values_of_column in ((self._blocks, blocks), (self._starts, start), (self._ends, end)):
            column.frombytes(np.ascontiguousarray(values_of_column).tobytes())

    def note_said(self, words: StatedWords) -> None:
        """Note that the words of the annotation that was added last are not what stands between its offsets."""
        self._said[len(self._starts) - 1] = words

    def note_probability(self, value: float) -> None:
        """Note how probable the annotation is that was added last; the others are certain."""
        self._probabilities[len(self._starts) - 1] = value

    def note_line_ends(self) -> None:
        """Note that the offsets of the document at hand counted other line ends than the text has."""
        self._moved.append(self._file)

    def note_words(self, line: int, text: str) -> None:
        """Note that the words of an annotation are not the text between its offsets."""
        self._careless.append((self._file, line, text))

    def report(self, message: str, line: int | None = None, column: int | None = None) -> None:
        """Report a problem of the document at hand; `line` and `column` count from 1."""
        self._of_document.add(message, line, column)

    def report_error(self, error: MalformedDocument) -> None:
        self.report(error.args[0], error.line, error.column)

    def collected(self) -> Collected:
        """Return all annotations as columns; the last document has ended with that."""
        self.end()
        # One row for each call of `add`; its first columns are repeated for each of its annotations.
        blocks = np.array(self._blocks, dtype=np.int64).reshape(-1, 5)
        document, type_code, label = (np.repeat(blocks[:, column], blocks[:, 4]) for column in range(3))
        # Of formats without shapes a column that takes no room.
        n = len(document)
        shape = np.repeat(blocks[:, 3], blocks[:, 4]) if len(self._shapes) > 1 else np.broadcast_to(np.int64(0), n)
        return Collected(
            types=list(self._types),
            labels=list(self._labels),
            document=document,
            type=type_code,
            label=label,
            start=np.array(self._starts, dtype=np.int64),
            end=np.array(self._ends, dtype=np.int64),
            shapes=list(self._shapes),
            shape=shape,
            moved=self._moved,
            careless=self._careless,
            said=self._said,
            probability=self._probability() if self._probabilities else None,
            values=self._values,
        )

    def _probability(self) -> Floats:
        values = np.ones(len(self._starts))
        values[[*self._probabilities]] = [*self._probabilities.values()]
        return values


def decode_utf8(content: bytes) -> str:
    """Return the text; MalformedDocument says where the first byte stands that is no UTF-8."""
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        problem = not_decoded(error, None, refusal=Message("not-valid-utf", "not valid UTF-8"))
        raise MalformedDocument(problem.message, problem.line, problem.column) from None


def line_and_column(text: str, index: int) -> tuple[int, int]:
    r"""Return line and column of the character at this index, both counted from 1; lines end in a newline.

    >>> line_and_column("one\ntwo", 5)
    (2, 2)
    """
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)
