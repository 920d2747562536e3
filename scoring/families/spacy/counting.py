"""A row of counts for each document, and all that is shown beside the scores."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from scoring.families.spacy.parts import Errors, Part, Sides, Weighted
from scoring.families.spacy.score_config import Item
from scoring.families.spacy.scores import SCORED
from scoring.family import Array, Counted, Options, Record, Table
from scoring.readers.spacy.documents import Documents, text_of
from scoring.readers.spacy.sides import System

MOST_ERRORS = 1000


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from."""

    sides: Sides
    parts: list[Part]


def count(gold: Documents, system: System, options: Options) -> Counted:
    sides = Sides(gold, system.documents, system.alignment)
    items: list[Item] = options["scores"]
    parts = [SCORED[item["name"]].count(sides, item) for item in items]
    totals: dict[str, int | float] = {}
    for part in parts:
        totals |= part.totals
    weighted = [part.weighted for part in parts if part.weighted is not None]
    return Counted(
        units=gold.ids,
        # The last column counts the document itself: items may have no counts at all.
        rows=np.hstack([*(part.rows for part in parts), np.ones((len(gold), 1), dtype=np.int64)]),
        totals=totals | {"documents": len(gold)},
        warnings=_warnings(sides, parts),
        matches=Matches(sides, parts),
        weighted=partial(_together, weighted) if weighted else None,
    )


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    found = {name: make() for part in matches.parts for name, make in part.tables.items()}
    descriptions = [
        {"score": score, "description": text} for part in matches.parts for score, text in part.descriptions.items()
    ]
    if descriptions:
        found["descriptions"] = Table(descriptions)
    found["errors"] = Table(_errors(matches))
    return found


def _together(functions: list[Weighted], weights: NDArray[np.int64]) -> Mapping[str, Array]:
    return {name: values for function in functions for name, values in function(weights).items()}


def _warnings(sides: Sides, parts: list[Part]) -> list[str]:
    warnings = [f"gold: {warning}" for warning in sides.gold.warnings] + sides.system.warnings
    for part in parts:
        warnings += part.warnings
    hedged = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *(part.hedged for part in parts)]))
    if len(hedged):
        warnings.append(
            f"{len(hedged)} gold tokens hold several tokens of the system with different answers: one of them may be "
            'right and the others cost little; the option tokens "gold" refuses this'
        )
    return list(dict.fromkeys(warnings))


def _errors(matches: Matches) -> list[Record]:
    records: list[Record] = []
    for part in matches.parts:
        for errors in part.errors:
            rows = range(min(MOST_ERRORS - len(records), len(errors.document)))
            for document, own in groupby(rows, key=errors.document.tolist().__getitem__):
                words, spaces = errors.side.words(document), errors.side.spaces(document)
                records += (_record(errors, k, words, spaces, matches.sides) for k in own)
    return records


def _record(errors: Errors, k: int, words: list[str], spaces: list[bool], sides: Sides) -> Record:
    start, end = int(errors.start[k]), int(errors.end[k])
    whole, piece = slice(None), slice(start, end)
    tokens, characters = (whole, piece) if errors.in_characters else (piece, whole)
    return {
        "id": errors.side.ids[errors.document[k]],
        "score": errors.score,
        "kind": errors.kind,
        "start": start,
        "end": end,
        "label": sides.names[errors.label[k]],
        "text": text_of(words[tokens], spaces[tokens])[characters],
    }
