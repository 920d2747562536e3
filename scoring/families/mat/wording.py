"""Holds what people read: how an upload is laid out, the titles of scores, and an example in the chosen format."""

from collections.abc import Sequence

from scoring.families.f_beta import beta_of, describe_beta, f_beta_titles
from scoring.families.mat.scores import SCHEMAS, are_paired
from scoring.families.table_options import TABLE_WORDS, describe_labels
from scoring.family import HiddenMeaning, Options, OptionWords, Use, no_text
from scoring.messages import Message

# Shown to participants where they upload; the formats are those of scoring/readers/mat/.
USES = (
    Use(
        "labelled-spans",
        "Labelled spans in documents",
        "Systems mark passages of documents, which may nest and cross, and give each a label.",
    ),
    Use(
        "spans-in-a-table",
        "Entities in one table",
        "Systems list passages of all documents in one table, each with its document, label, start and end.",
        {"gold_format": "table", "system_format": "table"},
    ),
    Use(
        "relations-in-a-table",
        "Relations and other tuples",
        "Systems list relations, triples or quadruples of each document in one table, and all parts have to be right.",
        {"gold_format": "table", "system_format": "table", "fields": ("head", "tail")},
    ),
    Use(
        "overlapping-spans",
        "Passages whose borders are not sharp",
        "Systems mark passages, such as hallucinations or propaganda, and earn what they share with the gold's.",
        {"overlap": True, "headline": "iou"},
    ),
)

LAYOUT = """\
A folder or a zip archive with one file for each document of the gold, under the same name unless the
task says otherwise; a single document may be uploaded as it is.
mat-json: {"signal": TEXT, "asets": [{"type": LABEL, "annots": [[START, END], ...]}, ...]}, in UTF-8.
START and END count the characters of the text from 0, and END is the first one behind the span.
xml-inline: the text as XML, in which an element <LABEL>...</LABEL> is a span; without DOCTYPE.
brat: NAME.ann with lines T1, tab, LABEL START END, tab, the words; NAME.txt with the text may be left out.
table: one CSV, TSV or JSON Lines file for all documents, a row for each span; a document without rows has none.
Of tuples, such as relations, a row has the document, a label and the fields, and start and end where the task has them.
raw: the text alone, without annotations.
The text must be the gold's, character by character.
"""

# For organisers.
_TUPLES = Message(
    "mat-gold-tuples",
    "One table with a row for each tuple, in CSV, TSV or JSON Lines, as in a run. Tuples have no texts: a document "
    "without any has a row with its name alone.",
)
_DOCUMENTS = Message(
    "mat-gold-documents",
    "A file for each document with its text and all its spans, in a folder or a zip archive; written as in a run.",
)
_LABELS_OF_METADATA = Message(
    "mat-gold-labels",
    "Which labels are scored, the scenario's options say, or the metadata of mat-json: "
    '"content_annotations": ["PER"].',
)
_TEXTS_OF_BRAT = Message("mat-gold-brat", "Files of brat need their texts beside them: NAME.txt for NAME.ann.")
_TOKENS = Message(
    "mat-gold-tokens",
    "Where tokens are marked, with the label lex unless the options name another, there are scores by token as well.",
)


def gold_layout(options: Options) -> Message:
    """Return what gold has to hold in the format of the options."""
    if options["gold_format"] == "table":
        return _TUPLES if options["fields"] else _spans(options["text_column"])
    is_brat = options["gold_format"] == "brat"
    further = [_TEXTS_OF_BRAT] if is_brat else [_LABELS_OF_METADATA] * (options["gold_format"] == "mat-json")
    return Message.joined([_DOCUMENTS, *further, _TOKENS], "\n")


