"""Fills the demo's database: a task in the eHealth-KD format with teams of graded skill, people, and their runs.

Everything is made up, by the seeded generator beside this file. A second call finds what the first one made.
"""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from allauth.account.models import EmailAddress
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify

from evalsite.accounts.models import Membership, Team, User
from evalsite.challenges.models import Download, Phase, Scenario, Task
from evalsite.challenges.services import add_gold
from evalsite.demo import ehealthkd
from evalsite.submissions.intake import submit
from evalsite.submissions.models import Submission
from evalsite.submissions.uploads import as_upload

SLUG = "ehealthkd-demo"
ORGANISER = "organiser@demo.invalid"
PARTICIPANT = "participant@demo.invalid"


PASSWORD = "evalsite-demo"
PARTICIPANTS_TEAM = "Faro NLP"


@dataclass(frozen=True)
class Account:
    """Whom one can log in as. The password is no secret: the demo listens on this machine only."""

    role: str
    email: str
    password: str = PASSWORD


@dataclass(frozen=True)
class Accounts:
    accounts: list[Account]
    board_path: str


def create_demo() -> Accounts:
    """Make the demo, or find it; submissions are queued in the database and not yet told to the broker."""
    if not Task.objects.filter(slug=SLUG).exists():
        with transaction.atomic():
            _create()
    accounts = [Account("organiser", ORGANISER), Account("participant", PARTICIPANT)]
    return Accounts(accounts, reverse("board", args=[SLUG, "test", 1]))


def _create() -> None:
    organiser = _person(ORGANISER, "Olga Ferrer", PASSWORD, is_staff=True, is_superuser=True)
    participant = _person(PARTICIPANT, "Pablo Iriarte", PASSWORD)
    Membership.objects.create(team=_team(PARTICIPANTS_TEAM), user=participant, is_owner=True)
    task = _task(organiser)
    for phase in task.phases.all():
        _add_data(phase)
        _add_runs(phase)


def _person(email: str, name: str, password: str | None = None, **fields: bool) -> User:
    user = User.objects.create_user(email, password, name=name, affiliation="Evalsite demo", **fields)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


def _team(name: str) -> Team:
    """The team, with an invented member who uploads its runs and can't log in."""
    team, is_new = Team.objects.get_or_create(name=name)
    if is_new:
        member = _person(f"{slugify(name)}@teams.demo.invalid", name)
        Membership.objects.create(team=team, user=member, is_owner=True)
    return team


_DESCRIPTION = """\
This task is a **demonstration with synthetic data**. Its sentences were put together by a program from templates in the
manner of a health encyclopedia; they are no medical advice, and no team or score is real. The format and the measures
are those of the eHealth Knowledge Discovery challenge of IberLEF 2019.

Systems read Spanish sentences about health and find

- **key phrases** (subtask A) of four kinds: *Concept*, *Action*, *Predicate* and *Reference*;
- **relations** between them (subtask B) of thirteen kinds, such as *is-a*, *causes*, *subject* and *target*.

A phrase that overlaps a gold phrase without matching it exactly earns half a point. Sentences without gold phrases are
not scored. F1 ranks; the intervals come from resampling the sentences.
"""

_SCENARIOS = (
    ("Phrases and relations", "Both subtasks in sequence, from the sentences alone."),
    ("Key phrases", "Subtask A alone."),
    ("Relations", "Subtask B alone: the gold key phrases are given."),
)


def _task(organiser: User) -> Task:
    task = Task.objects.create(
        slug=SLUG,
        title="Knowledge discovery in Spanish health texts",
        summary="Find key phrases and the relations between them. Synthetic data in the format of eHealth-KD 2019.",
        description=_DESCRIPTION,
        contact=ORGANISER,
        is_published=True,
    )
    task.organisers.add(organiser)
    for number, (name, description) in enumerate(_SCENARIOS, start=1):
        Scenario.objects.create(
            task=task,
            number=number,
            name=name,
            description=description,
            family="ehealthkd",
            options={"scenario": str(number)},
            shown_scores=_SHOWN[number],
        )
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    Phase.objects.create(
        task=task,
        slug="development",
        name="Development",
        description="The gold of this phase is open: download it and score on your own machine as well.",
        opens=now - timedelta(days=60),
        gold_released=True,
    )
    Phase.objects.create(
        task=task,
        slug="test",
        name="Test",
        description="The gold of this phase is hidden.",
        opens=now - timedelta(days=20),
        closes=now + timedelta(days=40),
        window_limit=5,
        total_limit=30,
    )
    return task


_SHOWN = {
    1: ["f1", "precision", "recall", "f1_a", "f1_b"],
    2: ["f1", "precision", "recall"],
    3: ["f1", "precision", "recall"],
}


def _add_data(phase: Phase) -> None:
    now = timezone.now()
    gold = zip_of(ehealthkd.gold(phase.slug))
    with TemporaryDirectory() as folder:
        path = Path(folder, "gold.zip")
        path.write_bytes(gold)
        for scenario in phase.task.scenarios.all():
            add_gold(phase, scenario, path, "gold.zip", by=None, note="Made by the demo's generator.")
    download = Download(
        task=phase.task,
        title=f"{phase.name}: what you get",
        description="The sentences of all scenarios, and for scenario 3 the key phrases. Synthetic.",
        available_from=min(phase.opens, now),
    )
    download.file.save(f"{phase.slug}-input.zip", ContentFile(zip_of(ehealthkd.inputs(phase.slug))), save=False)
    download.save()


def _add_runs(phase: Phase) -> None:
    """The baseline first, then the teams' runs, a few hours apart, the latest some hours ago."""
    systems = sorted(ehealthkd.systems(phase.slug), key=lambda system: not system.baseline)
    when = timezone.now() - timedelta(hours=5 * len(systems) + 3)
    for number, system in enumerate(systems):
        _add_run(phase, system, when + timedelta(hours=5 * number))


def _add_run(phase: Phase, system: ehealthkd.System, when: datetime) -> Submission:
    team = _team(system.team)
    scenarios = list(phase.task.scenarios.filter(number__in=system.scenarios))
    file = SimpleUploadedFile(f"{system.run}.zip", zip_of(system.files))
    with as_upload([file]) as upload:
        return submit(
            phase,
            team,
            team.members.earliest("memberships__joined"),
            upload,
            scenarios,
            arrived=when,
            method=system.method,
            description=system.description,
            reference=Submission.Reference.BASELINE if system.baseline else Submission.Reference.NONE,
        )


def zip_of(files: Mapping[str, str]) -> bytes:
    """An archive with equal bytes for equal files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in sorted(files.items()):
            member = zipfile.ZipInfo(path)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, text)
    return buffer.getvalue()
