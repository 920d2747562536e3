"""Whom each shown row of a board beats, whom it cannot be told apart from and to whom it loses."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evalsite.leaderboard.models import Edition
from evalsite.leaderboard.places import unpacked
from evalsite.leaderboard.rows import Row

# The row against another one: worse, not to be told apart, better, not compared.
SIGNS = np.frombuffer(b"-=+.", dtype=np.uint8)
NOT_COMPARED = 2


def contrasts(edition: Edition, rows: Sequence[Row], shown: Sequence[Row]) -> list[str]:
    """For each shown row a sign against each shown row, in their order; `rows` are all of the board."""
    ranked = [row.entry["submission"] for row in rows if row.rank is not None]
    if not edition.comparison or len(ranked) < 2:
        return []
    places = {submission: place for place, submission in enumerate(ranked)}
    separated = unpacked(edition.comparison["separated"], len(ranked), len(ranked))
    found = np.full((len(shown), len(shown)), NOT_COMPARED, dtype=np.int8)
    here = np.array([number for number, row in enumerate(shown) if row.rank is not None], dtype=np.int64)
    at = np.array([places[shown[number].entry["submission"]] for number in here], dtype=np.int64)
    better = separated[np.ix_(at, at)].astype(np.int8)
    found[np.ix_(here, here)] = better - better.T
    for number, row in enumerate(shown):
        if row.reference:
            signs = _of_reference(edition.comparison, row.entry["submission"], len(ranked))
            if signs is not None:
                found[number, here] = signs[at]
                found[here, number] = -signs[at]
    np.fill_diagonal(found, NOT_COMPARED)
    return [line.tobytes().decode("ascii") for line in SIGNS[found + 1]]


def _of_reference(comparison: dict[str, Any], submission: str, n_ranked: int) -> NDArray[np.int8] | None:
    against = comparison["references"].get(submission)
    if against is None:
        return None
    better, worse = (unpacked(against[name], n_ranked).astype(np.int8) for name in ("better", "worse"))
    signs: NDArray[np.int8] = better - worse
    return signs
