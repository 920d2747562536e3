"""Numbers, lists and quotations in sentences."""

from collections.abc import Sequence

from scoring.describing.contents import Name

_LONGEST = 60


def number(value: int) -> str:
    """Return the number with commas between thousands."""
    return f"{value:,}"


def name_of(value: int, name: Name) -> str:
    """Return the singular of one, the plural of all other numbers."""
    return name[0] if value == 1 else name[1]


def enumerated(things: Sequence[str]) -> str:
    """Return a list as one says it.

    >>> enumerated(["one phrase", "two relations", "no answer"])
    'one phrase, two relations and no answer'
    """
    return " and ".join(filter(None, [", ".join(things[:-1]), *things[-1:]])) or "Nothing"


def quoted(text: str) -> str:
    r"""Return a text from somebody's file, in one line and not too long.

    >>> quoted("el\nasma")
    '"el\\nasma"'
    """
    cut = text[:_LONGEST] + "…" if len(text) > _LONGEST else text
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in cut) + '"'


def shown(text: str) -> str:
    """Return a label or an id in a list: as it is, where it looks like one, and else in quotes."""
    return text if len(text) <= _LONGEST and text.isprintable() and text.strip() == text != "" else quoted(text)