def _spans(text_column: str | None) -> Message:
    if text_column:
        return Message(
            "mat-gold-lists",
            "An object for each text, in JSON Lines or JSON, with the text itself in {column} and the list of its "
            "spans, as in a run; an empty list says that it has none.",
            column=text_column,
        )
    return Message(
        "mat-gold-table",
        "One table with a row for each span, in CSV, TSV or JSON Lines, as in a run, and beside it the texts: "
        "NAME.txt, where NAME is what the table calls the document. Each text is a document, with spans or without.",
    )


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
_F_BETA_OF_OVERLAP = ("character_fbeta", "proportional_fbeta")
_OF_TUPLES = {
    "weighted_precision": "Weighted precision",
    "weighted_recall": "Weighted recall",
    "weighted_f1": "Weighted F1",
}
_OF_VALUES = {
    "continuous_precision": "Continuous precision",
    "continuous_recall": "Continuous recall",
    "continuous_f1": "Continuous F1",
    "macro_continuous_precision": "Macro continuous precision",
    "macro_continuous_recall": "Macro continuous recall",
    "macro_continuous_f1": "Macro continuous F1",
}
_OF_OVERLAP = {
    "character_precision": "Precision, characters",
    "character_recall": "Recall, characters",
    "character_f1": "F1, characters",
    "iou": "Intersection over union by document",
    "document_f1": "F1 of characters by document",
    "paired_precision": "Precision, in proportion to the best match",
    "paired_recall": "Recall, in proportion to the best match",
    "paired_f1": "F1, in proportion to the best match",
    "weighted_paired_precision": "Weighted precision, in proportion to the best match",
    "weighted_paired_recall": "Weighted recall, in proportion to the best match",
    "weighted_paired_f1": "Weighted F1, in proportion to the best match",
    "correlation": "Correlation of probabilities by document",
    "proportional_precision": "Precision, in proportion",
    "proportional_recall": "Recall, in proportion",
    "proportional_f1": "F1, in proportion",
}
# What has to agree in two spans that are compared, in few words.
_SCHEMA_TITLES = {
    "strict": "same label and extent",
    "exact": "same extent",
    "partial": "half for an overlap",
    "type": "same label, any overlap",
}


_F_BETA = {
    "fbeta": lambda beta: Message("f-beta", "F{beta}", beta=beta),
    "macro_fbeta": lambda beta: Message("macro-f-beta", "Macro F{beta}", beta=beta),
    "token_fbeta": lambda beta: Message("f-beta-of-tokens", "F{beta}, tokens", beta=beta),
    "strict_fbeta": lambda beta: Message("f-beta-strict", "F{beta}, same label and extent", beta=beta),
    "exact_fbeta": lambda beta: Message("f-beta-exact", "F{beta}, same extent", beta=beta),
    "partial_fbeta": lambda beta: Message("f-beta-partial", "F{beta}, half for an overlap", beta=beta),
    "type_fbeta": lambda beta: Message("f-beta-type", "F{beta}, same label, any overlap", beta=beta),
    "weighted_fbeta": lambda beta: Message("weighted-f-beta", "Weighted F{beta}", beta=beta),
    "character_fbeta": lambda beta: Message("f-beta-characters", "F{beta}, characters", beta=beta),
    "proportional_fbeta": lambda beta: Message("f-beta-proportional", "F{beta}, in proportion", beta=beta),
    "paired_fbeta": lambda beta: Message("f-beta-paired", "F{beta}, in proportion to the best match", beta=beta),
    "continuous_fbeta": lambda beta: Message("continuous-f-beta", "Continuous F{beta}", beta=beta),
    "macro_continuous_fbeta": lambda beta: Message("macro-continuous-f-beta", "Macro continuous F{beta}", beta=beta),
    "weighted_paired_fbeta": lambda beta: Message(
        "f-beta-weighted-paired", "Weighted F{beta}, in proportion to the best match", beta=beta
    ),
}


def titles(options: Options) -> dict[str, str]:
    """Return a title for each score that there is with these options, in the order in which they are shown."""
    beta = beta_of(options)
    all_titles = _titles_of_f1() | (f_beta_titles(_F_BETA, beta) if beta else {})
    return {key: title for key, title in all_titles.items() if _is_there(key, options)}


def _is_there(key: str, options: Options) -> bool:
    if "paired_" in key:
        return are_paired(options)
    if "continuous_" in key:
        return bool(options.get("values"))
    if key.startswith("weighted_"):
        return bool(options.get("fields"))
    if key.startswith(("token_", "tag_")):
        return not options.get("fields")
    if key == "correlation":
        return bool(options.get("probability"))
    return key not in _OF_OVERLAP and key not in _F_BETA_OF_OVERLAP or bool(options.get("overlap"))


