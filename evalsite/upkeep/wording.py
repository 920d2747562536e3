"""Formats numbers for the administrator's terminal, in English."""

from datetime import timedelta


def counted(number: int, noun: str) -> str:
    """Return the number with its noun: 1 file; 1,200 files; 2 entries."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun.removesuffix('y')}ies" if noun.endswith("ry") else f"{number:,} {noun}s"


def duration(length: timedelta) -> str:
    """Return a duration in its largest unit: 40 s, 12 min, 3 h, 5 days."""
    seconds = length.total_seconds()
    for unit, of in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * of:
            return f"{seconds / of:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"


def size(n_bytes: int) -> str:
    """Return a size: 35 kB, 1.5 MB, 20.0 GB; units are of 1,024, as on every page."""
    for unit, length in (("GB", 1024**3), ("MB", 1024**2)):
        if n_bytes >= length:
            return f"{n_bytes / length:,.1f} {unit}"
    return f"{n_bytes / 1024:.0f} kB"
