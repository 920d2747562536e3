"""A look at the first lines of a run: whether scores order documents as their author seems to have meant."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from scoring.readers.blank_lines import numbered_lines
from scoring.readers.ranking.columns import Name
from scoring.readers.ranking.kinds import BLANKS, is_skipped, source_of

_LOOKED_AT = 2**19  # bytes
_FEWEST = 3  # documents of a query that say something
_FIRST_RANKS = 2  # some leave the query's own document out
_MANY = 10  # documents of a query in which equal scores are many


@dataclass(frozen=True)
class Glance:
    """Counts, of the queries with several documents among the first lines, those with equal or rising scores."""

    n: int
    n_flat: int  # all scores are equal: the order is that of the names
    n_rising: int  # from rank to rank the score never falls, and rises once: the last document counts as the best
    documents: tuple[Name, ...] = ()  # the first ones, each once
    n_alike: int = 0  # with the very same documents in the same order, of the order that comes most often
    # Scores from 0 to 1 with one decimal at most, or two different ones alone, are equal for most documents.
    n_rounded: int = 0
    n_by_name: int = 0  # of those with many documents, which stand in the order of their names
    n_headless: int = 0  # whose ranks all lie behind the first ones
    first: Mapping[Name, list[Name]] = field(
        default_factory=dict, repr=False
    )  # documents of each query, first lines first


def glance(files: Mapping[str, bytes]) -> Glance:
    """Look at a run that has been read; there is none for JSON, where nothing but scores says an order.

    Ranks are those of the fourth column; of three columns, the order of the lines.

    >>> glance({"run.txt": b"q1 Q0 a 1 0.5 x\\nq1 Q0 b 2 0.7 x\\nq1 Q0 c 3 0.9 x\\nq2 Q0 a 1 0 x\\n"})
    Glance(n=1, n_flat=0, n_rising=1, documents=(b'a', b'b', b'c'), n_alike=1, n_rounded=0, n_by_name=0, n_headless=0)
    """
    source = source_of(files)
    if source.kind == "json":
        return Glance(0, 0, 0)
    places_by_query: dict[Name, list[tuple[float, float]]] = {}
    names_by_query: dict[Name, list[Name]] = {}
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
        names_by_query.setdefault(query, []).append(document)
        places_by_query.setdefault(query, []).append((place, score))
    several = [sorted(pairs) for pairs in places_by_query.values() if len(pairs) >= _FEWEST]
    flat = [pairs for pairs in several if len({score for _, score in pairs}) == 1]
    alike = Counter(tuple(names) for names in names_by_query.values() if len(names) >= _FEWEST)
    return Glance(
        len(several),
        len(flat),
        sum(map(_rises, several)) + sum(map(_are_ranks, places_by_query.values())),
        tuple(documents),
        n_alike=max(alike.values(), default=0),
        n_rounded=sum(map(_is_rounded, several)),
        n_by_name=sum(
            1
            for query, pairs in places_by_query.items()
            if _is_by_name(names_by_query[query], [score for _, score in pairs])
        ),
        n_headless=sum(1 for pairs in several if pairs[0][0] > _FIRST_RANKS) if source.kind == "trec" else 0,
        first={query: names[:_MANY] for query, names in names_by_query.items()},
    )


def _is_rounded(pairs: list[tuple[float, float]]) -> bool:
    """Return whether scores from 0 to 1 were cut to a decimal, so that most documents share theirs."""
    scores = {score for _, score in pairs}
    has_one = all(score == round(score, 1) and 0 <= score <= 1 for score in scores)
    return has_one and len(pairs) >= _MANY and 1 < len(scores) <= len(pairs) / 2


def _is_by_name(names: list[Name], scores: list[float]) -> bool:
    """Return whether many documents stand in the order of their names, with scores that fall."""
    ordered = [name for _, name in sorted(zip(scores, names, strict=True), key=lambda pair: -pair[0])]
    return len(names) >= _MANY and len(set(scores)) > len(scores) / 2 and ordered == sorted(names)


def _are_ranks(pairs: list[tuple[float, float]]) -> bool:
    """Return whether scores count the lines, where the column of the ranks has none."""
    has_ranks = any(place == place for place, _ in pairs)  # noqa: PLR0124
    return not has_ranks and len(pairs) >= _FEWEST and [score for _, score in pairs] == [*range(1, len(pairs) + 1)]


def _rises(pairs: list[tuple[float, float]]) -> bool:
    scores = [score for _, score in pairs]
    places = {place for place, _ in pairs}
    # Equal ranks, or such as are none, say no order; a rank that is none differs from itself.
    if len(places) < len(pairs) or not all(place == place for place in places):  # noqa: PLR0124
        return False
    return scores[0] < scores[-1] and all(one <= other for one, other in pairwise(scores))
