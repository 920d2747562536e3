"""Translates the headings of columns, rows and kinds in the tables of a result.

Tables name their columns in English, "tag, reftotal as gold", as the engine names what it counts.
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
    "mentions F1": pgettext_lazy("heading", "mentions F1"),
    "CoNLL average": pgettext_lazy("heading", "CoNLL average"),
    "tag sensitive accuracy": pgettext_lazy("heading", "tag sensitive accuracy"),
    "tag sensitive error rate": pgettext_lazy("heading", "tag sensitive error rate"),
    "tag blind accuracy": pgettext_lazy("heading", "tag blind accuracy"),
    "tag blind error rate": pgettext_lazy("heading", "tag blind error rate"),
    "reciprocal rank": pgettext_lazy("heading", "reciprocal rank"),
    "macro F": pgettext_lazy("heading", "macro F"),
    "macro AUC": pgettext_lazy("heading", "macro AUC"),
    "slice": pgettext_lazy("heading", "slice"),
    "column": pgettext_lazy("heading", "column"),
    "items": pgettext_lazy("heading", "items"),
    "ccc": pgettext_lazy("heading", "CCC"),
    "r2": pgettext_lazy("heading", "R²"),
    "mae": pgettext_lazy("heading", "MAE"),
    "mse": pgettext_lazy("heading", "MSE"),
    "rmse": pgettext_lazy("heading", "RMSE"),
    "eer": pgettext_lazy("heading", "EER"),
    "roc auc": pgettext_lazy("heading", "ROC AUC"),
    "average precision": pgettext_lazy("heading", "average precision"),
    "log loss": pgettext_lazy("heading", "log loss"),
    "within": pgettext_lazy("heading", "within tolerance"),
    "distance": pgettext_lazy("heading", "distance"),
    "divergence": pgettext_lazy("heading", "divergence"),
    "proportional F1": pgettext_lazy("heading", "proportional F1"),
    "F1 of best matches": pgettext_lazy("heading", "F1 of best matches"),
    "Fβ of best matches": pgettext_lazy("heading", "Fβ of best matches"),
    "credit": pgettext_lazy("heading", "credit"),
    "proportional Fβ": pgettext_lazy("heading", "proportional Fβ"),
    "shared": pgettext_lazy("heading", "shared"),
    "rank of the first relevant": pgettext_lazy("heading", "rank of the first relevant"),
    "marks by rank": pgettext_lazy("heading", "marks by rank"),
    "rank of the first right": pgettext_lazy("heading", "rank of the first right"),
    # what is counted, and what became of it
    "label": pgettext_lazy("heading", "label"),
    "tag": pgettext_lazy("heading", "tag"),
    "feature": pgettext_lazy("heading", "feature"),
    "scheme": pgettext_lazy("heading", "scheme"),
    "schema": pgettext_lazy("heading", "schema"),
    "gold": pgettext_lazy("heading", "gold"),
    "system": pgettext_lazy("heading", "system"),
    "match": pgettext_lazy("heading", "match"),
    "clash (gold)": pgettext_lazy("heading", "clash (gold)"),
    "clash (system)": pgettext_lazy("heading", "clash (system)"),
    "right": pgettext_lazy("heading", "right"),
    "wrong": pgettext_lazy("heading", "wrong"),
    "missed": pgettext_lazy("heading", "missed"),
    "correct": pgettext_lazy("heading", "correct"),
    "incorrect": pgettext_lazy("heading", "incorrect"),
    "partial": pgettext_lazy("heading", "partial"),
    "missing": pgettext_lazy("heading", "missing"),
    "spurious": pgettext_lazy("heading", "spurious"),
    "possible": pgettext_lazy("heading", "possible"),
    "actual": pgettext_lazy("heading", "actual"),
    "other label": pgettext_lazy("heading", "other label"),
    "other label (gold)": pgettext_lazy("heading", "other label (gold)"),
    "other label (system)": pgettext_lazy("heading", "other label (system)"),
    "other extent": pgettext_lazy("heading", "other extent"),
    "other extent (gold)": pgettext_lazy("heading", "other extent (gold)"),
    "other extent (system)": pgettext_lazy("heading", "other extent (system)"),
    "phrases correct": pgettext_lazy("heading", "phrases correct"),
    "phrases missing": pgettext_lazy("heading", "phrases missing"),
    "phrases spurious": pgettext_lazy("heading", "phrases spurious"),
    "relations correct": pgettext_lazy("heading", "relations correct"),
    "relations missing": pgettext_lazy("heading", "relations missing"),
    "relations spurious": pgettext_lazy("heading", "relations spurious"),
    "gold mentions": pgettext_lazy("heading", "gold mentions"),
    "system mentions": pgettext_lazy("heading", "system mentions"),
    "gold entities": pgettext_lazy("heading", "gold entities"),
    "system entities": pgettext_lazy("heading", "system entities"),
    "outputs": pgettext_lazy("heading", "outputs"),
    "gold answers": pgettext_lazy("heading", "gold answers"),
    "unsupported": pgettext_lazy("heading", "unsupported"),
    "no answer": pgettext_lazy("heading", "no answer"),
    "in run": pgettext_lazy("heading", "in run"),
    "positives": pgettext_lazy("heading", "positives"),
    "negatives": pgettext_lazy("heading", "negatives"),
    "place": pgettext_lazy("heading", "place"),
    "count": pgettext_lazy("heading", "count"),
    "words": pgettext_lazy("heading", "words"),
    "hits": pgettext_lazy("heading", "hits"),
    "substitutions": pgettext_lazy("heading", "substitutions"),
    "deletions": pgettext_lazy("heading", "deletions"),
    "insertions": pgettext_lazy("heading", "insertions"),
    # units
    "utterance": pgettext_lazy("heading", "utterance"),
    "utterances": pgettext_lazy("heading", "utterances"),
    "speaker": pgettext_lazy("heading", "speaker"),
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
    "relevant": pgettext_lazy("heading", "relevant"),
    "relevant retrieved": pgettext_lazy("heading", "relevant retrieved"),
    "retrieved": pgettext_lazy("heading", "retrieved"),
    "gold characters": pgettext_lazy("heading", "gold characters"),
    "run characters": pgettext_lazy("heading", "run characters"),
    "shared characters": pgettext_lazy("heading", "shared characters"),
    "series": pgettext_lazy("heading", "series"),
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
    known = english if english in HEADINGS else words(english)
    if known in HEADINGS:
        return str(HEADINGS[known])
    small = known[:1].lower() + known[1:]
    return capfirst(str(HEADINGS[small])) if small in HEADINGS else known


def row_name(label: object) -> object:
    """Name a row: a label is the task's own word; rows that stand for several labels are called in words."""
    if label == NOT_IN_GOLD:
        return gettext("(not in the gold)")
    if label == FEW:
        return gettext("(fewer than %(n)s)") % {"n": FEWEST}
    return label
