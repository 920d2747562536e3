"""Fills the demo's database: the planned tasks with teams of graded skill, people, and their runs.

Everything is made up, and stands in the folder `tasks`. A second call finds what the first one made.
"""

from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management.base import CommandError
from django.db import connection, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify

from demo.plan import ORGANISER, PARTICIPANT, PASSWORD, File, PhasePlan, Run, TaskPlan, read_task
from evalsite.accounts.models import Membership, Team, User
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.models import Download, Organiser, Phase, Scenario, Task
from evalsite.leaderboard.models import Combined
from evalsite.submissions.models import Submission
from evalsite.submissions.receiving.admission import RunDetails, submit, submit_for_house
from evalsite.submissions.uploads import as_upload

# The demo names the first one's board in its output.
FOLDERS = (
    "ehealthkd",
    "mat",
    "qac",
    "coreference",
    "spacy",
    "labels",
    "numbers",
    "ranking",
    "text",
    "transcripts",
    "languages",
    "judgements",
)
TASKS = tuple(map(read_task, FOLDERS))
PARTICIPANTS_TEAM = "Faro NLP"


def require_own_database() -> None:
    """Raise CommandError unless the database is a file of the demo's own, before anything is written to it."""
    if settings.PRODUCTION:
        raise CommandError(
            "EVALSITE_PRODUCTION is set, and the demo makes accounts with published passwords. "
            "Unset it to try the demo; for a server see docs/server.md."
        )
    name = str(settings.DATABASES["default"]["NAME"])
    if connection.vendor != "sqlite" or Path(name).resolve().parent != settings.DATA_DIR:
        raise CommandError(
            "DATABASE_URL is set, and the demo fills no other database than the file in its own folder, "
            f"{settings.DATA_DIR}. Unset DATABASE_URL."
        )
    if strangers := _accounts_of_others():
        raise CommandError(
            f"The database in {settings.DATA_DIR} has {strangers} accounts and was not made by the demo, which would "
            "add one with every right and a published password. For another folder: --data-dir"
        )


def _accounts_of_others() -> int:
    """Return the number of accounts in a database that the demo has not made; in its own, people may have signed up."""
    if User._meta.db_table not in connection.introspection.table_names():
        return 0
    if User.objects.filter(email=ORGANISER).exists():
        return 0
    return User.objects.count()


def create_task(plan: TaskPlan) -> None:
    """Make the task, or find it; its submissions are queued in the database, and the broker is not told yet."""
    if not Task.objects.filter(slug=plan.slug).exists():
        with transaction.atomic():
            _create(plan)


def board_path(plan: TaskPlan) -> str:
    """Return the address of the board of its last phase."""
    return reverse("board", args=[plan.slug, plan.phases[-1].slug, 1])


def _create(plan: TaskPlan) -> None:
    organiser = _person(ORGANISER, "Olga Ferrer", PASSWORD, is_staff=True, is_superuser=True)
    participant = _person(PARTICIPANT, "Pablo Iriarte", PASSWORD)
    Membership.objects.get_or_create(team=_team(PARTICIPANTS_TEAM), user=participant, defaults={"is_owner": True})
    task = _task(plan, organiser)
    for phase in task.phases.all():
        _add_data(plan, phase)
        _add_runs(plan, phase)


def _person(email: str, name: str, password: str | None = None, **fields: bool) -> User:
    if user := User.objects.filter(email=email).first():
        return user
    user = User.objects.create_user(email, password, name=name, affiliation="Evalsite demo", **fields)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


def _team(name: str) -> Team:
    """Return the team, with an invented member who uploads its runs and can't log in."""
    team, is_new = Team.objects.get_or_create(name=name)
    if is_new:
        member = _person(f"{slugify(name)}@teams.demo.invalid", name)
        Membership.objects.create(team=team, user=member, is_owner=True)
    return team


def _task(plan: TaskPlan, organiser: User) -> Task:
    task = Task.objects.create(
        slug=plan.slug,
        title=plan.title,
        summary=plan.summary,
        description=plan.description,
        language="en",
        data_language=plan.data_language,
        contact=ORGANISER,
        is_published=True,
    )
    task.organiser_rows.create(user=organiser, role=Organiser.Role.OWNER)
    for number, scenario in enumerate(plan.scenarios, start=1):
        Scenario.objects.create(
            task=task,
            number=number,
            name=scenario.name,
            description=scenario.description,
            family=scenario.family,
            options=scenario.options,
            shown_scores=scenario.shown_scores,
        )
    for phase in plan.phases:
        _add_phase(task, phase)
    if plan.combined:
        Combined.objects.bulk_create(Combined(phase=made, formula=plan.combined) for made in task.phases.all())
    return task


def _add_phase(task: Task, plan: PhasePlan) -> None:
    now = timezone.now().replace(minute=0, second=0, microsecond=0)
    Phase.objects.create(
        task=task,
        slug=plan.slug,
        name=plan.name,
        description=plan.description,
        opens=now - timedelta(days=plan.opened),
        closes=None if plan.closes is None else now + timedelta(days=plan.closes),
        gold_released=plan.gold_released,
        window_limit=plan.window_limit,
        total_limit=plan.total_limit,
    )


def _add_data(plan: TaskPlan, phase: Phase) -> None:
    for scenario in phase.task.scenarios.all():
        gold = plan.gold(phase.slug, scenario.number)
        with TemporaryDirectory() as folder:
            path = Path(folder, gold.name)
            path.write_bytes(gold.content)
            add_gold(phase, scenario, path, gold.name, by=None, note="Made by the demo's generator.")
    [planned] = (each for each in plan.phases if each.slug == phase.slug)
    for download in planned.downloads:
        file = plan.file(phase.slug, download.file)
        Download.objects.create(
            task=phase.task,
            phase=phase,
            title=download.title,
            description=download.description,
            available_from=phase.opens,
            file=ContentFile(file.content, file.name),
        )


def _add_runs(plan: TaskPlan, phase: Phase) -> None:
    """Upload the runs a few hours apart, the latest some hours ago."""
    runs = plan.runs(phase.slug)
    when = timezone.now() - timedelta(hours=5 * len(runs) + 3)
    for number, run in enumerate(runs):
        _add_run(phase, run, plan.file_of(run, phase.slug), when + timedelta(hours=5 * number))


def _add_run(phase: Phase, run: Run, file: File, when: datetime) -> Submission:
    scenarios = list(phase.task.scenarios.filter(number__in=run.scenarios))
    with as_upload([SimpleUploadedFile(file.name, file.content)]) as upload:
        if run.reference or run.is_brought:
            organiser = phase.task.organisers.all()[0]
            team = None if run.reference else _team(run.team)
            add = partial(submit_for_house, phase, run.reference, organiser, team=team)
        else:
            team = _team(run.team)
            add = partial(submit, phase, team, team.members.earliest("memberships__joined"))
        return add(upload, scenarios, RunDetails(run.method, run.description), arrived=when)
