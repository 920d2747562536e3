"""One sentence with the phrases and relations of both sides: what its page on the site shows."""

from scoring.families.ehealthkd.counting import Matches, match
from scoring.families.ehealthkd.item_tables import KIND_NAMES, relation_pairs
from scoring.families.ehealthkd.matching.phrases import SPURIOUS
from scoring.families.ehealthkd.matching.tolerated import matched_texts, moved_phrases
from scoring.families.ehealthkd.options import pairing_of
from scoring.family import Files, Options, Record
from scoring.readers.ehealthkd import Gold, Phrases, Relations, System, read_gold, read_system


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of the sentence `unit` shows; KeyError if there is no such scored sentence.

    line       of the sentence in its file, from 1
    text       of the gold, or folded as it was matched where the system's differs in blanks
    gold, system
               the phrases of each side in file order: `id` as in its file, `label`, and `spans`, a list of
               [start, end] in characters of the text, the end exclusive
    phrases    what became of them: `kind` (correct, incorrect, partial, missing, spurious), and in `gold` and
               `system` the index of the phrase in the list of its side, None where it has none
    relations  likewise with `kind` (correct, missing, spurious) and `label`; `gold` and `system` are the pair
               [source, target] of indices of that side's phrases, None where it has no such relation
    """
    chosen = options["scenario"], pairing_of(options), options["rules"]
    gold = read_gold(gold_files, *chosen)
    system = read_system(system_files, gold, *chosen)
    matches = match(gold, system, options["rules"])
    lines = {f"sentence {line + 1}": line for line in matches.lines.tolist()}
    return _record(matches, lines[unit])


def _record(matches: Matches, line: int) -> Record:
    """Return the record of the sentence with this index."""
    gold, system = matches.gold, matches.system
    text = matched_texts(gold, system)[line]
    # For each side the indices of the sentence's phrases among all, and their places in the lists of the record.
    phrases_of = {side: (phrases.sentence == line).nonzero()[0].tolist() for side, phrases in _phrases(matches).items()}
    place = {side: {k: number for number, k in enumerate(indices)} for side, indices in phrases_of.items()}
    return {
        "line": line + 1,
        "text": text,
        "gold": _side(moved_phrases(gold.phrases, gold.sentences, system), phrases_of["gold"], len(text)),
        "system": _side(moved_phrases(system.phrases, system.sentences, system), phrases_of["system"], len(text)),
        "phrases": _phrase_pairs(matches, phrases_of, place),
        "relations": _relation_pairs(matches, line, place),
    }


def _phrases(matches: Matches) -> dict[str, Phrases]:
    return {"gold": matches.gold.phrases, "system": matches.system.phrases}


def _side(phrases: Phrases, indices: list[int], length: int) -> list[Record]:
    """Return the phrases of one side; what lies beyond the sentence, of `length` characters, is cut off."""
    return [
        {
            "id": int(phrases.ids[k]),
            "label": phrases.labels[phrases.label[k]],
            "spans": [[min(max(start, 0), length), min(max(end, 0), length)] for start, end in phrases.spans(k)],
        }
        for k in indices
    ]


def _phrase_pairs(matches: Matches, phrases_of: dict[str, list[int]], place: dict[str, dict[int, int]]) -> list[Record]:
    """Return the gold's phrases with their partners, then the spurious ones."""
    pairs = matches.phrases
    of_gold = [
        {
            "kind": KIND_NAMES[int(pairs.kind[k])],
            "gold": place["gold"][k],
            "system": place["system"].get(int(pairs.partner[k])),
        }
        for k in phrases_of["gold"]
    ]
    spurious = [k for k in phrases_of["system"] if pairs.system_partner[k] < 0]
    return of_gold + [{"kind": KIND_NAMES[SPURIOUS], "gold": None, "system": place["system"][k]} for k in spurious]


def _relation_pairs(matches: Matches, line: int, place: dict[str, dict[int, int]]) -> list[Record]:
    """Return the system's relations with what they met, then the gold's that are missing."""
    pairs = []
    for kind, label, g, s in relation_pairs(matches, line):
        pairs.append(
            {
                "kind": kind,
                "label": label,
                "gold": _ends(matches.gold, matches.gold_relations.index[g], place["gold"]) if g >= 0 else None,
                "system": _ends(matches.system, matches.system_relations.index[s], place["system"]) if s >= 0 else None,
            }
        )
    return pairs


def _ends(side: Gold | System, relation: int, place: dict[int, int]) -> list[int]:
    relations: Relations = side.relations
    return [place[int(relations.source[relation])], place[int(relations.target[relation])]]
