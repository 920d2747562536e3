"""Span annotations in the manner of MATScore: spans are compared by label and extent, and by token."""

from scoring.families.mat.evaluating import count
from scoring.families.mat.example import example
from scoring.families.mat.kinds import KINDS
from scoring.families.mat.options import OPTIONS, configure
from scoring.families.mat.scores import SCHEMES, metrics
from scoring.families.mat.spreadsheets import EXPORTS
from scoring.families.mat.tables import tables
from scoring.families.mat.view import unit_record
from scoring.family import Family, Options
from scoring.readers.mat import read_gold, read_system

_LAYOUT = """\
A folder or a zip archive with one file for each document of the gold, under the same name unless the
task says otherwise; a single document may be uploaded as it is. Sub-folders are not read.
mat-json: {"signal": TEXT, "asets": [{"type": LABEL, "annots": [[START, END], ...]}, ...]}, in UTF-8.
START and END count the characters of the text from 0, and END is the first one behind the span.
xml-inline: the text as XML, in which an element <LABEL>...</LABEL> is a span; without DOCTYPE.
brat: NAME.ann with lines T1, tab, LABEL START END, tab, the words; NAME.txt with the text may be left out.
raw: the text alone, without annotations.
The text must be the gold's, character by character.
"""

_PLAIN_TITLES = {
    "precision": "Precision",
    "recall": "Recall",
    "f1": "F1",
    "macro_precision": "Macro precision",
    "macro_recall": "Macro recall",
    "macro_f1": "Macro F1",
    "token_precision": "Precision, tokens",
    "token_recall": "Recall, tokens",
    "token_f1": "F1, tokens",
    "tag_sensitive_accuracy": "Accuracy of tokens and their tags",
    "tag_sensitive_error_rate": "Error rate of tokens and their tags",
    "tag_blind_accuracy": "Accuracy of tokens, whatever their tags",
    "tag_blind_error_rate": "Error rate of tokens, whatever their tags",
}
_SCHEME_TITLES = {
    "strict": "same label and extent",
    "exact": "same extent",
    "partial": "half for an overlap",
    "type": "same label, any overlap",
}


def _score_titles() -> dict[str, str]:
    schemes = {
        f"{scheme}_{name}": f"{title}, {_SCHEME_TITLES[scheme]}"
        for scheme in SCHEMES
        for name, title in (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1"))
    }
    return _PLAIN_TITLES | schemes


def _unit(options: Options) -> tuple[str, str]:
    return "document", "documents"


MAT = Family(
    name="mat",
    title="MATScore: span annotations",
    unit=_unit,
    options=OPTIONS,
    headline=lambda options: "f1",
    score_titles=_score_titles(),
    main_scores=("precision", "recall", "macro_f1", "token_f1"),
    kinds=KINDS,
    layout=_LAYOUT,
    example=example,
    configure=configure,
    read_gold=read_gold,
    read_system=read_system,
    count=count,
    metrics=metrics,
    tables=tables,
    exports=EXPORTS,
    item_tables=("details",),
    unit_record=unit_record,
)
