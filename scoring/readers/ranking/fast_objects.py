"""The fast path of JSON: objects of finite numbers, in which no name stands twice. It gives up on all else."""

import json
from typing import Any, NamedTuple

import numpy as np

from scoring.columns import Floats
from scoring.readers.gc_pause import without_collector
from scoring.readers.ranking.columns import Name
from scoring.readers.ranking.fast import MOST_GRADE, Irregular, Take
from scoring.readers.ranking.kinds import Source

_Pairs = list[tuple[str, Any]]


class _Query(NamedTuple):
    """An object without objects in it. Made as soon as it has been read, so that its pairs need not be kept."""

    documents: list[Name]
    values: Floats


def read_objects(source: Source, take: Take, *, are_grades: bool) -> None:
    """Read every query of the file with its documents and values; Irregular if the careful path is needed."""

    def made(pairs: _Pairs) -> _Query | _Pairs:
        return pairs if pairs and isinstance(pairs[0][1], _Query) else _query(pairs, are_grades=are_grades)

    try:
        with without_collector():
            pairs = json.loads(source.content[source.start :], object_pairs_hook=made)
    except (ValueError, RecursionError):
        raise Irregular from None
    if isinstance(pairs, _Query) or not all(name and isinstance(of_query, _Query) for name, of_query in pairs):
        raise Irregular
    if len({name for name, _ in pairs}) < len(pairs):
        raise Irregular
    for name, of_query in pairs:
        if of_query.documents:
            take(_encoded(name), of_query.documents, of_query.values)


def _query(pairs: _Pairs, *, are_grades: bool) -> _Query:
    if not pairs:
        return _Query([], np.zeros(0))
    names, values = zip(*pairs, strict=True)
    # Truth values are integers to Python, and no numbers here.
    if not set(map(type, values)) <= ({int} if are_grades else {int, float}) or "" in names:
        raise Irregular
    try:
        numbers = np.fromiter(map(float, values), np.float64, len(values))
    except OverflowError:
        raise Irregular from None
    if not (np.abs(numbers) <= (MOST_GRADE if are_grades else np.finfo(np.float64).max)).all():
        raise Irregular
    return _Query([_encoded(name) for name in names], numbers)


def _encoded(name: str) -> Name:
    try:
        return name.encode()
    except UnicodeEncodeError:
        raise Irregular from None
