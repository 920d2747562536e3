"""Translates the names of tables, rows and kinds of a result, and of what is counted.

Columns of tables have the headings that their family declares (`scoring/table_columns.py`).
"""

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext, pgettext_lazy

from evalsite.results.disclosure import FEW, FEWEST
from evalsite.wording import words
from scoring.labels import NOT_IN_GOLD

HEADINGS: dict[str, Promise] = {
    # scores
    "precision": pgettext_lazy("heading", "precision"),
    "recall": pgettext_lazy("heading", "recall"),
    "area": pgettext_lazy("heading", "area"),
    "macro F": pgettext_lazy("heading", "macro F"),
    "macro AUC": pgettext_lazy("heading", "macro AUC"),
    "items": pgettext_lazy("heading", "items"),
    # what is counted, and what became of it
    "gold": pgettext_lazy("heading", "gold"),
    "system": pgettext_lazy("heading", "system"),
    "match": pgettext_lazy("heading", "match"),
    "right": pgettext_lazy("heading", "right"),
    "wrong": pgettext_lazy("heading", "wrong"),
    "missed": pgettext_lazy("heading", "missed"),
    "correct": pgettext_lazy("heading", "correct"),
    "incorrect": pgettext_lazy("heading", "incorrect"),
    "partial": pgettext_lazy("heading", "partial"),
    "missing": pgettext_lazy("heading", "missing"),
    "spurious": pgettext_lazy("heading", "spurious"),
    "gold mentions": pgettext_lazy("heading", "gold mentions"),
    "system mentions": pgettext_lazy("heading", "system mentions"),
    "gold entities": pgettext_lazy("heading", "gold entities"),
    "system entities": pgettext_lazy("heading", "system entities"),
    "count": pgettext_lazy("heading", "count"),
    "words": pgettext_lazy("heading", "words"),
    "hits": pgettext_lazy("heading", "hits"),
    "substitutions": pgettext_lazy("heading", "substitutions"),
    "deletions": pgettext_lazy("heading", "deletions"),
    "insertions": pgettext_lazy("heading", "insertions"),
    # units
    "utterance": pgettext_lazy("heading", "utterance"),
    "utterances": pgettext_lazy("heading", "utterances"),
    "document": pgettext_lazy("heading", "document"),
    "sentence": pgettext_lazy("heading", "sentence"),
    "annotator": pgettext_lazy("heading", "annotator"),
    "correction": pgettext_lazy("heading", "correction"),
    "edits": pgettext_lazy("heading", "edits"),
    "counts": pgettext_lazy("heading", "counts"),
    "start": pgettext_lazy("heading", "start"),
    "end": pgettext_lazy("heading", "end"),
    "types": pgettext_lazy("heading", "types"),
    "operations": pgettext_lazy("heading", "operations"),
    "question": pgettext_lazy("heading", "question"),
    "query": pgettext_lazy("heading", "query"),
    "gold characters": pgettext_lazy("heading", "gold characters"),
    "run characters": pgettext_lazy("heading", "run characters"),
    "shared characters": pgettext_lazy("heading", "shared characters"),
    "series": pgettext_lazy("heading", "series"),
    # the units of given scores
    "rows": pgettext_lazy("heading", "rows"),
    "unit": pgettext_lazy("heading", "unit"),
    "score": pgettext_lazy("heading", "score"),
    "weight": pgettext_lazy("heading", "weight"),
    "is missing": pgettext_lazy("heading", "is missing"),
    "judgements": pgettext_lazy("heading", "judgements"),
    # tables by label
    "ents per type": pgettext_lazy("heading", "ents per type"),
    "dep las per type": pgettext_lazy("heading", "dep las per type"),
    "cats f per type": pgettext_lazy("heading", "cats f per type"),
    "cats auc per type": pgettext_lazy("heading", "cats auc per type"),
    "nel f per type": pgettext_lazy("heading", "nel f per type"),
    "morph per feat": pgettext_lazy("heading", "morph per feat"),
    # attributes of tokens
    "pos": pgettext_lazy("heading", "pos"),
    "morph": pgettext_lazy("heading", "morph"),
    "lemma": pgettext_lazy("heading", "lemma"),
    "head": pgettext_lazy("heading", "head"),
    # rows of grids
    "tokens": pgettext_lazy("heading", "tokens"),
    "sentences": pgettext_lazy("heading", "sentences"),
    "tags": pgettext_lazy("heading", "tags"),
    "parts of speech": pgettext_lazy("heading", "parts of speech"),
    "morphology": pgettext_lazy("heading", "morphology"),
    "lemmas": pgettext_lazy("heading", "lemmas"),
    "single features": pgettext_lazy("heading", "single features"),
    "heads (UAS)": pgettext_lazy("heading", "heads (UAS)"),
    "heads with labels (LAS)": pgettext_lazy("heading", "heads with labels (LAS)"),
    "entities": pgettext_lazy("heading", "entities"),
    "mentions": pgettext_lazy("heading", "mentions"),
    "links": pgettext_lazy("heading", "links"),
    "categories": pgettext_lazy("heading", "categories"),
    "mean over labels": pgettext_lazy("heading", "mean over labels"),
    "strict": pgettext_lazy("heading", "strict"),
    "exact": pgettext_lazy("heading", "exact"),
    "type": pgettext_lazy("heading", "type"),
    "micro": pgettext_lazy("heading", "micro"),
    "micro: all entities alike": pgettext_lazy("heading", "micro: all entities alike"),
    "macro: all types alike": pgettext_lazy("heading", "macro: all types alike"),
    "macro: all labels alike": pgettext_lazy("heading", "macro: all labels alike"),
    "weighted by the gold's entities": pgettext_lazy("heading", "weighted by the gold's entities"),
    "CEAF_m (mentions)": pgettext_lazy("heading", "CEAF_m (mentions)"),
    "CEAF_e (entities) •": pgettext_lazy("heading", "CEAF_e (entities) •"),
    "CoNLL average: the mean of the three •": pgettext_lazy("heading", "CoNLL average: the mean of the three •"),
    # tables
    "by tag": pgettext_lazy("heading", "by tag"),
    "by token": pgettext_lazy("heading", "by token"),
    "entity labels": pgettext_lazy("heading", "entity labels"),
    "relation labels": pgettext_lazy("heading", "relation labels"),
    # errors, with what they are behind a colon
    "missing entity: nothing of it was found": pgettext_lazy("heading", "missing entity: nothing of it was found"),
    "missing mention: of an entity that was found": pgettext_lazy(
        "heading", "missing mention: of an entity that was found"
    ),
    "extra entity: none of its mentions is in the gold": pgettext_lazy(
        "heading", "extra entity: none of its mentions is in the gold"
    ),
    "extra mention: in an entity that is in the gold": pgettext_lazy(
        "heading", "extra mention: in an entity that is in the gold"
    ),
    "divided entity: found in several pieces": pgettext_lazy("heading", "divided entity: found in several pieces"),
    "conflated entities: several of the gold in one": pgettext_lazy(
        "heading", "conflated entities: several of the gold in one"
    ),
    "missing entity": pgettext_lazy("heading", "missing entity"),
    "missing mention": pgettext_lazy("heading", "missing mention"),
    "extra entity": pgettext_lazy("heading", "extra entity"),
    "extra mention": pgettext_lazy("heading", "extra mention"),
    "divided entity": pgettext_lazy("heading", "divided entity"),
    "conflated entities": pgettext_lazy("heading", "conflated entities"),
}


def heading(english: str) -> str:
    """Translate a heading of a table: Missing, otherwise missing; without a translation only underscores become
    blanks."""
    message = english if english in HEADINGS else words(english)
    if message in HEADINGS:
        return str(HEADINGS[message])
    small = message[:1].lower() + message[1:]
    return capfirst(str(HEADINGS[small])) if small in HEADINGS else message


def row_name(label: object) -> object:
    """Name a row: a label is the task's own word; rows that stand for several labels are called in words."""
    if label == NOT_IN_GOLD:
        return gettext("(not in the gold)")
    if label == FEW:
        return gettext("(fewer than %(n)s)") % {"n": FEWEST}
    return label
