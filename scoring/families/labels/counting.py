"""A row of counts for each item, or for each group of items.

How items are counted
---------------------
Gold and system rows pair by id. Of an item with one label, three columns count 1: that of its label in the gold (t),
that of its label in the system (p), and where both are the same that of both (c):

    gold   system        items correct wrong   t: N P U   p: N P U   c: N P U
    P      P                 1       1     0      0 1 0      0 1 0      0 1 0
    P      N                 1       0     1      0 1 0      1 0 0      0 0 0
    U      (missing)         1       0     1      0 0 1      0 0 0      0 0 0

A missing row, and with `unknown_labels=wrong` a label that is not in the list, adds to no p: it is a miss of the gold's
label and a false alarm of nobody. Everything else is a number of the item that is summed, such as the reciprocal rank
of a guess, or the Jaccard index of two sets. `kinds.py` names all columns; `scores.py` makes scores of their sums.

Held against scikit-learn, on resamples too, in tests/scoring/families/labels/test_labels.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.columns import Array, Flags, Floats, Integers, owners, ranks
from scoring.families.f_beta import beta_of
from scoring.families.labels.entries import Entries
from scoring.families.labels.kinds import ALWAYS, BLOCKS, N_BINS, blocks_of, names_of
from scoring.families.labels.measures.area import area_under_curve
from scoring.families.labels.measures.hierarchy import count_ancestors
from scoring.families.labels.measures.icm import count_contrast
from scoring.families.labels.measures.second import count_second, n_second
from scoring.families.labels.measures.soft import count_shares
from scoring.families.labels.measures.variants import count_errors, count_variants
from scoring.family import Counted, Options
from scoring.labels import Labels
from scoring.messages import Message, some_of
from scoring.readers.labels import Gold, LabelList, Sets, System, first_codes
from scoring.readers.tables import shown
from scoring.rows import Rows

_MOST_LISTED = 20
_ROUNDING = 1e-9  # how far from 1 a sum may be by the arithmetic alone
_TINY = np.finfo(np.float64).eps  # how near to 0 and 1 scikit-learn lets a probability come


@dataclass(frozen=True)
class Matches:
    """Holds what the tables are made from: n items."""

    gold: Gold
    system: System
    labels: LabelList  # L labels
    gold_code: Integers  # (n,) in single and ranked; (0,) elsewhere
    code: Integers  # (n,) the system's label, the first guess: L for one that is not in the list, L + 1 for none
    gold_sets: Sets  # of one label each in single and ranked
    sets: Sets  # the system's, without labels that are not in the list
    both: Sets  # the labels that both sides give
    correct: Flags  # (n,)
    rows: Array | Rows  # (units, slices, kinds)
    shown: Labels | None = None  # under which names tables count the labels; None: each under its own


def count(gold: Gold, system: System, options: Options) -> Counted:
    """Count all items, by unit and slice."""
    matches = matched(gold, system, options)
    return Counted(
        units=gold.units.names,
        rows=matches.rows,
        totals=_totals(matches, options),
        warnings=_warnings(gold, system, options),
        matches=matches,
        weighted=area_under_curve(gold, system, options),
    )


def matched(gold: Gold, system: System, options: Options) -> Matches:
    """Bring labels of both sides into one list, and count what each item adds to its unit."""
    labels = system.labels
    place = np.array([labels.code(name) for name in gold.labels.names], dtype=np.int64)
    gold_code = place[gold.code]
    own_sets = gold.sets or Sets(np.arange(len(gold_code) + 1), gold_code)
    gold_sets = Sets(own_sets.starts, place[own_sets.codes]) if gold.sets else own_sets
    code = first_codes(system.said, none=len(labels) + 1)
    sets = _listed(system.said if options["task"] == "multi" else Sets(np.arange(len(code) + 1), code), len(labels))
    width = max(len(labels), n_second(gold.second, system.second))
    n_names, blocks = len(names_of(options)), blocks_of(options)
    n_kinds = n_names + len(blocks) * width
    shape = len(gold.units.names), len(gold.slices.names) if gold.slices else 1
    of_group, of_slice = (None if parts is None else parts.code for parts in (gold.groups, gold.slices))
    entries = Entries(of_group, of_slice, (*shape, n_kinds))
    # In a graded gold a label is right by more or less, and not by being the same.
    both = (
        Sets(np.zeros_like(sets.starts), sets.codes[:0])
        if gold.credits
        else _shared_labels(gold_sets, sets, len(labels))
    )
    if options["task"] == "graded":
        correct = _count_credits(entries, gold, code, options)
    else:
        if options["task"] == "multi":
            correct = _count_sets(entries, gold_sets, sets, both, system, options)
        else:
            correct = both.sizes > 0
            _count_single(entries, gold_code, code, system, options)
        if gold.shares is not None and system.shares is not None:
            count_shares(entries, names_of(options), (gold.shares, system.shares), system.missing, labels, options)
        starts = {name: n_names + number * width for number, name in enumerate(blocks)}
        _count_labels(entries, (gold_sets, sets, both), starts, labels, options)
        if gold.second is not None and system.second is not None:
            count_second(entries, starts, gold.second, system.second, correct)
        count_ancestors(entries, names_of(options), gold_sets, sets, labels, options)
        count_contrast(entries, names_of(options), gold_sets, sets, labels, options)
        errors = _errors((gold_code, code), (gold_sets, sets, both), system, options)
        count_errors(entries, names_of(options), gold, errors)
    count_variants(entries, names_of(options), gold, (gold_code, code), correct, len(labels))
    everything = np.arange(len(gold))
    for name, items in zip(ALWAYS, (everything, everything[correct], everything[~correct]), strict=True):
        entries.add(ALWAYS.index(name), items)
    return Matches(gold, system, labels, gold_code, code, gold_sets, sets, both, correct, entries.rows())


def _listed(sets: Sets, n_labels: int) -> Sets:
    """Leave out the labels that are not in the list."""
    keep = sets.codes < n_labels
    if keep.all():
        return sets
    starts = np.concatenate([[0], np.cumsum(keep)])[sets.starts]
    return Sets(starts, sets.codes[keep])


def _shared_labels(gold: Sets, system: Sets, n_labels: int) -> Sets:
    """Return the labels that both sides give to an item.

    >>> gold = Sets(np.array([0, 2, 3]), np.array([0, 1, 1]))
    >>> both = _shared_labels(gold, Sets(np.array([0, 1, 2]), np.array([1, 0])), 2)
    >>> both.starts, both.codes
    (array([0, 1, 1]), array([1]))
    """
    item = owners(system.sizes)
    if len(gold.codes) == len(gold.sizes) and (gold.sizes == 1).all():
        is_right = gold.codes[item] == system.codes
        return Sets(np.concatenate([[0], np.cumsum(is_right)])[system.starts], system.codes[is_right])
    wanted = owners(gold.sizes) * n_labels + gold.codes
    given = item * n_labels + system.codes
    is_right = np.isin(given, wanted)
    return Sets(np.concatenate([[0], np.cumsum(is_right)])[system.starts], system.codes[is_right])


def _count_labels(
    entries: Entries, counted: Sequence[Sets], starts: Mapping[str, int], labels: LabelList, options: Options
) -> None:
    """Count t, p and c of each label, in columns that start there, and once more those of the positive one."""
    names = names_of(options)
    positive = None if options["positive"] is None else labels.code(options["positive"])
    for name, sets in zip(BLOCKS, counted, strict=True):
        item = owners(sets.sizes)
        entries.add(starts[name] + sets.codes, item)
        if positive is not None:
            entries.add(names.index(f"positive_{name}"), item[sets.codes == positive])


def _count_single(entries: Entries, gold: Integers, code: Integers, system: System, options: Options) -> None:
    names, everything = names_of(options), np.arange(len(gold))
    n_labels = len(system.labels)
    if options["ordinal"]:
        place = _places(gold, code, n_labels)
        moments = ((gold - place) ** 2, gold, gold**2, place, place**2)
        for shift, values in enumerate(moments, start=names.index("distance")):
            entries.add(shift, everything, values)
    if options["task"] == "ranked":
        rank = _ranks(gold, system.said)
        for k in options["top"]:
            entries.add(names.index(f"top_{k}"), everything[(rank > 0) & (rank <= k)])
        is_found = everything[rank > 0]
        entries.add(names.index("reciprocal_rank"), is_found, 1 / rank[is_found])
    if system.probabilities is not None:
        _count_probabilities(entries, names, gold, code, system.probabilities)


def _ranks(gold: Integers, sets: Sets) -> Integers:
    """Return the place of the right label among the guesses, from 1; 0 if it is not among them: (n,).

    >>> _ranks(np.array([3, 3]), Sets(np.array([0, 2, 3]), np.array([1, 3, 0])))
    array([2, 0])
    """
    item = owners(sets.sizes)
    is_right = sets.codes == gold[item]
    rank = np.zeros(len(gold), dtype=np.int64)
    rank[item[is_right]] = ranks(sets.sizes)[is_right] + 1
    return rank


def _count_probabilities(entries: Entries, names: list[str], gold: Integers, code: Integers, written: Floats) -> None:
    q, everything = _summing_to_one(written), np.arange(len(gold))
    of_gold = q[everything, gold]
    entries.add(names.index("log_loss"), everything, -np.log(np.clip(of_gold, _TINY, 1 - _TINY)))
    # Σ (q − [gold])² = Σ q² − 2 q of the gold's label + 1.
    missed = q.copy()
    missed[everything, gold] -= 1
    entries.add(names.index("squared_distance"), everything, (missed * missed).sum(axis=1))
    n_labels = q.shape[1]
    promised = np.where(code < n_labels, q[everything, np.minimum(code, n_labels - 1)], 0.0)
    bins = np.minimum((N_BINS * promised).astype(np.int64), N_BINS - 1)
    entries.add(names.index("promised_0") + bins, everything, promised)
    right = np.flatnonzero(code == gold)
    entries.add(names.index("right_0") + bins[right], right)


def _summing_to_one(written: Floats) -> Floats:
    """Return rows divided by their sums; one that sums to 1, but for rounding, or to 0 stays as it is written."""
    sums = written.sum(axis=1, keepdims=True)
    return written / np.where((np.abs(sums - 1) <= _ROUNDING) | (sums == 0), 1, sums)


def _count_sets(entries: Entries, gold: Sets, system: Sets, both: Sets, read: System, options: Options) -> Flags:
    """Return for sets of labels what each item adds beside its labels, and whether its set is exact."""
    names, everything, n_labels = names_of(options), np.arange(len(gold.sizes)), len(read.labels)
    t, p, c = gold.sizes, read.said.sizes, both.sizes
    missing = read.missing
    zero = float(options["zero_division"])
    exact = (t == p) & (p == c) & ~missing
    # Labels that are not in the list are no cells of it.
    false_cells = np.where(missing, n_labels, t + system.sizes - 2 * c)
    entries.add(names.index("false_cells"), everything, false_cells)
    union = t + p - c
    # A missing row has 0 of all, also beside an empty set.
    jaccard = np.where(missing, 0.0, np.where(union == 0, zero, c / np.maximum(union, 1)))
    f_scores = {"samples_f1": 1.0} | ({"samples_fbeta": beta} if (beta := beta_of(options)) else {})
    is_part = (p > 0) & (p == c) & (c < t)
    credit = np.where(exact, 1.0, np.where(is_part, options["partial"], 0.0))
    for name, of_sets in f_scores.items():
        f = np.where(t + p == 0, zero, (1 + of_sets**2) * c / np.where(t + p == 0, 1, of_sets**2 * t + p))
        entries.add(names.index(name), everything, np.where(missing, 0.0, f))
    for name, values in (("jaccard", jaccard), ("partial_credit", credit)):
        entries.add(names.index(name), everything, values)
    return np.asarray(exact)


def _errors(codes: tuple[Integers, Integers], sides: Sequence[Sets], system: System, options: Options) -> Floats:
    """Return how wrong each item is: (n,) from 0 to 1.

    Of sets that is the share of wrong cells, with an order of labels the distance in places through their number.
    """
    gold, of_system, both = sides
    n_labels = max(len(system.labels), 1)
    if options["task"] == "multi":
        return np.asarray(np.where(system.missing, 1.0, (gold.sizes + of_system.sizes - 2 * both.sizes) / n_labels))
    if options["ordinal"]:
        return np.asarray(np.abs(codes[0] - _places(*codes, n_labels)) / n_labels)
    return np.asarray(both.sizes == 0, dtype=np.float64)


def _places(gold: Integers, code: Integers, n_labels: int) -> Integers:
    """Return the places of the system's labels; where there is none, the one that is farthest from the gold's.

    Of two labels that are equally far the first counts.
    """
    farthest = np.where(gold >= n_labels - 1 - gold, 0, n_labels - 1)
    return np.where(code < n_labels, code, farthest)


def _count_credits(entries: Entries, gold: Gold, code: Integers, options: Options) -> Flags:
    """Count the credit of the chosen label, and return whether none has more."""
    assert gold.credits is not None
    credits, everything = gold.credits, np.arange(len(gold))
    n_codes = len(gold.labels) + 2
    rows = credits.item * n_codes + credits.label  # ascending
    wanted = everything * n_codes + code
    at = np.minimum(np.searchsorted(rows, wanted), len(rows) - 1)
    has_row = rows[at] == wanted
    credit = np.where(has_row, credits.credit[at], 0.0)
    entries.add(names_of(options).index("credit"), everything, credit)
    return np.asarray(has_row & (credit == credits.best))


def _totals(matches: Matches, options: Options) -> dict[str, int | float]:
    system = matches.system
    totals: dict[str, int | float] = {
        "items": len(matches.gold),
        "correct": int(matches.correct.sum()),
        "missing": int(system.missing.sum()),
        "unknown_labels": system.n_unknown,
        "ignored_rows": system.n_ignored,
    }
    if options["task"] == "multi":
        totals |= {"gold_labels": len(matches.gold_sets.codes), "predicted_labels": len(system.said.codes)}
    return totals


def _warnings(gold: Gold, system: System, options: Options) -> list[str]:
    warnings: list[str] = []
    wide = options["labels"] if options["multi_as"] == "columns" else ()
    if left_empty := [shown(label) for label in wide if gold.labels.code(label) is None]:
        names = some_of(left_empty, _MOST_LISTED)
        warnings.append(
            Message("labels-not-judged", "columns that the gold leaves empty are not scored: {names}", names=names)
        )
    if number := int(system.missing.sum()):
        warnings.append(
            Message.counted(
                "missing-rows-wrong", "1 missing row counts as wrong", "{n} missing rows count as wrong", number
            )
        )
    if number := system.n_unknown:
        warnings.append(
            Message.counted(
                "unknown-labels-wrong",
                "1 row with an unknown label counts as wrong",
                "{n} rows with unknown labels count as wrong",
                number,
            )
        )
    if number := system.n_ignored:
        warnings.append(
            Message.counted(
                "rows-not-in-gold",
                "1 row is not in the gold and was left out",
                "{n} rows are not in the gold and were left out",
                number,
            )
        )
    return warnings
