"""A report in trec_eval's lines: measure, query and value with tabs between, four decimals, at the end of all queries.

As `trec_eval -q` prints it (with `-c` where missing queries count 0), for the measures of whole rankings, which the
stored table of queries has.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scoring.family import Export, Options, Record

# trec_eval's names of columns of the table.
_COUNTS = {"num_ret": "retrieved", "num_rel": "relevant", "num_rel_ret": "relevant_retrieved"}
_MEASURES = {"map": "map", "Rprec": "rprec", "bpref": "bpref", "recip_rank": "mrr", "ndcg": "ndcg"}
_LEAST = 0.00001


def _report(tables: Mapping[str, list[Record]], options: Options) -> bytes:
    rows = [row for row in tables["queries"] if row["scored"]]
    lines = [text for row in rows for text in _of_query(row)] + list(_of_all(rows))
    return "".join(lines).encode()


def _of_query(row: Record) -> Iterator[str]:
    yield from (_line(name, row["query"], str(row[column])) for name, column in _COUNTS.items())
    yield from (_line(name, row["query"], f"{row[column]:.4f}") for name, column in _MEASURES.items())


def _of_all(rows: Sequence[Record]) -> Iterator[str]:
    yield _line("num_q", "all", str(len(rows)))
    yield from (_line(name, "all", str(sum(row[column] for row in rows))) for name, column in _COUNTS.items())
    if rows:
        means = {name: _mean(row[column] for row in rows) for name, column in _MEASURES.items()}
        means["gm_map"] = math.exp(_mean(math.log(max(row["map"], _LEAST)) for row in rows))
        yield from (_line(name, "all", f"{value:.4f}") for name, value in means.items())


def _mean(values: Iterable[float]) -> float:
    numbers = list(values)
    return math.fsum(numbers) / len(numbers)


def _line(name: str, query: str, value: str) -> str:
    """Write a line; the measure is padded to 22 characters.

    >>> _line("map", "all", "0.0926")
    'map                   \\tall\\t0.0926\\n'
    """
    return f"{name:<22}\t{query}\t{value}\n"


EXPORTS = (
    # Per query, how many documents are relevant.
    Export(
        "trec_eval.txt", "Each query and all, in the lines of trec_eval", tells_gold=True, make=_report, table="queries"
    ),
)
