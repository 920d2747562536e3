"""The page of a document with tokens, trees, entities, spans, links and categories."""

from collections import Counter
from collections.abc import Sequence
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

register = template.Library()

Record = dict[str, Any]

ARC_TITLES: dict[str, Promise] = {"heads": gettext_lazy("Other head"), "labels": gettext_lazy("Other relation")}


@register.inclusion_tag("results/spacy/_document.html", takes_context=True)
def annotated_document(context: template.Context, record: Record, show: str = "") -> Record:
    """Return both sides of a document; `show` is a kind of span or of arc, "errors", or "" for all."""
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
    arcs = {kind: sum(sentence.counts[kind] for sentence in cut) for kind in spacy_sentences.KINDS}
    counts = spans | arcs
    return [(kind, str(title), counts[kind]) for kind, title in (TITLES | ARC_TITLES).items() if counts[kind]]


def _links(record: Record) -> list[Record]:
    """Return entities that both sides have at the same place, with what they are linked to."""
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


PRECISION_RECALL_F = "p as Precision, r as Recall, f as F1, fbeta as Fβ"
OUTCOMES = "tp as Right, fp as Wrong, fn as Missed"
LABEL = "type as label, p as precision, r as recall, f as F1"
LABEL_OUTCOMES = "tp as right, fp as wrong, fn as missed"

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

# For each table of the result what `folded_table` is to show.
TABLES: dict[str, dict[str, Any]] = {
    "morph_per_feat": {
        "columns": f"type as feature, p as precision, r as recall, f as F1, {LABEL_OUTCOMES}",
        "title": gettext_lazy("Morphology by feature"),
    },
    "dep_las_per_type": {"columns": f"{LABEL}, {LABEL_OUTCOMES}", "title": gettext_lazy("Dependencies by label")},
    "ud_metrics": {
        "columns": "metric, p as precision, r as recall, f as F1, accuracy as on aligned words, correct as right, "
        "gold, system",
        "title": gettext_lazy("Universal Dependencies"),
    },
    "ud_las_per_type": {"columns": f"{LABEL}, {LABEL_OUTCOMES}", "title": gettext_lazy("LAS by label")},
    "ents_per_type": {"columns": f"{LABEL}, {LABEL_OUTCOMES}", "title": gettext_lazy("Entities by type")},
    "seqeval_per_type": {
        "columns": f"{LABEL}, support as gold, {LABEL_OUTCOMES}",
        "title": gettext_lazy("Averages, by type"),
    },
    "nervaluate_per_type": {
        "columns": "type as label, scheme, p as precision, r as recall, f as F1, "
        "correct as right, incorrect as wrong, partial, missed, spurious",
        "title": gettext_lazy("Nearly right, by type"),
    },
    "nel_f_per_type": {"columns": f"{LABEL}, {LABEL_OUTCOMES}", "title": gettext_lazy("Links by type")},
}


@register.inclusion_tag("results/_score_grid.html")
def spacy_grid(section: Section, name: str) -> Record:
    return score_grid(section, **GRIDS[name])


@register.inclusion_tag("results/_folded_table.html", takes_context=True)
def spacy_table(context: template.Context, result: Result, name: str) -> Record:
    records, shown = result.tables.get(name), TABLES[name]
    columns = _with_f_beta(shown["columns"], records)
    return folded_table(
        context, records, result.table_intervals.get(name), table=name, **(shown | {"columns": columns})
    )


def _with_f_beta(columns: str, records: Sequence[Record] | None) -> str:
    """Return the columns, behind F1 that of F-beta where the table has one."""
    return columns.replace("f as F1", "f as F1, fbeta as Fβ") if records and "fbeta" in records[0] else columns


@register.inclusion_tag("results/_score_grid.html")
def span_grid(section: Section, group: SpanGroup) -> Record:
    return score_grid(section, group.rows, PRECISION_RECALL_F, OUTCOMES, title=group.key, head=gettext("Group"))


@register.inclusion_tag("results/_folded_table.html", takes_context=True)
def span_table(context: template.Context, group: SpanGroup) -> Record:
    columns, name = _with_f_beta(f"{LABEL}, {LABEL_OUTCOMES}", group.table), f"spans_{group.key}_per_type"
    return folded_table(context, group.table, group.intervals, columns, gettext("Spans by label"), table=name)


@register.inclusion_tag("results/_folded_table.html", takes_context=True)
def category_table(context: template.Context, section: Section) -> Record:
    """Return the scores by label and the area under each label's curve as one table."""
    table = beside(section, "cats_f_per_type cats_auc_per_type")
    columns = f"{LABEL}, auc as area, {LABEL_OUTCOMES}, positives, negatives"
    records, intervals = (table.records, table.intervals) if table else (None, None)
    columns = _with_f_beta(columns, records)
    return folded_table(context, records, intervals, columns, gettext("Categories by label"), table="cats_f_per_type")
