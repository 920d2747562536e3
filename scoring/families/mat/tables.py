"""Tables by tag, by token, by document, of partial credit and of confusions.

The columns and their order are those of MATScore for `by_tag`, `by_token` and `details`, with its names: `ref` is the
gold and `hyp` the system. The other tables are additions of ours.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from scoring.columns import Array, Floats, Integers, records
from scoring.families.f_beta import beta_of
from scoring.families.mat.counting import Matches
from scoring.families.mat.details import details
from scoring.families.mat.matching.near_tuples import near_metrics
from scoring.families.mat.matching.overlap_scores import CHARACTERS, KINDS, N_BY_LABEL, of_labels
from scoring.families.mat.matching.paired_scores import prf_of_paired
from scoring.families.mat.matching.tally import Tally
from scoring.families.mat.scores import (
    BY_PAIR,
    BY_TAG,
    HYPCLASH,
    MATCH,
    MISSING,
    N_BASIC,
    REFCLASH,
    SPURIOUS,
    TOKEN_METRICS,
    are_paired,
    derived,
    partial_counts,
    partial_metrics,
    span_scores,
    token_metrics,
)
from scoring.families.mat.tuples import words_of
from scoring.families.moments import moments_columns, with_columns
from scoring.family import Evidence, Metrics, Options, Record, RowEvidence, Table
from scoring.significance.proportions import Proportion, prf_proportions
from scoring.table_columns import Column, Columns, unshown

# The tag of the row that sums all others; readers refuse it as a label.
ALL = "<all>"
# Counts of every label in every document, beyond which the tables by label get no intervals: 128 MB.
_MOST_COUNTS = 2**24
# The columns of the tables by label that count spans or tokens, and the basic counts that each adds up.
_COUNTED = {
    "match": (MATCH,),
    "refclash": (REFCLASH,),
    "missing": (MISSING,),
    "refonly": (REFCLASH, MISSING),
    "reftotal": (MATCH, REFCLASH, MISSING),
    "hypclash": (HYPCLASH,),
    "spurious": (SPURIOUS,),
    "hyponly": (HYPCLASH, SPURIOUS),
    "hyptotal": (MATCH, HYPCLASH, SPURIOUS),
}
BEHIND = {"by_tag": _COUNTED, "by_token": _COUNTED}
# The totals of the corpus likewise; the counts of tokens stand behind those of spans.
TOTALS = _COUNTED | {f"token_{name}": tuple(kind + N_BASIC for kind in kinds) for name, kinds in _COUNTED.items()}
# MATScore's name of `f1`.
_FMEASURE = "fmeasure"
# What the last row, of all labels, shows: {column: score of the corpus}.
_WHOLE = {"precision": "precision", "recall": "recall", _FMEASURE: "f1", "fbeta": "fbeta"}
_WHOLE_BY_TOKEN = {column: f"token_{score}" for column, score in _WHOLE.items()} | {
    name: name for name in TOKEN_METRICS
}


_COUNT_BEHIND = {
    **dict.fromkeys(("precision", "recall", "f1", "fbeta"), "match"),
    **dict.fromkeys(("token_precision", "token_recall", "token_f1", "token_fbeta"), "token_match"),
}

_F_BETA = Column("fbeta", "Fβ", is_share=True)
_PRECISION, _RECALL = Column("precision", is_share=True), Column("recall", is_share=True)
# Of tables by label; formulas have the zero denominators of scores.py: a share of nothing is 1, an F-measure of two
# zeros 0.
_PRF = (
    Column(
        _FMEASURE,
        "F1",
        is_share=True,
        is_main=True,
        formula="=IF(({precision}+{recall})=0,0,2*(({precision}*{recall})/({precision}+{recall})))",
    ),
    _F_BETA,
    Column("precision", is_share=True, formula="=IF({hyptotal}=0,1,{match}/{hyptotal})"),
    Column("recall", is_share=True, formula="=IF({reftotal}=0,1,{match}/{reftotal})"),
)
_SPANS = (
    Column("reftotal", "gold", formula="=SUM({refonly},{match})"),
    Column("hyptotal", "system", formula="=SUM({hyponly},{match})"),
    Column("match"),
    Column("refclash", "clash (gold)"),
    Column("hypclash", "clash (system)"),
    Column("missing"),
    Column("spurious"),
)
_ACCURACIES = (
    Column(
        "tag_sensitive_accuracy",
        formula="=IF({test_toks}=0,1,({test_toks}-{refclash}-{missing}-{spurious})/{test_toks})",
    ),
    Column("tag_blind_accuracy", formula="=IF({test_toks}=0,1,({test_toks}-{missing}-{spurious})/{test_toks})"),
    Column("tag_sensitive_error_rate", is_shown=False, formula="=(1-{tag_sensitive_accuracy})"),
    Column("tag_blind_error_rate", is_shown=False, formula="=(1-{tag_blind_accuracy})"),
)
_IN_FILES = (
    *unshown("test_docs", "test_toks"),
    Column("refonly", is_shown=False, formula="=SUM({refclash},{missing})"),
    Column("hyponly", is_shown=False, formula="=SUM({hypclash},{spurious})"),
)
COLUMNS: Columns = {
    "by_tag": (Column("tag"), *_PRF, *_SPANS, *_IN_FILES, *moments_columns(_PRF)),
    "by_token": (Column("tag"), *_PRF, *_ACCURACIES, *_SPANS, *_IN_FILES, *moments_columns((*_PRF, *_ACCURACIES))),
    "by_document": (Column("document"), *_PRF, *_SPANS),
    "partial": (
        Column("schema"),
        Column("f1", "F1", is_share=True, is_main=True),
        _F_BETA,
        _PRECISION,
        _RECALL,
        Column("correct"),
        Column("incorrect"),
        Column("partial"),
        Column("missing"),
        Column("spurious"),
        Column("possible"),
        Column("actual"),
    ),
    "overlap": (
        Column("tag"),
        Column("character_f1", "F1"),
        Column("character_fbeta", "Fβ"),
        Column("character_precision", "precision"),
        Column("character_recall", "recall"),
        Column("proportional_f1", "proportional F1"),
        Column("proportional_fbeta", "proportional Fβ"),
        Column("paired_f1", "F1 of best matches"),
        Column("paired_fbeta", "Fβ of best matches"),
        Column("gold_characters", "gold"),
        Column("system_characters", "system"),
        Column("shared_characters", "shared"),
        *unshown("proportional_precision", "proportional_recall", "paired_precision", "paired_recall"),
    ),
    "continuous": (
        Column("tag"),
        Column("continuous_f1", "F1"),
        Column("continuous_fbeta", "Fβ"),
        Column("continuous_precision", "precision"),
        Column("continuous_recall", "recall"),
        Column("gold_tuples", "gold"),
        Column("system_tuples", "system"),
        Column("credit"),
    ),
}

# Spans that clash with the gold, or have none beside them, count under the label that the run gave them. Of the gold's
# those that match are told, and those that clash. Schemes of partial matches and shares of characters are means.
_BY_RUN = ("hypclash", "spurious")
_EVIDENCE = {
    **dict.fromkeys(("by_tag", "by_token"), RowEvidence(("reftotal",), 2, ("hyptotal",), _BY_RUN)),
    "partial": RowEvidence(("possible",), 2, ("actual",)),
    "overlap": RowEvidence(("gold_characters",), None, ("system_characters",)),
    "continuous": RowEvidence(("gold_tuples",), None, ("system_tuples",)),
}
EVIDENCE = Evidence(
    items=lambda counts, tables: int(counts["reftotal"]),
    bits=lambda tables: 2.0 if len(tables["by_tag"]) > 2 else 1.0,  # whether there is a span, and under which label
    rows=_EVIDENCE.get,
    gold_counts=frozenset({"documents", "tokens", "reftotal", "token_reftotal"}),
    count_behind=lambda score: _COUNT_BEHIND.get(score, ""),
    in_rows=lambda score: score in _COUNT_BEHIND,
)


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Return all tables, that of single spans without rows unless the option `details` asks for it."""
    of_spans = partial(span_scores, options=options, f1=_FMEASURE)
    tables_by_name = {
        "by_tag": _by_label(matches, matches.tags, of_spans, _WHOLE, options),
        "by_token": Table([]),
        "details": Table(detail_records(matches, options) if options["details"] else []),
        "by_document": Table(_by_document(matches, of_spans)),
        "partial": Table(_partial(matches, options)),
        "confusion": _confusion(matches),
    }
    if matches.tokens is not None:
        of_tokens = partial(_token_metrics, of_spans=of_spans)
        tables_by_name["by_token"] = _by_label(matches, matches.tokens, of_tokens, _WHOLE_BY_TOKEN, options)
    if matches.overlap is not None:
        tables_by_name["overlap"] = _overlap(matches, matches.overlap, options)
    if matches.near is not None:
        tables_by_name["continuous"] = _continuous(matches, matches.near, options)
    return tables_by_name


