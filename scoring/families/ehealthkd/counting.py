"""A row of counts for each sentence with phrases in the gold."""

import unicodedata
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Integers
from scoring.errors import Problem
from scoring.families.ehealthkd.phrases import SPURIOUS, PhraseMatches, Side, match_phrases
from scoring.families.ehealthkd.relations import (
    RelationCounts,
    Triples,
    count_relations,
    phrase_classes,
)
from scoring.families.ehealthkd.scores import KINDS, metrics
from scoring.families.ehealthkd.spans import Covers, Text, covers
from scoring.family import Counted, Options
from scoring.readers.ehealthkd import Gold, Phrases, Relations, Sentences, System, fold


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from; labels are coded alike for both sides.

    `unit` gives each sentence its row, -1 where it has none, and `lines` each row its sentence.
    """

    gold: Gold
    system: System
    unit: Integers
    lines: Integers
    rows: NDArray[np.int64]
    labels: list[str]
    gold_phrases: Side
    system_phrases: Side
    phrases: PhraseMatches
    relation_labels: list[str]
    gold_relations: Triples
    system_relations: Triples
    classes: Integers
    relations: RelationCounts


def count(gold: Gold, system: System, options: Options) -> Counted:
    """Phrases and relations of all scored sentences matched and counted by sentence."""
    matches = _matches(gold, system, options["rules"])
    totals = dict(zip(KINDS, matches.rows.sum(axis=0).tolist(), strict=True))
    totals["sentences"] = len(gold.sentences.texts)
    totals["scored_sentences"] = len(matches.lines)
    totals["tolerated_sentences"] = len(system.comparison.tolerated)
    return Counted(
        units=[f"sentence {line}" for line in (matches.lines + 1).tolist()],
        rows=matches.rows,
        totals=totals,
        warnings=_warnings(matches, options),
        matches=matches,
    )


def _matches(gold: Gold, system: System, rules: str) -> Matches:
    unit, lines = _units(gold, system)
    labels, gold_label, system_label = _coded_alike(gold.phrases, system.phrases)
    gold_side = Side(gold_label, unit[gold.phrases.sentence])
    system_side = Side(system_label, unit[system.phrases.sentence])
    phrases = _matched(gold, gold_side, system, system_side, rules)
    relation_labels, gold_code, system_code = _coded_alike(gold.relations, system.relations)
    everybody = np.arange(len(gold.phrases))
    gold_triples = _triples(gold.relations, gold_code, gold.phrases, everybody, unit)
    system_triples = _triples(system.relations, system_code, system.phrases, phrases.carriers(), unit)
    classes = phrase_classes(gold.relations, len(gold.phrases))
    relations = count_relations(gold_triples, system_triples, classes)
    return Matches(
        gold=gold,
        system=system,
        unit=unit,
        lines=lines,
        rows=np.hstack(
            [_phrase_rows(gold_side, system_side, phrases, len(lines)), _relation_rows(relations, unit, len(lines))]
        ),
        labels=labels,
        gold_phrases=gold_side,
        system_phrases=system_side,
        phrases=phrases,
        relation_labels=relation_labels,
        gold_relations=gold_triples,
        system_relations=system_triples,
        classes=classes,
        relations=relations,
    )


def _units(gold: Gold, system: System) -> tuple[Integers, Integers]:
    """Each sentence's row, and each row's sentence: those with phrases in the gold, and not left out."""
    scored = np.zeros(max(len(gold.sentences.texts), len(system.sentences.texts)), dtype=bool)
    scored[gold.phrases.sentence] = True
    scored[system.comparison.left_out] = False
    lines = np.flatnonzero(scored)
    unit = np.full(len(scored), -1)
    unit[lines] = np.arange(len(lines))
    return unit, lines


def _matched(gold: Gold, gold_side: Side, system: System, system_side: Side, rules: str) -> PhraseMatches:
    text = Text(_texts(gold, system))
    return match_phrases(
        gold_side,
        system_side,
        (
            _covers(gold.phrases, gold.sentences, system, text),
            _covers(system.phrases, system.sentences, system, text),
        ),
        text,
        same_label=rules == "documented",
        gold_file=gold.phrase_file,
    )


def _texts(gold: Gold, system: System) -> list[str]:
    """What phrases are matched in: the gold's sentences, folded where the system's are tolerated."""
    texts = gold.sentences.texts
    n_more = len(system.sentences.texts) - len(texts)
    if n_more > 0:
        texts = texts + [""] * n_more
    if system.has_phrases and system.comparison.tolerated:
        texts = list(texts)
        for i in system.comparison.tolerated:
            texts[i] = fold(texts[i])
    return texts


def _covers(phrases: Phrases, sentences: Sentences, system: System, text: Text) -> Covers:
    """In tolerated sentences both sides' positions are first moved to the folded text."""
    if system.has_phrases:
        decomposed = {
            i: sentences.texts[i]
            for i in system.comparison.tolerated
            if not unicodedata.is_normalized("NFC", sentences.texts[i])
        }
        if decomposed:
            phrases = _moved(phrases, decomposed)
    return covers(phrases, text)


