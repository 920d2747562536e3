"""Sentences and the edits that annotators make in them."""

from scoring.readers.edits.annotated import Annotated, Edit, Edits, overlapping, overlaps
from scoring.readers.edits.m2 import NOTHING, UNKNOWN
from scoring.readers.edits.sides import read_gold, read_system

__all__ = ["NOTHING", "UNKNOWN", "Annotated", "Edit", "Edits", "overlapping", "overlaps", "read_gold", "read_system"]
