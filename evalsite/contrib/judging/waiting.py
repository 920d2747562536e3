"""What waits for organisers because a judge of theirs is silent."""

from collections.abc import Iterator

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from evalsite.base.contrib import Waiting
from evalsite.challenges.models import Scenario, Task
from evalsite.contrib.judging.unjudged import unjudged_in
from evalsite.wording import amount, relative


def silent_judges(tasks: QuerySet[Task]) -> Iterator[Waiting]:
    """Yield runs that wait for a judge longer than their scenario says."""
    if not Scenario.objects.filter(task__in=tasks, is_judged=True).exists():
        return
    for waiting in unjudged_in(tasks):
        if waiting.is_overdue:
            words = ngettext(
                "%(phase)s, %(scenario)s: %(n)s run waits for its judge %(since)s.",
                "%(phase)s, %(scenario)s: %(n)s runs wait for their judge, the oldest %(since)s.",
                waiting.n,
            )
            phase = waiting.gold.phase
            names = {"phase": phase.name, "scenario": waiting.gold.scenario.name}
            words %= names | {"n": amount(waiting.n), "since": relative(waiting.since)}
            address = reverse("desk_scenarios_judges", args=[phase.task.slug])
            yield Waiting(phase.task_id, "desk_scenarios", waiting.n, words, gettext("See the judges"), address)
