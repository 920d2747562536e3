"""A whole evaluation in small, made up: what guests of an inn wrote, and a run that is wrong here and there."""

from collections.abc import Mapping, Sequence

from scoring.families.labels.writing import Cell, ids_of, written
from scoring.families.specimens import example_rows
from scoring.family import Options, Side, Specimen
from scoring.readers.labels import has_shares, of_hierarchy

_USUAL = ("positive", "negative", "neutral")
_GROUPS = ("Inn on the Lorn", "Harl House", "The Old Ferry", "Brennick Mill")


def specimen(options: Options) -> Specimen:
    # Of each message its place in the list of labels on both sides, and that of the second label that it may also have.
    messages = example_rows("labels", "messages.csv")
    labels = _list(options)
    gold = [_of_message(row, "gold", labels) for row in messages]
    run = [_of_message(row, "run", labels)[: 1 + number % 2] for number, row in enumerate(messages)]
    texts = [row["text"] for row in messages]
    return Specimen(
        gold=written("gold", "gold", options, _gold(gold, labels, texts, options), _label(options, "gold")),
        run=written("run", "system", options, run_columns(run, labels, options), options["label"]),
    )


def example(options: Options) -> dict[str, bytes]:
    """Make an upload in small that follows the layout."""
    labels = _list(options)
    rows = [[labels[number % len(labels)]] + labels[1:2] * (number == 0) for number in range(3)]
    return written("run", "system", options, run_columns(rows, labels, options), options["label"])


def run_columns(
    rows: Sequence[Sequence[str]],
    labels: Sequence[str],
    options: Options,
    ids: dict[str, list[str]] | None = None,
    second: Sequence[str] | None = None,
) -> dict[str, Sequence[Cell]]:
    """Make the columns of a run whose rows have these labels, the first one alone where one is asked for."""
    ids = ids or ids_of(len(rows), options["id"])
    shares = [shares_of(of_row, options) for of_row in rows] if has_shares(options) else None
    if options["multi_as"] == "columns":
        # A gold may leave columns empty, and a run has all of them.
        names = options["labels"]
        return {**ids, **(_flags(rows, names) if shares is None else columns_of(shares, names))}
    if shares is not None:
        return {**ids, options["label"]: shares}
    several = options["task"] in ("multi", "ranked")
    columns: dict[str, Sequence[Cell]] = {
        **ids,
        options["label"]: [[*dict.fromkeys(of_row)] if several else of_row[0] for of_row in rows],
    }
    if options.get("second"):
        columns[options["second"]] = second or _second(rows)
    if options["probabilities"] is not None:
        columns |= {
            options["probabilities"] + label: [_probability(label == of_row[0], len(labels)) for of_row in rows]
            for label in labels
        }
    return columns


def shares_of(labels: Sequence[str], options: Options) -> dict[str, float]:
    """Make up shares: the first label has most of them."""
    different = [*dict.fromkeys(labels)]
    if options["shares"]:
        return dict(zip(different, (0.9, 0.6), strict=False))
    return dict(zip(different, (0.7, 0.3), strict=False)) if len(different) > 1 else dict.fromkeys(different, 1.0)


def columns_of(shares: Sequence[Mapping[str, float]], labels: Sequence[str]) -> dict[str, list[Cell]]:
    """Make a column for each label with its shares."""
    return {label: [of_item.get(label, 0.0) for of_item in shares] for label in labels}


def _gold(
    rows: Sequence[Sequence[str]], labels: Sequence[str], texts: Sequence[str], options: Options
) -> dict[str, Sequence[Cell]]:
    """Make the columns of the gold: its labels, and whatever the options name beside."""
    names = options["gold_id"] or options["id"]
    ids = ids_of(len(rows), names)
    number = [*range(len(rows))]
    if options["task"] == "graded":
        # A row for each label that is worth something: the first all of it, a second one half.
        number = [row for row, of_row in enumerate(rows) for _ in of_row]
        ids = {name: [of_row[row] for row in number] for name, of_row in ids.items()}
    columns: dict[str, Sequence[Cell]] = {**ids}
    if options["multi_as"] == "columns":
        shares = [shares_of(of_row, options) for of_row in rows] if has_shares(options) else None
        columns |= _flags(rows, labels) if shares is None else columns_of(shares, labels)
    elif options["task"] == "soft":
        columns[_label(options, "gold")] = [[of_row[0], of_row[0], of_row[-1]] for of_row in rows]
    elif options["shares"]:
        columns[_label(options, "gold")] = [shares_of(of_row, options) for of_row in rows]
    elif options["task"] == "graded":
        columns[_label(options, "gold")] = [label for of_row in rows for label in of_row]
        columns[options["credit"]] = [1.0 if place == 0 else 0.5 for of_row in rows for place in range(len(of_row))]
    else:
        is_multi = options["task"] == "multi"
        columns[_label(options, "gold")] = [[*dict.fromkeys(of_row)] if is_multi else of_row[0] for of_row in rows]
    if options.get("second"):
        columns[options["second"]] = _second(rows)
    for key, values in (("group", _GROUPS), ("slices", _GROUPS[:2])):
        if options[key] and options[key] not in columns:
            columns[options[key]] = [values[row * len(values) // len(rows)] for row in number]
    if options.get("original"):
        of_first = ["|".join(of_row) for of_row in zip(*ids.values(), strict=True)]
        columns[options["original"]] = ["" if row % 3 == 0 else of_first[row - row % 3] for row in number]
    # Without a header, columns are told apart by their places alone.
    for column in options["text"] or (("text",) if options["header"] else ()):
        if column not in columns and options["gold_format"] != "lines":
            columns[column] = [texts[row] for row in number]
    return columns


def _second(rows: Sequence[Sequence[str]]) -> list[str]:
    """Make up a second label for each row, which follows from its first one."""
    return [f"{labels[0]} {1 + place % 2}" for place, labels in enumerate(rows)]


def _list(options: Options) -> list[str]:
    if not isinstance(options["labels"], str):
        return [*options["labels"]]
    labels = _leaves(options["hierarchy"]) if options.get("hierarchy") else [*_USUAL]
    if options["positive"] is not None and options["positive"] not in labels:
        labels[0] = options["positive"]
    return labels


def _leaves(hierarchy: Sequence[str]) -> list[str]:
    """Return the labels below which there are none."""
    pairs = of_hierarchy(hierarchy)
    above = {parent for parent, _ in pairs}
    return [*dict.fromkeys(child for _, child in pairs if child not in above)]


def _of_message(row: dict[str, str], side: str, labels: Sequence[str]) -> list[str]:
    """Return the label of a side, and the second label of the message unless it is the gold's first one again."""
    of_run, gold, *second = (labels[int(row[key]) % len(labels)] for key in (side, "gold", "second") if row[key])
    return [of_run, *(label for label in second if label != gold)]


def _flags(rows: Sequence[Sequence[str]], labels: Sequence[str]) -> dict[str, list[Cell]]:
    return {label: [str(int(label in of_row)) for of_row in rows] for label in labels}


def _probability(is_said: bool, n_labels: int) -> float:
    """Return the probability of one label; together they are 1."""
    if n_labels == 1:
        return 1.0
    return 0.7 if is_said else 0.3 / (n_labels - 1)


def _label(options: Options, side: Side) -> str:
    return str(options["gold_label"] or options["label"]) if side == "gold" else str(options["label"])
