"""All that the overview of a task's desk shows, in a number of queries that does not grow with the task."""

from typing import Any

from evalsite.challenges.models import Task
from evalsite.challenges.readiness import readiness_of
from evalsite.desk.overview.alike import likenesses
from evalsite.desk.overview.days import days_of
from evalsite.desk.overview.decisions import decisions, missing
from evalsite.desk.overview.idle_teams import idle_teams
from evalsite.desk.overview.phases import phase_lines
from evalsite.desk.overview.queue import queue_of
from evalsite.submissions.troubles import troubles_of


def overview_of(task: Task) -> dict[str, Any]:
    readiness = readiness_of(task)
    phases = [stage.phase for stage in readiness.stages]
    return {
        "task": task,
        "missing": missing(task, readiness),
        "stages": phase_lines(readiness.stages),
        "decisions": decisions(task, readiness),
        "queue": queue_of(task),
        "troubles": troubles_of(Task.objects.filter(pk=task.pk)),
        "days": days_of(phases),
        "idle": idle_teams(task, phases),
        "alike": likenesses(readiness.stages),
    }
