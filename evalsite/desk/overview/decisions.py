"""Lists what waits for the organisers: what is missing, gold to look at, results to release, a phase to extend."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from evalsite.challenges.models import Phase, Task
from evalsite.challenges.readiness import PhaseReadiness, Readiness
from evalsite.desk.publish.checklist import Item, checklist
from evalsite.desk.waiting.kinds import waiting_in
from evalsite.wording import relative

SOON = timedelta(days=7)


@dataclass(frozen=True)
class Decision:
    text: str
    action: str  # the words of the link
    address: str


def missing(task: Task, readiness: Readiness) -> list[Item]:
    """Return what a task lacks: a draft all that the page Publish names, a published task what participants need."""
    items = checklist(task, readiness)
    return [item for item in items if not item.is_done and (item.is_needed or not task.is_published)]


def decisions(task: Task, readiness: Readiness) -> list[Decision]:
    """Return what waits for the organisers, and then what the phases ask for; a task in the archive has none."""
    if task.archived:
        return []
    waiting = waiting_in(Task.objects.filter(pk=task.pk))
    decisions = [Decision(item.text, item.action, item.address) for item in waiting]
    decisions += [decision for stage in readiness.stages for decision in _of_phase(task, stage)]
    if not task.is_published and task.publish_at is None:
        words = gettext("This is a draft: only its organisers see it.")
        decisions.append(Decision(words, gettext("Publish it"), reverse("desk_publish", args=[task.slug])))
    return decisions


def _of_phase(task: Task, stage: PhaseReadiness) -> Iterable[Decision]:
    phase = stage.phase
    here = reverse("desk_phases_one", args=[task.slug, phase.slug])
    facts = {"phase": phase.name, "closes": relative(phase.closes)}
    if phase.state == "paused":
        yield Decision(gettext("%(phase)s is paused and takes no uploads.") % facts, gettext("Go on"), here)
    if _closes_soon(phase):
        yield Decision(gettext("%(phase)s closes %(closes)s.") % facts, gettext("Extend it"), here)
    if task.is_published and stage.lacks_limit and phase.state != "closed":
        words = gettext("%(phase)s does not limit uploads: a patient team can reconstruct the hidden gold, run by run.")
        yield Decision(words % facts, gettext("Set a limit"), here)
    elif task.is_published and stage.tells_too_much:
        words = gettext(
            "%(phase)s shows so much about each run that a team could reconstruct more than half of the hidden gold."
        )
        yield Decision(words % facts, gettext("See what uploads reveal"), f"{here}#reading")


def _closes_soon(phase: Phase) -> bool:
    return phase.state == "open" and phase.closes is not None and phase.closes - timezone.now() < SOON
