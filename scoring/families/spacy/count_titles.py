"""Tells what the counts of a result are called: by what is counted, and what became of it."""

from collections.abc import Collection

from scoring.families.spacy.score_config import UD_NAMES
from scoring.family import Options

_COUNTED = {
    "ents": "Entities",
    "sents": "Sentences",
    "token": "Tokens",
    "token_acc": "Tokens of the system within one of the gold",
    "tag": "Tags",
    "pos": "Parts of speech",
    "morph": "Morphology",
    "morph_micro": "Morphological features",
    "lemma": "Lemmas",
    "dep_uas": "Heads",
    "dep_las": "Heads with labels",
    "cats_micro": "Categories",
    "nel_micro": "Links",
    **{f"ud_{metric}": f"UD {name}" for metric, name in UD_NAMES.items()},
    "documents": "Documents",
    "nervaluate_strict": "Entities, strict match",
    "nervaluate_exact": "Entities, exact match",
    "nervaluate_partial": "Entities, partial match",
    "nervaluate_type": "Entities, type match",
}
_OUTCOMES = {
    "tp": "{}, right",
    "fp": "{}, wrong",
    "fn": "{}, missed",
    "dropped": "{}, on no token of the gold",
    "ignored": "{}, where the gold says nothing",
    "off_boundary": "{}, that begin or end inside a token",
    "possible": "{}, of the gold",
    "actual": "{}, of the system",
    "correct": "{}, correct",
    "incorrect": "{}, incorrect",
    "partial": "{}, partial",
    "missed": "{}, missed",
    "spurious": "{}, spurious",
}


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Titles of the counts that there are; a span group is called by its key.

    The scheme `partial` of nervaluate alone has partial matches, and no incorrect ones.
    """
    return {name: _title(name) for name in counts if not _is_void(name)}


def _title(name: str) -> str:
    for outcome, title in _OUTCOMES.items():
        counted = name.removesuffix(f"_{outcome}")
        if counted != name and (counted in _COUNTED or counted.startswith("spans_")):
            return title.format(_COUNTED.get(counted) or f"Spans {counted.removeprefix('spans_')}")
    return _COUNTED.get(name, name.replace("_", " "))


def _is_void(name: str) -> bool:
    is_partial = name.startswith("nervaluate_partial_")
    return name.startswith("nervaluate_") and name.endswith("_incorrect" if is_partial else "_partial")
