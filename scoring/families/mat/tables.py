"""Tables by tag, by token, by document, of partial credit and of confusions."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.families.mat.counting import Matches
from scoring.families.mat.details import details
from scoring.families.mat.matching.corpus_spans import Integers
from scoring.families.mat.scores import (
    BASIC,
    PARTIAL,
    derived,
    partial_counts,
    partial_metrics,
    precision_recall_f,
    token_metrics,
)
from scoring.families.mat.tally import Tally
from scoring.family import Array, Metrics, Options, Record, Table
from scoring.moments import with_columns

ALL = "<all>"
_MOST_COUNTS = 2**24
_SPAN_METRICS = ("precision", "recall", "fmeasure")
_N = len(BASIC)


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """All tables, that of single spans without rows unless the option `details` asks for it."""
    with_moments = options["confidence_data"]
    found = {
        "by_tag": _by_label(matches, matches.tags, _tag_metrics, with_moments),
        "by_token": Table([]),
        "details": Table(_details(matches) if options["details"] else []),
        "by_document": Table(_by_document(matches)),
        "partial": Table(_partial(matches)),
        "confusion": Table(_confusion(matches)),
    }
    if matches.tokens is not None:
        found["by_token"] = _by_label(matches, matches.tokens, _token_metrics, with_moments)
    return found


def _details(matches: Matches) -> list[Record]:
    return details(
        matches.spans,
        names=matches.system.names,
        labels=matches.labels,
        signals=matches.gold.signals,
        starts=matches.starts,
    )


def _by_label(matches: Matches, tally: Tally, metrics: Metrics, with_moments: bool) -> Table:
    """A row for each label that counts, and one for all; behind the basic counts stand the corpus's tokens."""
    sums = tally.by_label(len(matches.labels))
    present = np.flatnonzero(sums.any(axis=1))
    counts = np.vstack([sums[present], sums.sum(axis=0)])
    n_tokens = np.full(len(counts), matches.n_tokens.sum())
    scores = metrics(np.column_stack([counts, n_tokens]))
    records = _records(
        tag=[*(matches.labels[label] for label in present.tolist()), ALL],
        test_docs=np.full(len(counts), len(matches.n_tokens)),
        test_toks=n_tokens,
        **derived(counts),
        **scores,
    )
    rows = _rows_by_label(matches, tally, present)
    if with_moments and rows is None:
        records = with_columns(records, {name: (np.full(len(records), np.nan),) * 3 for name in scores})
    in_gold = counts[:, :3].sum(axis=1)
    return Table(records, rows, metrics, in_gold, moments=_left_out(metrics) if with_moments else None)


def _tag_metrics(counts: Array) -> dict[str, NDArray[np.float64]]:
    return dict(zip(_SPAN_METRICS, precision_recall_f(counts), strict=True))


def _token_metrics(counts: Array) -> dict[str, NDArray[np.float64]]:
    return _tag_metrics(counts) | token_metrics(counts, counts[..., _N])


def _left_out(metrics: Metrics) -> Metrics:
    """The same on (..., groups, kinds), but NaN for a label without any count: such a resample says nothing of it.

    The last group, which is all labels, keeps its scores.
    """

    def known(counts: Array) -> dict[str, NDArray[np.float64]]:
        is_known = np.asarray(counts[..., :_N].any(axis=-1))
        is_known[..., -1] = True
        return {name: np.where(is_known, values, np.nan) for name, values in metrics(counts).items()}

    return known


def _rows_by_label(matches: Matches, tally: Tally, present: Integers) -> NDArray[np.int64] | None:
    """Counts (documents, labels and all of them, basic kinds and tokens).

    Thousands of invented labels would fill the memory; then there are none.
    """
    shape = len(matches.n_tokens), len(present) + 1
    if math.prod(shape) * (_N + 1) > _MOST_COUNTS:
        return None
    group = np.zeros(len(matches.labels), dtype=np.int64)
    group[present] = np.arange(len(present))
    rows = np.zeros((*shape, _N + 1), dtype=np.int64)
    rows[..., :_N] = tally.by_group(group, shape)
    rows[:, -1, :_N] = rows[..., :_N].sum(axis=1)
    rows[..., _N] = matches.n_tokens[:, np.newaxis]
    return rows


def _by_document(matches: Matches) -> list[Record]:
    counts = matches.rows[..., :_N].sum(axis=1)
    columns = derived(counts)
    for name in ("refonly", "hyponly"):
        del columns[name]
    totals = {name: columns.pop(name) for name in ("reftotal", "hyptotal")}
    return _records(document=matches.system.names, **columns, **totals, **_tag_metrics(counts))


def _partial(matches: Matches) -> list[Record]:
    counts = matches.rows[:, -1, -len(PARTIAL) :].sum(axis=0)
    found = []
    for scheme, cells in partial_counts(counts):
        correct, incorrect, partial, missing, spurious = (int(cell) for cell in cells)
        paired = correct + incorrect + partial
        found.append(
            {
                "schema": scheme,
                "correct": correct,
                "incorrect": incorrect,
                "partial": partial,
                "missing": missing,
                "spurious": spurious,
                "possible": paired + missing,
                "actual": paired + spurious,
                **{name: float(value) for name, value in partial_metrics(*cells).items()},
            }
        )
    return found


def _confusion(matches: Matches) -> list[Record]:
    (gold, system), pairs = matches.once, matches.pairs
    nobody = len(matches.labels)
    partner, is_alone = np.full(len(gold), nobody), np.ones(len(system), dtype=bool)
    partner[pairs.gold] = system.label[pairs.system]
    is_alone[pairs.system] = False
    cells, number = np.unique(
        np.concatenate([gold.label * (nobody + 1) + partner, nobody * (nobody + 1) + system.label[is_alone]]),
        return_counts=True,
    )
    names = [*matches.labels, None]
    return _records(
        gold_label=[names[code] for code in (cells // (nobody + 1)).tolist()],
        system_label=[names[code] for code in (cells % (nobody + 1)).tolist()],
        count=number,
    )


def _records(**columns: Any) -> list[Record]:
    """Columns turned into rows of plain Python values."""
    plain = [column.tolist() if isinstance(column, np.ndarray) else column for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*plain, strict=True)]
