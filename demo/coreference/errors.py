"""Imitates how systems err on the reports: chains fall apart, run together, and lose their pronouns."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from demo.chance import Happens, chances
from demo.coreference.documents import Document, Mention

# How hard it is to find a mention at all, by kind.
HIDDEN = {"name": 0.6, "description": 1.4, "pronoun": 0.4}
MONEY = {"crowns", "pence"}
DAYS = {"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}

Chains = dict[tuple[int, int], str]


@dataclass(frozen=True)
class Rates:
    """How often a system goes wrong where a spot is of middling difficulty."""

    missing: float  # mentions that are not found
    pronoun: float  # pronouns linked to somebody else or to nobody
    description: float  # descriptions that found a new entity
    merged: float  # pairs of people of one gender taken for one
    split: float  # chains that are lost in the middle
    boundary: float  # mentions with a word too many or too few
    spurious: float  # days and sums taken for mentions
    singletons: float = 1.0  # share of the mentions alone that it tries to mark


def run(document: Document, rates: Rates, name: str) -> Chains:
    """What a system makes of one document."""
    happens = chances(name, document.name)
    merged = _merged(document, rates, happens)
    chains: Chains = {}
    for mention, label in _labelled(document, rates, happens):
        first, last = _extent(document, mention, rates, happens)
        if (first, last) not in chains:
            chains[first, last] = merged.get(label, label)
    for span in _spurious(document, rates, happens):
        chains.setdefault(span, f"spurious {span}")
    return _without_crossing(chains if rates.singletons else _without_singletons(chains))


def _labelled(document: Document, rates: Rates, happens: Happens) -> Iterator[tuple[Mention, str]]:
    """Mentions that the system finds, each with the entity to which it belongs there."""
    sizes: dict[str, int] = defaultdict(int)
    for mention in document.mentions:
        sizes[mention.entity] += 1
    seen: dict[str, int] = defaultdict(int)
    before: list[Mention] = []
    for mention in document.mentions:
        spot = (mention.first, mention.last)
        seen[mention.entity] += 1
        is_alone = sizes[mention.entity] == 1
        kept = not is_alone or happens(rates.singletons, "singleton", *spot)
        if kept and not happens(rates.missing * HIDDEN[mention.kind] * (1.5 if is_alone else 1), "missing", *spot):
            yield mention, _label(mention, seen[mention.entity], sizes, before, rates, happens)
        before.append(mention)


def _label(
    mention: Mention, place: int, sizes: dict[str, int], before: list[Mention], rates: Rates, happens: Happens
) -> str:
    entity, spot = mention.entity, (mention.first, mention.last)
    if mention.kind == "pronoun" and happens(rates.pronoun, "pronoun", *spot):
        others = [each.entity for each in before if each.gender == mention.gender and each.entity != entity]
        return others[-1] if others and happens(0.7, "somebody", *spot) else f"pronoun {spot}"
    if mention.kind == "description" and place > 1 and happens(rates.description, "description", *spot):
        return f"description {entity}" if happens(0.6, "again", *spot) else f"description {spot}"
    if sizes[entity] > 3 and happens(rates.split, "split", entity) and place > sizes[entity] // 2:
        return f"second half of {entity}"
    return entity


def _merged(document: Document, rates: Rates, happens: Happens) -> dict[str, str]:
    """Entities that the system takes for another one of the same gender."""
    genders: dict[str, str] = {}
    for mention in document.mentions:
        if mention.kind != "pronoun":
            genders.setdefault(mention.entity, mention.gender)
    people = [entity for entity in genders if entity in ("a", "b", "j", "w", "x", "g")]
    merged: dict[str, str] = {}
    for i, entity in enumerate(people):
        for other in people[:i]:
            if genders[entity] == genders[other] and other not in merged and happens(rates.merged, entity, other):
                merged.setdefault(entity, other)
    return merged


def _extent(document: Document, mention: Mention, rates: Rates, happens: Happens) -> tuple[int, int]:
    """Without what stands in apposition or after `of`, without the first word, or with the word before."""
    first, last = mention.first, mention.last
    if mention.kind == "pronoun" or not happens(rates.boundary, "boundary", first, last):
        return first, last
    words = document.words
    for i in range(first + 1, last):
        if words[i] in (",", "of") and happens(0.8, "tail", first, last):
            return first, i - 1
    if first < last:
        return (first + 1, last) if happens(0.7, "article", first, last) else (first, last - 1)
    return (first - 1, last) if first and words[first - 1].isalpha() else (first, last)


def _spurious(document: Document, rates: Rates, happens: Happens) -> Iterator[tuple[int, int]]:
    for i, word in enumerate(document.words):
        if word in DAYS and happens(rates.spurious, "day", i):
            yield i, i
        elif i and word in MONEY and happens(rates.spurious, "money", i):
            yield i - 1, i


def _without_singletons(chains: Chains) -> Chains:
    sizes: dict[str, int] = defaultdict(int)
    for label in chains.values():
        sizes[label] += 1
    return {span: label for span, label in chains.items() if sizes[label] > 1}


def _without_crossing(chains: Chains) -> Chains:
    """Brackets of one entity can't cross: the later mention goes."""
    kept: Chains = {}
    for (first, last), label in sorted(chains.items()):
        if not any(other == label and start < first <= end < last for (start, end), other in kept.items()):
            kept[first, last] = label
    return kept
