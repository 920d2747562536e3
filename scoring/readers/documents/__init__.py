"""Annotated documents of any format, as columns."""

from scoring.readers.documents.alignment import Alignment, align
from scoring.readers.documents.building import Builder
from scoring.readers.documents.chunks import Document, IrregularError
from scoring.readers.documents.columns import Categories, Documents, Spans, text_of
from scoring.readers.documents.strings import EMPTY_MORPH, UNSET, Strings
from scoring.readers.documents.trees import sentence_starts

__all__ = [
    "EMPTY_MORPH",
    "UNSET",
    "Alignment",
    "Builder",
    "Categories",
    "Document",
    "Documents",
    "IrregularError",
    "Spans",
    "Strings",
    "align",
    "sentence_starts",
    "text_of",
]
