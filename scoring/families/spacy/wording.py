"""Holds what people read: the family's title, the titles of its scores, the layout of an upload, a small example.

Scores that have no title here, such as those of span groups with other names, are shown by their keys.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.families.f_beta import ANY, beta_of, describe_beta, f_beta_key
from scoring.families.spacy.score_config import SCHEMES, UD_METRICS, UD_NAMES
from scoring.family import CLASSIFICATION, HiddenMeaning, Options, OptionWords, Use, no_text
from scoring.messages import Message

TITLE = "spaCy 3.8: tokens, tags, trees, entities, spans and categories"

USES = (
    Use(
        "named-entities",
        "Named entities",
        "Systems mark names in texts, such as those of people and places, and say of which kind each is.",
        {"scores": [{"name": "ner"}]},
    ),
    Use(
        "categories",
        "Categories of texts",
        "Systems say to which categories each text belongs.",
        {"scores": [{"name": "textcat_multilabel"}]},
        area=CLASSIFICATION,
    ),
    Use(
        "tags-and-trees",
        "Tags and trees",
        "Systems give each word its tag, its head and its part in the sentence.",
        {"scores": [{"name": "parser"}, {"name": "tagger"}], "headline": "dep_las"},
    ),
    Use(
        "universal-dependencies",
        "Universal Dependencies",
        "Systems cut raw text into sentences and words, and give each word its features, its lemma and its head.",
        {"scores": [{"name": "ud"}], "format": "conllu", "headline": "ud_las"},
    ),
    Use(
        "entity-links",
        "Links to a knowledge base",
        "Systems mark names in texts and say which entry of a knowledge base each one means.",
        {"scores": [{"name": "entity_linker"}, {"name": "ner"}]},
    ),
    Use(
        "annotated-texts",
        "Texts with several annotations",
        "Systems annotate texts in any of these ways, and with lemmas, morphology, sentences or spans.",
    ),
)

LAYOUT = """\
One file with all documents, alone or in a folder or zip archive:
JSON Lines (.jsonl), a document a line: {"id": "d1", "words": ["Ann", "Lee", "runs"], "ents": [[0, 2, "PER"]]}, and
with it any of "spaces", "tags", "pos", "lemmas", "morphs", "heads", "deps", "sent_starts", "spans" and "cats";
or what Doc.to_json() gives, with an "id"; or {"id": "d1", "ents": [[0, 7, "PER"]]} with characters of the gold's text.
CoNLL-U (.conllu), or columns with the word first and the tag, such as B-PER or O, last (.conll, .iob, .tsv, .txt).
Every document of the gold has to be there once, under its id. Tokens may differ, the text may not.
Several files are read if all are JSON Lines. Files in spaCy's own binary format are not read.
"""

# For organisers.
GOLD_LAYOUT = """\
One file with all documents and all that is scored in them: JSON Lines (.jsonl), CoNLL-U (.conllu) or columns (.conll).
Each document has an id of its own and its words, with "spaces" where the text between them matters.
A document in which nothing is to be found has an empty list, such as "ents": []; one without the key is not scored.
Files in spaCy's own binary format are not read.
"""

_PARTS = {"p": "precision", "r": "recall", "f": "F1"}
# What has precision, recall and F.
_COMPARED = Message.words(
    {
        "ents": "Entities",
        "spans_sc": "Spans",
        "morph_micro": "Morphological features",
        "sents": "Sentences",
        "cats_micro": "Categories, micro",
        "cats_macro": "Categories, macro",
        "nel_micro": "Links, micro",
        "nel_macro": "Links, macro",
        "nel_strict": "Links of all entities",
        "token": "Tokens",
        "nervaluate_strict": "Entities, strict match",
        "nervaluate_exact": "Entities, exact match",
        "nervaluate_partial": "Entities, partial match",
        "nervaluate_type": "Entities, type match",
        "seqeval_micro": "Entities, exact, micro",
        "seqeval_macro": "Entities, exact, macro",
        "seqeval_weighted": "Entities, exact, weighted",
    }
)


def _three(*prefixes: str) -> dict[str, str]:
    """Name PREFIX_p, PREFIX_r and PREFIX_f."""
    return {
        f"{prefix}_{letter}": f"{_COMPARED[prefix]}, {part}" for prefix in prefixes for letter, part in _PARTS.items()
    }


# The order is that of tables of scores.
_TITLES = {
    **_three("ents"),
    **_three("spans_sc"),
    "dep_las": "Labelled heads (LAS)",
    "dep_uas": "Heads (UAS)",
    "tag_acc": "Tags",
    "pos_acc": "Parts of speech",
    "morph_acc": "Morphology",
    **_three("morph_micro"),
    "lemma_acc": "Lemmas",
    **_three("sents"),
    "cats_score": "Categories",
    **_three("cats_micro"),
    **_three("cats_macro"),
    "cats_macro_auc": "Categories, mean area under the curve",
    "nel_score": "Links",
    **_three("nel_micro"),
    **_three("nel_macro"),
    **_three("nel_strict"),
    "token_acc": "Tokens, accuracy",
    **_three("token"),
    **_three(*(f"nervaluate_{scheme}" for scheme in SCHEMES)),
    **_three("seqeval_micro"),
    **_three("seqeval_macro"),
    **_three("seqeval_weighted"),
    "seqeval_accuracy": "Entity tags, accuracy",
    # By the names of the shared task; the first words tell them from spaCy's.
    **{f"ud_{metric}": f"UD {UD_NAMES[metric]}" for metric in reversed(UD_METRICS)},
}


def _with_f_beta(beta: object) -> dict[str, str]:
    """Return all titles, behind each F with precision and recall that of its F-beta."""
    titles: dict[str, str] = {}
    for key, title in _TITLES.items():
        titles[key] = title
        what = _COMPARED.get(key.removesuffix("_f"))
        if what is not None:
            titles[f_beta_key(key)] = Message("f-beta-of", "{what}, F{beta}", what=what, beta=str(beta))
    return titles


SCORE_TITLES = _with_f_beta(ANY)


def titles(options: Options) -> dict[str, str]:
    beta = beta_of(options)
    return _with_f_beta(beta) if beta else _TITLES


# Shown beside the headline on a board whose organisers have not chosen others, as far as they are scored.
MAIN_SCORES = ("ents_f", "dep_las", "cats_score", "tag_acc", "sents_f", "token_f") + (
    "ud_las",
    "ud_mlas",
    "ud_blex",
    "ud_clas",
    "ud_upos",
    "ud_words",
)

# What spaCy's Scorer is told to score.
ATTRS = Message.words({"tag": "tags", "pos": "parts of speech", "lemma": "lemmas", "morph": "morphology"})
_ITEMS = Message.words(
    {
        "tokenization": "tokens",
        "morph_per_feat": "morphological features",
        "ner": "entities",
        "links": "links of entities",
        "nervaluate": "entities that are nearly right",
        "seqeval": "entities as seqeval counts them",
        "confusion": "which types were taken for which",
        "ud": "all metrics of Universal Dependencies",
    }
)


def _items_said(items: Sequence[Mapping[str, Any]]) -> str:
    return Message.joined(dict.fromkeys(map(_item_said, items)))


def _item_said(item: Mapping[str, Any]) -> str:
    """Say one of the things that are scored, with those of its arguments that change what is asked for."""
    if missing := item.get("missing_values"):
        rest = {key: value for key, value in item.items() if key != "missing_values"}
        return Message(
            "layer-but-values",
            "{layer}, except {values} in the gold",
            layer=_item_said(rest),
            values=Message.listed(missing),
        )
    match item["name"]:
        case "token_attr":
            return ATTRS[item["attr"]]
        case "spans":
            return _spans_said(item["attr"], has_labels=item["labeled"])
        case "deps":
            return _trees_said(item["ignore_labels"])
        case "cats":
            return Message.word("categories") if item["multi_label"] else Message.word("one category for each document")
        case name:
            return _ITEMS.get(name) or str(name).replace("_", " ")


def _spans_said(attr: str, *, has_labels: bool) -> str:
    usual = Message.words({"sents": "sentences", "ents": "entities"})
    spans = usual.get(attr) or Message("spans-of-key", "spans in {name}", name=attr.removeprefix("spans_"))
    return spans if has_labels else Message("spans-without-labels", "{spans} without labels", spans=spans)


def _trees_said(ignored: Sequence[str]) -> str:
    if set(ignored) == {"p", "punct"}:
        return Message.word("trees without punctuation")
    if ignored:
        return Message("trees-without-labels", "trees without {labels}", labels=Message.listed(ignored))
    return Message.word("trees")


OPTION_WORDS: OptionWords = {
    "tokens": {"any": "tokens may differ", "gold": "the tokens have to be the gold's"},
    "format": {
        "auto": HiddenMeaning("recognised by names and content"),
        "jsonl": "JSON Lines",
        "conllu": "CoNLL-U",
        "columns": "columns",
    },
    "invalid_tags": {
        "repair": "tags that continue nothing begin an entity",
        "refuse": "tags that continue nothing are refused",
    },
    "tag_form": {"prefix": "tags as B-PER", "suffix": "tags as PER-B"},
    "beta": describe_beta,
    "headline": no_text,  # the page says by what the board is ranked
    "scores": _items_said,
}
