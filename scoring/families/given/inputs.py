"""Tables made of the units alone: a sample of an upload, a perfect one, and what participants are given."""

from collections.abc import Sequence
from typing import Any

from scoring.families.given.scores import best, ends
from scoring.family import Files, Options, Side
from scoring.readers.given import read_gold
from scoring.readers.given.blocks import WHOLE
from scoring.readers.tables import layout_of, read_table, write_table


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold: the worst score for every unit."""
    low, high = ends(options)
    return _scored(gold, options, high if options["direction"] == "lower" else low)


def gold_as_submission(gold: Files, options: Options) -> dict[str, bytes]:
    """Give the best score to every unit, as far as a range says what that is."""
    return _scored(gold, options, best(options))


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Return the units alone, which is all that there is."""
    units = read_gold(gold, options | {"blocks": None})
    columns, cells = [options["unit"]], [units.ids.texts()]
    if units.groups:
        columns.append(options["group"])
        cells.append([units.groups.names[code] for code in units.groups.code.tolist()])
    return written("units", columns, list(zip(*cells, strict=True)), options, "gold")


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the names of the units."""
    return set(read_table(files, layout_of(options, side, "unit"), []).ids.texts())


def written(
    name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], options: Options, side: Side
) -> dict[str, bytes]:
    """Write a table {path: content} in the format of a side: its first column names units, its second has scores."""
    return write_table(name, columns, rows, layout_of(options, side, "unit"), min(1, len(columns) - 1))


def _scored(gold: Files, options: Options, score: float) -> dict[str, bytes]:
    rows = [
        (unit, f"{score:g}" if options["format"] != "jsonl" else score) for unit in read_gold(gold, options).ids.texts()
    ]
    if options["blocks"]:
        rows.insert(0, (WHOLE, rows[0][1]))
    if options["run"] is None:
        return written("run", [options["unit"], options["score"]], rows, options, "system")
    named = [(*row, options["run"]) for row in rows]
    return written("run", [options["unit"], options["score"], options["run_column"]], named, options, "system")
