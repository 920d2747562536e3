"""The fast path: files of well-formed lines alone, taken apart column by column and never explained.

It gives up on anything else by `None`, and `parsing.py` looks at each line and says what is wrong. What both take they
read alike, as the test `test_many_lines_are_read_as_each_line_alone` shows.
"""

from itertools import chain
from operator import methodcaller

import numpy as np

from scoring.columns import starts_from_sizes
from scoring.readers.ehealthkd.columns import RawPhrases, RawRelations, coded_names, ids_of
from scoring.readers.ehealthkd.lines import FARTHEST, N_PHRASE_COLUMNS, N_RELATION_COLUMNS
from scoring.readers.gc_pause import without_collector


@without_collector()
def phrases_of(text: str) -> RawPhrases | None:
    """Return the phrases of lines with ID, spans, label and text; None where some line is not well-formed.

    >>> phrases = phrases_of("1\\t4 8;9 22\\tConcept\\tvías respiratorias")
    >>> phrases.ids, phrases.first, phrases.starts, phrases.ends
    (array([1]), array([0, 2]), array([4, 9]), array([ 8, 22]))
    """
    columns = _columns(text, N_PHRASE_COLUMNS)
    if columns is None:
        return None
    ids, spans, names, _ = columns
    ends = [*map(str.split, ";".join(spans).split(";"))]
    if {*map(len, ends)} != {2}:
        return None
    try:
        offsets = np.array([*map(int, chain.from_iterable(ends))], dtype=np.int64)
        numbers = ids_of([*map(int, ids)])
    except (ValueError, OverflowError):
        return None
    starts, stops = np.clip(offsets, -FARTHEST, FARTHEST).reshape(-1, 2).T.copy()
    labels, label = coded_names(names)
    first = starts_from_sizes([span.count(";") + 1 for span in spans])
    return RawPhrases(np.arange(1, len(ids) + 1, dtype=np.int64), numbers, labels, label, first, starts, stops)


def relations_of(text: str) -> RawRelations | None:
    """Return the relations of lines with label, source and target; None where some line is not well-formed.

    >>> relations_of("Is-A\\t1\\t2\\n").source, relations_of("Is-A\\t1\\ttwo\\n")
    (array([1]), None)
    """
    columns = _columns(text, N_RELATION_COLUMNS)
    if columns is None:
        return None
    names, sources, targets = columns
    try:
        source, target = ids_of([*map(int, sources)]), ids_of([*map(int, targets)])
    except ValueError:
        return None
    labels, label = coded_names([*map(str.lower, names)])
    return RawRelations(np.arange(1, len(names) + 1, dtype=np.int64), labels, label, source, target)


def _columns(text: str, number: int) -> list[list[str]] | None:
    """Return so many columns, of all lines; None where some line has not so many."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
    # Two million blank lines are not split.
    if lines.count("\t") != (number - 1) * (lines.count("\n") + 1):
        return None
    # A line loses the blanks at both of its ends, and with them a last column that is blank.
    rows = [*map(str.strip, lines.split("\n"))]
    if {*map(methodcaller("count", "\t"), rows)} != {number - 1}:
        return None
    cells = "\t".join(rows).split("\t")
    return [cells[place::number] for place in range(number)]
