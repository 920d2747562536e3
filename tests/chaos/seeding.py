"""Makes the task, its people and the runs that they upload: `python -m tests.chaos.inside seeding FOLDER SEED`."""

import json
import random
import sys
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from django.utils import timezone

from demo.plan import read_task
from evalsite.accounts.models import Membership, Team, User
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.models import Phase, Scenario, Task

TEAMS = 11
PEOPLE = 14  # so that some teams have two members, who upload at the same moments
PASSWORD = "a long enough pass phrase"
SLUG = "chaos"
TASK = read_task("ehealthkd")
SCENARIOS = (1, 2, 3)  # not 4, whose files are of another kind
PART = "development"  # of the demo's sentences: small, so that the machine has room for other work


def main(folder: Path, seed: int) -> None:
    rng = random.Random(seed)
    task = Task.objects.create(slug=SLUG, title="Chaos", summary="Find phrases.", is_published=True)
    task.organiser_rows.create(user=_person("organiser"), role="owner")
    phase = Phase.objects.create(
        task=task, slug="test", name="Test", opens=timezone.now() - timedelta(days=1), window_limit=None
    )
    for number in SCENARIOS:
        scenario = Scenario.objects.create(
            task=task, number=number, name=f"Scenario {number}", family="ehealthkd", options={"scenario": str(number)}
        )
        _add_gold(phase, scenario)
    facts = {
        "path": f"/tasks/{SLUG}/{phase.slug}/",
        "people": _people(rng),
        "password": PASSWORD,
        "runs": TASK.archives(PART, SCENARIOS),
    }
    (folder / "facts.json").write_text(json.dumps(facts))


def _person(name: str, **fields: bool) -> User:
    user = User.objects.create_user(f"{name}@example.org", PASSWORD, name=name.capitalize(), **fields)
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    return user


def _add_gold(phase: Phase, scenario: Scenario) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "gold.zip")
        path.write_bytes(TASK.gold(PART, 1).content)
        add_gold(phase, scenario, path, "gold.zip", by=None)


def _people(rng: random.Random) -> list[dict[str, str]]:
    """Address and team of each person who uploads; and one more, who only logs in again and again."""
    teams = [Team.objects.create(name=f"Team {number}") for number in range(TEAMS)]
    teams += rng.sample(teams, PEOPLE - TEAMS)
    people = []
    for number, team in enumerate(teams):
        user = _person(f"person{number}")
        Membership.objects.create(team=team, user=user, is_owner=not team.memberships.exists())
        people.append({"email": user.email, "team": str(team.pk)})
    return [*people, {"email": _person("visitor").email, "team": ""}]


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
