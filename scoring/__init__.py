"""Evaluation of language-technology systems: files in, numbers out."""

import importlib
from typing import TYPE_CHECKING, Any

from scoring.errors import ConfigurationError, GoldError, Problem, ScoringError, SubmissionError

if TYPE_CHECKING:
    from scoring.comparing.compare import compare, compare_draws
    from scoring.comparing.comparison import Comparison
    from scoring.engine import check, evaluate
    from scoring.evaluation import Evaluation
    from scoring.families import FAMILIES
    from scoring.family import Family
    from scoring.signature import VERSION as __version__

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

_HOMES = {
    "FAMILIES": "families",
    "Comparison": "comparing.comparison",
    "Evaluation": "evaluation",
    "Family": "family",
    "__version__": "signature",
    "check": "engine",
    "compare": "comparing.compare",
    "compare_draws": "comparing.compare",
    "evaluate": "engine",
}


def __getattr__(name: str) -> Any:
    """What is asked for is loaded then: NumPy and SciPy take longer to load than some commands take to run."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = importlib.import_module(f"{__name__}.{_HOMES[name]}")
    return home.VERSION if name == "__version__" else getattr(home, name)