def row_scores(table: str, row: Record) -> list[str]:
    """Return the scores that stand in a row, as in the last one of a table by label, or that it is made for."""
    if table == "by_token":
        whole = ["token_precision", "token_recall", *TOKEN_METRICS] if row["tag"] == ALL else []
        return [*whole, "token_f1", "token_fbeta"]
    if table == "by_tag" and row["tag"] == ALL:
        return [*_WHOLE.values()]
    if table == "overlap" and row["tag"] == ALL:
        return [column for column in row if column.startswith(("character_", "proportional_", "paired_"))]
    if table == "continuous" and row["tag"] == ALL:
        return [column for column in row if column.startswith("continuous_")]
    if table == "partial":
        return [f"{row['schema']}_{part}" for part in _WHOLE.values()]
    return []


def detail_records(matches: Matches, options: Options) -> list[Record]:
    """Return the rows of the table `details`."""
    return details(
        matches.spans,
        names=matches.system.names,
        labels=matches.labels,
        signals=matches.gold.signals,
        starts=matches.starts,
        words_of=words_of(options),
    )


def _by_label(matches: Matches, tally: Tally, metrics: Metrics, whole: Mapping[str, str], options: Options) -> Table:
    """Make a row for each label with any count, in code-point order, and a last one for all labels together.

    `metrics` takes basic counts and behind them the number of tokens: (..., 6). The corpus's tokens stand in every
    row: a label's accuracy is a share of all tokens.
    """
    labels = matches.label_rows
    tally = replace(tally, label=labels.row[tally.label])
    sums = tally.by_label(len(labels))
    present = np.flatnonzero(sums.any(axis=1))
    # Basic counts (rows, 5); the last row sums the others, so its ratios are micro averages.
    counts = np.vstack([sums[present], sums.sum(axis=0)])
    n_tokens = np.full(len(counts), matches.n_tokens.sum())
    scores = metrics(np.column_stack([counts, n_tokens]))
    rows_of_table = records(
        tag=[*(labels.names[row] for row in present.tolist()), ALL],
        test_docs=np.full(len(counts), len(matches.n_tokens)),
        test_toks=n_tokens,
        **derived(counts),
        **scores,
    )
    rows, with_moments = _rows_by_label(matches, tally, present), options["confidence_data"]
    if with_moments and rows is None:
        # The columns are there whenever they are asked for, here without values.
        nothing = np.full(len(rows_of_table), np.nan)
        rows_of_table = with_columns(rows_of_table, {name: (nothing, nothing, nothing) for name in scores})
    # Match, refclash and missing: the spans, or tokens, of the gold behind each row.
    in_gold = counts[:, :3].sum(axis=1)
    return Table(
        rows_of_table,
        rows,
        metrics,
        gold_items=in_gold,
        n_own_kinds=N_BASIC,
        moments=_without_absent(metrics) if with_moments else None,
        proportions=partial(_proportions, beta=beta_of(options)),
        whole=whole,
    )


