"""What is wrong with a bundle: every problem, with file and line."""

from collections.abc import Iterable
from typing import Any

from scoring.findings import Finding

SETTINGS = "task.yaml"
MOST_TOLD = 100  # problems


class BundleError(Exception):
    """A bundle cannot be imported; `problems` are all that were found, for who has made it."""

    def __init__(self, problems: Iterable[Finding]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


class BundleProblems(list[Finding]):
    """The problems found so far in one file."""

    def __init__(self, file: str = SETTINGS) -> None:
        super().__init__()
        self.file = file

    def at(self, place: Any, message: str) -> None:
        """Add one; `place` is a node, a mark or None for the file as a whole."""
        mark = getattr(place, "start_mark", place)
        self.add(message, mark.line + 1 if mark else None)

    def add(self, message: str, line: int | None) -> None:
        """Add one; raise BundleError when there are very many."""
        self.append(Finding(message, self.file, line))
        if len(self) >= MOST_TOLD:
            self.raise_if_any()

    def raise_if_any(self) -> None:
        if self:
            raise BundleError(self)
