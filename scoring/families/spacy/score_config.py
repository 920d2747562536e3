"""The option `scores`: a list of items, each with all its arguments, and the keys of its scores.

An item is what spaCy calls one call of a scoring function, such as {"name": "ner"} or {"name": "deps", "lowercase":
true}. Names of spaCy's components ("parser", "textcat") are short forms of the items that the component is scored by,
with spaCy's arguments. To add an item: its arguments in `ARGUMENTS`, the keys of its scores in `_KEYS`, the main one
of these in `_MAIN`, its words in score_rows.py; how it counts stands in scores.py, and titles for people in wording.py.
"""

import json
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from scoring.errors import ConfigurationError, explain_error
from scoring.families.f_beta import beside_f1, beta_of, f_beta_key
from scoring.family import Takes
from scoring.messages import Message
from scoring.readers.json_text import fault_in_json

# {"name": …} and all its arguments. The `labels` of categories may be None until the gold is known.
Item = dict[str, Any]

# The schemas of nervaluate; users see the names in a column `scheme`.
SCHEMES_OF_TAGS = ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES", "BILOU")
SCHEMES = ("strict", "exact", "partial", "type")
# The metrics of the shared task of CoNLL 2018, in its order.
UD_METRICS = (
    ("tokens", "sentences", "words", "upos", "xpos", "ufeats", "alltags", "lemmas")  # what leads to a tree
    + ("uas", "las", "clas", "mlas", "blex")
)
# As its program prints them.
UD_NAMES = {
    **{metric: metric.capitalize() for metric in ("tokens", "sentences", "words", "lemmas")},
    **{metric: metric.upper() for metric in ("upos", "xpos", "uas", "las", "clas", "mlas", "blex")},
    "ufeats": "UFeats",
    "alltags": "AllTags",
}
TOKEN_ATTRS = ("tag", "pos", "lemma", "morph")


def parse_items(given: Any) -> list[Item] | None:
    """Parse the items of a list, or of a list in JSON, with all arguments and without short forms.

    ValueError says what is wrong.

    >>> parse_items('[{"name": "tagger"}, {"name": "ner"}]')
    [{'name': 'token_attr', 'attr': 'tag'}, {'name': 'ner'}]
    """
    if given is None:
        return None
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except json.JSONDecodeError as error:
            message = Message(
                "not-json-column", "not JSON: {msg} (column {colno})", msg=fault_in_json(error), colno=error.colno
            )
            raise ValueError(message) from None
        except RecursionError:
            raise ValueError(Message("not-json-nested-too", "not JSON: nested too deeply")) from None
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        raise ValueError(Message("expected-items", 'a list of items is expected, such as [{"name": "ner"}]'))
    expanded: list[Item] = []
    for item in given:
        expanded += _expanded(item)
    if not expanded:
        raise ValueError(Message("no-item", "no item: nothing would be scored"))
    if not any(map(score_keys, expanded)):
        # A table alone has no score that could rank: the scores of entities, which it is made of, join it.
        expanded.append(_item("ner"))
    return once(expanded)


def once(items: Iterable[Item]) -> list[Item]:
    """Return each item once; ValueError if two different ones give one score, such as two cats with other labels."""
    kept: list[Item] = []
    owner: dict[str, Item] = {}
    for item in items:
        if item in kept:
            continue
        for key in score_keys(item):
            if key in owner:
                raise ValueError(
                    Message(
                        "score-twice",
                        "{one!r} and {other!r} both give {score}",
                        one=owner[key]["name"],
                        other=item["name"],
                        score=key,
                    )
                )
            owner[key] = item
        kept.append(item)
    return kept


def with_beta(items: Iterable[Item], options: Mapping[str, Any]) -> list[Item]:
    """Return the items, each with the option `beta` as one more argument, where there is one."""
    beta = beta_of(options)
    return [item | {"beta": beta} if beta else item for item in items]


def score_keys(item: Item) -> list[str]:
    """Return the names of the item's scores.

    That of F-beta stands behind each F that has precision and recall beside it.
    """
    keys = _KEYS[item["name"]](item)
    return beside_f1(keys, item, tuple(key for key in keys if is_prf(key, keys)))


def main_score(item: Item) -> str | None:
    """Return the score that ranks, if this is the first item that has one."""
    main = _MAIN.get(item["name"])
    return None if main is None else f_beta_beside(main(item), score_keys(item))


