"""A look at the first lines of a run: whether scores order documents as their author seems to have meant."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from scoring.readers.blank_lines import numbered_lines
from scoring.readers.ranking.columns import Name
from scoring.readers.ranking.kinds import BLANKS, is_skipped, source_of

_LOOKED_AT = 2**19  # bytes
_FEWEST = 3  # documents of a query that say something


@dataclass(frozen=True)
class Glance:
    """Counts, of the queries with several documents among the first lines, those with equal or rising scores."""

    n: int
    n_flat: int  # all scores are equal: the order is that of the names
    n_rising: int  # from rank to rank the score never falls, and rises once: the last document counts as the best
    documents: tuple[Name, ...] = ()  # the first ones, each once


def glance(files: Mapping[str, bytes]) -> Glance:
    """Look at a run that has been read; there is none for JSON, where nothing but scores says an order.

    Ranks are those of the fourth column; of three columns, the order of the lines.

    >>> glance({"run.txt": b"q1 Q0 a 1 0.5 x\\nq1 Q0 b 2 0.7 x\\nq1 Q0 c 3 0.9 x\\nq2 Q0 a 1 0 x\\n"})
    Glance(n=1, n_flat=0, n_rising=1, documents=(b'a', b'b', b'c'))
    """
    source = source_of(files)
    if source.kind == "json":
        return Glance(0, 0, 0)
    places_by_query: dict[Name, list[tuple[float, float]]] = {}
    documents: dict[Name, None] = {}
    end = source.content.rfind(b"\n", source.start, source.start + _LOOKED_AT)
    for number, line in numbered_lines(source.content[source.start : end if end > 0 else None]):
        if is_skipped(line):
            continue
        if source.kind == "trec":
            columns = line.split()
            query, document, rank, score = columns[0], columns[2], columns[3], float(columns[4])
            place = float(rank) if rank.isdigit() else float("nan")
        else:
            columns = line.split(b"\t")
            query, document, place, score = (
                columns[0].strip(BLANKS),
                columns[1].strip(BLANKS),
                float(number),
                float(columns[2]),
            )
        documents[document] = None
        places_by_query.setdefault(query, []).append((place, score))
    several = [sorted(pairs) for pairs in places_by_query.values() if len(pairs) >= _FEWEST]
    flat = [pairs for pairs in several if len({score for _, score in pairs}) == 1]
    return Glance(len(several), len(flat), sum(map(_rises, several)), tuple(documents))


def _rises(pairs: list[tuple[float, float]]) -> bool:
    scores = [score for _, score in pairs]
    places = {place for place, _ in pairs}
    # Equal ranks, or such as are none, say no order; a rank that is none differs from itself.
    if len(places) < len(pairs) or not all(place == place for place in places):  # noqa: PLR0124
        return False
    return scores[0] < scores[-1] and all(one <= other for one, other in pairwise(scores))
