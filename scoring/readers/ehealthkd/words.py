"""A phrase that lists one span, cut at its blanks."""


def words_between(start: int, end: int, sentence: str) -> list[tuple[int, int]]:
    """Return the pieces of a span between blanks of `sentence[start:end]`, as the challenge's program makes them.

    It slices as Python does, where a negative number counts from the end, and adds what it finds to `start`.

    >>> words_between(0, 8, "tos seca")
    [(0, 3), (4, 8)]
    >>> words_between(-8, 9, "tos seca")
    [(-8, -5), (-4, 9)]
    """
    blanks = [start + k for k, char in enumerate(sentence[start:end]) if char == " "]
    return list(zip([start, *(blank + 1 for blank in blanks)], [*blanks, end], strict=True))
