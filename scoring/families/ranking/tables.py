"""The table of the queries, as they are measured by themselves."""

from scoring.columns import records
from scoring.families.ranking.counting import Matches
from scoring.families.ranking.measures.usual import first_relevant
from scoring.families.ranking.names import GEOMETRIC
from scoring.family import Evidence, Options, Record, Table
from scoring.table_columns import Column, Columns, unshown

_SHOWN = ("ndcg", "map", "mrr", "rprec", "bpref")


# A relevant document is one of very many.
_BITS = 10.0
EVIDENCE = Evidence(
    # Of snippets no documents are counted.
    items=lambda counts, tables: int(counts.get("num_rel", counts["queries"])),
    bits=lambda tables: _BITS,
    rows=lambda table: None,
    totals=frozenset({"retrieved"}),
    gold_counts=frozenset({"queries", "num_q", "num_rel"}),
)

COLUMNS: Columns = {
    "queries": (
        Column("query"),
        Column("map", "MAP"),
        Column("mrr", "reciprocal rank"),
        Column("bpref", "bpref"),
        Column("first_relevant", "rank of the first relevant"),
        Column("relevant"),
        Column("relevant_retrieved"),
        Column("retrieved"),
        Column("in_run"),
        *unshown("scored", "ndcg", "rprec"),
    ),
}


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Return the only table; its columns and order are public, and it has no intervals."""
    return {"queries": Table(_queries(matches, options["headline"]))}


def _queries(matches: Matches, headline: str) -> list[Record]:
    """Make a row for each query of the gold, in order of its bytes; values also where a query is not scored."""
    ranked = matches.rankings
    # A geometric mean is none of a single query.
    further = () if headline in (*_SHOWN, *GEOMETRIC) else (headline,)
    return records(
        query=matches.units,
        in_run=ranked.in_run,
        scored=matches.scored,
        retrieved=ranked.n_retrieved,
        relevant=ranked.n_relevant,
        relevant_retrieved=matches.n_found.astype(int),
        first_relevant=[rank or None for rank in first_relevant(ranked).tolist()],
        **{name: matches.values[name] for name in (*_SHOWN, *further)},
    )
