"""What each family's record of a unit holds, as layers of outcomes."""

from collections.abc import Callable, Mapping

from evalsite.results.three_way import (
    coreference,
    ehealthkd,
    labels,
    mat,
    numbers,
    qac,
    ranking,
    spacy,
    text,
    transcripts,
)
from evalsite.results.three_way.outcomes import RIGHT, Layer, Record

LAYERS: Mapping[str, Callable[[Record], list[Layer]]] = {
    "coreference": coreference.layers,
    "ehealthkd": ehealthkd.layers,
    "labels": labels.layers,
    "mat": mat.layers,
    "numbers": numbers.layers,
    "qac": qac.layers,
    "ranking": ranking.layers,
    "spacy": spacy.layers,
    "text": text.layers,
    "transcripts": transcripts.layers,
}


def wrong_first(layers: list[Layer]) -> list[Layer]:
    """Sort layers for a page of one run, which may not hold them all."""
    return sorted(layers, key=lambda layer: all(outcome.kind == RIGHT for outcome in layer.outcomes))
