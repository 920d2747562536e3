"""Makes people, teams, tasks and runs for tests; a small eHealth-KD task stands for any task."""

from datetime import timedelta
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from evalsite.accounts.models import Membership, Team, User
from evalsite.background import services as background
from evalsite.background.models import Job
from evalsite.challenges.gold.services import add_gold
from evalsite.challenges.models import Gold, Organiser, Phase, Scenario, Task
from evalsite.submissions.lifecycle import scorer
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.receiving import admission
from evalsite.submissions.uploads import as_upload
from tests.archives import zip_of

PASSWORD = "a long enough pass phrase"
SENTENCES = "Las vías respiratorias del niño\nOtra frase con cáncer de piel\n"
PHRASES = (
    "1\t4 8;9 22\tConcept\tvías respiratorias\n2\t27 31\tConcept\tniño\n"
    "3\t32 36\tReference\tOtra\n4\t47 53\tConcept\tcáncer\n5\t57 61\tConcept\tpiel\n"
)
RELATIONS = "part-of\t1\t2\nin-place\t4\t5\n"
# A run without "niño", with a wrong label for "Otra" and one relation the wrong way round.
PARTLY_RIGHT_PHRASES = (
    "1\t4 8;9 22\tConcept\tvías respiratorias\n3\t32 36\tConcept\tOtra\n"
    "4\t47 53\tConcept\tcáncer\n5\t57 61\tConcept\tpiel\n"
)
PARTLY_RIGHT_RELATIONS = "in-place\t5\t4\n"


def run_files(
    phrases: str = PHRASES,
    relations: str = RELATIONS,
    *,
    sentences: str = SENTENCES,
    scenarios: tuple[int, ...] = (1,),
) -> dict[str, str]:
    """The files of a run, or of a gold, by their path in the archive."""
    files = {}
    for number in scenarios:
        files[f"input_scenario{number}.txt"] = sentences
        files[f"output_a_scenario{number}.txt"] = phrases
        files[f"output_b_scenario{number}.txt"] = relations
    return files


PARTLY_RIGHT = run_files(PARTLY_RIGHT_PHRASES, PARTLY_RIGHT_RELATIONS)


def zip_upload(files: dict[str, str | bytes], name: str = "run.zip") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, zip_of(files), "application/zip")


def make_user(name: str, **fields: Any) -> User:
    fields.setdefault("email", f"{name.lower()}@example.org")
    user = User.objects.create_user(fields.pop("email"), PASSWORD, name=name, **fields)
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    return user


def make_team(name: str, *members: User) -> Team:
    team = Team.objects.create(name=name)
    for number, user in enumerate(members):
        Membership.objects.create(team=team, user=user, is_owner=number == 0)
    return team


def make_task(slug: str = "health", organiser: User | None = None, **fields: Any) -> Task:
    values = {"title": f"Task {slug}", "summary": "Find phrases.", "is_published": True} | fields
    task = Task.objects.create(slug=slug, **values)
    if organiser:
        make_organiser(task, organiser, "owner")
    return task


def make_organiser(task: Task, user: User, role: str = "organiser") -> Organiser:
    return Organiser.objects.create(task=task, user=user, role=role)


def make_scenario(task: Task, number: int = 1, **fields: Any) -> Scenario:
    values = {
        "name": f"Scenario {number}",
        "family": "ehealthkd",
        "options": {"scenario": str(number)},
    } | fields
    return Scenario.objects.create(task=task, number=number, **values)


def make_phase(task: Task, slug: str = "test", **fields: Any) -> Phase:
    now = timezone.now()
    values = {"name": slug.capitalize(), "opens": now - timedelta(days=1), "closes": now + timedelta(days=1)}
    values |= {"window_limit": None, "detail": Phase.Detail.TABLES}
    return Phase.objects.create(task=task, slug=slug, **(values | fields))


def long_run(n_sentences: int) -> dict[str, str]:
    """A run that is read at once, and whose intervals take as long as its sentences are many."""
    sentences = "".join(f"Las {number}\n" for number in range(n_sentences))
    starts = [0, *accumulate(len(sentence) + 1 for sentence in sentences.splitlines())][:-1]
    phrases = "".join(f"{n}\t{start} {start + 3}\tConcept\tLas\n" for n, start in enumerate(starts, 1))
    return run_files(phrases, "", sentences=sentences)


def make_gold(phase: Phase, scenario: Scenario, files: dict[str, str | bytes] | None = None) -> Gold:
    content = zip_of(files or run_files(scenarios=(int(scenario.options["scenario"]),)))
    with TemporaryDirectory() as folder:
        path = Path(folder, "gold.zip")
        path.write_bytes(content)
        return add_gold(phase, scenario, path, "gold.zip", by=None)


def make_submission(
    phase: Phase,
    team: Team,
    uploader: User,
    files: dict[str, str | bytes] | None = None,
    *,
    scenarios: list[Scenario] | None = None,
    method: str = "Rules",
    reference: str = "",
    **fields: Any,
) -> Submission:
    """A queued submission; `scored` brings it to its end. With `reference` it is the house team's.

    Where scores are made elsewhere the organisers bring it for the team.
    """
    fields.setdefault("arrived", timezone.now())
    said = admission.RunDetails(method, fields.pop("description", ""), fields.pop("link", ""))
    with as_upload([zip_upload(files or PARTLY_RIGHT)]) as upload:
        entered = scenarios or list(phase.task.scenarios.all())
        if reference:
            return admission.submit_for_house(phase, reference, uploader, upload, entered, said, **fields)
        if not all(scenario.takes_uploads for scenario in entered):
            return admission.submit_for_house(phase, "", uploader, upload, entered, said, team=team, **fields)
        return admission.submit(phase, team, uploader, upload, entered, said, **fields)


def work_off() -> None:
    """Do all jobs that are asked for, and all that they queue, as workers would."""
    while jobs := list(Job.objects.filter(state__in=Job.ACTIVE)):
        for job in jobs:
            Job.objects.filter(pk=job.pk).update(not_before=None)
            background.work(job.pk)
        for scoring in Scoring.objects.filter(state="queued"):
            scorer.score(scoring.pk)


def scored(submission: Submission) -> Submission:
    """Score all that is queued of the submission, as a worker would."""
    for scoring in submission.scorings.filter(state="queued"):
        scorer.score(scoring.pk)
    return submission


def make_run(phase: Phase, team: Team, files: dict[str, str | bytes] | None = None, **fields: Any) -> Submission:
    """Make a scored run of the team's owner."""
    return scored(make_submission(phase, team, team.memberships.get(is_owner=True).user, files, **fields))
