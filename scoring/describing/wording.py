"""Numbers, lists and quotations in sentences."""

from scoring.describing.contents import Name
from scoring.messages import Message

_LONGEST = 60


def name_of(value: int, name: Name) -> Message:
    """Return the singular of one, the plural of all other numbers."""
    return Message.word(name[0] if value == 1 else name[1])


def counted(value: int, name: Name) -> Message:
    """Return the number and its noun.

    >>> counted(1150, ("relation", "relations"))
    '1,150 relations'
    """
    return Message("number-of-things", "{n:,} {things}", n=value, things=name_of(value, name))


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
