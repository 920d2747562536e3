"""A whole evaluation in small: made-up sentences with everything that the options may score, and a run that errs."""

import json
from collections.abc import Iterable
from typing import Any

from scoring.families.spacy.score_config import file_format
from scoring.families.specimens import example_files, specimen_in
from scoring.family import Options, Specimen

Item = dict[str, Any]
_ATTRIBUTES = {"tag": "tags", "pos": "pos", "lemma": "lemmas", "morph": "morphs"}
_SURE, _UNSURE = 0.9, 0.4


def example(options: Options) -> dict[str, bytes]:
    """Return two sentences with everything but lemmas and morphology, in the format that the options ask for."""
    return example_files("spacy", f"{_format(options)}/upload")


def specimen(options: Options) -> Specimen:
    """Make a gold and a run: JSON Lines have what the options score; the other formats hold what they can of it."""
    form, items = _format(options), options["scores"] or []
    small = specimen_in("spacy", form)
    if form != "jsonl":
        return small
    gold = {path: _jsonl(content, items) for path, content in small.gold.items()}
    return Specimen(gold, {path: _jsonl(content, items, of_run=True) for path, content in small.run.items()})


def _format(options: Options) -> str:
    if file_format(options) == "conllu":
        return "conllu"
    return "columns" if options["format"] == "columns" else "jsonl"


def _jsonl(content: bytes, items: list[Item], *, of_run: bool = False) -> bytes:
    records = (_scored(k, json.loads(line), items, of_run=of_run) for k, line in enumerate(content.splitlines()))
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def _scored(k: int, document: Item, items: list[Item], *, of_run: bool) -> Item:
    """Return the document with the layers that the items are scored by, or all of them."""
    spans = [span[:3] for span in document["ents"]]
    layers = document | {
        "spans": dict.fromkeys(_span_keys(items), spans),
        "cats": _cats(k, _categories(items), of_run=of_run),
    }
    wanted = {layer for item in items for layer in _layers(item)} or layers.keys()
    return {layer: value for layer, value in layers.items() if layer in {"id", "words", "spaces", *wanted}}


def _layers(item: Item) -> tuple[str, ...]:
    """Return what of a document the item is scored by."""
    attr = str(item.get("attr", ""))
    if item["name"] == "spans" and attr.startswith("spans_"):
        return ("spans",)
    if item["name"] == "deps" or attr == "sents":
        return ("heads", "deps")
    if item["name"] == "token_attr":
        return (_ATTRIBUTES[attr],)
    return {"tokenization": (), "morph_per_feat": ("morphs",), "cats": ("cats",)}.get(item["name"], ("ents",))


def _cats(k: int, labels: list[str], *, of_run: bool) -> dict[str, float]:
    """Give each document one category; the run takes every third one for another."""
    right = k % len(labels)
    if not of_run:
        return {label: float(place == right) for place, label in enumerate(labels)}
    chosen = (right + 1) % len(labels) if k % 3 == 2 else right
    return {label: _SURE if place == chosen else _UNSURE / 2 for place, label in enumerate(labels)}


def _span_keys(items: Iterable[Item]) -> list[str]:
    keys = [str(item["attr"]).removeprefix("spans_") for item in items if item["name"] == "spans"]
    return [key for key in dict.fromkeys(keys) if key not in ("ents", "sents")] or ["sc"]


def _categories(items: Iterable[Item]) -> list[str]:
    cats = next((item for item in items if item["name"] == "cats"), {})
    return cats.get("labels") or list(dict.fromkeys([cats.get("positive_label") or "TRAVEL", "WEATHER", "SPORT"]))
