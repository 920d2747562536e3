"""The options of a scenario as its readers are told them: in words, for every family."""

from collections.abc import Mapping
from typing import Any

from evalsite.challenges.models import Scenario
from evalsite.wording import option_value, words

# {family: {option: {its value as text: what it means}}}; "" for what other lines of the page say already. Options
# without an entry are said as "key: value".
_WORDS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "coreference": {
        "protocol": {
            "reference": "counted as the CoNLL reference scorer does",
            "scorch": "counted as scorch does",
            "scorch-functions": "counted as the functions of scorch do",
        },
        "singletons": {
            "keep": "entities of one mention count",
            "remove": "entities of one mention are left out",
        },
        "missing": {
            "refuse": "every document is needed",
            "empty": "missing documents count as empty",
        },
        "repeated": {
            "first": "a mention that is marked twice counts once",
            "refuse": "no mention may be marked twice",
        },
        "format": {"auto": "", "json": "JSON", "conll": "CoNLL columns", "corefud": "CorefUD"},
    },
    "ehealthkd": {
        "scenario": {
            "1": "phrases and relations",
            "2": "phrases alone",
            "3": "relations alone",
        },
        "rules": {
            "2019": "by the rules of the program of 2019",
            "documented": "a partial match needs the same label",
        },
        "details": {"true": "", "false": ""},
    },
    "mat": {
        "pairing": {
            "1.2": "paired as in MATScore 1.2, where a span clashes with all that it overlaps",
            "2.x": "paired one to one, as in MATScore 2",
        },
        "gold_format": {"mat-json": "", "xml-inline": "", "raw": "", "brat": ""},
        "system_format": {"mat-json": "JSON of MAT", "xml-inline": "inline XML", "raw": "plain text", "brat": "brat"},
        "missing_documents": {
            "error": "every document is needed",
            "empty": "missing documents count as empty",
        },
        "extra_documents": {
            "error": "no further document is taken",
            "ignore": "further documents are left out",
        },
        "tokens": {
            "gold": "tokens of the gold",
            "system": "tokens of the upload",
            "equal": "the tokens have to be the gold's",
        },
        "offset_unit": {
            "code_points": "offsets count characters",
            "utf16": "offsets count UTF-16 units",
        },
        "discontinuous": {
            "error": "annotations in several parts are refused",
            "outer": "annotations in several parts go from first start to last end",
        },
        "confidence_data": {"true": "with means and variances over the resamples", "false": ""},
        "details": {"true": "", "false": ""},
        "gold_xml_overlay": {"true": "", "false": ""},
        "system_xml_overlay": {"true": "other tags are text", "false": ""},
        "gold_xml_translate_all": {"true": "", "false": ""},
        "system_xml_translate_all": {"true": "tags of all names are annotations", "false": ""},
    },
    "qac": {
        "task": {
            "1": "five answers in order",
            "2": "lists of answers",
            "3": "lists of answers, in series of questions",
        },
        "article": {
            "ignore": "a right answer counts with any article",
            "require": "a right answer needs an article that supports it",
        },
        "unit": {"question": "", "series": ""},  # the intervals have a line of their own
        "encoding": {"utf-8": "UTF-8", "euc-jp": "EUC-JP", "shift_jis": "Shift JIS"},
        "gold_encoding": {"utf-8": "", "euc-jp": "", "shift_jis": ""},
        "squad": {
            "off": "",
            "en": "with exact match and F1 of the first answer, as in SQuAD",
            "plain": "with exact match and F1 of the first answer",
        },
    },
    "spacy": {
        "tokens": {"any": "tokens may differ", "gold": "the tokens have to be the gold's"},
        "format": {"auto": "", "jsonl": "JSON Lines", "conllu": "CoNLL-U", "columns": "columns"},
        "invalid_tags": {
            "repair": "tags that continue nothing begin an entity",
            "refuse": "tags that continue nothing are refused",
        },
    },
}

_LABELS = {"content_annotations": "labels", "token_annotations": "tokens marked as"}

# What spaCy's Scorer is told to score.
_ITEMS = {
    "tokenization": "tokens",
    "morph_per_feat": "morphological features",
    "ner": "entities",
    "links": "links of entities",
    "nervaluate": "entities that are nearly right",
    "seqeval": "entities as seqeval counts them",
    "confusion": "which types were taken for which",
}
_TOKEN_ATTRS = {"tag": "tags", "pos": "parts of speech", "lemma": "lemmas", "morph": "morphology"}
_SPANS = {"sents": "sentences", "ents": "entities"}


def options_in_words(scenario: Scenario) -> str:
    """The options that the organisers chose, such as "entities of one mention count; CoNLL columns"."""
    configured = scenario.configured
    said = [_said(scenario.family, key, configured[key]) for key in scenario.options if configured.get(key) is not None]
    return "; ".join(filter(None, said))


def _said(family: str, key: str, value: Any) -> str:
    if family == "spacy" and key == "headline":
        return ""  # the page says by what the board is ranked
    if family == "spacy" and key == "scores":
        return ", ".join(dict.fromkeys(map(_item, value)))
    meaning = _WORDS.get(family, {}).get(key, {}).get(option_value(value))
    if meaning is not None:
        return meaning
    title = _LABELS.get(key, words(key))
    return f"{title}: {', '.join(map(str, value)) if isinstance(value, list | tuple) else option_value(value)}"


def _item(item: Mapping[str, Any]) -> str:
    """One of the things that are scored, with those of its arguments that change what is asked for."""
    match item["name"]:
        case "token_attr":
            return _TOKEN_ATTRS[item["attr"]]
        case "spans":
            shown = _SPANS.get(item["attr"], f"spans in {item['attr'].removeprefix('spans_')}")
            return shown if item["labeled"] else f"{shown} without labels"
        case "deps":
            return f"trees without {' and '.join(item['ignore_labels'])}" if item["ignore_labels"] else "trees"
        case "cats":
            return "categories" if item["multi_label"] else "one category for each document"
        case name:
            return _ITEMS.get(name, words(name))