def _moved(phrases: Phrases, decomposed: dict[int, str]) -> Phrases:
    sentence = np.repeat(phrases.sentence, np.diff(phrases.first))
    starts, ends = phrases.starts.copy(), phrases.ends.copy()
    for k in np.flatnonzero(np.isin(sentence, list(decomposed))).tolist():
        starts[k] = _composed(decomposed[int(sentence[k])], int(starts[k]))
        ends[k] = _composed(decomposed[int(sentence[k])], int(ends[k]))
    return replace(phrases, starts=starts, ends=ends)


def _composed(text: str, position: int) -> int:
    """Where a position of the text lies in its composed form."""
    if position <= 0:
        return position
    composed = unicodedata.normalize("NFC", text[:position])
    return len(composed) + max(0, position - len(text))


def _coded_alike(gold: Phrases | Relations, system: Phrases | Relations) -> tuple[list[str], Integers, Integers]:
    """The labels of both sides in sorted order, and each side's labels as indices into them."""
    labels = sorted({*gold.labels, *system.labels})
    place = {label: k for k, label in enumerate(labels)}
    codes = [np.array([place[label] for label in side.labels], dtype=np.int64) for side in (gold, system)]
    return labels, codes[0][gold.label], codes[1][system.label]


def _triples(relations: Relations, label: Integers, phrases: Phrases, carriers: Integers, unit: Integers) -> Triples:
    index = np.flatnonzero(relations.is_new & (unit[phrases.sentence[relations.source]] >= 0))
    source, target = relations.source[index], relations.target[index]
    return Triples(index, label[index], phrases.sentence[source], carriers[source], carriers[target])


def _phrase_rows(gold: Side, system: Side, matches: PhraseMatches, n_units: int) -> NDArray[np.int64]:
    spurious = matches.spurious(system)
    rows = np.bincount(gold.unit[gold.scored] * 5 + matches.kind[gold.scored], minlength=n_units * 5)
    rows += np.bincount(system.unit[spurious] * 5 + SPURIOUS, minlength=n_units * 5)
    return rows.reshape(n_units, 5)


def _relation_rows(counts: RelationCounts, unit: Integers, n_units: int) -> NDArray[np.int64]:
    column = np.array([0, -1, -1, 1, 2])[counts.kind]
    rows = np.bincount(unit[counts.sentence] * 3 + column, weights=counts.number, minlength=n_units * 3)
    return rows.astype(np.int64).reshape(n_units, 3)


def _warnings(matches: Matches, options: Options) -> list[str]:
    gold, system = matches.gold, matches.system
    ambiguities = [
        Problem("the phrase lies on the same spans as an earlier one", gold.phrase_file, int(k) + 1)
        for k in matches.phrases.repeated
    ]
    warnings = [f"gold: {warning}" for warning in gold.warnings + ambiguities]
    warnings += map(str, system.warnings)
    if not metrics(matches.rows.sum(axis=0), options)["f1"]:
        warnings.append("nothing of the gold was found: F1 is 0")
    return warnings
