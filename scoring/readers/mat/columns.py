"""Spans and tokens as columns over the corpus, and the two sides made of them."""

from dataclasses import dataclass

from scoring.columns import Flags, Floats, Integers
from scoring.readers.mat.collecting import Shape, StatedWords
from scoring.readers.mat.types import Types


@dataclass(frozen=True)
class Spans:
    """n content annotations, sorted by document, then as read; duplicates are still there.

    0 <= start < end <= length of the document's signal.
    """

    document: Integers  # (n,) index into the documents of the gold
    label: Integers  # (n,) index into the labels of the side; aliases of the task are applied
    start: Integers  # (n,) offset of the first character in the document's signal, in code points
    end: Integers  # (n,) offset behind the last character
    shape: Integers  # (n,) index into the shapes of the side
    probability: Floats | None = None  # (n,) of each; None where none is said
    values: Floats | None = None  # (n, values) of tuples with numbers; None where there are none

    def __len__(self) -> int:
        return len(self.document)

    def at(self, chosen: Flags) -> "Spans":
        """Return those that are flagged."""
        return Spans(
            document=self.document[chosen],
            label=self.label[chosen],
            start=self.start[chosen],
            end=self.end[chosen],
            shape=self.shape[chosen],
            probability=None if self.probability is None else self.probability[chosen],
            values=None if self.values is None else self.values[chosen],
        )


@dataclass(frozen=True)
class Tokens:
    """n tokens, sorted by document, then start; those of a document do not overlap."""

    document: Integers  # (n,) index into the documents of the gold
    start: Integers  # (n,) offset of the first character in the document's signal, in code points
    end: Integers  # (n,) offset behind the last character

    def __len__(self) -> int:
        return len(self.document)


@dataclass(frozen=True)
class Side:
    """Holds what both sides have. The documents of either are those of the gold, in its order."""

    spans: Spans
    labels: list[str]  # labels that a span bears; of a system the gold's first
    shapes: list[Shape]  # the parts of spans in several parts; the first one is of spans in one part
    tokens: Tokens
    warnings: list[str]  # sentences about the files, such as sub-folders that are not read
    ignored: dict[str, int]  # {type: number of annotations} of types that do not count

    @property
    def n_ignored(self) -> int:
        """Number of annotations of types that do not count."""
        return sum(self.ignored.values())


@dataclass(frozen=True)
class Gold(Side):
    """The gold; its labels are in code-point order."""

    documents: list[str]  # names of the files, in code-point order
    signals: list[str]  # the text of each document
    paths: list[str]  # files that were read, texts beside BRAT files included
    types: Types  # what counts, on both sides
    is_single: bool  # whether the gold is a single file, whose partner may have any name


@dataclass(frozen=True)
class System(Side):
    """A system over the gold's documents; labels that the gold does not have are sorted behind those of the gold.

    Its tokens are empty unless the option `tokens` needs them.
    """

    names: list[str]  # name of each document's file; of a missing one the name that was expected
    missing: Flags  # (documents,) whether the system has no such document
    said: dict[int, StatedWords]  # of those spans whose words are not what stands between their offsets
    says_words: bool = False  # whether the words stand beside the offsets
