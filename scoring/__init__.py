"""Evaluation of language-technology systems: files in, numbers out."""

from scoring.engine import check, evaluate
from scoring.errors import ConfigurationError, GoldError, Problem, ScoringError, SubmissionError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.family import Family
from scoring.signature import VERSION as __version__

__all__ = [
    "FAMILIES",
    "ConfigurationError",
    "Evaluation",
    "Family",
    "GoldError",
    "Problem",
    "ScoringError",
    "SubmissionError",
    "__version__",
    "check",
    "evaluate",
]
