"""Annotated documents of any format, as columns."""

from scoring.readers.spacy.documents.alignment import Alignment, align
from scoring.readers.spacy.documents.building import Builder
from scoring.readers.spacy.documents.columns import Categories, Codes, Documents, Spans, text_of
from scoring.readers.spacy.documents.document import Document
from scoring.readers.spacy.documents.strings import EMPTY_MORPH, UNSET, Strings
from scoring.readers.spacy.documents.treebank import Treebank

__all__ = [
    "EMPTY_MORPH",
    "UNSET",
    "Alignment",
    "Builder",
    "Categories",
    "Codes",
    "Document",
    "Documents",
    "Spans",
    "Strings",
    "Treebank",
    "align",
    "text_of",
]