def f_beta_beside(f_key: str | None, keys: Collection[str]) -> str | None:
    """Return the key of the F-beta beside an F if it is among the keys, else the key itself."""
    return f_beta_key(f_key) if f_key and f_beta_key(f_key) in keys else f_key


def is_prf(key: str, keys: Collection[str]) -> bool:
    """Return whether the score is an F with precision and recall beside it.

    >>> is_prf("ents_f", ["ents_p", "ents_r", "ents_f"]), is_prf("cats_score", ["cats_score"])
    (True, False)
    """
    prefix = key.removesuffix("_f")
    return key != prefix and {f"{prefix}_p", f"{prefix}_r"} <= {*keys}


def file_format(options: Mapping[str, Any]) -> str:
    """Return the option `format`; treebanks are always CoNLL-U."""
    has_treebank = any(item["name"] == "ud" for item in options["scores"] or ())
    return "conllu" if has_treebank else str(options["format"])


def span_attr(attr: str) -> str:
    """Return `ents`, `sents` and `spans_KEY` as they are; every other value is a KEY."""
    return attr if attr in ("ents", "sents") or attr.startswith("spans_") else f"spans_{attr}"


def spancat(key: str) -> Item:
    """Return the item of spaCy's component of that name, for one group of spans."""
    return _item("spans", attr=f"spans_{key}", allow_overlap=True, has_annotation=True)


