"""Makes files of what participants are given, the documents, and tells by these which input an upload is for.

Of the gold's annotations nothing is looked at but which layers are scored and the labels of its categories.
"""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any

import numpy as np

from scoring.families.spacy.options import resolve_options
from scoring.families.spacy.score_config import file_format
from scoring.family import Files, Options, Side
from scoring.readers.archive import Files as Upload
from scoring.readers.parts.folders import SomeFiles
from scoring.readers.spacy import sides
from scoring.readers.spacy.documents import Documents
from scoring.readers.spacy.sides import System, read_gold
from scoring.readers.tables import to_json_lines

_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)')
_ATTRIBUTES = {"tag": "tags", "pos": "pos", "lemma": "lemmas", "morph": "morphs"}
# Without words, a document has the gold's, and its spans are given in characters.
_WITHOUT_WORDS = {"ents", "spans", "cats"}
_ALL_LAYERS = {*_ATTRIBUTES.values(), "heads", "deps", "sent_starts", *_WITHOUT_WORDS}


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold: no span, and for all words the same tag, label and kind of head."""
    documents = read_gold(gold, options)
    format_ = file_format(options)
    if format_ == "columns":
        return {"run.conll": "".join(_columns(documents)).encode()}
    if format_ == "conllu":
        return {"run.conllu": "".join(_conllu(documents)).encode()}
    items = resolve_options(documents, options)["scores"]
    return {"run.jsonl": to_json_lines(_document(documents, k, items) for k in range(len(documents)))}


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Write the words, in the format of a run.

    Columns have a place for labels, so there they are the sample.
    """
    if file_format(options) in ("columns", "conllu"):
        return sample(gold, options)
    documents = read_gold(gold, options)
    return {"input.jsonl": to_json_lines(_words(documents, k) for k in range(len(documents)))}


