"""Scores of runs for units, computed elsewhere: tables of units with weights, and of scores by run and unit."""

from scoring.readers.given.gold import Gold, read_gold
from scoring.readers.given.run import Run, bounds, read_system
from scoring.readers.given.runs import Contribution, Runs, read_runs

__all__ = ["Contribution", "Gold", "Run", "Runs", "bounds", "read_gold", "read_runs", "read_system"]
