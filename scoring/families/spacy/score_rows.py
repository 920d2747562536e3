"""The rows of the option `scores` in a form: what each item is called, and what its arguments do."""

from scoring.families.spacy.score_config import ARGUMENTS, SHORT_ARGUMENTS, TOKEN_ATTRS, Argument
from scoring.families.spacy.wording import ATTRS
from scoring.family import Option, RowKind

# What people look for first stands first.
_TITLES = {
    "ner": "Entities",
    "nervaluate": "Entities that are nearly right",
    "seqeval": "Entities as seqeval counts them",
    "confusion": "Which types were taken for which",
    "spancat": "A group of spans that may overlap",
    "span_finder": "A group of spans without labels",
    "textcat": "One category for each document",
    "textcat_multilabel": "Any number of categories for each document",
    "entity_linker": "Links of entities",
    "tagger": "Fine-grained tags",
    "morphologizer": "Parts of speech and morphology",
    "lemmatizer": "Lemmas of tokens",
    "parser": "Trees and sentences",
    "senter": "Sentence boundaries",
    "ud": "All metrics of Universal Dependencies",
    "tokenization": "Tokens",
    "default_pipeline": "All that spaCy scores by default",
    "spans": "Spans, with every setting",
    "cats": "Categories, with every setting",
    "deps": "Trees, with every setting",
    "links": "Links of entities, with every setting",
    "token_attr": "One layer of tokens",
    "morph_per_feat": "Morphological features",
}

# {argument: (title, what it does)}
_WORDS = {
    "attr": ("Of which layer", "of spans: ents, sents, or the name of a group"),
    "key": ("Name of the group", "as the files have it, such as sc"),
    "labeled": ("Labels count", "whether a span needs the right label too"),
    "allow_overlap": ("Spans may overlap", "otherwise the first span of the system keeps a token"),
    "has_annotation": ("Leave out documents without annotation", "otherwise they count as having no spans"),
    "lowercase": ("Ignore capitals in labels", "labels are lower-cased before they are compared"),
    "missing_values": ("Values that say nothing", "in the gold, as empty ones do, such as X: there nothing is asked"),
    "ignore_labels": ("Labels left out", "such as punct, in lower case if capitals are ignored"),
    "labels": ("Labels", "without them, all labels of the gold"),
    "multi_label": ("Several labels for a document", "otherwise the highest one counts"),
    "positive_label": ("Label whose F1 counts", "of two labels that exclude each other"),
    "threshold": ("Threshold", "from which value on a label is claimed"),
    "negative_labels": ("Ids that stand for no entry", "such as NIL"),
    "scheme": ("Scheme of tags", "of tags in columns, as seqeval's strict mode reads them; none: leniently"),
    "several_roots": ("Several roots in a sentence", "otherwise a sentence has exactly one"),
    "min_overlap": ("Least overlap", "in per cent of the gold's entity"),
}


def _kind(name: str, title: str, arguments: dict[str, Argument]) -> RowKind:
    return RowKind(name, title, tuple(_option(key, argument) for key, argument in arguments.items()))


def _option(key: str, argument: Argument) -> Option:
    title, help_text = _WORDS[key]
    words = ATTRS if argument.choices == TOKEN_ATTRS else {}
    return Option(key, argument.default, argument.choices, help_text, title=title, takes=argument.takes, words=words)


KINDS = tuple(_kind(name, title, (ARGUMENTS | SHORT_ARGUMENTS)[name]) for name, title in _TITLES.items())
