"""The record that `scoring.describe` returns."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Oddity:
    """Something that is valid and perhaps not meant. It never refuses anything: whoever knows better goes on."""

    kind: str  # one of KINDS
    message: str  # in words, with numbers and an example
    n: int  # how many it concerns
    of: int  # out of how many; both of those that were looked at, which are a sample in a large run
    file: str | None = None  # path inside the upload
    line: int | None = None  # of the first one, from 1
    suggestion: str | None = None  # what would mend it, in one clause


@dataclass(frozen=True)
class Description:
    """A description of what was read of a system's files, and what looks odd."""

    summary: str  # one sentence, with the numbers that a person checks
    counts: dict[str, int]  # what the sentence says, and more
    oddities: list[Oddity] = field(default_factory=list)  # the most telling first; empty for ordinary runs

    def as_dict(self) -> dict[str, Any]:
        """Return plain Python types alone, ready for JSON."""
        return asdict(self)


# The most telling first: what nothing can be scored of, then what concerns all, then what concerns some.
KINDS = (
    "unread",
    "empty",
    "layer",
    "partial",
    "ids",
    "offsets",
    "case",
    "labels",
    "direction",
    "order",
    "range",
    "chains",
    "encoding",
    "traces",
    "span-text",
    "constant",
    "duplicates",
)
