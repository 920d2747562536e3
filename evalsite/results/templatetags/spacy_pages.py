"""The page of a document with tokens, trees, entities, spans, links and categories."""

from collections import Counter
from itertools import islice
from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from evalsite.results.marked_text import KINDS as SPAN_KINDS
from evalsite.results.spacy import sentences as sentences_
from evalsite.results.spacy.layers import layers
from evalsite.results.spacy.sentences import MOST_SENTENCES, Sentence, sentences
from evalsite.results.templatetags.mat_pages import TITLES
from evalsite.results.templatetags.score_tables import Strip
from evalsite.results.wording import spans_apart

register = template.Library()

Record = dict[str, Any]

ARC_TITLES: dict[str, Promise] = {"heads": gettext_lazy("Other head"), "labels": gettext_lazy("Other relation")}


@register.inclusion_tag("results/spacy/_document.html", takes_context=True)
def annotated_document(context: template.Context, record: Record, show: str = "") -> Record:
    """Both sides of a document; `show` is a kind of span or of arc, "errors", or "" for all."""
    show = show if show in ("errors", *SPAN_KINDS, *ARC_TITLES) else ""
    found = list(layers(record, show))
    cut = list(sentences(record))
    shown = [sentence for sentence in cut if _is_shown(sentence, show)]
    kinds = _kinds(found, cut)
    left_out = Counter(error["kind"] for error in record["errors"] if error["kind"] in ("dropped", "ignored"))
    return {
        "request": context["request"],
        "task": context.get("task"),
        "layers": [] if show in ARC_TITLES else found,
        "sentences": list(islice(shown, MOST_SENTENCES)),
        "has_trees": any(sentence.sides for sentence in shown),
        "n_sentences_left_out": max(0, len(shown) - MOST_SENTENCES),
        "links": [] if show else _links(record),
        "cats": [] if show else _cats(record),
        "left_out": spans_apart(left_out),
        "kinds": kinds,
        "has_errors": any(kind != "match" for kind, _, _ in kinds) or any(sentence.n_wrong for sentence in cut),
        "show": show,
        "record": record,
    }


def _is_shown(sentence: Sentence, show: str) -> bool:
    if show == "errors":
        return sentence.n_wrong > 0
    if show in ARC_TITLES:
        return sentence.counts[show] > 0
    return not show


def _kinds(found: list[Any], cut: list[Sentence]) -> list[tuple[str, str, int]]:
    spans = {kind: sum(layer.text.counts[kind] for layer in found) for kind in SPAN_KINDS}
    arcs = {kind: sum(sentence.counts[kind] for sentence in cut) for kind in sentences_.KINDS}
    counts = spans | arcs
    return [(kind, str(title), counts[kind]) for kind, title in (TITLES | ARC_TITLES).items() if counts[kind]]


def _links(record: Record) -> list[Record]:
    """Entities that both sides have at the same place, with what they are linked to."""
    if "links" not in record["scores"]:
        return []
    system = {(each["start_char"], each["end_char"]): each["kb_id"] for each in record["system"]["ents"]}
    rows = []
    for each in record["gold"]["ents"]:
        place = (each["start_char"], each["end_char"])
        if each["kb_id"] or system.get(place):
            text = record["gold"]["text"][slice(*place)]
            rows.append({"text": text, "label": each["label"], "gold": each["kb_id"], "system": system.get(place)})
    return rows


def _cats(record: Record) -> list[Record]:
    gold, system = record["gold"]["cats"], record["system"]["cats"]
    if "cats" not in record["scores"]:
        return []
    return [
        {"label": label, "gold": gold.get(label), "system": system.get(label), "strip": _strip(system.get(label))}
        for label in sorted({*gold, *system}, key=lambda label: (-gold.get(label, 0), label))
    ]


def _strip(value: float | None) -> Strip | None:
    return Strip(round(100 * value, 2), None, None) if value is not None and 0 <= value <= 1 else None
