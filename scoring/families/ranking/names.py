"""The names of the scores: of whole rankings, and of their first k documents for each cutoff."""

from collections.abc import Mapping
from typing import Any

from scoring.messages import Message

WHOLE = ("ndcg", "map", "mrr", "rprec", "bpref", "gm_map")
BY_CUTOFF = ("ndcg", "map", "mrr", "p", "r", "success", "judged")

# Of each further measure the scores of whole rankings, and those of the first k documents.
RECALL_LEVELS = tuple(range(0, 101, 10))  # per cent
FURTHER_WHOLE: Mapping[str, tuple[str, ...]] = {
    "dcg": ("dcg",),
    "rbp": ("rbp",),
    "sets": ("set_p", "set_r", "set_f1", "set_map"),
    "iprec": ("eleven_points", *(f"iprec_{level}" for level in RECALL_LEVELS)),
    "gm_bpref": ("gm_bpref",),
    "bioasq": ("bioasq_map", "bioasq_gm_map"),
}
FURTHER_BY_CUTOFF: Mapping[str, str] = {"dcg": "dcg", "f1": "f1", "rbp": "rbp", "relative_p": "relative_p"}
FURTHER = ("dcg", "f1", "rbp", "relative_p", "sets", "iprec", "gm_bpref", "bioasq")

# Of snippets there are these alone.
SNIPPETS = ("snippet_f1", "snippet_p", "snippet_r", "snippet_map", "snippet_gm_map")

GEOMETRIC = ("gm_map", "gm_bpref", "bioasq_gm_map", "snippet_gm_map")

_TITLES = Message.words(
    {
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
        "dcg": "DCG",
        "f1": "F1",
        "rbp": "RBP",
        "relative_p": "Relative P",
        "set_p": "Set precision",
        "set_r": "Set recall",
        "set_f1": "Set F1",
        "set_map": "Set MAP",
        "eleven_points": "11-point average",
        **{f"iprec_{level}": f"IPrec@{level / 100:g}" for level in RECALL_LEVELS},
        "gm_bpref": "Geometric bpref",
        "snippet_f1": "F1 of snippets",
        "snippet_p": "Precision of snippets",
        "snippet_r": "Recall of snippets",
        "snippet_map": "MAP of snippets",
        "snippet_gm_map": "GMAP of snippets",
        "bioasq_map": "MAP (BioASQ)",
        "bioasq_gm_map": "GMAP (BioASQ)",
    }
)


def score_names(options: Mapping[str, Any]) -> list[str]:
    """Return the keys of the scores in the order of display.

    >>> score_names({"cutoffs": [5]})[5:9]
    ['gm_map', 'ndcg_5', 'map_5', 'mrr_5']
    >>> score_names({"cutoffs": [5], "measures": ("dcg",)})[5:8]
    ['gm_map', 'dcg', 'ndcg_5']
    """
    if options.get("items") == "snippets":
        return [*SNIPPETS]
    measures = options.get("measures") or ()
    whole = [*WHOLE, *(name for measure in measures for name in FURTHER_WHOLE.get(measure, ()))]
    by_cutoff = [*BY_CUTOFF, *(FURTHER_BY_CUTOFF[measure] for measure in measures if measure in FURTHER_BY_CUTOFF)]
    return [*whole, *(f"{name}_{k}" for k in options["cutoffs"] for name in by_cutoff)]


def title_of(score: str) -> str:
    """Return what people call it.

    >>> title_of("ndcg_10"), title_of("gm_map"), title_of("iprec_20")
    ('nDCG@10', 'GMAP', 'IPrec@0.2')
    """
    if score in _TITLES:
        return _TITLES[score]
    name, _, k = score.rpartition("_")
    return Message("score-at-cutoff", "{score}@{k}", score=_TITLES[name], k=k)
