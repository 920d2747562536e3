"""Creates runs from a table of scores in a background job, which can be repeated."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction

from evalsite.accounts.models import Team
from evalsite.accounts.services import called_like
from evalsite.background.models import Job
from evalsite.background.services import ReportProgress, handles
from evalsite.base.moment import database_now
from evalsite.challenges.models import Phase, Scenario
from evalsite.challenges.storage.files import local_path
from evalsite.challenges.taking_part.teams import house_team_of
from evalsite.desk.scores.forms import BASELINE, HUMAN, NEW
from evalsite.desk.scores.reading import file_of, read, scenarios_with_gold
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.models import Submission
from evalsite.submissions.receiving.admission import RunDetails, submit_for_house
from evalsite.submissions.uploads import as_upload

KIND = "scores"


@handles(KIND)
def bring_scores(job: Job, report: ReportProgress) -> bool:
    """Create a submission for each run that has an owner."""
    phase = Phase.objects.select_related("task").get(pk=job.arguments["phase"])
    scenario = Scenario.objects.get(pk=job.arguments["scenario"])
    whose: dict[str, str] = job.arguments["whose"]
    golds = {scenario.pk: gold for scenario, gold in scenarios_with_gold(phase).items()}
    with local_path(job.file) as path:
        runs = read(path, scenario, golds[scenario.pk])
    chosen = [run for run in runs.runs if whose.get(run.name)]
    for number, run in enumerate(chosen):
        _bring(job, phase, scenario, run.name, whose[run.name], file_of(runs, run, scenario))
        report(number + 1, len(chosen))
    return True


def _bring(job: Job, phase: Phase, scenario: Scenario, name: str, whose: str, file: tuple[str, bytes]) -> None:
    with as_upload([SimpleUploadedFile(*file)]) as upload:
        with transaction.atomic():
            team = None if whose in (BASELINE, HUMAN) else _team(phase, name, whose)
            of = team or house_team_of(phase.task)
            same: dict[str, Any] = {"phase": phase, "team": of, "sha256": upload.sha256, "method": name or "Scores"}
            if Submission.objects.filter(**same, scorings__scenario=scenario).exists():
                return
            assert job.made_by is not None
        made = submit_for_house(
            phase,
            "" if team else whose,
            job.made_by,
            upload,
            [scenario],
            RunDetails(method=name or "Scores"),
            arrived=database_now(),
            team=team,
        )
    enqueue(made.queued)


def _team(phase: Phase, name: str, whose: str) -> Team:
    """Return the chosen team; for a new one that which has this name in the task by now, or create it."""
    if whose != NEW:
        return Team.objects.get(pk=whose)
    team = Team.objects.filter(called_like(name), participations__task=phase.task).first()
    return team or Team.objects.create(name=name)
