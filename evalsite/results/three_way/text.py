"""Texts beside references: the whole texts under each other, and which words of the first reference each run has."""

import re
from collections.abc import Iterator

from django.utils.translation import gettext

from evalsite.results.three_way.outcomes import RIGHT, Annotation, Layer, Outcome, Record
from evalsite.results.units.values import with_titles

_WORD = re.compile(r"\S+")


def layers(record: Record) -> list[Layer]:
    """Return the texts of all segments; then for each segment the words of its first reference."""
    segments = record["segments"]
    texts = Layer(gettext("Texts"), "", [_text(segment) for segment in segments])
    return [texts, *(_words(segment, is_only=len(segments) == 1) for segment in segments)]


def _text(segment: Record) -> Outcome:
    """Return a whole text; it is right where it says what one of the references does."""
    references = ["".join(piece["text"] for piece in pieces) for pieces in segment["references"]]
    is_right = segment["text"].strip() in [reference.strip() for reference in references]
    title, value = with_titles(segment["scores"])[0]
    annotation = Annotation("", segment["text"])
    kind = RIGHT if is_right else "tagclash"
    return Outcome(segment["segment"], kind, f"{title} {value}", Annotation("", references[0]), annotation, annotation)


def _words(segment: Record, *, is_only: bool) -> Layer:
    """Return the passages of the first reference, as its words are in the run's text or not."""
    title = gettext("Words of the first reference")
    pieces = segment["references"][0]
    text = "".join(piece["text"] for piece in pieces)
    return Layer(title if is_only else f"{title}: {segment['segment']}", text, list(_outcomes(segment, pieces)))


def _outcomes(segment: Record, pieces: list[Record]) -> Iterator[Outcome]:
    """Return one for each word, by its place in the reference; signs beside its letters do not matter."""
    text = "".join(piece["text"] for piece in pieces)
    differs = [piece["differs"] for piece in pieces for _ in piece["text"]]  # of each character
    for word in _WORD.finditer(text):
        start, end = word.span()
        letters = [k for k in range(start, end) if text[k].isalnum()] or range(start, end)
        annotation = Annotation("", word[0], (word.span(),))
        if any(differs[k] for k in letters):
            yield Outcome(word.span(), "missing", gettext("Not in the text"), annotation, None)
        else:
            yield Outcome(word.span(), RIGHT, gettext("In the text"), annotation, annotation)
