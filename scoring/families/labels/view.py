"""One item, or the items of a group: the gold's labels beside the system's, with what people read."""

import numpy as np

from scoring.families.labels.counting import Matches, count
from scoring.family import Files, Options, Record
from scoring.labels import OTHER
from scoring.readers.labels import Gold, Sets, Shares, System, read_gold, read_system


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of a unit shows; KeyError if there is no such unit.

    `items`: each with its `id`, `texts` [(column, text)] of the input, the labels of the `gold`, those of the
    `system` in its order, each with whether it is `right`, the gold's `missed` labels, whether it is `correct`, whether
    its row is `missing`, its `second` label on both sides, its `slice`, the `shares` of labels on both sides, the
    `credits` of a graded gold and the `credit` that the system gets.
    """
    gold = read_gold(gold_files, options, options["text"])
    system = read_system(system_files, gold, options)
    items = gold.of_unit(unit)
    matches: Matches = count(gold, system, options).matches
    raw = _raw_labels(system, options)
    return {"items": [_item(matches, item, raw, options) for item in items], "task": options["task"]}


def _item(matches: Matches, item: int, raw: list[str] | None, options: Options) -> Record:
    gold, system = matches.gold, matches.system
    credits = _credits(gold, item)
    of_gold = [label for label, _ in credits] if gold.credits else _names(matches, matches.gold_sets, item)
    labels = _system_labels(matches, system, item, raw)
    chosen = dict(credits).get(labels[0]) if labels and gold.credits else None
    best = {label for label, credit in credits if credit == max(share for _, share in credits)}
    right = best if gold.credits else set(of_gold)
    return {
        "id": gold.ids[item],
        "texts": [(column, gold.table.columns[column][int(gold.rows[item])]) for column in options["text"]],
        "slice": gold.slices.names[int(gold.slices.code[item])] if gold.slices else None,
        "gold": of_gold,
        "system": [{"label": label, "right": label in right} for label in labels],
        "missed": [label for label in of_gold if label not in labels] if gold.credits is None else [],
        "correct": bool(matches.correct[item]),
        "missing": bool(system.missing[item]),
        "second": _second(matches, item, options),
        "shares": _shares(matches, item),
        "credits": [{"label": label, "credit": credit} for label, credit in credits],
        "credit": (chosen or 0.0) if gold.credits else None,
    }


def _names(matches: Matches, sets: Sets, item: int) -> list[str]:
    codes = sets.codes[sets.starts[item] : sets.starts[item + 1]].tolist()
    return [matches.labels.names[code] for code in codes]


def _system_labels(matches: Matches, system: System, item: int, raw: list[str] | None) -> list[str]:
    """Return the system's labels in its order.

    One that is not in the list stands as it was written, where that is one label.
    """
    start, stop = system.said.starts[item], system.said.starts[item + 1]
    outside = raw[int(system.row[item])] if raw is not None and system.row[item] >= 0 else OTHER
    names = [*matches.labels.names, outside]
    return [names[code] for code in system.said.codes[start:stop].tolist()]


def _raw_labels(system: System, options: Options) -> list[str] | None:
    """Return the labels of all rows as they are written, where some are not in the list and each row has one."""
    if not system.n_unknown or options["task"] in ("multi", "ranked", "soft"):
        return None
    return system.table.columns[options["label"]].texts()


def _second(matches: Matches, item: int, options: Options) -> Record | None:
    """Return the second label on both sides, None for one that is not there, and whether it is right.

    None without any.
    """
    gold, system = matches.gold.second, matches.system.second
    if gold is None or system is None:
        return None
    of_gold = gold.labels.names[int(gold.code[item])]
    of_system = [*system.labels.names, OTHER, None][int(system.code[item])]
    is_right = of_system is not None and system.labels.code(of_gold) == int(system.code[item])
    return {"column": options["second"], "gold": of_gold, "system": of_system, "right": is_right}


def _shares(matches: Matches, item: int) -> list[Record]:
    """Return what each label has on both sides, where either gives it a share; none of other tasks."""
    sides = [_shares_of(side, item) for side in (matches.gold.shares, matches.system.shares)]
    names = [*matches.labels.names, OTHER]
    return [
        {"label": names[code], "gold": sides[0].get(code, 0.0), "system": sides[1].get(code, 0.0)}
        for code in sorted(sides[0].keys() | sides[1].keys())
    ]


def _shares_of(shares: Shares | None, item: int) -> dict[int, float]:
    if shares is None:
        return {}
    entries = slice(shares.sets.starts[item], shares.sets.starts[item + 1])
    return dict(zip(shares.sets.codes[entries].tolist(), shares.share[entries].tolist(), strict=True))


def _credits(gold: Gold, item: int) -> list[tuple[str, float]]:
    if gold.credits is None:
        return []
    rows = np.flatnonzero(gold.credits.item == item).tolist()
    return [(gold.labels.names[int(gold.credits.label[row])], float(gold.credits.credit[row])) for row in rows]