def _token_metrics(counts: Array, *, of_spans: Metrics) -> dict[str, Floats]:
    """Compute the scores of a row of `by_token` (...) from basic counts and the number of tokens (..., 6)."""
    return dict(of_spans(counts)) | token_metrics(counts, counts[..., N_BASIC])


def _proportions(counts: Array, *, beta: float | None) -> dict[str, Proportion]:
    """Return the scores of a row as shares of decisions, from basic counts (..., at least 5).

    A clash counts on both sides, so precision and recall rest on different spans, and F on all of them.
    """
    match, refclash, missing, hypclash, spurious = (counts[..., kind] for kind in range(N_BASIC))
    names = "precision", "recall", _FMEASURE
    return prf_proportions(match, match + refclash + missing, match + hypclash + spurious, names, beta)


def _without_absent(metrics: Metrics) -> Metrics:
    """Return metrics for means and variances over resamples, on counts (..., groups, kinds).

    A label without any count in a resample is left out of the label's average: NaN, not the 1 that MATScore gives a
    share of nothing. The last group, which is all labels, keeps its scores.
    """

    def metrics_of_present(counts: Array) -> dict[str, Floats]:
        is_present = np.asarray(counts[..., :N_BASIC].any(axis=-1))
        is_present[..., -1] = True
        return {name: np.where(is_present, values, np.nan) for name, values in metrics(counts).items()}

    return metrics_of_present


def _rows_by_label(matches: Matches, tally: Tally, present: Integers) -> Integers | None:
    """Return counts for intervals of a table's rows: (documents, labels and all of them, basic kinds and tokens).

    `present` are the rows of the table, of those by which it may count. None if thousands of invented labels would
    fill the memory.
    """
    shape = len(matches.n_tokens), len(present) + 1
    if math.prod(shape) * (N_BASIC + 1) > _MOST_COUNTS:
        return None
    group = np.zeros(len(matches.label_rows), dtype=np.int64)
    group[present] = np.arange(len(present))
    rows = np.zeros((*shape, N_BASIC + 1), dtype=np.int64)
    # The last group gets no label of its own; it is the sum of the others.
    rows[..., :N_BASIC] = tally.by_group(group, shape)
    rows[:, -1, :N_BASIC] = rows[..., :N_BASIC].sum(axis=1)
    rows[..., N_BASIC] = matches.n_tokens[:, np.newaxis]
    return rows


