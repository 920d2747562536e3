"""Imitates how systems err on the announcements: in entities, tags, trees and categories."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from demo.chance import Happens, chances, uniform
from demo.spacy.documents import Document
from demo.spacy.notices import LABELS

ENTS = ("DATE", "EVENT", "LINE", "STOP", "STREET", "TIME")
# With two names, the first one is the likelier mistake.
LABEL_CONFUSIONS = {
    "DATE": ("TIME", "EVENT"),
    "EVENT": ("STOP", "STREET"),
    "LINE": ("TIME", "STREET"),
    "STOP": ("STREET", "EVENT"),
    "STREET": ("STOP", "STOP"),
    "TIME": ("DATE", "LINE"),
}
ENT_DIFFICULTY = {"DATE": 0.7, "EVENT": 1.3, "LINE": 0.9, "STOP": 1.1, "STREET": 1.4, "TIME": 0.6}
TAG_CONFUSIONS = {
    "NN": "NNP",
    "NNP": "NN",
    "NNS": "NN",
    "JJ": "NN",
    "JJR": "RBR",
    "JJS": "JJ",
    "VBN": "VBD",
    "VBD": "VBN",
    "VB": "VBP",
    "VBP": "VB",
    "VBZ": "NNS",
    "VBG": "NN",
    "IN": "RB",
    "RB": "IN",
    "RP": "IN",
    "RBR": "JJR",
    "UH": "VB",
    "CD": "NN",
    "DT": "PRP",
    "WP": "WDT",
    "WDT": "IN",
    "EX": "RB",
}
DEP_CONFUSIONS = {
    "nsubj": "nsubjpass",
    "nsubjpass": "nsubj",
    "dobj": "nsubj",
    "npadvmod": "dobj",
    "advmod": "npadvmod",
    "compound": "amod",
    "amod": "compound",
    "acomp": "advmod",
    "advcl": "ccomp",
    "ccomp": "advcl",
    "conj": "appos",
    "attr": "dobj",
    "auxpass": "aux",
    "prt": "prep",
    "dative": "dobj",
    "relcl": "advcl",
    "parataxis": "ccomp",
    "pcomp": "prep",
    "mark": "advmod",
    "intj": "advmod",
    "expl": "nsubj",
}
# What a careless system takes for a name.
THINGS = {"festival": "EVENT", "ferry": "LINE", **dict.fromkeys(("bridge", "river", "coast", "kiosk"), "STOP")}
# How easily a word is hung on a wrong head.
MOBILITY = {
    "prep": 2.2,
    "advmod": 1.3,
    "npadvmod": 1.5,
    "conj": 1.8,
    "advcl": 1.4,
    "acl": 1.5,
    "amod": 0.5,
    "det": 0.25,
}


@dataclass(frozen=True)
class Rates:
    """How often a system goes wrong where a spot is of middling difficulty."""

    missing: float  # entities that are not found
    boundary: float  # entities with a word too many or too few
    label: float  # entities of another label
    spurious: float  # durations, sums and such taken for entities
    tag: float
    head: float
    dep: float  # words with the right head and a wrong label
    sentence: float  # sentences that are hung on the one before
    blur: float  # noise of the category scores; 1 makes one in six wrong
    by_label: dict[str, float] = field(default_factory=dict)  # multiplies missing, boundary and label


def ents(document: Document, rates: Rates, happens: Happens) -> list[tuple[int, int, str]]:
    found = [answer for gold in document.ents if (answer := _entity(document, gold, rates, happens))]
    kept: list[tuple[int, int, str]] = []
    for start, end, label in sorted({*found, *_spurious(document, rates, happens)}):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end, label))
    return kept


def tags(document: Document, rates: Rates, happens: Happens) -> list[str]:
    return [
        TAG_CONFUSIONS[tag] if tag in TAG_CONFUSIONS and happens(rates.tag, "tag", i) else tag
        for i, tag in enumerate(document.tags)
    ]


def tree(document: Document, rates: Rates, happens: Happens) -> tuple[list[int], list[str]]:
    """Wrong heads are the head's head or a word before it with the same head, so that it stays a tree."""
    heads, deps = list(document.heads), list(document.deps)
    roots = [i for i, head in enumerate(document.heads) if head == i]
    for i, (gold, label) in enumerate(zip(document.heads, document.deps, strict=True)):
        if gold == i:
            if i != roots[0] and happens(rates.sentence, "sentence", i):
                heads[i], deps[i] = max(root for root in roots if root < i), "parataxis"
            continue
        if happens(rates.head * MOBILITY.get(label, 0.7), "head", i):
            siblings = [j for j in range(i) if document.heads[j] == gold != j and document.deps[j] != "punct"]
            if siblings and happens(0.6, "sibling", i):
                heads[i] = siblings[-1]
            elif document.heads[gold] != gold:
                heads[i] = document.heads[gold]
        if label in DEP_CONFUSIONS and happens(rates.dep, "dep", i):
            deps[i] = DEP_CONFUSIONS[label]
    return heads, deps


def cats(document: Document, rates: Rates, name: str) -> dict[str, float]:
    """A probability for each label: right ones high, with noise of which half is everybody's."""
    return {label: _probability(label in document.cats, rates.blur, name, document.name, label) for label in LABELS}


def _probability(is_true: bool, blur: float, name: str, *spot: str) -> float:
    noise = 0.6 * _bell("everybody", "cats", *spot) + 0.8 * _bell(name, "cats", *spot)
    return round(1 / (1 + math.exp(-2 * ((1 if is_true else -1) + blur * noise))), 4)


def _bell(*key: str) -> float:
    """Nearly normal, of variance 1."""
    return 2 * (sum(uniform(*key, k) for k in range(3)) - 1.5)


def _entity(
    document: Document, gold: tuple[int, int, str], rates: Rates, happens: Happens
) -> tuple[int, int, str] | None:
    start, end, label = gold
    factor = ENT_DIFFICULTY[label] * rates.by_label.get(label, 1)
    if happens(rates.missing * factor, "missing", start):
        return None
    if happens(rates.boundary * factor, "boundary", start):
        if end - start > 1:
            start, end = (start + 1, end) if happens(0.6, "start", start) else (start, end - 1)
        elif start:
            start -= 1
    if happens(rates.label * factor, "label", start):
        label = LABEL_CONFUSIONS[label][happens(0.25, "confusion", start)]
    return start, end, label


def _spurious(document: Document, rates: Rates, happens: Happens) -> Iterator[tuple[int, int, str]]:
    """Durations taken for times, sums for lines, and the festival that has no name here."""
    inside = {token for start, end, _ in document.ents for token in range(start, end)}
    for i, word in enumerate(document.words):
        if word in ("minutes", "days", "crowns") and i and happens(rates.spurious, "number", i):
            yield i - 1, i + 1, {"minutes": "TIME", "days": "DATE"}.get(word, "LINE")
        elif word in ("today", "night", "day") and happens(rates.spurious, "day", i):
            yield i, i + 1, "DATE"
        elif word in THINGS and i not in inside and happens(rates.spurious / 2, "thing", i):
            yield i, i + 1, THINGS[word]


def noise_of(name: str, document: Document) -> Happens:
    return chances(name, document.name)
