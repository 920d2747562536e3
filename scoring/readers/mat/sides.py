"""The gold, and a system over the gold's documents."""

from collections.abc import Mapping
from typing import Any

from scoring.readers.mat.columns import Gold, System

Files = Mapping[str, bytes]


def read_gold(files: Files, options: Mapping[str, Any]) -> Gold:
    """The gold's documents; SubmissionError with all problems, ConfigurationError if no type is content."""
    raise NotImplementedError


def read_system(files: Files, gold: Gold, options: Mapping[str, Any]) -> System:
    """A system's documents beside the gold's; SubmissionError with all problems."""
    raise NotImplementedError


def keep_pairs(gold: Files, system: Files, options: Mapping[str, Any]) -> tuple[Files, Files, list[str]]:
    """Both sides without the documents that have no partner, and a warning for each of these."""
    raise NotImplementedError
