"""The options of a scenario as its readers are told them: in words, for every family."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evalsite.challenges.models import Scenario
from evalsite.wording import enumerated, option_value, words

# {family: {option: {its value as text: what it means}}}; "" for what other lines of the page say already. Options
# without an entry are said as "key: value".
_WORDS: Mapping[str, Mapping[str, Mapping[str, str | Promise]]] = {
    "coreference": {
        "protocol": {
            "reference": _("counted as the CoNLL reference scorer does"),
            "scorch": _("counted as scorch does"),
            "scorch-functions": _("counted as the functions of scorch do"),
        },
        "singletons": {
            "keep": _("entities of one mention count"),
            "remove": _("entities of one mention are left out"),
        },
        "missing": {
            "refuse": _("every document is needed"),
            "empty": _("missing documents count as empty"),
        },
        "repeated": {
            "first": _("a mention that is marked twice counts once"),
            "refuse": _("no mention may be marked twice"),
        },
        "format": {"auto": "", "json": "JSON", "conll": _("CoNLL columns"), "corefud": "CorefUD"},
    },
    "ehealthkd": {
        "scenario": {
            "1": _("phrases and relations"),
            "2": _("phrases alone"),
            "3": _("relations alone"),
        },
        "rules": {
            "2019": _("by the rules of the program of 2019"),
            "documented": _("a partial match needs the same label"),
        },
        "details": {"true": "", "false": ""},
    },
    "mat": {
        "pairing": {
            "1.2": _("paired as in MATScore 1.2, where a span clashes with all that it overlaps"),
            "2.x": _("paired one to one, as in MATScore 2"),
        },
        "gold_format": {"mat-json": "", "xml-inline": "", "raw": "", "brat": ""},
        "system_format": {
            "mat-json": _("JSON of MAT"),
            "xml-inline": _("inline XML"),
            "raw": _("plain text"),
            "brat": "brat",
        },
        "missing_documents": {
            "error": _("every document is needed"),
            "empty": _("missing documents count as empty"),
        },
        "extra_documents": {
            "error": _("no further document is taken"),
            "ignore": _("further documents are left out"),
        },
        "tokens": {
            "gold": _("tokens of the gold"),
            "system": _("tokens of the upload"),
            "equal": _("the tokens have to be the gold's"),
        },
        "offset_unit": {
            "code_points": _("offsets count characters"),
            "utf16": _("offsets count UTF-16 units"),
        },
        "discontinuous": {
            "error": _("annotations in several parts are refused"),
            "outer": _("annotations in several parts go from first start to last end"),
        },
        "confidence_data": {"true": _("with means and variances over the resamples"), "false": ""},
        "details": {"true": "", "false": ""},
        "gold_xml_overlay": {"true": "", "false": ""},
        "system_xml_overlay": {"true": _("other tags are text"), "false": ""},
        "gold_xml_translate_all": {"true": "", "false": ""},
        "system_xml_translate_all": {"true": _("tags of all names are annotations"), "false": ""},
    },
    "qac": {
        "task": {
            "1": _("five answers in order"),
            "2": _("lists of answers"),
            "3": _("lists of answers, in series of questions"),
        },
        "article": {
            "ignore": _("a right answer counts with any article"),
            "require": _("a right answer needs an article that supports it"),
        },
        "unit": {"question": "", "series": ""},  # the intervals have a line of their own
        "encoding": {"utf-8": "UTF-8", "euc-jp": "EUC-JP", "shift_jis": "Shift JIS"},
        "gold_encoding": {"utf-8": "", "euc-jp": "", "shift_jis": ""},
        "squad": {
            "off": "",
            "en": _("with exact match and F1 of the first answer, as in SQuAD"),
            "plain": _("with exact match and F1 of the first answer"),
        },
    },
    "spacy": {
        "tokens": {"any": _("tokens may differ"), "gold": _("the tokens have to be the gold's")},
        "format": {"auto": "", "jsonl": "JSON Lines", "conllu": "CoNLL-U", "columns": _("columns")},
        "invalid_tags": {
            "repair": _("tags that continue nothing begin an entity"),
            "refuse": _("tags that continue nothing are refused"),
        },
    },
}

_LABELS: Mapping[str, Promise] = {"content_annotations": _("labels"), "token_annotations": _("tokens marked as")}

# What spaCy's Scorer is told to score.
_ITEMS: Mapping[str, Promise] = {
    "tokenization": _("tokens"),
    "morph_per_feat": _("morphological features"),
    "ner": _("entities"),
    "links": _("links of entities"),
    "nervaluate": _("entities that are nearly right"),
    "seqeval": _("entities as seqeval counts them"),
    "confusion": _("which types were taken for which"),
}
_TOKEN_ATTRS: Mapping[str, Promise] = {
    "tag": _("tags"),
    "pos": _("parts of speech"),
    "lemma": _("lemmas"),
    "morph": _("morphology"),
}
_SPANS: Mapping[str, Promise] = {"sents": _("sentences"), "ents": _("entities")}


def options_in_words(scenario: Scenario) -> str:
    """The options that the organisers chose, such as "entities of one mention count; CoNLL columns"."""
    configured = scenario.configured
    said = [_said(scenario.family, key, configured[key]) for key in scenario.options if configured.get(key) is not None]
    return "; ".join(filter(None, said))


def _said(family: str, key: str, value: Any) -> str:
    if say := _SAYING.get(family, {}).get(key):
        return say(value)
    meaning = _WORDS.get(family, {}).get(key, {}).get(option_value(value))
    if meaning is not None:
        return str(meaning)
    title = _LABELS.get(key) or words(key)
    return f"{title}: {', '.join(map(str, value)) if isinstance(value, list | tuple) else option_value(value)}"


def _items(items: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(dict.fromkeys(map(_item, items)))


def _item(item: Mapping[str, Any]) -> str:
    """One of the things that are scored, with those of its arguments that change what is asked for."""
    match item["name"]:
        case "token_attr":
            return str(_TOKEN_ATTRS[item["attr"]])
        case "spans":
            return _spans(item["attr"], has_labels=item["labeled"])
        case "deps":
            return _trees(item["ignore_labels"])
        case "cats":
            return gettext("categories") if item["multi_label"] else gettext("one category for each document")
        case name:
            return str(_ITEMS.get(name) or words(name))


def _spans(attr: str, *, has_labels: bool) -> str:
    shown = _SPANS.get(attr) or gettext("spans in %(name)s") % {"name": attr.removeprefix("spans_")}
    return str(shown) if has_labels else gettext("%(spans)s without labels") % {"spans": shown}


def _trees(ignored: Sequence[str]) -> str:
    if set(ignored) == {"p", "punct"}:
        return gettext("trees without punctuation")
    if ignored:
        return gettext("trees without %(labels)s") % {"labels": enumerated(ignored)}
    return gettext("trees")


# {family: {option: what says its value}}, for options whose values are no words.
_SAYING: Mapping[str, Mapping[str, Callable[[Any], str]]] = {
    "spacy": {
        "headline": lambda name: "",  # the page says by what the board is ranked
        "scores": _items,
    },
}
