"""The tables of every single phrase and relation, which the option `details` adds."""

from scoring.columns import Integers
from scoring.families.ehealthkd.counting import Matches
from scoring.families.ehealthkd.matching.phrases import CORRECT, INCORRECT, MISSING, PARTIAL, SPURIOUS
from scoring.families.ehealthkd.matching.relations import SAME_AS, pair_relations
from scoring.family import Record
from scoring.readers.ehealthkd import Gold, Phrases, System

KIND_NAMES = {
    CORRECT: "correct",
    INCORRECT: "incorrect",
    PARTIAL: "partial",
    MISSING: "missing",
    SPURIOUS: "spurious",
}


def phrase_records(matches: Matches) -> list[Record]:
    """List sentence by sentence the gold's phrases with their partners, then the spurious ones."""
    gold, system, pairs = matches.gold_phrases, matches.system_phrases, matches.phrases
    # Indices of a gold and a system phrase, -1 for the one that is absent.
    of_gold = [(g, int(pairs.partner[g])) for g in gold.scored.nonzero()[0].tolist()]
    spurious = [(-1, s) for s in pairs.spurious(system).tolist()]
    rows = [
        {
            "sentence": _line(matches, g, s),
            "match": KIND_NAMES[SPURIOUS if g < 0 else int(pairs.kind[g])],
            **_phrase("gold", matches.gold.phrases, matches.gold.sentences.texts, g),
            **_phrase("system", matches.system.phrases, matches.system.sentences.texts, s),
        }
        for g, s in of_gold + spurious
    ]
    return sorted(rows, key=lambda row: row["sentence"])


def _line(matches: Matches, g: int, s: int) -> int:
    side, k = (matches.gold, g) if g >= 0 else (matches.system, s)
    return int(side.phrases.sentence[k]) + 1


def _phrase(side: str, phrases: Phrases, texts: list[str], k: int) -> Record:
    if k < 0:
        return {f"{side}_id": None, f"{side}_label": None, f"{side}_text": None}
    text = texts[phrases.sentence[k]]
    # A span may begin before its sentence; a negative index would count from the end.
    words = [text[max(0, start) : max(0, end)] for start, end in phrases.spans(k)]
    return {
        f"{side}_id": int(phrases.ids[k]),
        f"{side}_label": phrases.labels[phrases.label[k]],
        f"{side}_text": " ".join(words),
    }


def relation_records(matches: Matches) -> list[Record]:
    """List sentence by sentence the system's relations with what they met, then the gold's that are missing."""
    gold, system = matches.gold_relations, matches.system_relations
    rows = [
        {
            "sentence": int(gold.sentence[g] if g >= 0 else system.sentence[s]) + 1,
            "match": kind,
            "label": label,
            **_ends("gold", matches.gold, gold.index, g),
            **_ends("system", matches.system, system.index, s),
        }
        for kind, label, g, s in relation_pairs(matches)
    ]
    return sorted(rows, key=lambda row: row["sentence"])


def relation_pairs(matches: Matches, line: int | None = None) -> list[tuple[str, str, int, int]]:
    """Return (kind, label, g, s): indices into the triples of both sides, -1 for the one that is absent.

    The system's come first, then the gold's that are missing; with `line` those of the sentence with this index alone.
    """
    gold, system = matches.gold_relations, matches.system_relations
    same_as = matches.relation_labels.index(SAME_AS) if SAME_AS in matches.relation_labels else -1
    partner = pair_relations(gold, system, matches.classes, same_as).tolist()
    matched = set(partner)
    pairs = [(g, s) for s, g in enumerate(partner)] + [(g, -1) for g in range(len(gold.label)) if g not in matched]
    all_pairs = []
    for g, s in pairs:
        triples, k = (gold, g) if g >= 0 else (system, s)
        if line is None or triples.sentence[k] == line:
            kind = "spurious" if g < 0 else "missing" if s < 0 else "correct"
            all_pairs.append((kind, matches.relation_labels[triples.label[k]], g, s))
    return all_pairs


def _ends(name: str, side: Gold | System, index: Integers, k: int) -> Record:
    """Return the IDs, as written in the file, of the ends of triple k; `index` is that of `Triples`."""
    if k < 0:
        return {f"{name}_source_id": None, f"{name}_target_id": None}
    relation = index[k]
    return {
        f"{name}_source_id": int(side.phrases.ids[side.relations.source[relation]]),
        f"{name}_target_id": int(side.phrases.ids[side.relations.target[relation]]),
    }
