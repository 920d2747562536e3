"""The page of a document with tokens, trees, entities, spans, links and categories."""

from collections import Counter
from itertools import islice
from typing import Any

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from evalsite.results.page.detail import Section
from evalsite.results.page.wording import spans_apart
from evalsite.results.templatetags.mat_pages import TITLES
from evalsite.results.templatetags.score_tables import SpanGroup, Strip, beside, folded_table, score_grid
from evalsite.results.units import spacy_sentences
from evalsite.results.units.marked_text import KINDS as SPAN_KINDS
from evalsite.results.units.spacy_layers import layers
from evalsite.results.units.spacy_sentences import MOST_SENTENCES, Sentence, sentences
from evalsite.submissions.models import Result
from scoring.families.spacy.inputs import scored_layers

register = template.Library()

Record = dict[str, Any]

# A document with all that can be scored, by its keys.
_EXAMPLE = {
    "tags": '["NNP", "NNP", "VBZ"]',
    "pos": '["PROPN", "PROPN", "VERB"]',
    "lemmas": '["Ann", "Lee", "run"]',
    "morphs": '["_", "_", "Tense=Pres"]',
    "heads": "[2, 0, 2]",
    "deps": '["nsubj", "flat", "ROOT"]',
    "sent_starts": "[1, -1, -1]",
    "ents": '[[0, 2, "PER"]]',
    "spans": '{"sc": [[0, 3, "CLAUSE"]]}',
    "cats": '{"SPORT": 0.9, "POLITICS": 0.1}',
}
_OF_SPANS = {"ents", "spans"}


@register.filter
def example_document(options: dict[str, Any]) -> str:
    """Return a document in JSON with what these options score."""
    layers = [f'"{key}": {value}' for key, value in _EXAMPLE.items() if key in scored_layers(options)]
    words = ['"words": ["Ann", "Lee", "runs"]', '"spaces": [true, true, false]']
    return "{" + ",\n ".join(['"id": "d1"', *words, *layers]) + "}"


@register.filter
def scores_spans(options: dict[str, Any]) -> bool:
    return bool(scored_layers(options) & _OF_SPANS)


ARC_TITLES: dict[str, Promise] = {"heads": gettext_lazy("Other head"), "labels": gettext_lazy("Other relation")}


