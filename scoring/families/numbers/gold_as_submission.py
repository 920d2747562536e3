"""The gold as a participant would upload it, where its files are laid out in another way."""

from scoring.families.numbers.inputs import ids_of
from scoring.families.numbers.writing import columns_of, written
from scoring.family import Files, Options
from scoring.readers.numbers import read_gold
from scoring.readers.tables import layout_of


def gold_as_submission(files: Files, options: Options) -> dict[str, bytes] | None:
    """A run with the gold's own numbers; None where both sides have the same layout and the same columns."""
    is_same = options["columns"] == options["gold_columns"]
    if is_same and layout_of(options, "gold") == layout_of(options, "system"):
        return None
    values = read_gold(files, options).values.T.tolist()
    rows = [[*names, *numbers] for names, numbers in zip(ids_of(files, options), values, strict=True)]
    return written("gold", columns_of(options, "system"), rows, options, "system")
