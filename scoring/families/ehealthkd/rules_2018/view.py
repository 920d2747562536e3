"""One line of the input of 2018 with the phrases and relations of both sides, in the form of `view.py`."""

import numpy as np

from scoring.families.ehealthkd.options import pairing_of
from scoring.families.ehealthkd.rules_2018.counting import Matches2018, match_2018
from scoring.families.ehealthkd.rules_2018.tables import kind_of
from scoring.family import Files, Options, Record
from scoring.readers.ehealthkd.tables_2018 import Annotations2018, read_gold_2018, read_system_2018

_NO_LABEL = "–"


def unit_record_2018(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of the line `unit` shows; KeyError if there is no such line, or no input."""
    chosen = options["scenario"], pairing_of(options)
    gold = read_gold_2018(gold_files, *chosen)
    matches = match_2018(gold, read_system_2018(system_files, gold, *chosen))
    texts = gold.texts or []
    line = {f"sentence {k + 1}": k for k in range(len(texts))}[unit]
    start = sum(len(text) + 1 for text in texts[:line])
    own = {
        "gold": np.flatnonzero(matches.gold_unit == line).tolist(),
        "system": np.flatnonzero(matches.system_unit == line).tolist(),
    }
    sides = {"gold": gold.said, "system": matches.system.said}
    return {
        "line": line + 1,
        "text": texts[line],
        **{name: _side(side, own[name], start, len(texts[line])) for name, side in sides.items()},
        "phrases": _phrases(matches, own),
        "relations": _relations(matches, own, line),
    }


def _side(side: Annotations2018, indices: list[int], start: int, length: int) -> list[Record]:
    """The phrases of one side, in characters of the line."""
    return [
        {
            "id": side.ids[k],
            "label": side.labels.get(side.ids[k], _NO_LABEL),
            "spans": [[min(max(int(place) - start, 0), length) for place in (side.starts[k], side.ends[k])]],
        }
        for k in indices
    ]


def _phrases(matches: Matches2018, own: dict[str, list[int]]) -> list[Record]:
    """The gold's phrases with their partners, then the spurious ones; a partner on another line is not shown."""
    place = {name: {k: number for number, k in enumerate(indices)} for name, indices in own.items()}
    of_gold = [
        {
            "kind": kind_of(matches, g, int(matches.partner[g])),
            "gold": place["gold"][g],
            "system": place["system"].get(int(matches.partner[g])),
        }
        for g in own["gold"]
    ]
    taken = set(matches.partner.tolist())
    spurious = [
        {"kind": "spurious", "gold": None, "system": place["system"][s]} for s in own["system"] if s not in taken
    ]
    return of_gold + spurious


def _relations(matches: Matches2018, own: dict[str, list[int]], line: int) -> list[Record]:
    """Those whose ends are phrases of the line; of one that both sides have the gold's ends are shown, and its own."""
    gold, system = matches.gold.said, matches.system.said
    place = {
        "gold": {gold.ids[k]: number for number, k in enumerate(own["gold"])},
        "system": {system.ids[k]: number for number, k in enumerate(own["system"])},
    }
    partner = {gold.ids[g]: system.ids[int(s)] for g, s in enumerate(matches.partner) if s >= 0}

    def ends(name: str, source: int | None, target: int | None) -> list[int] | None:
        known = place[name]
        return [known[source], known[target]] if source in known and target in known else None

    found: list[Record] = []
    for k in np.flatnonzero(matches.gold_relation_unit == line).tolist():
        label, a, b = gold.relations[k]
        is_found = bool(matches.gold_found[k])
        theirs = ends("system", partner.get(a), partner.get(b)) if is_found else None
        found.append(
            {"kind": "correct" if is_found else "missing", "label": label, "gold": ends("gold", a, b), "system": theirs}
        )
    for k in np.flatnonzero((matches.system_relation_unit == line) & ~matches.system_found).tolist():
        label, a, b = system.relations[k]
        found.append({"kind": "spurious", "label": label, "gold": None, "system": ends("system", a, b)})
    return [relation for relation in found if relation["gold"] or relation["system"]]