@register.inclusion_tag("results/spacy/_document.html", takes_context=True)
def annotated_document(context: template.Context, record: Record, show: str = "") -> Record:
    """Return both sides of a document; `show` is a kind of span or of arc, "errors", or "" for all."""
    show = show if show in ("errors", *SPAN_KINDS, *ARC_TITLES) else ""
    drawn = list(layers(record, show))
    cut = list(sentences(record))
    shown = [sentence for sentence in cut if _is_shown(sentence, show)]
    kinds = _kinds(drawn, cut)
    left_out = Counter(error["kind"] for error in record["errors"] if error["kind"] in ("dropped", "ignored"))
    return {
        "request": context["request"],
        "task": context.get("task"),
        "layers": [] if show in ARC_TITLES else drawn,
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


def _kinds(drawn: list[Any], cut: list[Sentence]) -> list[tuple[str, str, int]]:
    spans = {kind: sum(layer.text.counts[kind] for layer in drawn) for kind in SPAN_KINDS}
    arcs = {kind: sum(sentence.counts[kind] for sentence in cut) for kind in spacy_sentences.KINDS}
    counts = spans | arcs
    return [(kind, str(title), counts[kind]) for kind, title in (TITLES | ARC_TITLES).items() if counts[kind]]


def _links(record: Record) -> list[Record]:
    """Return entities that both sides have at the same place, with what they are linked to."""
    if "links" not in record["scores"]:
        return []
    system = {(entity["start_char"], entity["end_char"]): entity["kb_id"] for entity in record["system"]["ents"]}
    rows = []
    for entity in record["gold"]["ents"]:
        place = (entity["start_char"], entity["end_char"])
        if entity["kb_id"] or system.get(place):
            text = record["gold"]["text"][slice(*place)]
            rows.append({"text": text, "label": entity["label"], "gold": entity["kb_id"], "system": system.get(place)})
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


PRECISION_RECALL_F = "p as Precision, r as Recall, f as F1, fbeta as Fβ"
OUTCOMES = "tp as Right, fp as Wrong, fn as Missed"

# For each grid what `score_grid` is to show.
GRIDS: dict[str, dict[str, Any]] = {
    "tokens": {
        "rows": "token_ as Tokens, sents_ as Sentences",
        "columns": PRECISION_RECALL_F,
        "counts": OUTCOMES,
        "title": gettext_lazy("Tokens and sentences"),
    },
    "tags": {
        "rows": "tag_ as Tags, pos_ as Parts of speech, morph_ as Morphology, lemma_ as Lemmas",
        "columns": "acc as F1",
        "counts": OUTCOMES,
        "title": gettext_lazy("Tags, lemmas and morphology"),
    },
    "morphology": {
        "rows": "morph_micro_ as Single features",
        "columns": PRECISION_RECALL_F,
        "counts": OUTCOMES,
        "title": gettext_lazy("Single features"),
        "head": gettext_lazy("Morphology"),
    },
    "dependencies": {
        "rows": "dep_uas as Heads (UAS), dep_las as Heads with labels (LAS)",
        "columns": " as F1",
        "counts": "_tp as Right, _fp as Wrong, _fn as Missed",
        "title": gettext_lazy("Dependencies"),
    },
    "entities": {
        "rows": "ents_ as Entities",
        "columns": PRECISION_RECALL_F,
        "counts": OUTCOMES,
        "title": gettext_lazy("Entities"),
    },
    "seqeval": {
        "rows": "seqeval_micro_ as Micro: all entities alike, seqeval_macro_ as Macro: all types alike, "
        "seqeval_weighted_ as Weighted by the gold's entities",
        "columns": PRECISION_RECALL_F,
        "title": gettext_lazy("Averages over types"),
        "head": gettext_lazy("Average"),
    },
    "nervaluate": {
        "rows": "nervaluate_strict_ as Strict, nervaluate_exact_ as Exact, nervaluate_partial_ as Partial, "
        "nervaluate_type_ as Type",
        "columns": PRECISION_RECALL_F,
        "counts": "correct as Right, incorrect as Wrong, partial as Partial, missed as Missed, spurious as Spurious",
        "title": gettext_lazy("Nearly right"),
        "head": gettext_lazy("Scheme"),
    },
    "links": {
        "rows": "nel_micro_ as Micro, nel_macro_ as Macro: all types alike, nel_strict_ as Strict",
        "columns": PRECISION_RECALL_F,
        "counts": OUTCOMES,
        "title": pgettext_lazy("of entities", "Links"),
        "head": pgettext_lazy("of entities", "Links"),
    },
    "categories": {
        "rows": "cats_micro_ as Micro, cats_macro_ as Macro: all labels alike",
        "columns": PRECISION_RECALL_F,
        "counts": OUTCOMES,
        "title": gettext_lazy("Categories"),
        "head": gettext_lazy("Average"),
    },
    "area": {
        "rows": "cats_macro_auc as Mean over labels",
        "columns": " as Area",
        "title": gettext_lazy("Area under the curve"),
        "head": gettext_lazy("Area under the ROC curve"),
    },
}

TABLES: dict[str, Promise] = {
    "morph_per_feat": gettext_lazy("Morphology by feature"),
    "dep_las_per_type": gettext_lazy("Dependencies by label"),
    "ud_metrics": gettext_lazy("Universal Dependencies"),
    "ud_las_per_type": gettext_lazy("LAS by label"),
    "ents_per_type": gettext_lazy("Entities by type"),
    "seqeval_per_type": gettext_lazy("Averages, by type"),
    "nervaluate_per_type": gettext_lazy("Nearly right, by type"),
    "nel_f_per_type": gettext_lazy("Links by type"),
}


@register.inclusion_tag("results/_score_grid.html")
def spacy_grid(section: Section, name: str) -> Record:
    return score_grid(section, **GRIDS[name])


@register.inclusion_tag("results/_folded_table.html", takes_context=True)
def spacy_table(context: template.Context, result: Result, name: str) -> Record:
    return folded_table(
        context, result.tables.get(name), result.table_intervals.get(name), title=str(TABLES[name]), table=name
    )


@register.inclusion_tag("results/_score_grid.html")
def span_grid(section: Section, group: SpanGroup) -> Record:
    return score_grid(section, group.rows, PRECISION_RECALL_F, OUTCOMES, title=group.key, head=gettext("Group"))


@register.inclusion_tag("results/_folded_table.html", takes_context=True)
def span_table(context: template.Context, group: SpanGroup) -> Record:
    name = f"spans_{group.key}_per_type"
    return folded_table(context, group.table, group.intervals, title=gettext("Spans by label"), table=name)


@register.inclusion_tag("results/_folded_table.html", takes_context=True)
def category_table(context: template.Context, section: Section) -> Record:
    """Return the scores by label and the area under each label's curve as one table."""
    names = ("cats_f_per_type", "cats_auc_per_type")
    table = beside(section, " ".join(names))
    family = section.scenario.engine_family
    columns = {column.key: column for name in names for column in family.columns(name)}
    records, intervals = (table.records, table.intervals) if table else (None, None)
    return folded_table(
        context, records, intervals, [*columns.values()], gettext("Categories by label"), table=names[0]
    )