@dataclass(frozen=True)
class Argument:
    """An argument of an item."""

    kind: Message  # what it may be, in words
    allows: Callable[[Any], bool]  # what it may be, as a test
    default: Any  # ... (Ellipsis) if it has to be given
    takes: Takes = "text"  # as of an Option
    choices: tuple[Any, ...] = ()


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _or_none(allows: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or allows(value)


def _flag(default: bool) -> Argument:
    return Argument(Message.word("true or false"), _is_flag, default, choices=(False, True))


def _text(default: Any = ...) -> Argument:
    return Argument(Message.word("a string"), _is_text, default)


def _labels(default: Any) -> Argument:
    return Argument(
        Message.word("a list of strings"), _or_none(_are_texts) if default is None else _are_texts, default, "texts"
    )


_PERCENT = Message.word("a number from 0 to 100")
_POSITIVE = Argument(Message.word("a string or null"), _or_none(_is_text), None)
_THRESHOLD = Argument(Message.word("a number"), _or_none(_is_number), 0.5, "number")
_ATTR = Argument(
    Message("one-of", "one of {choices}", choices=", ".join(TOKEN_ATTRS)),
    lambda value: value in TOKEN_ATTRS,
    ...,
    choices=TOKEN_ATTRS,
)

_SCHEME = Argument(
    Message("one-of-or-null", "one of {choices}, or null", choices=", ".join(SCHEMES_OF_TAGS)),
    lambda value: value is None or value in SCHEMES_OF_TAGS,
    None,
    choices=(None, *SCHEMES_OF_TAGS),
)

# Values of the gold that say nothing, as an empty one does.
_MISSING_VALUES = {"missing_values": _labels([])}

# The arguments of each item, by spaCy's names and with spaCy's defaults.
ARGUMENTS: dict[str, dict[str, Argument]] = {
    "tokenization": {},
    "token_attr": {"attr": _ATTR, **_MISSING_VALUES},
    "morph_per_feat": {**_MISSING_VALUES},
    "ner": {},
    "spans": {
        # `ents`, `sents`, or the name of a group of spans, with `spans_` in front or without.
        "attr": _text(),
        # Whether the labels have to be right too.
        "labeled": _flag(True),
        # Whether spans of the system may share gold tokens; otherwise the first one keeps them.
        "allow_overlap": _flag(False),
        # Whether documents whose gold is not annotated are left out; otherwise they count as having no spans.
        "has_annotation": _flag(False),
    },
    # Labels are lower-cased first and ignored after that.
    "deps": {"lowercase": _flag(False), "ignore_labels": _labels([]), **_MISSING_VALUES},
    "cats": {
        # By default all labels of the gold.
        "labels": _labels(None),
        # False: labels exclude each other, and the highest one of each document counts.
        "multi_label": _flag(True),
        # Of two exclusive labels the one whose F is the score.
        "positive_label": _POSITIVE,
        # Of `multi_label`: from which value of the system on a label is claimed.
        "threshold": _THRESHOLD,
    },
    # Ids that stand for no entry of the knowledge base.
    "links": {"negative_labels": _labels(["NIL"])},
    # In per cent of the gold's entity: the least overlap that counts as one.
    "nervaluate": {"min_overlap": Argument(_PERCENT, _is_number, 1.0, "number")},
    # Of tags in columns: the scheme that entities have to follow; null reads them leniently.
    "seqeval": {"scheme": _SCHEME},
    "confusion": {},
    # Whether a sentence may have more than one root.
    "ud": {"several_roots": _flag(False)},
}

# The arguments of each short form; the rest of what its items are given is fixed.
SHORT_ARGUMENTS: dict[str, dict[str, Argument]] = {
    **dict.fromkeys(("tagger", "morphologizer", "lemmatizer", "senter", "parser", "entity_linker"), {}),
    "default_pipeline": {},
    **dict.fromkeys(("spancat", "span_finder"), {"key": _text("sc")}),
    "textcat": {"labels": _labels(None), "positive_label": _POSITIVE},
    "textcat_multilabel": {"labels": _labels(None), "threshold": _THRESHOLD},
}


def _item(name: str, **arguments: Any) -> Item:
    """Make an item with these arguments, and its defaults for the others."""
    defaults = {key: argument.default for key, argument in ARGUMENTS[name].items()}
    return _without_newer_defaults({"name": name, **defaults, **arguments})


# Arguments that stand in an item where they say something alone, so that signatures from before them stay as they are.
_NEWER: Item = {"scheme": None, "missing_values": []}


def _without_newer_defaults(item: Item) -> Item:
    return {key: value for key, value in item.items() if key not in _NEWER or value != _NEWER[key]}


SENTER = _item("spans", attr="sents", has_annotation=True)
# spaCy's parser lower-cases labels and leaves punctuation out.
PARSER = [SENTER, _item("deps", lowercase=True, ignore_labels=["p", "punct"])]
_MORPHOLOGIZER = [_item("token_attr", attr="pos"), _item("token_attr", attr="morph"), _item("morph_per_feat")]


def _exclusive(arguments: Item) -> Item:
    """Return the item of spaCy's text categoriser with exclusive labels."""
    return _item("cats", labels=arguments["labels"], multi_label=False, positive_label=arguments["positive_label"])


# The items of each short form, from its arguments: those that the `scorer` of spaCy's component passes on.
_SHORT: dict[str, Callable[[Item], list[Item]]] = {
    "tagger": lambda given: [_item("token_attr", attr="tag")],
    "morphologizer": lambda given: _MORPHOLOGIZER,
    "lemmatizer": lambda given: [_item("token_attr", attr="lemma")],
    "senter": lambda given: [SENTER],
    "parser": lambda given: PARSER,
    "entity_linker": lambda given: [_item("links")],
    "spancat": lambda given: [spancat(given["key"])],
    "span_finder": lambda given: [spancat(given["key"]) | {"labeled": False}],
    "textcat": lambda given: [_exclusive(given)],
    "textcat_multilabel": lambda given: [_item("cats", **given)],
    # What spaCy's Scorer gives without a pipeline.
    "default_pipeline": lambda given: [
        _item("tokenization"),
        SENTER,
        _item("token_attr", attr="tag"),
        *_MORPHOLOGIZER,
        PARSER[1],
        _item("ner"),
        _item("cats", labels=[], multi_label=False),
    ],
}


def _expanded(given: Item) -> list[Item]:
    """Return the items that one entry of the option stands for."""
    name = given.get("name")
    if not isinstance(name, str) or name not in ARGUMENTS | SHORT_ARGUMENTS:
        raise ValueError(
            Message(
                "item-unknown",
                "unknown item {item!r}; there are {known}",
                item=name,
                known=", ".join(ARGUMENTS | SHORT_ARGUMENTS),
            )
        )
    allowed = (ARGUMENTS | SHORT_ARGUMENTS)[name]
    arguments = _arguments(name, {key: value for key, value in given.items() if key != "name"}, allowed)
    items = _SHORT[name](arguments) if name in _SHORT else [{"name": name, **arguments}]
    return [_checked(item) for item in items]


def _arguments(name: str, given: Mapping[str, Any], allowed: Mapping[str, Argument]) -> Item:
    """Return all arguments, those that are not given with their defaults."""
    for key, value in given.items():
        if key not in allowed:
            names = ", ".join(allowed) or Message.word("none")
            raise ValueError(
                Message(
                    "argument-unknown",
                    "{item}: unknown argument {argument!r}; there are: {known}",
                    item=name,
                    argument=key,
                    known=names,
                )
            )
        if not allowed[key].allows(value):
            raise ValueError(_wrong(name, key, allowed[key].kind, value))
    arguments = {key: given.get(key, argument.default) for key, argument in allowed.items()}
    for key, value in arguments.items():
        if value is ...:
            raise ValueError(
                Message(
                    "argument-missing",
                    "{item}: {argument} is missing: {wanted}",
                    item=name,
                    argument=key,
                    wanted=allowed[key].kind,
                )
            )
    return arguments


def _wrong(item: str, argument: str, wanted: Message, value: object) -> Message:
    return Message(
        "argument-wrong",
        "{item}: {argument} must be {wanted}, not {found!r}",
        item=item,
        argument=argument,
        wanted=wanted,
        found=value,
    )


def _checked(item: Item) -> Item:
    """Return the item with its arguments in one form, checked as far as that goes beyond types."""
    if item["name"] == "spans":
        return item | {"attr": span_attr(item["attr"])}
    if item["name"] == "nervaluate" and not 0 <= item["min_overlap"] <= 100:
        raise ValueError(_wrong("nervaluate", "min_overlap", _PERCENT, item["min_overlap"]))
    if item["name"] == "cats":
        labels = item["labels"]
        if labels is not None:
            _check_positive_label(item, labels)
            item = item | {"labels": list(dict.fromkeys(labels))}
        # spaCy lets null stand for its default.
        if item["threshold"] is None:
            item = item | {"threshold": 0.5}
    return _without_newer_defaults(item)


def _check_positive_label(item: Item, labels: list[str]) -> None:
    if item["positive_label"] is not None and item["positive_label"] not in labels:
        raise ValueError(
            Message(
                "positive-label-unknown",
                "cats: positive_label {label!r} is not among the labels {labels!r}",
                label=item["positive_label"],
                labels=labels,
            )
        )


def with_labels(item: Item, labels: list[str]) -> Item:
    """Return the item; one of categories without labels gets those of the gold."""
    if item["name"] != "cats" or item["labels"] is not None:
        return item
    try:
        _check_positive_label(item, labels)
    except ValueError as error:
        raise ConfigurationError(Message("option-scores", "option scores: {why}", why=explain_error(error))) from None
    return item | {"labels": labels}


def _prf(prefix: str) -> list[str]:
    return [f"{prefix}_{letter}" for letter in "prf"]


_CATS = ["cats_score", *_prf("cats_micro"), *_prf("cats_macro"), "cats_macro_auc"]
_LINKS = ["nel_score", *_prf("nel_micro"), *_prf("nel_macro"), *_prf("nel_strict")]
_SEQEVAL = [*_prf("seqeval_micro"), *_prf("seqeval_macro"), *_prf("seqeval_weighted"), "seqeval_accuracy"]

# The scores of each item, which may depend on its arguments. No two items may give the same score.
_KEYS: dict[str, Callable[[Item], list[str]]] = {
    "tokenization": lambda item: ["token_acc", *_prf("token")],
    "token_attr": lambda item: [f"{item['attr']}_acc"],
    "morph_per_feat": lambda item: _prf("morph_micro"),
    "ner": lambda item: _prf("ents"),
    "spans": lambda item: _prf(item["attr"]),
    "deps": lambda item: ["dep_uas", "dep_las"],
    "cats": lambda item: _CATS,
    "links": lambda item: _LINKS,
    "nervaluate": lambda item: [key for scheme in SCHEMES for key in _prf(f"nervaluate_{scheme}")],
    "seqeval": lambda item: _SEQEVAL,
    # It is a table without scores.
    "confusion": lambda item: [],
    "ud": lambda item: [f"ud_{metric}" for metric in UD_METRICS],
}

# The main score of each item; `confusion` has none.
_MAIN: dict[str, Callable[[Item], str | None]] = {
    "tokenization": lambda item: "token_f",
    "token_attr": lambda item: f"{item['attr']}_acc",
    "morph_per_feat": lambda item: "morph_micro_f",
    "ner": lambda item: "ents_f",
    "spans": lambda item: f"{item['attr']}_f",
    "deps": lambda item: "dep_las",
    "cats": lambda item: "cats_score",
    "links": lambda item: "nel_micro_f",
    "nervaluate": lambda item: "nervaluate_strict_f",
    "seqeval": lambda item: "seqeval_micro_f",
    "ud": lambda item: "ud_las",
}
