"""Boards and runs that tests of the core make."""

from tests.evalsite.comparisons.test_pairs_while_hidden import runs, upload
from tests.evalsite.leaderboard.test_combined import babel

__all__ = ["babel", "runs", "upload"]
