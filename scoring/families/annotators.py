"""Makes of a gold with the ratings of several annotators golds without one of them, and runs that are this one.

    gold [4, 5, 3]      without the first: gold [5, 3], run 4      the second: [4, 3] and 5      the third: [4, 5] and 3
    gold [1, 2]                                 [2]         1                  [1]         2     the first again
    gold [3]            left out, as nobody else rated it

Ratings have places and no names: the first of each row is taken for one annotator.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scoring.readers.tables import ROW_NUMBER

MAX_ANNOTATORS = 20  # annotators that are left out one after the other
# Both sides are written as JSON Lines, whatever the gold's own format is.
WRITTEN: Mapping[str, object] = {"format": "jsonl", "gold_format": "jsonl"}

Column = Sequence[Any]


def leave_one_out(
    ids: Mapping[str, Mapping[str, Column]],
    rated: Mapping[tuple[str, str], Sequence[Column]],
    others: Mapping[str, Column],
    alone: Callable[[Any], Any],
) -> list[tuple[dict[str, bytes], dict[str, bytes]]]:
    """Return a gold and a run for each annotator; none where no row has several ratings.

    * `ids`: {"gold": {column: cells}, "system": {column: cells}}
    * `rated`: {(the gold's column, the run's): the ratings of each row}
    * `others`: {a further column of the gold: cells}
    * `alone`: makes the cell of a run of one rating
    """
    numbers = [[len(ratings_of_item) for ratings_of_item in ratings] for ratings in rated.values()]
    fewest = [min(ratings_of_item) for ratings_of_item in zip(*numbers, strict=True)]
    rows = [row for row, number in enumerate(fewest) if number > 1]
    names = [*ids["gold"], *ids["system"], *(name for pair in rated for name in pair), *others]
    if not rows or any("[]" in name or ROW_NUMBER in name for name in names):
        return []
    n_annotators = min(MAX_ANNOTATORS, max(fewest))

    def pair(number: int) -> tuple[dict[str, bytes], dict[str, bytes]]:
        at = {row: number % fewest[row] for row in rows}
        gold: dict[str, Column] = {
            name: [cells[row] for row in rows] for name, cells in {**ids["gold"], **others}.items()
        }
        run: dict[str, Column] = {name: [cells[row] for row in rows] for name, cells in ids["system"].items()}
        for (of_gold, of_run), ratings in rated.items():
            gold[of_gold] = [[*ratings[row][: at[row]], *ratings[row][at[row] + 1 :]] for row in rows]
            run[of_run] = [alone(ratings[row][at[row]]) for row in rows]
        return {"gold.jsonl": _lines(gold)}, {"run.jsonl": _lines(run)}

    return [pair(number) for number in range(n_annotators)]


def rating_list(text: str) -> list[Any]:
    """Return the parts of a list in JSON; none of anything else.

    >>> rating_list("[4, 5]"), rating_list("4")
    ([4, 5], [])
    """
    if not text.startswith("["):
        return []
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return value if isinstance(value, list) else []


def _lines(columns: Mapping[str, Iterable[Any]]) -> bytes:
    rows = zip(*columns.values(), strict=True)
    return "".join(json.dumps(dict(zip(columns, row, strict=True))) + "\n" for row in rows).encode()
