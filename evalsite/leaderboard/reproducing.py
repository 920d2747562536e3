"""How a reader gets a board's comparison again from the gold and the runs, with the engine alone."""

import shlex

from evalsite.base.file_names import stored_name
from evalsite.challenges.models import Scenario
from evalsite.challenges.starter_kit.samples import typed_options
from evalsite.leaderboard.models import Edition


def compare_command(edition: Edition, scenario: Scenario) -> str:
    """As it is typed into a shell, beside a folder with the ranked runs; "" where there is no comparison."""
    facts = edition.comparison
    if not facts or edition.gold is None:
        return ""
    # While the gold is hidden nobody can download it, and it has no name by which it is known.
    is_told = edition.gold.phase.gold_released
    gold = edition.gold.download_name if is_told else stored_name("gold", edition.gold.file_name)
    drawn = f"--resamples {facts['n_resamples']} --confidence {facts['confidence_level']}"
    parts = [
        f"python -m scoring compare {scenario.family}",
        f"--gold {shlex.quote(gold)}",
        *typed_options(scenario),
        drawn,
        "runs/*",
    ]
    return " \\\n  ".join(parts)
