"""Tables of the utterances, of the speakers, and of the words that were taken for others, lost or added."""

from collections.abc import Callable, Mapping

import numpy as np

from scoring.columns import Array, Floats, Integers, records, sums_by_cell
from scoring.columns import coded as coded_columns
from scoring.families.transcripts.aligning import DELETION, INSERTION, SUBSTITUTION
from scoring.families.transcripts.counting import Matches
from scoring.families.transcripts.scores import KINDS, TOTALS, error_rates
from scoring.family import Evidence, Options, Record, Table
from scoring.table_columns import Column, Columns, unshown

ITEM_TABLES = ("utterances",)
_MOST_ROWS = 1_000  # of words
# Counts of every speaker in every utterance, beyond which the speakers get no intervals: 128 MB.
_MOST_COUNTS = 2**24
_N_RATED = KINDS.index("utterances") + 1  # the kinds that a row of speakers shows
_SHOWN = ("words", "hits", "substitutions", "deletions", "insertions")
# The columns that count, and the kinds that each adds up; the tables of words tell the places of their items.
BEHIND: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "speakers": {name: TOTALS[name] for name in ("utterances", *_SHOWN)},
    "deletions": {"count": ()},
    "insertions": {"count": ()},
}


COLUMNS: Columns = {
    "speakers": (
        Column("speaker"),
        Column("utterances"),
        Column("words"),
        Column("substitutions"),
        Column("deletions"),
        Column("insertions"),
        Column("wer", "WER"),
        Column("cer", "CER"),
        *unshown("hits"),
    ),
}

# Words are right or wrong, and so are characters and whole utterances; which word was taken for which is not told.
EVIDENCE = Evidence(
    items=lambda counts, tables: int(counts["words"]),
    rows=lambda table: None,
    # Of both: insertions follow from these and the length of the run.
    totals=frozenset({"substitutions", "deletions", "char_substitutions", "char_deletions"}),
    gold_counts=frozenset({"utterances", "words", "characters", "speakers"}),
    count_behind=lambda score: score,
    in_rows=lambda score: score in ("wer", "cer"),
)


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Return all tables; their columns and orders are public, and the speakers have intervals."""
    return {
        "utterances": Table(_utterances(matches)),
        "speakers": _speakers(matches),
        "confusions": _confusions(matches),
        "deletions": _of_one_side(matches, DELETION, matches.edits.reference),
        "insertions": _of_one_side(matches, INSERTION, matches.edits.system),
    }


def _utterances(matches: Matches) -> list[Record]:
    """Make a row for each utterance, in the gold's order."""
    names = matches.speakers
    speakers = [None] * len(matches.ids) if matches.speaker is None else [names[k] for k in matches.speaker.tolist()]
    return records(utterance=matches.ids, speaker=speakers, **_columns(matches.rows))


def _speakers(matches: Matches) -> Table:
    """Make a row for each speaker, in the order of their first utterances; none where speakers are not told."""
    if matches.speaker is None:
        return Table([])
    sums = np.zeros((len(matches.speakers), len(KINDS)), dtype=np.int64)
    np.add.at(sums, matches.speaker, matches.rows)
    rows_of_speakers = records(
        speaker=matches.speakers, utterances=sums[:, KINDS.index("utterances")], **_columns(sums)
    )
    return Table(rows_of_speakers, _rows_of_speakers(matches), error_rates, gold_items=sums[:, :3].sum(axis=1))


def _columns(rows: Integers) -> dict[str, object]:
    """Return counts (n, kinds) as the columns that all rows have.

    A rate is None where there is nothing to divide by.
    """
    counted = {name: rows[:, list(TOTALS[name])].sum(axis=1) for name in _SHOWN}
    rates = {name: _without_nan(values) for name, values in error_rates(rows).items()}
    return counted | rates


def _without_nan(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]


def _rows_of_speakers(matches: Matches) -> Integers | None:
    """Return counts (units, speakers, kinds that are shown), for intervals.

    None where they would fill too much memory, and where a row tells of single units: then there is nothing to draw.
    """
    speaker, n_speakers = matches.speaker, len(matches.speakers)
    if speaker is None or matches.n_units * n_speakers * _N_RATED > _MOST_COUNTS or matches.n_units < 2 * n_speakers:
        return None
    rows = np.zeros((matches.n_units, n_speakers, _N_RATED), dtype=np.int64)
    np.add.at(rows, (matches.unit, speaker), matches.rows[:, :_N_RATED])
    return rows


def _confusions(matches: Matches) -> Table:
    """Return which word stood for which, the most frequent first."""
    edits = matches.edits
    chosen = np.flatnonzero(edits.kind == SUBSTITUTION)
    return _counted(
        matches,
        chosen,
        [edits.reference[chosen], edits.system[chosen]],
        lambda words, counts: records(reference=words[0], system=words[1], count=counts),
    )


def _of_one_side(matches: Matches, kind: int, codes: Integers) -> Table:
    """Count the words that were lost, or added, the most frequent first."""
    chosen = np.flatnonzero(matches.edits.kind == kind)
    return _counted(matches, chosen, [codes[chosen]], lambda words, counts: records(word=words[0], count=counts))


def _counted(
    matches: Matches,
    chosen: Integers,
    codes: list[Integers],
    records_of: Callable[[list[list[str]], Integers], list[Record]],
) -> Table:
    """Make a record for each combination of codes, with the number of edits that have it, by falling number.

    `chosen` (m,) are the edits to count, `codes` columns (m,) of codes of words. Equal numbers stand by code points.
    """
    if not len(chosen):
        return Table([])
    _, first, group = np.unique(coded_columns(*codes), return_index=True, return_inverse=True)
    counts = sums_by_cell((len(first),), group)
    rank = _ranks(matches.words)
    # The last key counts first.
    order = np.lexsort([*(rank[column[first]] for column in reversed(codes)), -counts])[:_MOST_ROWS]
    words = [[matches.words[code] for code in column[first][order].tolist()] for column in codes]
    return Table(records_of(words, counts[order]), placed=lambda: _placed(matches, chosen, group, order))


def _placed(matches: Matches, chosen: Integers, group: Integers, order: Integers) -> tuple[Integers, Integers]:
    """Return the unit of each edit that a record counts, and the record: (items,) both."""
    record = np.full(int(group.max()) + 1, -1)
    record[order] = np.arange(len(order))
    is_listed: Array = record[group] >= 0
    return matches.unit[matches.edits.utterance[chosen[is_listed]]], record[group[is_listed]]


def _ranks(words: list[str]) -> Integers:
    """Return the place of each word among all, by code points: (words,).

    >>> _ranks(["no", "yes", "oh"])
    array([0, 2, 1])
    """
    rank = np.empty(len(words), dtype=np.int64)
    rank[sorted(range(len(words)), key=words.__getitem__)] = np.arange(len(words))
    return rank
