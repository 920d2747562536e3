"""Tables written: small files in the format, the delimiter and the columns that options ask for."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from scoring.family import Options, Side
from scoring.readers.tables import layout_of

_ENDINGS = {"auto": "csv", "csv": "csv", "tsv": "tsv", "jsonl": "jsonl", "lines": "txt"}


def columns_of(options: Options, side: Side) -> list[str]:
    """The columns that a file of this side needs, the id's first."""
    if side == "system":
        return [*options["id"], *options["columns"]]
    further = [options[key] for key in ("tolerance_column", "group", "slices") if options[key]]
    further += options["text"] or ()
    return [*options["gold_id"], *options["gold_columns"], *dict.fromkeys(further)]


def written(
    name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], options: Options, side: Side
) -> dict[str, bytes]:
    """A table {path: content} whose first columns name a row."""
    layout = layout_of(options, side)
    path = f"{name}.{_ENDINGS[layout.format]}"
    if layout.format == "lines":
        return {path: "".join(f"{row[len(layout.id)]}\n" for row in rows).encode()}
    if layout.format == "jsonl":
        objects = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) for row in rows)
        return {path: "".join(f"{each}\n" for each in objects).encode()}
    text = io.StringIO()
    sign = layout.sign("tsv" if layout.format == "tsv" else "csv")
    if layout.quotes:
        writer = csv.writer(text, delimiter=sign, lineterminator="\n")
    else:
        writer = csv.writer(text, delimiter=sign, lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
    writer.writerows([columns, *rows] if layout.header else rows)
    return {path: text.getvalue().encode()}
