"""The table of units with what each was given."""

from scoring.columns import records
from scoring.families.given.counting import Matches
from scoring.family import Evidence, Options, Table

# The scores of a run are its judges': its gold says how much each unit weighs, and there is nothing to find.
_BITS = 10.0
EVIDENCE = Evidence(bits=lambda tables: _BITS, rows=lambda table: None, gold_counts=frozenset({"units"}))


def tables(matches: Matches, options: Options) -> dict[str, Table]:
    """Make a row for each unit, in the gold's order; its columns are public."""
    gold, run = matches.gold, matches.run
    units = records(unit=gold.ids.texts(), score=matches.scores, weight=gold.weights, judgements=run.judgements)
    return {"units": Table(units)}
