"""Tells what the counts of a result are called, and which of them its options leave without meaning."""

from collections.abc import Collection

from scoring.families.mat.scores import SCHEMAS
from scoring.family import Options

_SPANS = {
    "match": "{} that match",
    "refclash": "{} of the gold that clash",
    "missing": "{} of the gold without overlap",
    "refonly": "{} of the gold without match",
    "reftotal": "{} of the gold",
    "hypclash": "{} of the system that clash",
    "spurious": "{} of the system without overlap",
    "hyponly": "{} of the system without match",
    "hyptotal": "{} of the system",
}
_SCHEMA_TITLES = {"strict": "Strict", "exact": "Exact", "partial": "Partial", "type": "Type"}
_PAIRS = {
    "correct": "{}: correct",
    "incorrect": "{}: incorrect",
    "partial": "{}: partial",
    "missing": "{}: missing",
    "spurious": "{}: spurious",
}
_CORPUS = {
    "documents": "Documents",
    "tokens": "Tokens",
    "missing_documents": "Documents not in the run",
    "ignored_annotations": "Annotations left out: their types do not count",
    "duplicates_gold": "Repeated annotations of the gold",
    "duplicates_system": "Repeated annotations of the system",
}


def count_titles(counts: Collection[str], options: Options) -> dict[str, str]:
    """Titles of the counts: of spans, tokens if there are scores by token, the corpus, and partial matches."""
    titles = {name: title.format("Spans") for name, title in _SPANS.items()}
    titles |= _CORPUS
    titles |= {f"token_{name}": title.format("Tokens") for name, title in _SPANS.items()}
    for schema in SCHEMAS:
        named = {kind: title.format(_SCHEMA_TITLES[schema]) for kind, title in _PAIRS.items() if _occurs(schema, kind)}
        titles |= {f"{schema}_{kind}": title for kind, title in named.items()}
    return {name: title for name, title in titles.items() if name in counts}


def _occurs(schema: str, kind: str) -> bool:
    """Return whether the schema has pairs of this kind: `partial` alone has partial ones, and no incorrect ones."""
    return kind != ("incorrect" if schema == "partial" else "partial")
