"""Reads the one oddity of a description."""


def one_oddity(description, kind=None, *words):
    """Return the one oddity of a description; it has to be of this kind, and its message has to have these words."""
    [oddity] = description.oddities
    assert kind in (None, oddity.kind)
    assert not [each for each in words if each not in oddity.message]
    return oddity
