"""Imitates how systems err: mistakes have reasons in the sentence, and hard spots are hard for everybody."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache

from demo.chance import Happens, chances
from demo.ehealthkd.sentences import SIZES, Phrase, Relation, Sentence, phrase_text, sentences_of

ARTICLES = {"el", "la", "los", "las", "un", "una", "del", "al"}
PHRASE_CONFUSIONS = {
    "Concept": ("Action", "Concept", "Reference"),
    "Action": ("Concept", "Predicate", "Concept"),
    "Predicate": ("Action", "Concept", "Concept"),
    "Reference": ("Concept", "Concept", "Predicate"),
}
LABEL_DIFFICULTY = {"Concept": 0.4, "Action": 1.2, "Predicate": 1.8, "Reference": 1.6}
RELATION_CONFUSIONS = {
    "subject": "target",
    "target": "subject",
    "domain": "arg",
    "arg": "domain",
    "causes": "entails",
    "entails": "causes",
    "is-a": "same-as",
    "same-as": "is-a",
    "part-of": "in-place",
    "in-place": "in-context",
    "in-time": "in-context",
    "has-property": "in-context",
    "in-context": "has-property",
}
RELATION_DIFFICULTY = {
    "subject": 0.8,
    "target": 0.7,
    "domain": 0.8,
    "in-context": 1.4,
    "entails": 1.6,
    "same-as": 1.3,
}


@dataclass(frozen=True)
class Rates:
    """How often a system goes wrong where a spot is of middling difficulty."""

    missing: float
    boundary: float
    label: float
    spurious: float
    lost: float  # relations that are not found
    attachment: float  # relations that end at a neighbouring phrase
    confused: float  # relations with a neighbouring label
    reversed: float
    invented: float


def run(sentence: Sentence, rates: Rates, name: str, place: str, gold_phrases: bool) -> Sentence:
    """What a system makes of one sentence; `place` names the sentence, `gold_phrases` gives it subtask A."""
    happens = chances(name, place)
    found = dict(enumerate(sentence.phrases)) if gold_phrases else _found_phrases(sentence, rates, happens)
    relations = _found_relations(sentence, found, rates, happens)
    return _sentence(sentence.text, list(found.items()), relations)


def look_up(sentence: Sentence, gold_phrases: bool) -> Sentence:
    """The baseline: phrases and pairs of phrases as they stood in the training sentences, nothing else."""
    labels, pairs = _dictionary()
    phrases = list(sentence.phrases) if gold_phrases else _looked_up(sentence.text, labels)
    texts = [phrase_text(sentence.text, phrase).lower() for phrase in phrases]
    relations = [
        Relation(pairs[first, second], i, j)
        for i, first in enumerate(texts)
        for j, second in enumerate(texts)
        if i != j and (first, second) in pairs
    ]
    return _sentence(sentence.text, list(enumerate(phrases)), relations)


def _found_phrases(sentence: Sentence, rates: Rates, happens: Happens) -> dict[int, Phrase]:
    found: dict[int, Phrase] = {}
    taken: set[tuple[tuple[int, int], ...]] = set()
    for i, phrase in enumerate(sentence.phrases):
        if happens(rates.missing * _rarity(sentence.text, phrase), "missing", i):
            continue
        spans = phrase.spans
        if happens(rates.boundary if len(spans) > 1 else rates.boundary / 5, "boundary", i):
            spans = _moved(sentence.text, spans, happens(0.5, "left", i))
        label = phrase.label
        if happens(rates.label * LABEL_DIFFICULTY[label], "label", i):
            label = PHRASE_CONFUSIONS[label][sum(happens(0.5, "confusion", k, i) for k in range(2))]
        if spans not in taken:
            found[i] = Phrase(spans, label)
            taken.add(spans)
    return found | _spurious_phrases(sentence, rates, happens)


def _rarity(text: str, phrase: Phrase) -> float:
    """Rare, discontinuous and referring phrases are overlooked more often."""
    seen = _frequencies()[phrase_text(text, phrase).lower()]
    factor = 1.7 if seen <= 2 else 1.0 if seen <= 8 else 0.4
    broken = any(text[end:start].strip() for (_, end), (start, _) in zip(phrase.spans, phrase.spans[1:], strict=False))
    return factor * (2.2 if broken else 1.0) * (1.5 if phrase.label == "Reference" else 1.0)


@cache
def _frequencies() -> Counter[str]:
    return Counter(
        phrase_text(sentence.text, phrase).lower()
        for part in SIZES
        for sentence in sentences_of(*part)
        for phrase in sentence.phrases
    )


def _moved(text: str, spans: tuple[tuple[int, int], ...], left: bool) -> tuple[tuple[int, int], ...]:
    """A long phrase loses its first or last word; a single word takes its article along."""
    if len(spans) > 1:
        return spans[1:] if left else spans[:-1]
    before = re.search(r"(\w+) $", text[: spans[0][0]])
    if before and before[1].lower() in ARTICLES:
        return (before.span(1), *spans)
    return spans


def _spurious_phrases(sentence: Sentence, rates: Rates, happens: Happens) -> dict[int, Phrase]:
    marked = {start for phrase in sentence.phrases for start, _ in phrase.spans}
    words = [word for word in re.finditer(r"\w{4,}", sentence.text) if word.start() not in marked]
    number = len(sentence.phrases)
    return {
        number + k: Phrase((word.span(),), "Action" if re.search(r"([aei]r|[aeo]n?)$", word[0]) else "Concept")
        for k, word in enumerate(words)
        if happens(rates.spurious, "spurious", word.start())
    }


def _found_relations(sentence: Sentence, found: dict[int, Phrase], rates: Rates, happens: Happens) -> list[Relation]:
    relations = []
    near = sorted(found, key=lambda i: found[i].spans)
    for k, gold in enumerate(sentence.relations):
        label, source, target = gold.label, gold.source, gold.target
        if source not in found or target not in found:
            continue
        if happens(rates.lost * _distance(sentence, gold) * RELATION_DIFFICULTY.get(label, 1.0), "lost", k):
            continue
        if happens(rates.attachment, "attachment", k):
            target = _neighbour(near, target, source)
        if happens(rates.confused, "confused", k):
            label = RELATION_CONFUSIONS[label]
        if happens(rates.reversed, "reversed", k):
            source, target = target, source
        relations.append(Relation(label, source, target))
    return relations + _invented_relations(sentence, found, near, rates, happens)


def _distance(sentence: Sentence, relation: Relation) -> float:
    """Long-distance relations are lost more often."""
    ends = sorted(sentence.phrases[i].spans[0][0] for i in (relation.source, relation.target))
    return min(0.5 + sentence.text[ends[0] : ends[1]].count(" ") / 6, 2.5)


def _neighbour(near: list[int], phrase: int, other: int) -> int:
    position = near.index(phrase)
    beside = near[max(position - 1, 0) : position] + near[position + 1 : position + 2]
    return next((i for i in beside if i != other), phrase)


def _invented_relations(
    sentence: Sentence, found: dict[int, Phrase], near: list[int], rates: Rates, happens: Happens
) -> list[Relation]:
    related = {frozenset((relation.source, relation.target)) for relation in sentence.relations}
    relations = []
    for first, second in zip(near, near[1:], strict=False):
        if frozenset((first, second)) in related or not happens(rates.invented, "invented", first):
            continue
        if found[second].label == "Action":
            relations.append(Relation("subject", second, first))
        elif found[first].label == "Action":
            relations.append(Relation("target", first, second))
        else:
            relations.append(Relation("in-context", first, second))
    return relations


@cache
def _dictionary() -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """Labels by phrase and relations by pair of phrases; what was read first counts."""
    labels: dict[str, str] = {}
    pairs: dict[tuple[str, str], str] = {}
    for sentence in sentences_of("training", 0):
        texts = [phrase_text(sentence.text, phrase).lower() for phrase in sentence.phrases]
        for text, phrase in zip(texts, sentence.phrases, strict=True):
            labels.setdefault(text, phrase.label)
        for relation in sentence.relations:
            pairs.setdefault((texts[relation.source], texts[relation.target]), relation.label)
    return labels, pairs


def _looked_up(text: str, labels: dict[str, str]) -> list[Phrase]:
    """The longest known phrase at each word, from left to right."""
    words = [word.span() for word in re.finditer(r"\w+", text)]
    phrases, i = [], 0
    while i < len(words):
        for j in range(min(i + 4, len(words)), i, -1):
            label = labels.get(text[words[i][0] : words[j - 1][1]].lower())
            if label:
                phrases.append(Phrase(tuple(words[i:j]), label))
                i = j - 1
                break
        i += 1
    return phrases


def _sentence(text: str, found: list[tuple[int, Phrase]], relations: list[Relation]) -> Sentence:
    """Phrases in the order of the text; their old numbers in the relations become places in it."""
    found = sorted(found, key=lambda pair: pair[1].spans)
    place = {number: i for i, (number, _) in enumerate(found)}
    return Sentence(
        text,
        tuple(phrase for _, phrase in found),
        tuple(Relation(each.label, place[each.source], place[each.target]) for each in relations),
    )
