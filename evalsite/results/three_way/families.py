"""What each family's record of a unit holds, as layers of outcomes."""

from collections.abc import Callable, Mapping

from evalsite.results.three_way import coreference, ehealthkd, mat, qac, spacy
from evalsite.results.three_way.outcomes import Layer, Record

LAYERS: Mapping[str, Callable[[Record], list[Layer]]] = {
    "coreference": coreference.layers,
    "ehealthkd": ehealthkd.layers,
    "mat": mat.layers,
    "qac": qac.layers,
    "spacy": spacy.layers,
}
