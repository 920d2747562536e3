"""Compares what an archive has stored with what was computed again, and names each figure that differs."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_SHOWN = 60  # characters of a value
ABSENT = "nothing"


@dataclass(frozen=True)
class Difference:
    """One figure that is not what follows from runs and gold."""

    file: str  # of the archive
    about: str  # the run and scenario, or the entry of a board
    name: str  # of the figure, such as `intervals.f1[0]`
    stored: Any
    recomputed: Any

    def __str__(self) -> str:
        about = f"{self.about}: " if self.about else ""
        stored, recomputed = _shown_value(self.stored), _shown_value(self.recomputed)
        return f"{self.file}: {about}{self.name}: stored {stored}, recomputed {recomputed}"

    @property
    def share(self) -> float:
        """Return how far the two are apart, as a share of the larger one; infinite where they are no numbers."""
        one, other = self.stored, self.recomputed
        if not (_is_number(one) and _is_number(other)):
            return math.inf
        return abs(one - other) / max(abs(one), abs(other)) if one != other else 0.0


def _shown_value(value: Any) -> str:
    text = value if value is ABSENT else repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def differing(stored: Any, recomputed: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield the name of each leaf that differs, and both of its values."""
    if isinstance(stored, Mapping) and isinstance(recomputed, Mapping):
        for key in dict.fromkeys([*recomputed, *stored]):
            inside = f"{name}.{key}" if name else str(key)
            yield from differing(stored.get(key, ABSENT), recomputed.get(key, ABSENT), inside)
    elif isinstance(stored, list | tuple) and isinstance(recomputed, list | tuple):
        if len(stored) != len(recomputed):
            yield f"{name} (number)", len(stored), len(recomputed)
        for place, (one, other) in enumerate(zip(stored, recomputed, strict=False)):
            yield from differing(one, other, f"{name}[{place}]")
    elif not _is_same(stored, recomputed):
        yield name, stored, recomputed


def _is_same(stored: Any, recomputed: Any) -> bool:
    if _is_number(stored) and _is_number(recomputed):
        return bool(stored == recomputed)
    if isinstance(stored, str) and isinstance(recomputed, str):  # the one may be a message
        return str(stored) == str(recomputed)
    return type(stored) is type(recomputed) and bool(stored == recomputed)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
