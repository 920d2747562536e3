"""Makes files of what participants are given, the documents, and tells by these which input an upload is for.

A sample has no words, as many texts may not be handed on: each line keeps its place, and no more than its number.
Nothing here looks at mentions or entities of the gold.
"""

import json
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from scoring.family import Files, Options, Side
from scoring.readers.coreference.sides import read_gold
from scoring.readers.problems import decoded

# Comments that cut a file into documents or say what its columns are; others may hold the text.
_KEPT = re.compile(r"#\s*(?:begin document|end document|newdoc|sent_id|global\.Entity)")
_JSON = {"type": "clusters", "clusters": {"0": ["a mention"]}}


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold: an entity in each document, of its first word alone."""
    form = read_gold(gold, options).format
    names = {path: PurePosixPath(path).name for path in gold}
    if form == "json":
        return {name: json.dumps(_JSON).encode() for name in names.values()}
    lines_of = _conll if form == "conll" else _corefud
    return {name: "".join(lines_of(decoded(gold[path], path))).encode() for path, name in names.items()}


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Write the documents as they are counted, without words and without mentions."""
    form = read_gold(gold, options).format
    if form == "json":
        return {PurePosixPath(path).name: b'{"type": "clusters", "clusters": {}}' for path in gold}
    made = sample(gold, options).items()
    entity, none = (b"\t(0)\n", b"\t-\n") if form == "conll" else (b"\tEntity=(e1)\n", b"\t_\n")
    return {name: content.replace(entity, none) for name, content in made}


# What is checked against has a mention, without which some protocols score nothing.
gold_of_inputs = sample


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the names of the documents."""
    return set(read_gold(files, options).documents)


def _conll(text: str) -> Iterator[str]:
    """Yield the lines of the columns: document, part, number of the token, word, and an entity or none."""
    number = 0
    for line in text.split("\n"):
        if line.startswith("#"):
            number = 0
            if _KEPT.match(line):
                yield line.rstrip("\r") + "\n"
        elif not line.strip():
            yield "\n"
        else:
            yield f"-\t0\t{number}\t_\t{'-' if number else '(0)'}\n"
            number += 1


def _corefud(text: str) -> Iterator[str]:
    """Yield the ten columns with nothing but the ID, and an entity or none."""
    is_first = True
    for line in text.split("\n"):
        line = line.rstrip("\r")
        if line.startswith("#"):
            is_first = is_first or bool(re.match(r"#\s*newdoc", line))
            if _KEPT.match(line):
                yield f"{line}\n"
        elif not line.strip():
            yield "\n"
        else:
            word = line.split("\t")[0]
            has_entity = is_first and "-" not in word
            yield "\t".join([word, *["_"] * 8, "Entity=(e1)" if has_entity else "_"]) + "\n"
            is_first = is_first and not has_entity
