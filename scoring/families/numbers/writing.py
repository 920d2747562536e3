"""Tables written: small files in the format, the delimiter and the columns that options ask for."""

from collections.abc import Sequence
from typing import Any

from scoring.family import Options, Side
from scoring.readers.tables import layout_of, write_table


def columns_of(options: Options, side: Side) -> list[str]:
    """Return the columns that a file of this side needs, each once, the id's first."""
    if side == "system":
        return [*options["id"], *options["columns"]]
    further = [options[key] for key in ("tolerance_column", "group", "slices", "systems") if options.get(key)]
    further += options["text"] or ()
    return [*dict.fromkeys([*options["gold_id"], *options["gold_columns"], *further])]


def written(
    name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], options: Options, side: Side
) -> dict[str, bytes]:
    """Write a table {path: content} whose first columns name a row."""
    layout = layout_of(options, side)
    return write_table(name, columns, rows, layout, len(layout.id))
