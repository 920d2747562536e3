"""Evaluation of language-technology systems: files in, numbers out."""

import importlib
from typing import TYPE_CHECKING, Any

from scoring.engine import check, evaluate
from scoring.errors import ConfigurationError, GoldError, Problem, ScoringError, SubmissionError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.family import Family
from scoring.signature import VERSION as __version__

if TYPE_CHECKING:
    from scoring.comparing import compare, compare_draws
    from scoring.comparison import Comparison

__all__ = [
    "FAMILIES",
    "Comparison",
    "ConfigurationError",
    "Evaluation",
    "Family",
    "GoldError",
    "Problem",
    "ScoringError",
    "SubmissionError",
    "__version__",
    "check",
    "compare",
    "compare_draws",
    "evaluate",
]


def __getattr__(name: str) -> Any:
    """Comparisons need SciPy, which takes longer to load than many an evaluation takes."""
    if name not in ("Comparison", "compare", "compare_draws"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("scoring.comparing"), name)
