"""One unit, or one group of units, with its score and what stands beside it in the table of units."""

from scoring.families.given.counting import Matches, count
from scoring.family import Files, Options, Record
from scoring.readers.given import read_gold, read_system


def unit_record(gold_files: Files, system_files: Files, unit: str, options: Options) -> Record:
    """Return what the page of a unit shows; KeyError if there is no such unit.

    `rows`: of each unit its name, score, weight, the number of judgements, and every single one that was read.
    """
    gold = read_gold(gold_files, options)
    matches: Matches = count(gold, read_system(system_files, gold, options), options).matches
    return {"rows": [_item(matches, place, options) for place in gold.of_unit(unit)]}


def _item(matches: Matches, place: int, options: Options) -> Record:
    gold, run = matches.gold, matches.run
    name = gold.ids[place]
    rows = (
        [place]
        if run.table.is_numbered
        else [row for row, unit_there in enumerate(run.table.ids) if unit_there == name]
    )
    return {
        "unit": name,
        "score": float(matches.scores[place]),
        "weight": float(gold.weights[place]),
        "is_missing": bool(run.is_missing[place]),
        "judgements": [run.table.columns[options["score"]][row] for row in rows],
    }
