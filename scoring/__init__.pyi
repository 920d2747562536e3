"""The public names of the engine and the modules that they come from."""

from scoring.comparing.compare import compare as compare
from scoring.comparing.compare import compare_draws as compare_draws
from scoring.comparing.comparison import Comparison as Comparison
from scoring.comparing.power import Power as Power
from scoring.comparing.power import power_of as power_of
from scoring.comparing.two_runs import ScoreComparison as ScoreComparison
from scoring.comparing.two_runs import ScoreDifference as ScoreDifference
from scoring.comparing.two_runs import compare_scores as compare_scores
from scoring.describing.description import Description as Description
from scoring.describing.description import Oddity as Oddity
from scoring.engine import check as check
from scoring.engine import describe as describe
from scoring.engine import evaluate as evaluate
from scoring.engine import read_against as read_against
from scoring.errors import ConfigurationError as ConfigurationError
from scoring.errors import GoldError as GoldError
from scoring.errors import Problem as Problem
from scoring.errors import ScoringError as ScoringError
from scoring.errors import SubmissionError as SubmissionError
from scoring.evaluation import Evaluation as Evaluation
from scoring.families import FAMILIES as FAMILIES
from scoring.family import Family as Family
from scoring.signature import __version__ as __version__
