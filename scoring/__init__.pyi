"""The public names of the engine and the modules that they come from."""

from scoring.comparing.compare import compare as compare
from scoring.comparing.compare import compare_draws as compare_draws
from scoring.comparing.comparison import Comparison as Comparison
from scoring.comparing.two_runs import compare_scores as compare_scores
from scoring.engine import check as check
from scoring.engine import evaluate as evaluate
from scoring.errors import ConfigurationError as ConfigurationError
from scoring.errors import GoldError as GoldError
from scoring.errors import Problem as Problem
from scoring.errors import ScoringError as ScoringError
from scoring.errors import SubmissionError as SubmissionError
from scoring.evaluation import Evaluation as Evaluation
from scoring.families import FAMILIES as FAMILIES
from scoring.family import Family as Family
from scoring.signature import __version__ as __version__
