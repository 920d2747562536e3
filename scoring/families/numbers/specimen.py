"""Small tables, made up: an example of an upload, and a whole evaluation that shows what gold looks like."""

from collections.abc import Sequence

from scoring.families.numbers.writing import columns_of, written
from scoring.family import Options, Specimen

# id, text, gold, system, group, slice: how hard sentences are to read, on a scale from 0 to 5.
_ITEMS = (
    ("s1", "The ferry leaves at nine.", 0.5, 0.75, "harbour", "news"),
    ("s2", "Nets dry on the wall.", 1.0, 0.5, "harbour", "fiction"),
    ("s3", "Tides that turn early leave the outer quay dry.", 2.75, 3.0, "harbour", "news"),
    ("s4", "Whoever mends nets here learned it from an aunt.", 3.0, 2.25, "village", "fiction"),
    ("s5", "Bread is sold until noon.", 0.75, 1.0, "village", "news"),
    ("s6", "Had the bridge not been raised, the mill would have drowned.", 4.25, 3.75, "village", "fiction"),
    ("s7", "The council met twice.", 1.25, 1.5, "council", "news"),
    ("s8", "Notwithstanding the vote, the levy was neither raised nor repealed.", 4.75, 4.0, "council", "news"),
)
# The same as yes or no, and the belief in yes.
_YES = (0, 0, 1, 1, 0, 1, 0, 1)
_BELIEF = (0.2, 0.1, 0.6, 0.4, 0.3, 0.9, 0.5, 0.8)


def example(options: Options) -> dict[str, bytes]:
    """A run that is read without problems."""
    rows = [[*_names(key, options["id"]), *_numbers(k, "system", options)] for k, (key, *_) in enumerate(_ITEMS[:3])]
    return written("run", columns_of(options, "system"), rows, options, "system")


def specimen(options: Options) -> Specimen:
    gold = [
        [*_names(item[0], options["gold_id"]), *_numbers(k, "gold", options), *_further(item, options)]
        for k, item in enumerate(_ITEMS)
    ]
    run = [[*_names(item[0], options["id"]), *_numbers(k, "system", options)] for k, item in enumerate(_ITEMS)]
    return Specimen(
        gold=written("gold", columns_of(options, "gold"), gold, options, "gold"),
        run=written("run", columns_of(options, "system"), run, options, "system"),
    )


def _names(key: str, columns: Sequence[str]) -> list[str]:
    """The cells that name a row."""
    return [key] * len(columns)


def _numbers(k: int, side: str, options: Options) -> list[float]:
    """The numbers of item k, one for each column: those of further columns are a little lower."""
    if options["kind"] == "binary":
        number: float = (_YES if side == "gold" else _BELIEF)[k]
    else:
        number = _ITEMS[k][2] if side == "gold" else _ITEMS[k][3]
    step = 0.0 if options["kind"] == "binary" else 0.25
    return [number - step * (place * (k % 2)) for place in range(len(options["columns"]))]


def _further(item: tuple[str, str, float, float, str, str], options: Options) -> list[object]:
    """The cells of tolerance, group, slice and text, as far as the options name such columns."""
    cells: dict[str, object] = {"tolerance_column": 0.5, "group": item[4], "slices": item[5]}
    found = {options[key]: cell for key, cell in cells.items() if options[key]}
    return list((found | dict.fromkeys(options["text"] or (), item[1])).values())
