"""Columns that were exchanged: what stands under the heading of ids are values, and the ids stand elsewhere."""

from collections.abc import Collection, Iterable

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message

_SHARE = 0.9
_FEWEST = 3
_SHOWN = 40


def refuse_swapped(
    known_ids: Collection[str], ids: Iterable[str], others: dict[str, Iterable[str]], id_name: str, file: str
) -> None:
    """Raise SubmissionError where none of a table's ids is known, and nearly all cells of another column are.

    `others` are the other columns by their names, and `id_name` is that of the ids.

    >>> try:
    ...     refuse_swapped(["a", "b", "c"], ["1", "2", "1"], {"label": ["a", "b", "c"]}, "id", "run.csv")
    ... except SubmissionError as error:
    ...     print(error.problems[0].message.values["column"])
    label
    """
    names = {*known_ids}
    if len(names) < _FEWEST or not names.isdisjoint(ids):
        return
    for column, cells in others.items():
        cells = [*cells]
        ids_there = [cell for cell in cells if cell in names]
        if len(ids_there) >= max(_FEWEST, _SHARE * len(cells)):
            message = Message(
                "columns-swapped",
                "the ids stand under {column!r}, such as {example!r}, and not under {id_name!r}: exchange the names of"
                " the two columns",
                column=column[:_SHOWN],
                example=ids_there[0][:_SHOWN],
                id_name=id_name[:_SHOWN],
            )
            raise SubmissionError(Finding(message, file))


def ids_elsewhere(column: str, example: str, id_name: str) -> Message:
    """Say under which name the ids stand."""
    return Message(
        "ids-under-other-name",
        "the ids stand under {column!r}, such as {example!r}, and not under {id_name!r}",
        column=column,
        example=example,
        id_name=id_name,
    )
