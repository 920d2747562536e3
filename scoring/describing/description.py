"""The record that `scoring.describe` returns."""

from dataclasses import asdict, dataclass, field
from typing import Any

from scoring.findings import Finding


@dataclass(frozen=True)
class Description:
    """A description of what was read of a system's files, and what looks odd."""

    summary: str  # one sentence, with the numbers that a person checks
    counts: dict[str, int]  # what the sentence says, and more
    oddities: list[Finding] = field(default_factory=list)  # the most telling first; empty for ordinary runs

    def as_dict(self) -> dict[str, Any]:
        """Return plain Python types alone, ready for JSON."""
        return asdict(self) | {"oddities": [oddity.as_dict() for oddity in self.oddities]}


# Of oddities, the most telling first: what nothing can be scored of, then what concerns all, then what concerns some.
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
    "words",
)
