"""Tells what the counts of a result are called: by what is counted, and what became of it."""

from collections.abc import Callable, Collection, Mapping

from scoring.families.spacy.score_config import UD_NAMES
from scoring.family import Options
from scoring.messages import Message

_COUNTED = Message.words(
    {
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
        "documents": "Documents",
        "nervaluate_strict": "Entities, strict match",
        "nervaluate_exact": "Entities, exact match",
        "nervaluate_partial": "Entities, partial match",
        "nervaluate_type": "Entities, type match",
    }
) | {f"ud_{metric}": f"UD {name}" for metric, name in UD_NAMES.items()}
_OUTCOMES: Mapping[str, Callable[[str], Message]] = {
    "tp": lambda items: Message("items-right", "{items}, right", items=items),
    "fp": lambda items: Message("items-wrong", "{items}, wrong", items=items),
    "fn": lambda items: Message("items-missed", "{items}, missed", items=items),
    "dropped": lambda items: Message("items-dropped", "{items}, on no token of the gold", items=items),
    "ignored": lambda items: Message("items-ignored", "{items}, where the gold says nothing", items=items),
    "off_boundary": lambda items: Message("items-inside", "{items}, that begin or end inside a token", items=items),
    "possible": lambda items: Message("items-of-gold", "{items}, of the gold", items=items),
    "actual": lambda items: Message("items-of-system", "{items}, of the system", items=items),
    "correct": lambda items: Message("items-correct", "{items}, correct", items=items),
    "incorrect": lambda items: Message("items-incorrect", "{items}, incorrect", items=items),
    "partial": lambda items: Message("items-partial", "{items}, partial", items=items),
    "missed": lambda items: Message("items-missed", "{items}, missed", items=items),
    "spurious": lambda items: Message("items-spurious", "{items}, spurious", items=items),
}


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts that there are; a span group is called by its key.

    The scheme `partial` of nervaluate alone has partial matches, and no incorrect ones.
    """
    return {name: _title(name) for name in counts if not _is_void(name)}


def _title(name: str) -> str:
    for outcome, title in _OUTCOMES.items():
        counted = name.removesuffix(f"_{outcome}")
        if counted != name and (counted in _COUNTED or counted.startswith("spans_")):
            return title(_COUNTED.get(counted) or _spans(counted.removeprefix("spans_")))
    return _COUNTED.get(name, name.replace("_", " "))


def _spans(key: str) -> Message:
    return Message("spans-of-group", "Spans {key}", key=key)


def _is_void(name: str) -> bool:
    is_partial = name.startswith("nervaluate_partial_")
    return name.startswith("nervaluate_") and name.endswith("_incorrect" if is_partial else "_partial")