def score_titles() -> dict[str, str]:
    """Return a title for each score, whatever the options."""
    return _titles_of_f1() | f_beta_titles(_F_BETA)


def _titles_of_f1() -> dict[str, str]:
    """Return those of all scores but F-beta."""
    by_schema = {
        f"{schema}_{name}": f"{title}, {_SCHEMA_TITLES[schema]}"
        for schema in SCHEMAS
        for name, title in (("precision", "Precision"), ("recall", "Recall"), ("f1", "F1"))
    }
    return _PLAIN_TITLES | by_schema | _OF_TUPLES | _OF_VALUES | _OF_OVERLAP


def unit(options: Options) -> tuple[str, str]:
    """Return what a row of counts stands for, in singular and plural."""
    return Message.noun("document", "documents")


def _joined(labels: Sequence[str]) -> str:
    return ", ".join(labels)


OPTION_WORDS: OptionWords = {
    "pairing": {
        "1.2": "paired as in MATScore 1.2, where a span clashes with all that it overlaps",
        "2.x": "paired one to one, as in MATScore 2",
    },
    "gold_format": {
        "mat-json": HiddenMeaning("JSON of MAT"),
        "xml-inline": HiddenMeaning("inline XML"),
        "raw": HiddenMeaning("plain text"),
        "brat": HiddenMeaning("brat"),
        "table": HiddenMeaning("a table of spans"),
    },
    "system_format": {
        "mat-json": "JSON of MAT",
        "xml-inline": "inline XML",
        "raw": "plain text",
        "brat": "brat",
        "table": "a table of spans",
    },
    "task_in": {"options": HiddenMeaning("in these options"), "gold": "labels as in the gold's task.xml"},
    "columns": no_text,
    "fields": lambda fields: Message("fields-said", "tuples of {fields}", fields=_joined(fields)),
    "field_order": {"kept": HiddenMeaning("in this order"), "any": "in any order"},
    "case": {
        "keep": HiddenMeaning("fields are case-sensitive"),
        "ignore": "upper and lower case are the same",
    },
    "values": lambda names: Message("values-said", "numbers of tuples: {names}", names=_joined(names)),
    "value_range": lambda ends: Message(
        "value-range-said", "numbers from {low} to {high}", low=f"{ends[0]:g}", high=f"{ends[1]:g}"
    ),
    "text_column": no_text,
    "header": TABLE_WORDS["header"],
    "quotes": TABLE_WORDS["quotes"],
    "gold_xml_overlay": no_text,
    "system_xml_overlay": {"true": "other tags are text"},
    "gold_xml_translate_all": no_text,
    "system_xml_translate_all": {"true": "tags of all names are annotations"},
    "missing_documents": {"error": "every document is needed", "empty": "missing documents count as empty"},
    "extra_documents": {"error": "no further document is taken", "ignore": "further documents are left out"},
    "tokens": {
        "gold": "tokens of the gold",
        "system": "tokens of the upload",
        "equal": "the tokens have to be the gold's",
    },
    "offset_unit": {"code_points": "offsets count characters", "utf16": "offsets count UTF-16 units"},
    "discontinuous": {
        "error": "annotations in several parts are refused",
        "outer": "annotations in several parts go from first start to last end",
        "parts": "annotations in several parts have to agree part by part",
    },
    "overlap": {"true": "scores by how much spans overlap"},
    "headline": no_text,
    "probability": lambda column: Message(
        "probability-of-spans-said", "spans count that are more probable than not, by {column}", column=column
    ),
    "structures": {"count": "relations, events and attributes count"},
    "confidence_data": {"true": "with means and variances over the resamples"},
    "details": {"true": HiddenMeaning("yes"), "false": HiddenMeaning("no")},
    "beta": describe_beta,
    "content_annotations": lambda labels: Message(
        "content-labels-said", "labels: {labels}", labels=describe_labels(labels)
    ),
    "token_annotations": lambda labels: Message(
        "token-labels-said", "tokens marked as: {labels}", labels=describe_labels(labels)
    ),
}
