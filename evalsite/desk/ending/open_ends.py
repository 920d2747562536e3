"""Finds what may still change after the organisers have begun to write about a task."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext

from evalsite.challenges.models import Phase, Task
from evalsite.challenges.readiness import PhaseReadiness, readiness_of
from evalsite.desk.release.doubts import Doubt, about_end
from evalsite.desk.release.steps import endings


def open_ends(task: Task) -> list[tuple[Phase, Doubt]]:
    """Return them by phase, in the order of the openings."""
    stages = {stage.phase.pk: stage for stage in readiness_of(task).stages}
    return [
        (ending.phase, doubt)
        for ending in endings(task)
        for doubt in (*about_end(ending), *_about_gold(stages[ending.phase.pk]))
    ]


def _about_gold(stage: PhaseReadiness) -> Iterator[Doubt]:
    slug = stage.phase.task.slug
    for waiting in stage.waiting:
        text = gettext("Something looks odd in the gold %(file)s, so it is not used yet.")
        address = reverse("desk_gold_waiting", args=[slug, waiting.pk])
        yield Doubt("waiting", text % {"file": waiting.file_name}, address)
    if lacking := [scenario.name for scenario, golds in stage.golds if golds is None]:
        text = gettext("There is no gold for %(scenarios)s.")
        yield Doubt("no gold", text % {"scenarios": ", ".join(lacking)}, reverse("desk_gold", args=[slug]))
