"""Tells what the counts of a result are called, and which of them its options leave without meaning."""

from collections.abc import Callable, Collection, Mapping

from scoring.families.mat.scores import SCHEMAS
from scoring.family import Options
from scoring.messages import Message

_Title = Callable[[str], Message]  # of what is counted to the title of a count
_SPANS, _TOKENS = Message.word("Spans"), Message.word("Tokens")
_OF_SPANS: Mapping[str, _Title] = {
    "match": lambda spans: Message("spans-matching", "{spans} that match", spans=spans),
    "refclash": lambda spans: Message("gold-spans-clashing", "{spans} of the gold that clash", spans=spans),
    "missing": lambda spans: Message("gold-spans-alone", "{spans} of the gold without overlap", spans=spans),
    "refonly": lambda spans: Message("gold-spans-unmatched", "{spans} of the gold without match", spans=spans),
    "reftotal": lambda spans: Message("gold-spans", "{spans} of the gold", spans=spans),
    "hypclash": lambda spans: Message("system-spans-clashing", "{spans} of the system that clash", spans=spans),
    "spurious": lambda spans: Message("system-spans-alone", "{spans} of the system without overlap", spans=spans),
    "hyponly": lambda spans: Message("system-spans-unmatched", "{spans} of the system without match", spans=spans),
    "hyptotal": lambda spans: Message("system-spans", "{spans} of the system", spans=spans),
}
_SCHEMA_TITLES = Message.words({"strict": "Strict", "exact": "Exact", "partial": "Partial", "type": "Type"})
_PAIRS: Mapping[str, _Title] = {
    "correct": lambda schema: Message("pairs-correct", "{schema}: correct", schema=schema),
    "incorrect": lambda schema: Message("pairs-incorrect", "{schema}: incorrect", schema=schema),
    "partial": lambda schema: Message("pairs-partial", "{schema}: partial", schema=schema),
    "missing": lambda schema: Message("pairs-missing", "{schema}: missing", schema=schema),
    "spurious": lambda schema: Message("pairs-spurious", "{schema}: spurious", schema=schema),
}
_CORPUS = Message.words(
    {
        "documents": "Documents",
        "tokens": "Tokens",
        "missing_documents": "Documents not in the run",
        "ignored_annotations": "Annotations left out: their types do not count",
        "duplicates_gold": "Repeated annotations of the gold",
        "duplicates_system": "Repeated annotations of the system",
    }
)


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Name the counts: of spans, tokens if there are scores by token, the corpus, and partial matches."""
    titles: dict[str, str] = {name: title(_SPANS) for name, title in _OF_SPANS.items()}
    titles |= _CORPUS
    titles |= {f"token_{name}": title(_TOKENS) for name, title in _OF_SPANS.items()}
    for schema in SCHEMAS:
        named = {kind: title(_SCHEMA_TITLES[schema]) for kind, title in _PAIRS.items() if _occurs(schema, kind)}
        titles |= {f"{schema}_{kind}": title for kind, title in named.items()}
    return {name: title for name, title in titles.items() if name in counts}


def _occurs(schema: str, kind: str) -> bool:
    """Return whether the schema has pairs of this kind: `partial` alone has partial ones, and no incorrect ones."""
    return kind != ("incorrect" if schema == "partial" else "partial")
