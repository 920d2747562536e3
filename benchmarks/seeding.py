"""Fills a site for benchmarks: a made-up task in the eHealth-KD format, people with teams, and runs unlike each other.

To be imported once `servers.start` has told Django what to use.
"""

import io
import time
import zipfile
from collections.abc import Collection, Sequence
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import django
from inputs import Sentence, health_files, health_gold, health_run

django.setup()

from allauth.account.models import EmailAddress
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from evalsite.accounts.models import Membership, Team, User
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.models import Participation, Phase, Scenario, Task
from evalsite.submissions.lifecycle.enqueueing import enqueue_waiting
from evalsite.submissions.lifecycle.scorer import score_upload
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.receiving.admission import RunDetails, submit
from evalsite.submissions.uploads import as_upload

N_SENTENCES = 120
SCENARIOS = {1: "Phrases and relations", 2: "Phrases", 3: "Relations"}
_SECONDS_TO_SCORE = 1800
_SECONDS_TO_RETRY = 10

Person = tuple[User, Team]


def make_task(slug: str, n_scenarios: int = len(SCENARIOS)) -> Task:
    task = Task.objects.create(slug=slug, title=slug.capitalize(), summary="Made up.", is_published=True)
    for number in range(1, n_scenarios + 1):
        options = {"scenario": str(number)}
        Scenario.objects.create(task=task, number=number, name=SCENARIOS[number], family="ehealthkd", options=options)
    return task


def make_phase(task: Task, slug: str = "test") -> Phase:
    """Make an open phase without limits, with gold for each scenario."""
    opens = timezone.now() - timedelta(days=9)
    phase = Phase.objects.create(task=task, slug=slug, name=slug.capitalize(), opens=opens, window_limit=None)
    scenarios = list(task.scenarios.all())
    with TemporaryDirectory() as folder:
        path = Path(folder, "gold.zip")
        path.write_bytes(_zipped(_gold(), [scenario.number for scenario in scenarios]))
        for scenario in scenarios:
            add_gold(phase, scenario, path, "gold.zip", by=None)
    return phase


def make_people(n_people: int, *tasks: Task, prefix: str = "person") -> list[Person]:
    """People with confirmed addresses and a team each, which has entered the tasks; they have no passwords."""
    users = [User(email=f"{prefix}-{number}@example.org", name=f"Person {number}") for number in range(n_people)]
    for user in users:
        user.set_unusable_password()
    User.objects.bulk_create(users)
    addresses = (EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in users)
    EmailAddress.objects.bulk_create(addresses)
    teams = Team.objects.bulk_create(Team(name=f"{prefix.capitalize()} team {number}") for number in range(n_people))
    people = list(zip(users, teams, strict=True))
    Membership.objects.bulk_create(Membership(team=team, user=user, is_owner=True) for user, team in people)
    for task in tasks:
        first = task.participations.count() + 1
        Participation.objects.bulk_create(
            Participation(task=task, team=team, number=number) for number, team in enumerate(teams, start=first)
        )
    return people


def run_of(number: int, scenarios: Collection[int] = tuple(SCENARIOS)) -> bytes:
    """Return a zip archive unlike that of any other number: the site scores no file of a team again."""
    return _zipped(health_run(_gold(), number), scenarios, str(number))


@cache
def _gold() -> Sequence[Sentence]:
    return health_gold(N_SENTENCES)


def _zipped(sentences: Sequence[Sentence], scenarios: Collection[int], note: str = "") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in scenarios:
            for name, content in health_files(sentences, number).items():
                archive.writestr(name, content)
        archive.writestr("note.txt", note)
    return buffer.getvalue()


def upload(phase: Phase, person: Person, number: int, scenarios: Sequence[Scenario]) -> Submission:
    """Make a queued submission, of which the broker is not told."""
    user, team = person
    content = run_of(number, [scenario.number for scenario in scenarios])
    with as_upload([SimpleUploadedFile("run.zip", content)]) as taken:
        said = RunDetails(f"Method {number}")
        return submit(phase, team, user, taken, list(scenarios), said, arrived=timezone.now())


def score(submission: Submission) -> None:
    """Score it here, without a worker."""
    score_upload(submission.scorings.earliest("scenario__number").pk)
    assert {scoring.state for scoring in submission.scorings.all()} == {"scored"}


def wait_until_scored(poll: float = 0.05) -> None:
    """Wait until no scoring is left, and see that none was refused or has failed."""
    begun = last = time.monotonic()
    while Scoring.objects.filter(state__in=Scoring.UNFINISHED).exists():
        if (now := time.monotonic()) > begun + _SECONDS_TO_SCORE:
            raise SystemExit(f"After {_SECONDS_TO_SCORE} s not all is scored.")
        if now > last + _SECONDS_TO_RETRY:
            enqueue_waiting()  # what a child could not be started for in time; not each benchmark has a beat
            last = now
        time.sleep(poll)
    others = Scoring.objects.exclude(state=Scoring.State.SCORED).values_list("state", "submission__method")
    assert not others, list(others)
