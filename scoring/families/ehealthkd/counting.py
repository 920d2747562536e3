r"""A row of counts for each sentence with phrases in the gold.

How matching works, one sentence at a time:

1. Key phrases. A phrase that lists one span is cut into its words, so that `4 22` equals `4 8;9 22`. Then the system's
   phrases are gone through three times, in file order; each takes one gold phrase, and whatever is taken is gone.
   * correct: the first free gold phrase on equal spans, if it has the same label;
   * incorrect: the first free gold phrase on equal spans (its label is another one);
   * partial: the first free gold phrase, in file order, with any overlap (under all rules but those of 2019 only
     among those with the same label).
   In the brat files of 2020 and 2021 the spans are the order (`scoring.readers.ehealthkd.ordering`).
   Gold phrases that are left are missing, system phrases that are left spurious.
2. Relations. Each end of a system relation stands for the gold phrase that it is a correct or partial match of; an
   incorrect or spurious phrase stands for none. The relation is correct if the gold has a free one with this label
   between these phrases, or between phrases that the gold calls the same (same-as). Others are missing and spurious.

An example in one sentence; the spans are written as words, and "dolor de cabeza intenso" has four of them:

    gold    1 Concept  dolor de cabeza       system  1 Concept  dolor de cabeza       correct
            2 Concept  intenso                       2 Action   intenso               incorrect with gold 2
            3 Action   provoca                       3 Concept  provoca náuseas       partial with gold 3
            4 Concept  náuseas                       4 Concept  dolor                 spurious: gold 1 is taken
                                             gold 4 is missing: system 3 takes one phrase only, the first in the file

            subject 3 1                              subject 3 1                      correct: 3 is partial, 1 correct
            in-context 1 2                           in-context 1 2                   spurious: 2 is incorrect
                                             the gold's in-context is missing

Sentences without phrases in the gold are not scored: what a system finds there is not spurious. The challenge hides
its few annotated sentences among thousands of others, and nobody has annotated those.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from scoring.columns import Integers, sums_by_cell
from scoring.families.ehealthkd.matching.overlap import SpanPairs
from scoring.families.ehealthkd.matching.phrases import SPURIOUS, PhraseMatches, Side, match_phrases
from scoring.families.ehealthkd.matching.relations import (
    RELATION_KINDS,
    RelationCounts,
    Triples,
    count_relations,
    phrase_classes,
)
from scoring.families.ehealthkd.matching.spans import cut_spans
from scoring.families.ehealthkd.matching.text import Text
from scoring.families.ehealthkd.matching.tolerated import matched_texts, moved_phrases
from scoring.families.ehealthkd.options import SAME_LABEL
from scoring.families.ehealthkd.scores import KINDS, metrics
from scoring.family import Counted, Folded, Options, about_gold
from scoring.findings import Finding
from scoring.labels import Labels, all_labels, gold_labels
from scoring.messages import Message
from scoring.readers.ehealthkd import Gold, Phrases, Relations, System

_N_PHRASE_KINDS = len(KINDS) - len(RELATION_KINDS)


@dataclass(frozen=True)
class Matches:
    """Everything that the tables are made from."""

    gold: Gold
    system: System
    unit: Integers  # (sentences,) the row of each sentence, -1 if it is not scored
    lines: Integers  # (units,) the index of each row's sentence, which is its line counted from 0
    rows: Integers  # (units, kinds) counts, in the order of `scores.KINDS`
    labels: list[str]  # labels of phrases, of both sides, sorted; `Side.label` are indices into them
    label_rows: Labels  # those of them by which tables count
    gold_phrases: Side
    system_phrases: Side
    phrases: PhraseMatches
    relation_labels: list[str]  # labels of relations, of both sides, sorted; `Triples.label` are indices into them
    relation_label_rows: Labels  # those of them by which tables count
    gold_relations: Triples
    system_relations: Triples  # with gold phrases as their ends
    classes: Integers  # (gold phrases,) which of them the gold calls the same
    relations: RelationCounts


def count(gold: Gold, system: System, options: Options) -> Counted:
    r"""Match phrases and relations of all scored sentences, and count them by sentence.

    >>> from scoring.readers.ehealthkd import read_gold, read_system
    >>> sentences = "dolor de cabeza intenso provoca náuseas".encode()
    >>> def side(phrases, relations):
    ...     return {
    ...         "input_scenario1.txt": sentences,
    ...         "output_a_scenario1.txt": phrases,
    ...         "output_b_scenario1.txt": relations,
    ...     }
    >>> gold = read_gold(
    ...     side(
    ...         b"1\t0 15\tConcept\tx\n2\t16 23\tConcept\tx\n3\t24 31\tAction\tx\n4\t32 39\tConcept\tx\n",
    ...         b"subject\t3\t1\nin-context\t1\t2\n",
    ...     ),
    ...     scenario=1,
    ... )
    >>> system = read_system(
    ...     side(
    ...         b"1\t0 15\tConcept\tx\n2\t16 23\tAction\tx\n3\t24 39\tConcept\tx\n4\t0 5\tConcept\tx\n",
    ...         b"subject\t3\t1\nin-context\t1\t2\n",
    ...     ),
    ...     gold,
    ...     scenario=1,
    ... )
    >>> counted = count(gold, system, {"scenario": 1, "rules": "2019"})
    >>> counted.units, dict(zip(KINDS, counted.rows[0].tolist()))  # doctest: +NORMALIZE_WHITESPACE
    (['sentence 1'],
     {'correct_A': 1, 'incorrect_A': 1, 'partial_A': 1, 'missing_A': 1, 'spurious_A': 1,
      'correct_B': 1, 'missing_B': 1, 'spurious_B': 1})
    """
    matches = match(gold, system, options["rules"])
    totals = dict(zip(KINDS, matches.rows.sum(axis=0).tolist(), strict=True))
    totals["sentences"] = len(gold.sentences.texts)
    totals["scored_sentences"] = len(matches.lines)
    totals["tolerated_sentences"] = len(system.comparison.tolerated)
    return Counted(
        # Only scored sentences are resampled: the others add nothing, however often they are drawn.
        units=[f"sentence {line}" for line in (matches.lines + 1).tolist()],
        rows=matches.rows,
        totals=totals,
        warnings=_warnings(matches, options),
        matches=matches,
    )


def match(gold: Gold, system: System, rules: str) -> Matches:
    """Bring phrases and relations of both sides together by these rules."""
    unit, lines = _units(gold, system)
    labels, gold_label, system_label = _coded_labels(gold.phrases, system.phrases)
    gold_side = Side(gold_label, unit[gold.phrases.sentence])
    system_side = Side(system_label, unit[system.phrases.sentence])
    phrases = match_phrases(
        gold_side,
        system_side,
        _span_pairs(gold, system),
        same_label=rules in SAME_LABEL,
        ambiguous=partial(_ambiguous, gold),
    )
    relation_labels, gold_code, system_code = _coded_labels(gold.relations, system.relations)
    themselves = np.arange(len(gold.phrases))
    gold_triples = _triples(gold.relations, gold_code, gold.phrases, themselves, unit)
    system_triples = _triples(system.relations, system_code, system.phrases, phrases.carriers(), unit)
    classes = phrase_classes(gold.relations, len(gold.phrases))
    relations = count_relations(gold_triples, system_triples, classes)
    phrase_rows = _phrase_rows(gold_side, system_side, phrases, len(lines))
    return Matches(
        gold=gold,
        system=system,
        unit=unit,
        lines=lines,
        rows=np.hstack([phrase_rows, _relation_rows(relations, unit, len(lines))]),
        labels=labels,
        label_rows=all_labels(labels),
        gold_phrases=gold_side,
        system_phrases=system_side,
        phrases=phrases,
        relation_labels=relation_labels,
        relation_label_rows=all_labels(relation_labels),
        gold_relations=gold_triples,
        system_relations=system_triples,
        classes=classes,
        relations=relations,
    )


def fold_labels(matches: Matches) -> Folded:
    """Return the matches with one row for all labels of phrases that the gold lacks, and one for relations."""
    phrases = gold_labels(matches.labels, matches.gold.phrases.labels)
    relations = gold_labels(matches.relation_labels, matches.gold.relations.labels)
    return Folded(
        replace(matches, label_rows=phrases, relation_label_rows=relations),
        list(dict.fromkeys(phrases.invented + relations.invented)),
    )


def _units(gold: Gold, system: System) -> tuple[Integers, Integers]:
    """Return each sentence's row, -1 without one, and each row's sentence: those with phrases in the gold.

    Sentences that are left out, where the challenge's program is followed, have no row either.
    """
    is_scored = np.zeros(max(len(gold.sentences.texts), len(system.sentences.texts)), dtype=bool)
    is_scored[gold.phrases.sentence] = True
    is_scored[system.comparison.left_out] = False
    lines = np.flatnonzero(is_scored)
    unit = np.full(len(is_scored), -1)
    unit[lines] = np.arange(len(lines))
    return unit, lines


def _ambiguous(gold: Gold, k: int) -> Finding:
    message = Message(
        "phrase-on-same-spans",
        "The phrase lies on the same spans as another one, so that a run cannot be scored: "
        "remove one of them, or give it other spans.",
    )
    return Finding(message, gold.phrase_file, int(gold.phrases.line[k]) + 1)


def _span_pairs(gold: Gold, system: System) -> SpanPairs:
    text = Text(matched_texts(gold, system))
    own_texts = {i: system.sentences.texts[i] for i in system.comparison.differing}
    return SpanPairs(
        gold=cut_spans(moved_phrases(gold.phrases, gold.sentences, system), text),
        system=cut_spans(moved_phrases(system.phrases, system.sentences, system), text, own_texts),
        text=text,
    )


def _coded_labels(gold: Phrases | Relations, system: Phrases | Relations) -> tuple[list[str], Integers, Integers]:
    """Return the labels of both sides, sorted, and the labels of each side's items as indices into them."""
    labels = sorted({*gold.labels, *system.labels})
    codes = {label: code for code, label in enumerate(labels)}
    of_gold, of_system = (np.array([codes[label] for label in side.labels], dtype=np.int64) for side in (gold, system))
    return labels, of_gold[gold.label], of_system[system.label]