def _words(gold: Documents, k: int) -> dict[str, Any]:
    blanks = {"spaces": gold.spaces(k)} if gold.knows_spaces[k] else {}
    return {"id": gold.ids[k], "words": gold.words(k), **blanks}


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """Make a gold of the words, with the layers that the options name, of which an input says nothing.

    These are empty, or all alike.
    """
    if file_format(options) in ("columns", "conllu"):
        return sample(given, options)
    documents = read_gold(given, options)
    items = resolve_options(documents, options)["scores"]
    return {
        "input.jsonl": to_json_lines(
            _words(documents, k) | _document(documents, k, items) for k in range(len(documents))
        )
    }


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the ids of the documents, with their words where there are some: ids alone may be mere numbers.

    Of a gold both are keys, since a run whose spans count characters has no words.
    """
    if side == "system" and (ids := _ids_without_words(files)):
        return ids
    documents = read_gold(files, options)
    with_words = {
        f"{name} {' '.join(word for word, _ in _words_and_spaces(documents, k))}".strip()
        for k, name in enumerate(documents.ids)
    }
    return with_words | set(documents.ids) if side == "gold" else with_words


def _ids_without_words(files: Files) -> set[str]:
    """Return the ids of a run in JSON Lines of which no document has words; none of other files."""
    records: list[Any] = []
    with suppress(ValueError, RecursionError):
        records = [json.loads(line) for path in files for line in files[path].splitlines() if line.strip()]
    if not all(isinstance(record, dict) and not record.get("words") for record in records):
        return set()
    return {str(record["id"]) for record in records if "id" in record}


def _document(gold: Documents, k: int, items: list[dict[str, Any]]) -> dict[str, Any]:
    words = gold.words(k)
    layers: dict[str, Any] = {}
    for item in items:
        layers |= _layers(item, words, layers)
    if set(layers) <= _WITHOUT_WORDS and layers:
        return {"id": gold.ids[k], **layers}
    blanks = {"spaces": gold.spaces(k)} if gold.knows_spaces[k] else {}
    return {"id": gold.ids[k], "words": words, **blanks, **layers}


def names_layers(files: Files, options: Options) -> bool:
    """Return whether the files name a layer that is scored, be it empty; formats with columns have them all."""
    return any(_names_layer(files[path], options) for path in files)


def _names_layer(content: bytes, options: Options) -> bool:
    if file_format(options) in ("columns", "conllu"):
        return True
    return any(f'"{layer}"'.encode() in content for layer in scored_layers(options))


def scored_layers(options: Options) -> set[str]:
    """Return the keys of a document under which it says what is scored; all where the gold is to decide it."""
    if options["scores"] is None:
        return _ALL_LAYERS
    return {layer for item in options["scores"] for layer in _layers(item | {"labels": []}, [""], {})}


def read_system(files: Files, gold: Documents, options: Options) -> System:
    """Read the documents of a system, those of each scenario where they are in files of their own."""
    return sides.read_system(_with_layers(files, options), gold, options)


def _with_layers(files: Files, options: Options) -> Files:
    """Return the files that name a layer that is scored, where all others have documents that stand in these too."""
    if len(files) < 2 or not isinstance(files, Upload) or file_format(options) in ("columns", "conllu"):
        return files
    ids = {path: {*_ID.findall(files[path])} for path in files if _names_layer(files[path], options)}
    others = {name for path in files if path not in ids for name in _ID.findall(files[path])}
    return SomeFiles(files, ids) if ids and others and others.issubset(set().union(*ids.values())) else files


def _layers(item: dict[str, Any], words: list[str], others: dict[str, Any]) -> dict[str, Any]:
    """Return what the item is scored by, as a system might say it that knows nothing."""
    name, attr = item["name"], item.get("attr", "")
    if name == "token_attr":
        return {_ATTRIBUTES[attr]: words if attr == "lemma" else ["_" if attr == "morph" else "X"] * len(words)}
    if name == "morph_per_feat":
        return {"morphs": ["_"] * len(words)}
    if name == "deps":
        # Each word depends on the one before it, the first one on none.
        heads = [max(0, place - 1) for place in range(len(words))]
        return {"heads": heads, "deps": ["dep" if place else "ROOT" for place in range(len(words))]}
    if name == "cats":
        return {"cats": {label: float(place == 0) for place, label in enumerate(item["labels"])}}
    if name == "spans" and attr == "sents":
        return {} if "heads" in others else {"sent_starts": [1 if place == 0 else -1 for place in range(len(words))]}
    if name == "spans" and attr.startswith("spans_"):
        return {"spans": others.get("spans", {}) | {attr.removeprefix("spans_"): []}}
    return {} if name == "tokenization" else {"ents": []}


def _columns(gold: Documents) -> Iterator[str]:
    for k in range(len(gold)):
        yield from (f"{word} O\n" for word in gold.words(k))
        yield "\n"


def _conllu(gold: Documents) -> Iterator[str]:
    """Yield a sentence for each document; the first word of each is a name of no known kind.

    A multiword token of a treebank is one word here: what it is made of is to be found.
    """
    for k, name in enumerate(gold.ids):
        yield f"# newdoc id = {name}\n"
        for number, (word, has_space) in enumerate(_words_and_spaces(gold, k), start=1):
            misc = "|".join(["Entity=O"] + ([] if has_space else ["SpaceAfter=No"]))
            label = "dep" if number > 1 else "root"
            yield "\t".join([str(number), word, word, "X", "X", "_", str(number - 1), label, "_", misc]) + "\n"
        yield "\n"


def _words_and_spaces(side: Documents, k: int) -> Iterable[tuple[str, bool]]:
    """Yield the words of a document, or the tokens of its treebank, and whether a blank follows."""
    treebank = side.treebank
    if treebank is None:
        return zip(side.words(k), side.spaces(k), strict=True)
    # The first word of each token of the document; of the last one, the word after it.
    words = np.searchsorted(treebank.token, np.arange(len(treebank.token_start)))
    begin, end = np.searchsorted(words, side.first[k : k + 2]).tolist()
    bounds = pairwise(treebank.token_start[begin : end + 1].tolist())
    spaces = side.space[words[begin + 1 : end + 1] - 1].tolist()
    return ((treebank.text[start:stop], space) for (start, stop), space in zip(bounds, spaces, strict=True))
