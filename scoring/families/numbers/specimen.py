"""Small tables, made up: an example of an upload, and a whole evaluation that shows what gold looks like."""

from scoring.families.numbers.writing import columns_of, written
from scoring.families.specimens import example_rows
from scoring.family import Options, Side, Specimen

Item = dict[str, str]


def example(options: Options) -> dict[str, bytes]:
    """A run that is read without problems."""
    return _run(_sentences()[:3], options)


def specimen(options: Options) -> Specimen:
    items = _sentences()
    rows = [
        [*_cells(place, item, "gold", options), *_further(item, options, _number_in_group(place, items))]
        for place, item in enumerate(items)
    ]
    gold = written("gold", columns_of(options, "gold"), rows, options, "gold")
    return Specimen(gold=gold, run=_run(items, options))


def _sentences() -> list[Item]:
    """Return sentences, how hard they are to read from 0 to 5, whether they are hard, and the belief that they are."""
    return example_rows("numbers", "sentences.csv")


def _run(items: list[Item], options: Options) -> dict[str, bytes]:
    rows = [_cells(place, item, "system", options) for place, item in enumerate(items)]
    return written("run", columns_of(options, "system"), rows, options, "system")


def _cells(place: int, item: Item, side: Side, options: Options) -> list[object]:
    """Return what names a row, and a number for each column: those of further columns are a little lower."""
    names = [item["id"]] * len(options["gold_id" if side == "gold" else "id"])
    if options["kind"] == "binary":
        number = float(item["yes" if side == "gold" else "belief"])
        return [*names, *[number] * len(options["columns"])]
    return [*names, *(float(item[side]) - 0.25 * (column * (place % 2)) for column in range(len(options["columns"])))]


def _number_in_group(place: int, items: list[Item]) -> int:
    return 1 + sum(item["group"] == items[place]["group"] for item in items[:place])


def _further(item: Item, options: Options, number: int) -> list[object]:
    """The cells of tolerance, group, system, slice and text, as far as the options name such columns."""
    cells: dict[str, object] = {"tolerance_column": 0.5, "group": item["group"], "slices": item["slice"]}
    cells["systems"] = f"system {number}"
    found = {options[key]: cell for key, cell in cells.items() if options[key]}
    return list((found | dict.fromkeys(options["text"] or (), item["text"])).values())