def _triples(relations: Relations, label: Integers, phrases: Phrases, carriers: Integers, unit: Integers) -> Triples:
    """Return the relations that count; `carriers` are the gold phrases that this side's phrases stand for, or -1."""
    index = np.flatnonzero(relations.is_new & (unit[phrases.sentence[relations.source]] >= 0))
    source, target = relations.source[index], relations.target[index]
    return Triples(
        index=index,
        label=label[index],
        sentence=phrases.sentence[source],
        source=carriers[source],
        target=carriers[target],
    )


def _phrase_rows(gold: Side, system: Side, matches: PhraseMatches, n_units: int) -> Integers:
    """Count phrases by sentence (units, 5): each gold phrase counts once, and each spurious one."""
    shape = n_units, _N_PHRASE_KINDS
    spurious = matches.spurious(system)
    rows = sums_by_cell(shape, gold.unit[gold.scored], matches.kind[gold.scored])
    rows[:, SPURIOUS] = np.bincount(system.unit[spurious], minlength=n_units)
    return rows


def _relation_rows(counts: RelationCounts, unit: Integers, n_units: int) -> Integers:
    """Count relations by sentence (units, 3)."""
    return sums_by_cell((n_units, len(RELATION_KINDS)), unit[counts.sentence], counts.kind, number=counts.number)


def _warnings(matches: Matches, options: Options) -> list[str]:
    gold, system = matches.gold, matches.system
    ambiguities = [
        Finding(
            Message("phrase-on-earlier-spans", "the phrase lies on the same spans as an earlier one"),
            gold.phrase_file,
            int(line) + 1,
        )
        for line in np.sort(gold.phrases.line[matches.phrases.repeated])
    ]
    warnings = about_gold([*gold.warnings, *ambiguities])
    warnings += [problem.placed for problem in system.warnings]
    if not metrics(matches.rows.sum(axis=0), options)["f1"]:
        warnings.append(Message("nothing-found", "nothing of the gold was found: F1 is 0"))
    return warnings
