"""The table of units with what each was given."""

from scoring.columns import records
from scoring.families.given.counting import Matches
from scoring.family import Options, Table


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Make a row for each unit, in the gold's order; its columns are public."""
    gold, run = matches.gold, matches.run
    units = records(unit=gold.ids.texts(), score=matches.scores, weight=gold.weights, judgements=run.judgements)
    return {"units": Table(units)}
