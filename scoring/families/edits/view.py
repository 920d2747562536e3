"""One sentence with the edits of the run and of all annotators."""

from scoring.families.edits.counting import count
from scoring.families.edits.matches import Matches
from scoring.families.edits.maxmatch import found_edits
from scoring.family import Files, Options, Record
from scoring.readers.edits import NOTHING, Edit, read_gold, read_system


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of a unit shows; KeyError if there is no such unit.

    `sentence`: its tokens; `annotator`: whose edits count; `edits`: by their tokens, each with who makes it ("" for the
    run), its first token and the one behind the last, the tokens that it replaces, its correction and its type.
    """
    gold = read_gold(gold_files, options)
    system = read_system(system_files, gold, options)
    if unit not in gold.names:
        raise KeyError(unit)
    place = gold.names.index(unit)
    matches: Matches = count(gold, system, options).matches
    chosen = int(matches.chosen[place])
    edits = found_edits(gold, system, chosen) if options["protocol"] == "m2scorer" else system.edits(place)
    tokens = gold.texts[place].split()
    rows = [_row("", edit, tokens) for edit in edits]
    rows += [_row(gold.annotators[group], edit, tokens) for group in gold.groups(place) for edit in gold.edits(group)]
    right, wrong, missed = matches.rows[place].tolist()
    return {
        "sentence": gold.texts[place],
        "annotator": gold.annotators[chosen],
        "counts": [{"tp": right, "fp": wrong, "fn": missed}],
        "edits": sorted(rows, key=lambda row: (row["start"], row["end"], row["annotator"])),
    }


def _row(annotator: str, edit: Edit, tokens: list[str]) -> Record:
    return {
        "start": edit.start,
        "end": edit.end,
        "annotator": annotator,
        "tokens": " ".join(tokens[edit.start : edit.end]),
        "correction": " || ".join(text or NOTHING for text in edit.corrections),
        "type": edit.type,
    }
