"""Small tables, made up: an example of an upload, and a whole evaluation that shows what gold looks like."""

from scoring.families.numbers.writing import columns_of, written
from scoring.families.specimens import example_rows
from scoring.family import Options, Side, Specimen

Item = dict[str, str]


def example(options: Options) -> dict[str, bytes]:
    """Make a run that is read without problems."""
    return _run(_sentences()[:3], options)


def specimen(options: Options) -> Specimen:
    items = _sentences()
    rows = [_gold_cells(place, items, options) for place in range(len(items))]
    return Specimen(gold=written("gold", columns_of(options, "gold"), rows, options, "gold"), run=_run(items, options))


def _sentences() -> list[Item]:
    """Return sentences, how hard they are to read from 0 to 5, whether they are hard, and the belief that they are."""
    return example_rows("numbers", "sentences.csv")


def _run(items: list[Item], options: Options) -> dict[str, bytes]:
    rows = [[*_names(place, items, options), *_numbers(place, items, "system", options)] for place in range(len(items))]
    return written("run", columns_of(options, "system"), rows, options, "system")


def _names(place: int, items: list[Item], options: Options) -> list[object]:
    """Return what names a row: its id, but in a column of groups or systems these."""
    further = _optional_cells(place, items, options)
    return [further.get(name, items[place]["id"]) for name in options["gold_id"]]


def _numbers(place: int, items: list[Item], side: Side, options: Options) -> list[float]:
    """Return a number for each column: those of further columns are a little lower."""
    item, n_columns = items[place], len(options["columns"])
    if options["kind"] == "binary":
        return [float(item["yes" if side == "gold" else "belief"])] * n_columns
    return [float(item[side]) - 0.25 * (column * (place % 2)) for column in range(n_columns)]


def _gold_cells(place: int, items: list[Item], options: Options) -> list[object]:
    """Return the cells of a row of the gold; a column that also tells the tolerance holds two ratings."""
    cells: dict[str, object] = dict(zip(options["gold_id"], _names(place, items, options), strict=True))
    for name, number in zip(options["gold_columns"], _numbers(place, items, "gold", options), strict=True):
        cells[name] = [number - 0.25, number + 0.25] if name == options["tolerance_column"] else number
    further = {**_optional_cells(place, items, options), **dict.fromkeys(options["text"] or (), items[place]["text"])}
    return [*({**further, **cells}[name] for name in columns_of(options, "gold"))]


def _optional_cells(place: int, items: list[Item], options: Options) -> dict[str, object]:
    """Return {column: cell} of tolerance, group, system and slice, as far as the options name such columns."""
    item = items[place]
    number = 1 + sum(item["group"] == before["group"] for before in items[:place])
    cells = {"tolerance_column": 0.5, "group": item["group"], "slices": item["slice"], "systems": f"system {number}"}
    return {options[key]: cell for key, cell in cells.items() if options[key]}
