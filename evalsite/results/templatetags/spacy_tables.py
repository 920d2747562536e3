"""What the summary of a spaCy result shows: its grids of scores and its tables by label, each by its name."""

from typing import Any

from django import template

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
GRIDS = {
    "tokens": {
        "rows": "token_ as Tokens, sents_ as Sentences",
        "columns": PRECISION_RECALL_F1,
        "counts": OUTCOMES,
        "title": "Tokens and sentences",
    },
    "tags": {
        "rows": "tag_ as Tags, pos_ as Parts of speech, morph_ as Morphology, lemma_ as Lemmas",
        "columns": "acc as F1",
        "counts": OUTCOMES,
        "title": "Tags, lemmas and morphology",
    },
    "morphology": {
        "rows": "morph_micro_ as Single features",
        "columns": PRECISION_RECALL_F1,
        "counts": OUTCOMES,
        "title": "Single features",
        "head": "Morphology",
    },
    "dependencies": {
        "rows": "dep_uas as Heads (UAS), dep_las as Heads with labels (LAS)",
        "columns": " as F1",
        "counts": "_tp as Right, _fp as Wrong, _fn as Missed",
        "title": "Dependencies",
    },
    "entities": {
        "rows": "ents_ as Entities",
        "columns": PRECISION_RECALL_F1,
        "counts": OUTCOMES,
        "title": "Entities",
    },
    "seqeval": {
        "rows": "seqeval_micro_ as Micro: all entities alike, seqeval_macro_ as Macro: all types alike, "
        "seqeval_weighted_ as Weighted by the gold's entities",
        "columns": PRECISION_RECALL_F1,
        "title": "Averages over types",
        "head": "Average",
    },
    "nervaluate": {
        "rows": "nervaluate_strict_ as Strict, nervaluate_exact_ as Exact, nervaluate_partial_ as Partial, "
        "nervaluate_type_ as Type",
        "columns": PRECISION_RECALL_F1,
        "counts": "correct as Right, incorrect as Wrong, partial as Partial, missed as Missed, spurious as Spurious",
        "title": "Nearly right",
        "head": "Scheme",
    },
    "links": {
        "rows": "nel_micro_ as Micro, nel_macro_ as Macro: all types alike, nel_strict_ as Strict",
        "columns": PRECISION_RECALL_F1,
        "counts": OUTCOMES,
        "title": "Links",
        "head": "Links",
    },
    "categories": {
        "rows": "cats_micro_ as Micro, cats_macro_ as Macro: all labels alike",
        "columns": PRECISION_RECALL_F1,
        "counts": OUTCOMES,
        "title": "Categories",
        "head": "Average",
    },
    "area": {
        "rows": "cats_macro_auc as Mean over labels",
        "columns": " as Area",
        "title": "Area under the curve",
        "head": "Area under the ROC curve",
    },
}

# For each table of the result what `folded_table` is to show.
TABLES: dict[str, dict[str, Any]] = {
    "morph_per_feat": {
        "columns": f"type as feature, p as precision, r as recall, f as F1, {LABEL_OUTCOMES}",
        "title": "Morphology by feature",
    },
    "dep_las_per_type": {"columns": f"{LABEL}, {LABEL_OUTCOMES}", "title": "Dependencies by label"},
    "ents_per_type": {"columns": f"{LABEL}, {LABEL_OUTCOMES}", "title": "Entities by type"},
    "seqeval_per_type": {
        "columns": f"{LABEL}, support as gold, {LABEL_OUTCOMES}",
        "title": "Averages, by type",
        "folded": True,
    },
    "nervaluate_per_type": {
        "columns": "type as label, scheme, p as precision, r as recall, f as F1, "
        "correct as right, incorrect as wrong, partial, missed, spurious",
        "title": "Nearly right, by type",
        "folded": True,
    },
    "nel_f_per_type": {"columns": f"{LABEL}, {LABEL_OUTCOMES}", "title": "Links by type"},
}


@register.inclusion_tag("results/_score_grid.html")
def spacy_grid(section: Section, name: str) -> Record:
    return score_grid(section, **GRIDS[name])


@register.inclusion_tag("results/_folded_table.html")
def spacy_table(result: Result, name: str) -> Record:
    return folded_table(result.tables.get(name), result.table_intervals.get(name), **TABLES[name])


@register.inclusion_tag("results/_score_grid.html")
def span_grid(section: Section, group: SpanGroup) -> Record:
    return score_grid(section, group.rows, PRECISION_RECALL_F1, OUTCOMES, title=group.key, head="Group")


@register.inclusion_tag("results/_folded_table.html")
def span_table(group: SpanGroup) -> Record:
    return folded_table(group.table, group.intervals, f"{LABEL}, {LABEL_OUTCOMES}", "Spans by label")


@register.inclusion_tag("results/_folded_table.html")
def category_table(section: Section) -> Record:
    """The scores by label and the area under each label's curve as one table."""
    table = beside(section, "cats_f_per_type cats_auc_per_type")
    columns = f"{LABEL}, auc as area, {LABEL_OUTCOMES}, positives, negatives"
    records, intervals = (table.records, table.intervals) if table else (None, None)
    return folded_table(records, intervals, columns, "Categories by label")
