"""What the summary of a spaCy result shows: its grids of scores and its tables by label, each by its name."""

from typing import Any

from django import template
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from evalsite.results.detail import Section
from evalsite.results.templatetags.score_tables import SpanGroup, beside, folded_table, score_grid
from evalsite.submissions.models import Result

register = template.Library()

Record = dict[str, Any]

PRECISION_RECALL_F1 = "p as Precision, r as Recall, f as F1"
OUTCOMES = "tp as Right, fp as Wrong, fn as Missed"
LABEL = "type as label, p as precision, r as recall, f as F1"
LABEL_OUTCOMES = "tp as right, fp as wrong, fn as missed"

# For each grid what `score_grid` is to show.
GRIDS: dict[str, dict[str, Any]] = {
    "tokens": {
        "rows": "token_ as Tokens, sents_ as Sentences",
        "columns": PRECISION_RECALL_F1,
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
        "columns": PRECISION_RECALL_F1,
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
        "columns": PRECISION_RECALL_F1,
        "counts": OUTCOMES,
        "title": gettext_lazy("Entities"),
    },
    "seqeval": {
        "rows": "seqeval_micro_ as Micro: all entities alike, seqeval_macro_ as Macro: all types alike, "
        "seqeval_weighted_ as Weighted by the gold's entities",
        "columns": PRECISION_RECALL_F1,
        "title": gettext_lazy("Averages over types"),
        "head": gettext_lazy("Average"),
    },
    "nervaluate": {
        "rows": "nervaluate_strict_ as Strict, nervaluate_exact_ as Exact, nervaluate_partial_ as Partial, "
        "nervaluate_type_ as Type",
        "columns": PRECISION_RECALL_F1,
        "counts": "correct as Right, incorrect as Wrong, partial as Partial, missed as Missed, spurious as Spurious",
        "title": gettext_lazy("Nearly right"),
        "head": gettext_lazy("Scheme"),
    },
    "links": {
        "rows": "nel_micro_ as Micro, nel_macro_ as Macro: all types alike, nel_strict_ as Strict",
        "columns": PRECISION_RECALL_F1,
        "counts": OUTCOMES,
        "title": pgettext_lazy("of entities", "Links"),
        "head": pgettext_lazy("of entities", "Links"),
    },
    "categories": {
        "rows": "cats_micro_ as Micro, cats_macro_ as Macro: all labels alike",
        "columns": PRECISION_RECALL_F1,
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
    return folded_table(context, result.tables.get(name), result.table_intervals.get(name), table=name, **TABLES[name])


@register.inclusion_tag("results/_score_grid.html")
def span_grid(section: Section, group: SpanGroup) -> Record:
    return score_grid(section, group.rows, PRECISION_RECALL_F1, OUTCOMES, title=group.key, head=gettext("Group"))


@register.inclusion_tag("results/_folded_table.html", takes_context=True)
def span_table(context: template.Context, group: SpanGroup) -> Record:
    columns, name = f"{LABEL}, {LABEL_OUTCOMES}", f"spans_{group.key}_per_type"
    return folded_table(context, group.table, group.intervals, columns, gettext("Spans by label"), table=name)


@register.inclusion_tag("results/_folded_table.html", takes_context=True)
def category_table(context: template.Context, section: Section) -> Record:
    """The scores by label and the area under each label's curve as one table."""
    table = beside(section, "cats_f_per_type cats_auc_per_type")
    columns = f"{LABEL}, auc as area, {LABEL_OUTCOMES}, positives, negatives"
    records, intervals = (table.records, table.intervals) if table else (None, None)
    return folded_table(context, records, intervals, columns, gettext("Categories by label"), table="cats_f_per_type")
