"""Demonstration data of the announcement task, as JSON Lines: gold, the download, fictional runs."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from demo.plan import System, system_of
from demo.spacy import baseline, errors
from demo.spacy.documents import Document, documents_of
from demo.spacy.notices import LABELS
from demo.spacy.systems import PROFILES, Profile

README = """\
Demonstration data: announcements of a tram company
===================================================

This is synthetic data. A program wrote every announcement from a hand-made grammar, for this
demonstration only. The city, its stops, streets, lines and festivals do not exist. Tags, trees,
entities and categories come out of the same grammar; nobody checked them by hand. Teams and
runs are invented too.

One file of JSON Lines, an announcement a line. You get "id", "words", "spaces" and "text"; add
what your scenario needs and keep the words as they are:

  {"id": "notice-001", "words": ["Tram", "4", "is", "late", "."],
   "ents": [[0, 2, "LINE"]],
   "tags": ["NN", "CD", "VBZ", "RB", "."], "heads": [2, 0, 2, 2, 2],
   "deps": ["nsubj", "nummod", "ROOT", "advmod", "punct"],
   "cats": {"DELAY": 0.93, "WEATHER": 0.08}}

ents    DATE, EVENT, LINE, STOP, STREET, TIME; offsets count words, the end is the first one after.
        LINE holds the kind of vehicle: [tram 4]. STOP and STREET may have the same name.
tags    those of the Penn Treebank
heads   the place of the head among the words, its own for a root; deps in the style of ClearNLP
cats    a score from 0 to 1 for each of ACCESS, CONDUCT, DELAY, DIVERSION, EVENT, FARES, WEATHER
        and WORKS; an announcement may have several

Scenario 1 scores ents, scenario 2 tags, heads and deps, scenario 3 cats. One file can hold all.
"""


def gold(phase: str) -> str:
    return _lines(_given(each) | _gold_annotation(each) for each in documents_of(phase))


def inputs(phase: str) -> dict[str, str]:
    """What a participant downloads: the announcements without annotation, and the README."""
    return {"README.txt": README, f"{phase}.jsonl": _lines(map(_given, documents_of(phase)))}


def systems(phase: str) -> list[System]:
    return [
        system_of(profile, _lines(_given(document) | _answers(profile, document) for document in documents_of(phase)))
        for profile in PROFILES
        if phase in profile.phases
    ]


def _given(document: Document) -> dict[str, Any]:
    spaced = zip(document.words, document.spaces, strict=True)
    return {
        "id": document.name,
        "text": "".join(word + " " * space for word, space in spaced),
        "words": document.words,
        "spaces": document.spaces,
    }


def _gold_annotation(document: Document) -> dict[str, Any]:
    return {
        "tags": document.tags,
        "heads": document.heads,
        "deps": document.deps,
        "ents": document.ents,
        "cats": {label: float(label in document.cats) for label in LABELS},
    }


def _answers(profile: Profile, document: Document) -> dict[str, Any]:
    """What the run says, without the parts that none of its scenarios looks at."""
    name = profile.name
    rates = profile.rates
    found: dict[str, Any] = {}
    if rates is None:
        heads, deps = baseline.tree(document)
        found = {"ents": baseline.ents(document), "tags": baseline.tags(document), "cats": baseline.cats(document)}
    else:
        happens = errors.noise_of(name, document)
        heads, deps = errors.tree(document, rates, happens)
        found = {
            "ents": errors.ents(document, rates, happens),
            "tags": errors.tags(document, rates, happens),
            "cats": errors.cats(document, rates, name),
        }
    parts = {1: ("ents",), 2: ("tags", "heads", "deps"), 3: ("cats",)}
    found |= {"heads": heads, "deps": deps}
    return {part: found[part] for scenario in profile.scenarios for part in parts[scenario]}


def _lines(documents: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(document, ensure_ascii=False) + "\n" for document in documents)
