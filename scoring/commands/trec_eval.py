"""The arguments and the lines of trec_eval, around this engine.

Arguments are those of trec_eval 10 for the measures that this engine has: infAP, utility and preferences are
not among them. A query that the run lacks is left out without -c, as trec_eval 9 does it.
"""

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scoring.columns import Floats
from scoring.display.arguments import program
from scoring.display.terminal import exit_status, write
from scoring.errors import problems_of_gold
from scoring.families.ranking import RANKING
from scoring.families.ranking.counting import Matches
from scoring.families.ranking.exports import COUNTS, line
from scoring.families.ranking.names import GEOMETRIC, RECALL_LEVELS
from scoring.readers.archive import Files, open_files
from scoring.readers.ranking import tag_of
from scoring.signature import __version__

_DESCRIPTION = "The arguments and the lines of trec_eval, around this engine, for the measures that it has."
# trec_eval's names in its own order, and ours.
_WHOLE = {
    **{"map": "map", "gm_map": "gm_map", "Rprec": "rprec", "bpref": "bpref", "recip_rank": "mrr", "ndcg": "ndcg"},
    **{"gm_bpref": "gm_bpref", "11pt_avg": "eleven_points"},
    **{"set_P": "set_p", "set_recall": "set_r", "set_map": "set_map", "set_F": "set_f1"},
}
_LEVELS = {f"iprec_at_recall_{level / 100:.2f}": f"iprec_{level}" for level in RECALL_LEVELS}
_BY_CUTOFF = {
    **{"P": "p", "relative_P": "relative_p", "recall": "r"},
    **{"ndcg_cut": "ndcg", "map_cut": "map", "success": "success"},
}
_ORDER = (
    *("map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P", "relative_P", "recall", "gm_bpref"),
    *("11pt_avg", "ndcg", "ndcg_cut", "map_cut", "success", "set_P", "set_recall", "set_map", "set_F"),
)
_FURTHER = ("relative_p", "sets", "iprec", "gm_bpref")  # those of ours that these need
_CUTOFFS = [5, 10, 15, 20, 30, 100, 200, 500, 1000]
_OFFICIAL = ("map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P")

Names = dict[str, str]  # {trec_eval's name of a score: ours}, in the order of its lines


def main(argv: Sequence[str]) -> int:
    """Prints the measures of a run; 0 done, 1 the run is refused, 2 the gold is; wrong usage ends in SystemExit."""
    arguments = _arguments(argv)
    return exit_status(lambda: _print(arguments))


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = program("trec-eval", _DESCRIPTION)
    parser.add_argument("gold", type=Path, metavar="QRELS", help="the judgements")
    parser.add_argument("run", type=Path, metavar="RUN", help="the run")
    parser.add_argument("-q", action="store_true", dest="by_query", help="print each query as well")
    parser.add_argument("-n", action="store_true", dest="without_all", help="do not print the means")
    parser.add_argument("-c", action="store_true", dest="complete", help="queries that the run lacks count 0")
    parser.add_argument("-l", type=int, default=1, dest="relevance", metavar="N", help="the least relevant grade")
    parser.add_argument("-M", type=int, dest="depth", metavar="N", help="documents of a query that count")
    parser.add_argument("-J", action="store_true", dest="judged_only", help="judged documents alone")
    parser.add_argument(
        "-m",
        action="append",
        dest="measures",
        metavar="MEASURE",
        help=f"official, or one of {', '.join(_ORDER)}, the last ones with cutoffs, such as P.5,10; may be repeated",
    )
    parser.add_argument("-v", "--version", action="version", version=f"trec-eval {__version__}")
    arguments = parser.parse_args(argv)
    try:
        arguments.cutoffs = _asked(arguments.measures or ["official"])
    except ValueError as error:
        parser.error(str(error))
    return arguments


def _asked(measures: Sequence[str]) -> dict[str, list[int]]:
    """{measure: its cutoffs} of all that are asked for.

    >>> _asked(["map", "P.10,5"])
    {'map': [], 'P': [5, 10]}
    """
    found: dict[str, list[int]] = {}
    for measure in measures:
        name, _, numbers = measure.partition(".")
        for each in _OFFICIAL if name == "official" else (name,):
            if each not in _ORDER:
                raise ValueError(f"unknown measure {measure!r}")
            found.setdefault(each, []).extend(_cutoffs_of(each, numbers))
    return {name: sorted(set(cutoffs)) for name, cutoffs in found.items()}


def _cutoffs_of(measure: str, numbers: str) -> list[int]:
    if measure not in _BY_CUTOFF:
        return []
    if not numbers:
        return [1, 5, 10] if measure == "success" else _CUTOFFS
    if not all(part.isascii() and part.isdigit() and int(part) for part in numbers.split(",")):
        raise ValueError(f"{measure}.{numbers}: cutoffs are integers from 1")
    return [int(part) for part in numbers.split(",")]


def _print(arguments: argparse.Namespace) -> None:
    options = RANKING.configure(
        {
            "relevance": arguments.relevance,
            "missing": "zero" if arguments.complete else "skip",
            "judged_only": arguments.judged_only,
            "depth": arguments.depth,
            "over_depth": "cut",
            "measures": _FURTHER,
        }
    )
    # More of them than an organiser may choose.
    options["cutoffs"] = sorted({k for own in arguments.cutoffs.values() for k in own}) or [10]
    run = open_files(arguments.run)
    with problems_of_gold():
        gold = RANKING.read_gold(open_files(arguments.gold), options)
    counted = RANKING.count(gold, RANKING.read_system(run, gold, options), options)
    names = _names(arguments.cutoffs)
    lines = [*_by_query(counted.matches, names)] if arguments.by_query else []
    if not arguments.without_all:
        lines += _of_all(counted.matches, counted.totals, names, run)
    write("".join(lines), counted.warnings)


def _names(cutoffs: Mapping[str, list[int]]) -> Names:
    """Return the scores to print, in the order of trec_eval."""
    found: Names = {}
    for name in _ORDER:
        if name not in cutoffs:
            continue
        if name in _WHOLE:
            found[name] = _WHOLE[name]
        elif name == "iprec_at_recall":
            found |= _LEVELS
        else:
            found |= {f"{name}_{k}": f"{_BY_CUTOFF[name]}_{k}" for k in cutoffs[name]}
    return found


def _by_query(matches: Matches, names: Names) -> Iterator[str]:
    """Yield the lines of each scored query; geometric means have none."""
    ranked = matches.rankings
    columns = dict(zip(COUNTS, (ranked.n_retrieved, ranked.n_relevant, matches.n_found), strict=True))
    for k in matches.scored.nonzero()[0].tolist():
        query = matches.units[k]
        yield from (line(name, query, str(int(column[k]))) for name, column in columns.items())
        for name, ours in names.items():
            if ours not in GEOMETRIC:
                yield line(name, query, f"{matches.values[ours][k]:6.4f}")


def _of_all(matches: Matches, totals: Mapping[str, float], names: Names, run: Files) -> Iterator[str]:
    tag = tag_of(run)
    if tag:
        yield line("runid", "all", tag)
    yield from (line(name, "all", str(totals[name])) for name in ("num_q", *COUNTS))
    for name, ours in names.items():
        value = _mean(matches.values[ours][matches.scored])
        if value is not None:
            yield line(name, "all", f"{math.exp(value) if ours in GEOMETRIC else value:6.4f}")


def _mean(values: Floats) -> float | None:
    return math.fsum(values.tolist()) / len(values) if len(values) else None
