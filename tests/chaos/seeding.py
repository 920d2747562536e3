"""The task, its people and their runs: `python -m tests.chaos.inside seeding FOLDER SEED` makes them.

`numbers_of` says what the engine makes of the runs in a process where nothing goes wrong.
"""

import hashlib
import json
import random
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

import scoring as engine
from demo.plan import read_task
from evalsite.challenges.gold.services import add_gold
from scoring.evaluation import stored_draws
from tests.archives import zip_of
from tests.factories import PASSWORD, make_phase, make_scenario, make_task, make_team, make_user

TEAMS = 11
PEOPLE = 14  # so that some teams have two members, who upload at the same moments
SLUG = "chaos"
TASK = read_task("ehealthkd")
SCENARIOS = (1, 2, 3)  # not 4, whose files are of another kind
PART = "development"  # of the demo's sentences: small, so that the machine has room for other work
Numbers = dict[str, Any]  # scores, intervals and counts as JSON gives them back; the draws' SHA-256; the headline


def main(folder: Path, seed: int) -> None:
    task = make_task(SLUG, make_user("Organiser"))
    phase = make_phase(task, closes=None)
    for number in SCENARIOS:
        with tempfile.TemporaryDirectory() as name:
            add_gold(phase, make_scenario(task, number), _gold_in(Path(name)), "gold.zip", by=None)
    facts = {
        "path": f"/tasks/{SLUG}/{phase.slug}/",
        "people": _people(random.Random(seed)),
        "password": PASSWORD,
        "runs": TASK.archives(PART, SCENARIOS),
    }
    (folder / "facts.json").write_text(json.dumps(facts))


def _gold_in(folder: Path) -> Path:
    path = folder / "gold.zip"
    path.write_bytes(TASK.gold(PART, 1).content)
    return path


def _people(rng: random.Random) -> list[dict[str, str]]:
    """Return address and team of each person who uploads; and one more, who only logs in again and again."""
    team_of = [*range(TEAMS), *rng.sample(range(TEAMS), PEOPLE - TEAMS)]
    users = [make_user(f"Person{number}") for number in range(PEOPLE)]
    members: list[list[Any]] = [[] for _ in range(TEAMS)]
    for user, number in zip(users, team_of, strict=True):
        members[number].append(user)
    teams = [make_team(f"Team {number}", *each) for number, each in enumerate(members)]
    people = [{"email": user.email, "team": str(teams[number].pk)} for user, number in zip(users, team_of, strict=True)]
    return [*people, {"email": make_user("Visitor").email, "team": ""}]


def numbers_of(runs: Sequence[Mapping[str, str]]) -> dict[tuple[int, int], Numbers]:
    """Return the numbers by index of the run and number of the scenario."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _gold_in(folder)
        return {
            (index, scenario): _numbers(run, scenario, folder)
            for index, run in enumerate(runs)
            for scenario in SCENARIOS
        }


def _numbers(run: Mapping[str, str], scenario: int, folder: Path) -> Numbers:
    system, stored = folder / "system.zip", folder / "evaluation.npz"
    system.write_bytes(zip_of(run))
    evaluation = engine.evaluate(
        "ehealthkd",
        gold=folder / "gold.zip",
        system=system,
        options={"scenario": str(scenario)},
        n_resamples=settings.N_RESAMPLES,
        gold_labels_only=True,
    )
    evaluation.save(stored)
    numbers = json.loads(json.dumps(evaluation.as_dict()))
    compared = {name: numbers[name] for name in ("scores", "intervals", "counts")}
    headline = numbers["scores"][evaluation.headline]
    return compared | {"draws": digest_of(stored_draws(stored)), "headline": headline}


def digest_of(draws: Any) -> str:
    """Return the SHA-256 of the draws; "" where there are none."""
    return "" if draws is None else hashlib.sha256(draws.tobytes()).hexdigest()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
