"""What is wrong or odd in somebody's files: one record, whoever finds it and whoever reads it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from scoring.messages import Message, kind_of

PLACED = "placed"  # the kind of a finding's message behind its place

Severity = Literal["error", "question", "note"]
Run = tuple[int, int]  # the first and the last of lines that follow each other


@dataclass(frozen=True)
class Finding:
    """Something in somebody's files: an error refuses them, a question is asked back, a note is only told.

    >>> print(Finding("duplicate id 7", "run/output_a.txt", 12))
    run/output_a.txt:12: duplicate id 7
    """

    message: str  # in words, and where it is not plain what to do; a `Message` where the engine says it
    file: str | None = None  # path inside the upload; None for the upload as a whole
    line: int | None = None  # of the first one, from 1
    column: int | None = None  # in characters, from 1
    kind: str = ""  # a stable name; that of the message where none is given, which a text has not
    severity: Severity = "error"
    n: int = 1  # how many it concerns
    of: int | None = None  # out of how many; both of those that were looked at, which are a sample in a large run
    suggestion: str | None = None  # what would mend it, in one clause
    lines: tuple[Run, ...] = field(default=(), compare=False)  # where all of them are, of several with the same cause
    is_mixed: bool = field(default=False, compare=False)  # whether these say the same of other words and numbers
    is_refuted: bool = field(default=False, compare=False)  # whether the mend that its line suggests did not help
    # What "and 89 more" stands for: further findings, by their causes.
    rest: "tuple[Finding, ...]" = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", self.kind or kind_of(self.message))

    @classmethod
    def odd(
        cls,
        kind: str,
        message: str,
        n: int,
        of: int,
        file: str | None = None,
        line: int | None = None,
        suggestion: str | None = None,
    ) -> Self:
        """Ask about something that is valid and perhaps not meant: whoever knows better goes on."""
        return cls(message, file, line, None, kind, "question", n, of, suggestion)

    @classmethod
    def aside(
        cls,
        n: int,
        of: int,
        message: str,
        suggestion: str | None = None,
        file: str | None = None,
        line: int | None = None,
    ) -> Self:
        """Tell of what the files have and is not scored; with a suggestion one is asked about much of it.

        `of` counts all that the files have, those that are scored included.
        """
        return cls(message, file, line, None, "unread", "note", n, of, suggestion)

    def __str__(self) -> str:
        return str(self.placed)

    @property
    def placed(self) -> str:
        """Return the message behind its place, as compilers write it, so that editors can open it."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return Message(PLACED, "{place}: {problem}", place=place, problem=self.message) if place else self.message

    @property
    def values(self) -> Mapping[str, Any]:
        """Return those of the message."""
        return self.message.values if isinstance(self.message, Message) else {}

    def as_dict(self) -> dict[str, Any]:
        """Return what programs are told of it."""
        return {name: getattr(self, name) for name in _TOLD}


_TOLD = ("kind", "severity", "message", "file", "line", "column", "n", "of", "suggestion")

Problem = Finding  # as the engine's public surface calls what `check` returns


@dataclass(frozen=True)
class Unreadable(Finding):
    """A file that the system does not let the engine read, for which whoever made the file may not be to blame."""

    error: OSError = field(kw_only=True, compare=False, repr=False)
