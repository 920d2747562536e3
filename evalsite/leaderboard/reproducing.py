"""How a reader gets a board's comparison again from the gold and the runs, with the engine alone."""

import shlex
from pathlib import PurePosixPath

from evalsite.challenges.models import Scenario
from evalsite.leaderboard.models import Edition
from evalsite.wording import option_value


def compare_command(edition: Edition, scenario: Scenario) -> str:
    """As it is typed into a shell, beside a folder with the ranked runs; "" where there is no comparison."""
    facts = edition.comparison
    if not facts or edition.gold is None:
        return ""
    gold = PurePosixPath(edition.gold.file.name or "gold.zip").name
    options = [f"-o {shlex.quote(f'{key}={option_value(value)}')}" for key, value in scenario.options.items()]
    drawn = f"--resamples {facts['n_resamples']} --confidence {facts['confidence_level']}"
    parts = [f"python -m scoring compare {scenario.family}", f"--gold {shlex.quote(gold)}", *options, drawn, "runs/*"]
    return " \\\n  ".join(parts)
