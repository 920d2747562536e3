"""Words of the commands that keep a site, for its administrator's terminal: in English."""


def counted(number: int, noun: str) -> str:
    """1 file; 1,200 files; 2 entries."""
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun.removesuffix('y')}ies" if noun.endswith("ry") else f"{number:,} {noun}s"


def lasted(seconds: float) -> str:
    """40 s, 12 min, 3 h, 5 days."""
    for unit, length in (("days", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"


def room(n_bytes: int) -> str:
    """35 kB, 1.5 MB, 20.0 GB; of 1,024 each, as on every page."""
    for unit, length in (("GB", 1024**3), ("MB", 1024**2)):
        if n_bytes >= length:
            return f"{n_bytes / length:,.1f} {unit}"
    return f"{n_bytes / 1024:.0f} kB"
