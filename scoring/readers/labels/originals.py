"""Which rows of a gold were made from another one, as a paraphrase or a contradiction of it."""

import numpy as np

from scoring.columns import Integers
from scoring.messages import Message
from scoring.readers.tables import Groups, Table, shown

NONE = -1  # of a row that was made from no other one


def originals_of(table: Table, column: str) -> Integers:
    """Return (n,) the row from which each was made, NONE for an original; what is no original is a problem."""
    which, names = table.columns[column].values()
    row_of = {name: row for row, name in enumerate(table.ids)}
    place = np.array([row_of.get(name, NONE) if name else NONE for name in names], dtype=np.int64)[which]
    is_named = ~table.columns[column].is_blank()
    is_own = place == np.arange(len(place))
    table.add_where(
        is_own,
        lambda row: Message(
            "original-is-row-itself",
            "row {id} names itself as its original: leave that empty in a row that is made from no other",
            id=shown(table.ids[row]),
        ),
    )
    table.add_where(
        is_named & (place == NONE),
        lambda row: Message("original-not-gold", "original {id} is not in the gold", id=shown(names[which[row]])),
    )
    table.add_where(
        (place != NONE) & is_named[place] & ~is_own & ~is_own[place],
        lambda row: Message(
            "original-made-too",
            "original {id} was itself made from another row: name the first one",
            id=shown(names[which[row]]),
        ),
    )
    return place


def families_of(table: Table, originals: Integers) -> Groups:
    """Group each original with the rows made from it, under the id of the original."""
    first = np.where(originals == NONE, np.arange(len(originals)), originals)
    rows, code = np.unique(first, return_inverse=True)
    return Groups([table.ids[row] for row in rows.tolist()], code)
