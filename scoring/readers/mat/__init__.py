"""Documents with span annotations, as MAT writes them: four formats, and the two sides read from them."""

from scoring.readers.mat.columns import Gold, Side, Spans, System, Tokens
from scoring.readers.mat.layout import keep_pairs
from scoring.readers.mat.sides import read_gold, read_system
from scoring.readers.mat.tasks import TaskDefinition, read_task

__all__ = [
    "Gold",
    "Side",
    "Spans",
    "System",
    "TaskDefinition",
    "Tokens",
    "keep_pairs",
    "read_gold",
    "read_system",
    "read_task",
]
