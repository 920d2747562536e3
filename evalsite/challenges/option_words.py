"""The options of a scenario as its readers are told them: in words, for every family."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evalsite.challenges import text_option_words
from evalsite.challenges.models import Scenario
from evalsite.wording import enumerated, option_value, words

# How tables are written.
_FORMATS: Mapping[str, str | Promise] = {
    "auto": "",
    "csv": "CSV",
    "tsv": "TSV",
    "jsonl": "JSON Lines",
    "lines": _("one value a line"),
}
_DELIMITERS: Mapping[str, str | Promise] = {
    "auto": "",
    "comma": _("commas between fields"),
    "tab": _("tabs between fields"),
    "semicolon": _("semicolons between fields"),
    "pipe": _("vertical bars between fields"),
}
# What all families of tables share.
_OF_TABLES: Mapping[str, Mapping[str, str | Promise]] = {
    "format": _FORMATS,
    "gold_format": {
        "auto": "",
        "csv": _("gold in CSV"),
        "tsv": _("gold in TSV"),
        "jsonl": _("gold in JSON Lines"),
        "lines": _("gold with one value a line"),
    },
    "delimiter": _DELIMITERS,
    "gold_delimiter": _DELIMITERS,
    "quotes": {"true": "", "false": _("quotes are data")},
    "header": {"true": "", "false": _("no line with the names of columns")},
    "unknown_ids": {
        "refuse": _("rows that the gold does not have are refused"),
        "ignore": _("rows that the gold does not have are left out"),
    },
}
# {family: {option: {its value as text: what it means}}}; "" for what other lines of the page say already. Options
# without an entry are said as "key: value".
_WORDS: Mapping[str, Mapping[str, Mapping[str, str | Promise]]] = {
    "labels": {
        "task": {
            "single": _("one label for each row"),
            "multi": _("a set of labels for each row"),
            "ranked": _("ranked guesses for each row"),
            "graded": _("one label for each row, with graded credit"),
        },
        "unknown_labels": {
            "refuse": _("labels that are not in the list are refused"),
            "wrong": _("labels that are not in the list count as wrong"),
        },
        "missing": {"refuse": _("every row is needed"), "wrong": _("missing rows count as wrong")},
        "ordinal": {"true": _("the labels have an order"), "false": ""},
        "multi_as": {
            "cell": _("all labels of a row stand in one field"),
            "columns": _("a column of 0 and 1 for each label"),
        },
        "case": {"keep": "", "ignore": _("upper and lower case are the same")},
        "absent_labels": {
            "skip": _("macro averages leave out labels that do not occur"),
            "count": _("macro averages count labels that do not occur"),
        },
        "zero_division": {"0": _("precision of nothing is 0"), "1": _("precision of nothing is 1")},
        **_OF_TABLES,
    },
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
        "match": {
            "exact": "",
            "partial": _("mentions match in part, with their head"),
            "head": _("mentions match by their heads"),
        },
        "zeros": {"linear": "", "dependent": _("empty nodes match by what they depend on")},
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
            "4": _("phrases and relations of another domain"),
        },
        "rules": {
            "2018": _("by the rules of the program of 2018"),
            "2019": _("by the rules of the program of 2019"),
            "2020": _("by the rules of the program of 2020"),
            "2021": _("by the rules of the program of 2021"),
            "documented": _("a partial match needs the same label"),
        },
        "sentences": {
            "checked": "",
            "official": _("altered and missing sentences as in the challenge's program"),
        },
        "details": {"true": "", "false": ""},
    },
    "given": {
        "statistic": {"mean": _("the mean over units"), "sum": _("the sum over units")},
        "direction": {"higher": _("more is better"), "lower": _("less is better")},
        "repeated": {
            "refuse": _("one score for each unit"),
            "mean": _("several scores of a unit are averaged"),
        },
        "unknown_ids": {
            "refuse": _("rows of unknown units are refused"),
            "ignore": _("rows of unknown units are left out"),
        },
        "format": _FORMATS,
        "gold_format": dict.fromkeys(_FORMATS, ""),
        "delimiter": _DELIMITERS,
        "gold_delimiter": dict.fromkeys(_DELIMITERS, ""),
        "quotes": {"true": "", "false": _("double quotes are data")},
        "header": {"true": "", "false": _("without a line of names")},
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
            "parts": _("annotations in several parts have to agree part by part"),
        },
        "structures": {"ignore": "", "count": _("relations, events and attributes count")},
        "confidence_data": {"true": _("with means and variances over the resamples"), "false": ""},
        "details": {"true": "", "false": ""},
        "gold_xml_overlay": {"true": "", "false": ""},
        "system_xml_overlay": {"true": _("other tags are text"), "false": ""},
        "gold_xml_translate_all": {"true": "", "false": ""},
        "system_xml_translate_all": {"true": _("tags of all names are annotations"), "false": ""},
    },
    "numbers": {
        "kind": {"real": "", "binary": _("yes or no")},
        "range": {"probability": _("probabilities"), "any": _("beliefs on any scale")},
        "column_mean": {"arithmetic": "", "fisher": _("correlations averaged by Fisher's transformation")},
        "constant": {"none": "", "zero": _("a correlation of equal numbers is 0")},
        **_OF_TABLES,
    },
    "qac": {
        "task": {
            "1": _("five answers in order"),
            "2": _("lists of answers"),
            "3": _("lists of answers, in series of questions"),
        },
        "format": {"qac": "", "trec": _("in the files of TREC"), "squad": _("in the files of SQuAD")},
        "answers": {
            "strings": "",
            "patterns": _("the gold's answers are regular expressions"),
            "patterns_any_case": _("the gold's answers are regular expressions, without regard to capitals"),
        },
        "squad_version": {"1.1": _("by the rules of SQuAD 1.1"), "2.0": _("by the rules of SQuAD 2.0")},
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
    "transcripts": {
        "headline": dict.fromkeys(("wer", "mer", "wil", "cer", "ser"), ""),  # the page says by what the board is ranked
        "case": {"keep": _("capitals count"), "lower": _("without regard to capitals")},
        "punctuation": {
            "keep": _("punctuation counts"),
            "remove": _("without punctuation"),
            "space": _("punctuation parts words"),
        },
        "unicode": {
            "nfc": "",
            "nfkc": _("ligatures and wide letters are as others"),
            "none": _("characters as they are written"),
        },
        "cer_spaces": {"count": "", "ignore": _("characters without blanks")},
        "unit": {"utterance": "", "speaker": ""},
        "speaker": {
            "auto": "",
            "field": _("speakers as the gold says them"),
            "prefix": _("speakers by the beginning of the id"),
            "none": "",
        },
        "missing": {
            "refuse": _("every utterance is needed"),
            "delete": _("missing utterances count as deleted"),
        },
        "format": {
            "auto": "",
            "lines": _("plain lines"),
            "tsv": _("columns"),
            "kaldi": "Kaldi",
            "trn": "trn",
            "jsonl": "JSON Lines",
        },
        "gold_format": dict.fromkeys(("auto", "lines", "tsv", "kaldi", "trn", "jsonl"), ""),
    },
    "ranking": {
        "missing": {
            "zero": _("queries that are not in a run count 0"),
            "skip": _("queries that are not in a run are left out"),
        },
        "over_depth": {
            "refuse": _("runs with more are refused"),
            "cut": _("what follows is left out"),
        },
        "gain": {"linear": _("gain is the grade"), "exponential": _("gain grows exponentially with the grade")},
        "empty_queries": {
            "zero": _("queries without a relevant document count 0"),
            "skip": _("queries without a relevant document are left out"),
        },
        "judged_only": {"true": _("documents that are not judged are taken out"), "false": ""},
        "precision": {"double": _("scores in double precision"), "single": _("scores in single precision")},
        "order": {
            "score": _("three columns and JSON hold scores"),
            "rank": _("three columns and JSON hold ranks"),
        },
        "unknown": {"warn": "", "refuse": _("no further query is taken")},
    },
    "spacy": {
        "tokens": {"any": _("tokens may differ"), "gold": _("the tokens have to be the gold's")},
        "format": {"auto": "", "jsonl": "JSON Lines", "conllu": "CoNLL-U", "columns": _("columns")},
        "invalid_tags": {
            "repair": _("tags that continue nothing begin an entity"),
            "refuse": _("tags that continue nothing are refused"),
        },
        "tag_form": {"prefix": _("tags as B-PER"), "suffix": _("tags as PER-B")},
    },
    "text": text_option_words.WORDS,
}

# What pages for readers leave out, and a form cannot: {option, or argument of an item: {its value as text: words}}.
_CHOICES: Mapping[str, Mapping[str, str | Promise]] = {
    "format": {"auto": _("told by names and content")},
    "gold_format": {
        "auto": _("told by names and content"),
        "mat-json": _("JSON of MAT"),
        "xml-inline": _("inline XML"),
        "raw": _("plain text"),
        "brat": "brat",
        "lines": _("plain lines"),
        "tsv": _("columns"),
        "kaldi": "Kaldi",
        "trn": "trn",
        "jsonl": "JSON Lines",
    },
    "kind": {"real": _("any numbers"), "binary": _("0 or 1")},
    "column_mean": {"arithmetic": _("arithmetic mean"), "fisher": _("by Fisher's transformation")},
    "constant": {"none": _("none, and no rank"), "zero": "0"},
    "unknown_ids": {"refuse": _("refused"), "ignore": _("left out")},
    "quotes": {"true": _("yes"), "false": _("no")},
    "header": {"true": _("yes"), "false": _("no")},
    "unit": {
        "question": _("questions"),
        "series": _("series of questions"),
        "segment": _("segments"),
        "document": _("documents"),
        "utterance": _("utterances"),
        "speaker": _("speakers"),
    },
    "headline": {
        "wer": _("word error rate"),
        "mer": _("match error rate"),
        "wil": _("word information lost"),
        "cer": _("character error rate"),
        "ser": _("sentence error rate"),
    },
    "speaker": {"auto": _("as the gold says them, if it does"), "none": _("none")},
    "unicode": {"nfc": _("letters with their accents are one character")},
    "cer_spaces": {"count": _("blanks between words are characters")},
    "delimiter": {"auto": _("commas in CSV, tabs in TSV")},
    "gold_delimiter": {"auto": _("commas in CSV, tabs in TSV")},
    "case": {"keep": _("upper and lower case tell labels apart")},
    "gold_encoding": {"utf-8": "UTF-8", "euc-jp": "EUC-JP", "shift_jis": "Shift JIS"},
    "squad": {"off": _("without")},
    "unknown": {"warn": _("they are left aside with a warning")},
    "details": {"true": _("yes"), "false": _("no")},
    "attr": {"tag": _("tags"), "pos": _("parts of speech"), "lemma": _("lemmas"), "morph": _("morphology")},
}

_MOST_REPLACEMENTS = 10
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
    "ud": _("all metrics of Universal Dependencies"),
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


def choice_in_words(family: str, key: str, choice: Any) -> str:
    """What a choice of an option means; "" where nobody has said it yet."""
    text = option_value(choice)
    return str(_WORDS.get(family, {}).get(key, {}).get(text) or _CHOICES.get(key, {}).get(text, ""))


def _said(family: str, key: str, value: Any) -> str:
    if say := _SAYING.get(family, {}).get(key) or _OF_PARTS.get(key):
        return say(value)
    meaning = _WORDS.get(family, {}).get(key, {}).get(option_value(value))
    if meaning is not None:
        return str(meaning)
    title = _LABELS.get(key) or words(key)
    return f"{title}: {', '.join(map(str, value)) if isinstance(value, list | tuple) else option_value(value)}"


# What tells one language of an upload from another; all families have it.
_OF_PARTS: Mapping[str, Callable[[Any], str]] = {
    "folder": lambda folder: gettext("in the folder %(folder)s") % {"folder": folder},
    "rows": lambda rows: gettext("rows with %(rows)s") % {"rows": rows},
}


def _replacements(pairs: Mapping[str, str]) -> str:
    """The first words that stand for others, or for nothing."""
    shown = [f"{word} → {other or '∅'}" for word, other in pairs.items()]
    return ", ".join(shown[:_MOST_REPLACEMENTS]) + (", …" if len(shown) > _MOST_REPLACEMENTS else "")


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


def _list_of_labels(labels: str | Sequence[str]) -> str:
    if isinstance(labels, str):
        return "" if labels == "gold" else gettext("labels of gold and run together")
    return gettext("labels: %(labels)s") % {"labels": enumerated(labels)}


_NAMES_OF_COLUMNS = ("id", "gold_id", "label", "gold_label", "credit", "probabilities", "separator", "text")

# {family: {option: what says its value}}, for options whose values are no words.
_SAYING: Mapping[str, Mapping[str, Callable[[Any], str]]] = {
    "numbers": {
        # What an upload looks like names the columns, and the page says by what the board is ranked.
        **dict.fromkeys(
            ("columns", "gold_columns", "id", "gold_id", "text", "headline", "slice_score"), lambda name: ""
        ),
        "tolerance": lambda number: gettext("near: off by no more than %(number)s") % {"number": f"{number:g}"},
        "tolerance_column": lambda name: gettext("each item with a tolerance of its own"),
        "missing": lambda number: (
            gettext("missing numbers are refused")
            if number == "refuse"
            else gettext("%(number)s stands for a missing number") % {"number": f"{number:g}"}
        ),
        "group": lambda name: gettext("rows of one %(name)s belong together") % {"name": name},
        "slices": lambda name: gettext("scores also by %(name)s") % {"name": name},
    },
    "labels": {
        **dict.fromkeys(_NAMES_OF_COLUMNS, lambda name: ""),  # what an upload looks like names them
        "headline": lambda name: "",  # the page says by what the board is ranked
        "slice_score": lambda name: "",  # the names of the scores say them
        "top": lambda numbers: "",
        "labels": lambda labels: _list_of_labels(labels),
        "positive": lambda label: gettext("scores of the label %(label)s apart") % {"label": label},
        "partial": lambda credit: gettext("a part of the labels earns %(credit)s") % {"credit": f"{credit:g}"},
        "group": lambda name: gettext("rows of one %(name)s belong together") % {"name": name},
        "slices": lambda name: gettext("scores also by %(name)s") % {"name": name},
    },
    "transcripts": {
        "keep_marks": lambda marks: gettext("of punctuation %(marks)s stays") % {"marks": marks} if marks else "",
        "map": lambda pairs: _replacements(pairs),
    },
    "ranking": {
        "headline": lambda name: "",  # the page says by what the board is ranked
        "cutoffs": lambda ranks: "",  # the names of the scores say them
        "relevance": lambda grade: gettext("relevant from grade %(grade)s on") % {"grade": grade},
        "depth": lambda depth: gettext("the first %(depth)s documents count") % {"depth": depth},
    },
    "spacy": {
        "headline": lambda name: "",  # the page says by what the board is ranked
        "scores": _items,
    },
    "text": text_option_words.SAYING,
}
