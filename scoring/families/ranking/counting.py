"""A row for each query: whether it is scored, and the value of every score.

A query that is left out keeps its row, with a weight of 0: so all runs have the same units and can be compared,
whichever queries they lack.

    gold     q1: a 2, b 0, c 1        q2: a 1        q3: b 0
    run      q1: b 3.0, x 2.0, a 1.5                 q9: a 1.0
    order    q1: b, x, a: grades 0, none, 2; judged_3 = 2/3, p_3 = 1/3
    units    q1, q2, q3; q2 is missing, q3 is empty, q9 is ignored
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Floats
from scoring.families.ranking.measures.further import further_measures
from scoring.families.ranking.measures.rankings import Rankings, rankings
from scoring.families.ranking.measures.usual import measures
from scoring.families.ranking.names import score_names
from scoring.family import Counted, Options, about_gold
from scoring.messages import Message
from scoring.readers.ranking import Judgements, Name, Run, shown

_NAMED = 5


@dataclass(frozen=True)
class Matches:
    """Holds what the tables are made from; all columns are (q,)."""

    units: list[str]
    rankings: Rankings
    scored: Flags
    n_found: Floats  # relevant documents retrieved
    values: dict[str, Floats]  # {score: value of each query}, scored or not


def count(gold: Judgements, run: Run, options: Options) -> Counted:
    """Measure every query of the gold; a row for each."""
    ranked = rankings(gold, run, options)
    scored = _scored(ranked, options)
    computed = measures(ranked, options) | further_measures(ranked, options)
    values = {name: computed[name] for name in score_names(options)}
    matches = Matches(
        units=[query.decode() for query in gold.queries],
        rankings=ranked,
        scored=scored,
        n_found=ranked.summed(ranked.is_relevant),
        values=values,
    )
    weight = scored.astype(np.float64)
    return Counted(
        units=matches.units,
        rows=np.column_stack([weight, *(weight * column for column in values.values())]),
        totals=_totals(matches, run, gold),
        warnings=list(_warnings(matches, run, gold, options)),
        matches=matches,
    )


def _scored(ranked: Rankings, options: Options) -> Flags:
    """Return of which queries means are taken: (q,)."""
    scored = np.ones(ranked.n_units, np.bool_)
    if options["missing"] == "skip":
        scored &= ranked.in_run
    if options["empty_queries"] == "skip":
        scored &= ranked.n_relevant > 0
    return scored


def _totals(matches: Matches, run: Run, gold: Judgements) -> dict[str, int | float]:
    ranked, scored = matches.rankings, matches.scored
    return {
        "queries": ranked.n_units,
        "num_q": int(scored.sum()),
        "num_ret": int(ranked.n_retrieved[scored].sum()),
        "num_rel": int(ranked.n_relevant[scored].sum()),
        "num_rel_ret": int(matches.n_found[scored].sum()),
        "missing_queries": int((~ranked.in_run).sum()),
        "ignored_queries": len(_unknown(run, gold)),
        "empty_queries": int((ranked.n_relevant == 0).sum()),
        "cut_documents": int(ranked.n_cut.sum()),
    }


def _unknown(run: Run, gold: Judgements) -> list[Name]:
    return [query for query in run.queries if query not in gold.index_of]


def _warnings(matches: Matches, run: Run, gold: Judgements, options: Options) -> Iterator[str]:
    ranked = matches.rankings
    missing, unknown, empty = (
        _queries_where(gold, ~ranked.in_run),
        _unknown(run, gold),
        _queries_where(gold, ranked.n_relevant == 0),
    )
    if missing:
        yield Message.counted(
            "queries-not-in-run",
            "1 query is not in the run: {named}",
            "{n} queries are not in the run: {named}",
            len(missing),
            named=_quoted(missing),
        )
    if unknown:
        yield Message.counted(
            "queries-not-in-gold",
            "1 query is not in the gold: {named}",
            "{n} queries are not in the gold: {named}",
            len(unknown),
            named=_quoted(unknown),
        )
    if empty:
        warning = Message.counted(
            "queries-without-relevant",
            "1 query has no relevant document: {named}",
            "{n} queries have no relevant document: {named}",
            len(empty),
            named=_quoted(empty),
        )
        yield from about_gold([warning])
    if ranked.n_cut.any():
        yield Message.counted(
            "documents-beyond-depth",
            "1 document beyond depth {depth} left out, of {of}",
            "{n} documents beyond depth {depth} left out, of {of}",
            int(ranked.n_cut.sum()),
            depth=options["depth"],
            of=_quoted(_queries_where(gold, ranked.n_cut > 0)),
        )
    if run.n_flat:
        yield Message.counted(
            "scores-all-equal",
            "in 1 query all scores are equal: its order is that of the names",
            "in {n} queries all scores are equal: their order is that of the names",
            run.n_flat,
        )
    if run.n_wide:
        lines = ", ".join(map(str, run.wide)) + (", …" if run.n_wide > len(run.wide) else "")
        yield Message.counted(
            "lines-too-wide",
            "1 line with more than 6 columns, the rest of which is ignored: {lines}",
            "{n} lines with more than 6 columns, the rest of which is ignored: {lines}",
            run.n_wide,
            lines=lines,
        )
    if not matches.scored.any():
        yield Message("no-query-scored", "no query is scored")


def _queries_where(gold: Judgements, chosen: Flags) -> list[Name]:
    return [gold.queries[k] for k in np.flatnonzero(chosen).tolist()]


def _quoted(queries: list[Name]) -> str:
    """Quote the first five.

    >>> _quoted([b"q1", b"q2"])
    "'q1', 'q2'"
    """
    return ", ".join(map(shown, queries[:_NAMED])) + (", …" if len(queries) > _NAMED else "")
