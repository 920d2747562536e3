"""The names of the scores: of whole rankings, and of their first k documents for each cutoff."""

from collections.abc import Mapping
from typing import Any

WHOLE = ("ndcg", "map", "mrr", "rprec", "bpref", "gm_map")
BY_CUTOFF = ("ndcg", "map", "mrr", "p", "r", "success", "judged")

_TITLES = {
    "ndcg": "nDCG",
    "map": "MAP",
    "mrr": "MRR",
    "rprec": "R-precision",
    "bpref": "bpref",
    "gm_map": "GMAP",
    "p": "P",
    "r": "Recall",
    "success": "Success",
    "judged": "Judged",
}


def score_names(options: Mapping[str, Any]) -> list[str]:
    """Return the keys of the scores in the order of display.

    >>> score_names({"cutoffs": [5]})[5:9]
    ['gm_map', 'ndcg_5', 'map_5', 'mrr_5']
    """
    return [*WHOLE, *(f"{name}_{k}" for k in options["cutoffs"] for name in BY_CUTOFF)]


def title_of(score: str) -> str:
    """Return what people call it.

    >>> title_of("ndcg_10"), title_of("gm_map")
    ('nDCG@10', 'GMAP')
    """
    if score in _TITLES:
        return _TITLES[score]
    name, _, k = score.rpartition("_")
    return f"{_TITLES[name]}@{k}"
