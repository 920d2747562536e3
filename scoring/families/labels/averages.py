"""What stands behind the means over labels: the gold, the system's and both's rows with each label, unit by unit."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from scoring.columns import Array, Flags, Floats, Integers, owners
from scoring.families.f_beta import beta_of
from scoring.families.labels.counting import Matches
from scoring.family import Options
from scoring.rows import Entries, rows_of_entries
from scoring.significance.averages import Averages, Mean
from scoring.significance.proportions import Proportion, prf_proportions

_N_KINDS = 3  # t, p and c
_Side = tuple[Integers, Integers]  # the item and the label of each entry


def averages(matches: Matches, options: Options) -> list[Averages]:
    """Return the means of the corpus; none for choices with graded credit."""
    if options["task"] == "graded":
        return []
    first, n_labels = [*_sides(matches)], len(matches.labels)
    made = [_averages(first, n_labels, matches, options)]
    if matches.gold.second is not None and matches.system.second is not None:
        second, n_second = [*_second_sides(matches)], len(matches.system.second.labels)
        both = [
            (np.concatenate([items, more_items]), np.concatenate([codes, n_labels + more_codes]))
            for (items, codes), (more_items, more_codes) in zip(first, second, strict=True)
        ]
        made.append(_made(second, n_second, matches, options, partial(_macro_f1, options, "second_macro_f1")))
        made.append(_made(both, n_labels + n_second, matches, options, partial(_mean_of_both, options, n_labels)))
    return made


def averages_of_slices(matches: Matches, options: Options) -> list[Averages]:
    """Return the means of each slice."""
    assert matches.gold.slices is not None
    sides, code = [*_sides(matches)], matches.gold.slices.code
    return [
        _averages(sides, len(matches.labels), matches, options, code == number)
        for number in range(len(matches.gold.slices.names))
    ]


def _averages(
    sides: Sequence[_Side], n_labels: int, matches: Matches, options: Options, chosen: Flags | None = None
) -> Averages:
    return _made(sides, n_labels, matches, options, partial(_means, options), chosen)


def _made(
    sides: Sequence[_Side],
    n_labels: int,
    matches: Matches,
    options: Options,
    means: Callable[[Floats], Mapping[str, Mean]],
    chosen: Flags | None = None,
) -> Averages:
    """Return the means over these labels, of the chosen items."""
    shape = (len(matches.rows), n_labels, _N_KINDS)
    entries = [_entries(side, kind, matches, chosen) for kind, side in enumerate(sides)]
    return Averages(rows_of_entries(shape, entries), partial(_proportions, beta_of(options)), _of_gold, means)


def _sides(matches: Matches) -> Iterator[_Side]:
    for sets in (matches.gold_sets, matches.sets, matches.both):
        yield owners(sets.sizes), sets.codes


def _second_sides(matches: Matches) -> Iterator[_Side]:
    """Yield the second labels of the rows whose first one is right."""
    gold, system = matches.gold.second, matches.system.second
    assert gold is not None
    assert system is not None
    place = np.array([system.labels.code(name) for name in gold.labels.names], dtype=np.int64)
    of_gold, is_listed = place[gold.code], matches.correct & (system.code < len(system.labels))
    for rows, code in (
        (matches.correct, of_gold),
        (is_listed, system.code),
        (is_listed & (of_gold == system.code), of_gold),
    ):
        items = np.flatnonzero(rows)
        yield items, code[items]


def _entries(side: _Side, kind: int, matches: Matches, chosen: Flags | None) -> Entries:
    items, codes = side
    if chosen is not None:
        items, codes = items[chosen[items]], codes[chosen[items]]
    return matches.gold.units.code[items], codes * _N_KINDS + kind, np.ones(len(items), dtype=np.int8)


def _proportions(beta: float | None, counts: Array) -> dict[str, Proportion]:
    t, p, c = np.moveaxis(np.asarray(counts), -1, 0)
    return prf_proportions(c, gold=t, system=p, beta=beta)


def _of_gold(counts: Floats) -> Floats:
    return counts[..., 0]


def _means(options: Options, counts: Floats) -> dict[str, Mean]:
    """Return the weights of each label: of macro averages equal ones, of weighted ones the gold's rows."""
    columns = _proportions(beta_of(options), counts)
    macro = {f"macro_{column}": Mean(column, _is_there(options, counts)) for column in columns}
    weighted = {f"weighted_{column}": Mean(column, None) for column in columns}
    return macro | weighted | {"balanced_accuracy": Mean("recall", (counts[:, 0] > 0).astype(np.float64))}


def _macro_f1(options: Options, name: str, counts: Floats) -> dict[str, Mean]:
    return {name: Mean("f1", _is_there(options, counts))}


def _mean_of_both(options: Options, n_first: int, counts: Floats) -> dict[str, Mean]:
    """Weigh the labels of either list by one over their number."""
    is_there = _is_there(options, counts)
    parts = (is_there[:n_first], is_there[n_first:])
    return {"mean_macro_f1": Mean("f1", np.concatenate([part / max(1, part.sum()) for part in parts]))}


def _is_there(options: Options, counts: Floats) -> Floats:
    if options["absent_labels"] == "count":
        return np.ones(len(counts))
    return (counts[:, 0] + counts[:, 1] > 0).astype(np.float64)
