"""What waits for organisers of phases that collect runs: gold that is due, and runs that the gold cannot score."""

from collections.abc import Iterator

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from evalsite.base.contrib import Waiting
from evalsite.base.moment import database_now
from evalsite.challenges.models import Gold, Task
from evalsite.submissions.lifecycle.collecting import unscorable
from evalsite.submissions.models import Scoring
from evalsite.wording import amount


def waiting_for_gold(tasks: QuerySet[Task]) -> Iterator[Waiting]:
    """Yield closed phases whose runs wait for gold, and candidates that refuse runs whose teams know nothing of it."""
    inputs = Gold.objects.in_force().filter(phase__task__in=tasks, is_input=True)
    if not inputs.exists():
        return
    now = database_now()
    candidates = Gold.objects.filter(phase=OuterRef("phase"), scenario=OuterRef("scenario"), state=Gold.State.CANDIDATE)
    waiting = Count("scorings", filter=Q(scorings__state=Scoring.State.QUEUED, scorings__awaits_judge=True))
    due = inputs.filter(~Exists(candidates), phase__closes__lte=now).annotate(n=waiting).filter(n__gt=0)
    for gold in due.select_related("phase__task", "scenario"):
        words = ngettext(
            "%(phase)s, %(scenario)s: %(n)s run waits for its gold.",
            "%(phase)s, %(scenario)s: %(n)s runs wait for their gold.",
            gold.n,
        )
        address = reverse("desk_gold_add", args=[gold.phase.task.slug, gold.phase.slug])
        yield _waiting(gold, gold.n, words, gettext("Add gold"), address)
    of_inputs = Gold.objects.filter(
        Exists(inputs.filter(phase=OuterRef("phase"), scenario=OuterRef("scenario"))), state=Gold.State.CANDIDATE
    )
    for candidate in of_inputs.select_related("phase__task", "scenario"):
        if n := unscorable(candidate).count():
            words = ngettext(
                "%(phase)s, %(scenario)s: %(n)s run can't be scored, and its team has not been notified.",
                "%(phase)s, %(scenario)s: %(n)s runs can't be scored, and their teams have not been notified.",
                n,
            )
            address = reverse("desk_gold_collect", args=[candidate.phase.task.slug, candidate.phase.slug])
            yield _waiting(candidate, n, words, gettext("See why"), address)


def _waiting(gold: Gold, n: int, words: str, action: str, address: str) -> Waiting:
    names = {"phase": gold.phase.name, "scenario": gold.scenario.name, "n": amount(n)}
    return Waiting(gold.phase.task_id, "desk_gold", n, words % names, action, address)
