"""The tables of a result of texts beside references, and the page of a segment or of a document's segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django import template

from evalsite.results.page.detail import Section
from evalsite.results.stored import FileMissing, evaluation_of
from evalsite.results.units.values import text_score, text_score_title, with_titles

register = template.Library()

register.filter(with_titles)
register.filter(text_score_title)

Record = dict[str, Any]
MOST_ROWS = 200
_NAMES = ("segment", "document", "segments")  # columns that are no scores


@dataclass(frozen=True)
class TextRow:
    """A segment or a document; the scores are written out."""

    unit: str
    beside: str  # the document of a segment, or how many segments a document has
    scores: list[str]


@register.simple_tag
def segments_of(section: Section) -> list[Record]:
    """Return the table of segments, which is kept with the evaluation; empty where that is gone."""
    try:
        return [] if section.result is None else evaluation_of(section.result).tables["segments"]
    except FileMissing:
        return []


@register.inclusion_tag("results/text/_worst.html", takes_context=True)
def worst_texts(context: template.Context, records: Sequence[Record], *, are_units: bool) -> Record:
    """Return segments or documents, the worst first by the score that ranks; `are_units` says that they have pages."""
    section: Section = context["section"]
    headline = section.headline.name
    scores = [headline, *(name for name in records[0] if name not in (*_NAMES, headline))]
    name, beside = ("segment", "document") if "segment" in records[0] else ("document", "segments")
    ordered = sorted(records, key=lambda record: record[headline], reverse=section.scenario.lower_is_better)
    rows = [
        TextRow(
            record[name],
            "" if record[beside] is None else str(record[beside]),
            [text_score(score, record[score], section.scenario) for score in scores],
        )
        for record in ordered[:MOST_ROWS]
    ]
    return {
        "rows": rows,
        "noun": name,
        "has_beside": any(row.beside for row in rows),
        "titles": [text_score_title(score) for score in scores],
        "n_left_out": max(0, len(records) - MOST_ROWS),
        "has_pages": are_units and section.has_unit_pages,
        "section": section,
        "submission": context["submission"],
    }