def _by_document(matches: Matches, of_spans: Metrics) -> list[Record]:
    """Make a row for each document, with the two totals behind the basic counts."""
    # The groups together: (documents, 5).
    counts = matches.rows[..., BY_TAG].sum(axis=1)
    columns = derived(counts)
    for name in ("refonly", "hyponly"):
        del columns[name]
    totals = {name: columns.pop(name) for name in ("reftotal", "hyptotal")}
    return records(document=matches.system.names, **columns, **totals, **of_spans(counts))


def _partial(matches: Matches, options: Options) -> list[Record]:
    """Make a row for each schema, which is a way to judge partial matches."""
    # Pairs belong to no label, so they stand in the last group: (6,).
    counts = matches.rows[:, -1, BY_PAIR].sum(axis=0)
    rows = []
    for schema, cells in partial_counts(counts):
        correct, incorrect, partial, missing, spurious = (int(cell) for cell in cells)
        paired = correct + incorrect + partial
        rows.append(
            {
                "schema": schema,
                "correct": correct,
                "incorrect": incorrect,
                "partial": partial,
                "missing": missing,
                "spurious": spurious,
                "possible": paired + missing,
                "actual": paired + spurious,
                **{name: float(value) for name, value in partial_metrics(*cells, options).items()},
            }
        )
    return rows


def _overlap(matches: Matches, counts: Floats, options: Options) -> Table:
    """Make a row for each label of the gold, and a last one for all labels, those that the system invents too."""
    own_metrics = partial(_of_overlap, options=options)
    counts = counts[..., :N_BY_LABEL]
    if matches.paired is not None:
        counts = np.concatenate([counts, matches.paired], axis=-1)
    rows = _of_gold_and_all(counts)
    sums = rows.sum(axis=0)
    characters = dict(zip(CHARACTERS, sums[:, : len(CHARACTERS)].astype(np.int64).T, strict=True))
    metrics = own_metrics(sums)
    return Table(
        records(tag=[*sorted(matches.gold.labels), ALL], **metrics, **characters),
        rows,
        own_metrics,
        gold_items=sums[:, KINDS.index("gold_stretches")],
        whole={name: name for name in metrics},
    )


def _continuous(matches: Matches, counts: Floats, options: Options) -> Table:
    """Make the same rows of tuples with numbers."""
    own_metrics = partial(near_metrics, options=options)
    rows = _of_gold_and_all(counts)
    sums = rows.sum(axis=0)
    metrics = own_metrics(sums)
    in_gold, in_system = sums[:, :2].astype(np.int64).T
    return Table(
        records(
            tag=[*sorted(matches.gold.labels), ALL],
            **metrics,
            gold_tuples=in_gold,
            system_tuples=in_system,
            credit=sums[:, 2],
        ),
        rows,
        own_metrics,
        gold_items=sums[:, 0],
        whole={name: name for name in metrics},
    )


def _of_gold_and_all(counts: Floats) -> Floats:
    """Put the sum of all groups (documents, groups, kinds) in place of the last one, of labels that the gold lacks."""
    return np.concatenate([np.delete(counts, -1, axis=1), counts.sum(axis=1, keepdims=True)], axis=1)


def _of_overlap(counts: Array, *, options: Options) -> dict[str, Floats]:
    """Make scores (...) of what labels share, and of tuples behind it what they share with their best match."""
    scores = of_labels(counts, options=options)
    if are_paired(options):
        scores |= {
            f"paired_{name}": values for name, values in prf_of_paired(counts[..., N_BY_LABEL:], options).items()
        }
    return scores


def _confusion(matches: Matches) -> Table:
    """Count how often a label of the gold met one of the system in the partial pairs; None stands for no partner."""
    (gold, system), pairs, labels = matches.distinct, matches.partial_pairs, matches.label_rows
    gold_row, system_row = labels.row[gold.label], labels.row[system.label]
    # A row behind all labels for no partner, so that None is the last in both columns.
    nothing = len(labels)
    partner, is_alone = np.full(len(gold), nothing), np.ones(len(system), dtype=bool)
    partner[pairs.gold] = system_row[pairs.system]
    is_alone[pairs.system] = False
    n_codes = nothing + 1
    # One cell for each gold span, and for each system span without a partner: (gold label, system label) as one code.
    code = np.concatenate([gold_row * n_codes + partner, nothing * n_codes + system_row[is_alone]])
    cells, number = np.unique(code, return_counts=True)
    names = [*labels.names, None]
    rows = records(
        gold_label=[names[code] for code in (cells // n_codes).tolist()],
        system_label=[names[code] for code in (cells % n_codes).tolist()],
        count=number,
    )
    document = np.concatenate([gold.document, system.document[is_alone]])
    return Table(rows, placed=lambda: (document, np.searchsorted(cells, code)))
