"""Lists what waits for the organisers: what is missing, gold to look at, results to release, a phase to extend."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext

from evalsite.challenges.models import Phase, Task
from evalsite.challenges.readiness import PhaseReadiness, Readiness
from evalsite.desk.publish.checklist import Item, checklist
from evalsite.submissions.judging.unjudged import unjudged_in
from evalsite.wording import amount, relative

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
    """Return the decisions in the order of the phases; a task in the archive has none."""
    if task.archived:
        return []
    found = [decision for stage in readiness.stages for decision in (*_of_gold(task, stage), *_of_phase(task, stage))]
    found += _of_judges(task, readiness)
    if not task.is_published and task.publish_at is None:
        words = gettext("This is a draft: only its organisers see it.")
        found.append(Decision(words, gettext("Publish it"), reverse("desk_publish", args=[task.slug])))
    return found


def _of_gold(task: Task, stage: PhaseReadiness) -> Iterable[Decision]:
    for waiting in stage.waiting:
        words = gettext("%(phase)s: something looks odd in the gold %(file)s, so it is not used yet.")
        words %= {"phase": stage.phase.name, "file": waiting.file_name}
        yield Decision(words, gettext("Look at it"), reverse("desk_gold_waiting", args=[task.slug, waiting.pk]))
    for scenario, golds in stage.golds:
        if golds and (gold := golds.to_publish):
            words = gettext("%(phase)s, %(scenario)s: gold version %(version)s is a candidate.")
            words %= {"phase": stage.phase.name, "scenario": scenario.name, "version": gold.version}
            address = reverse("desk_gold_version", args=[task.slug, gold.pk])
            yield Decision(words, gettext("Publish or discard it"), address)


def _of_judges(task: Task, readiness: Readiness) -> Iterable[Decision]:
    if not any(scenario.is_judged for stage in readiness.stages for scenario, _golds in stage.golds):
        return
    for waiting in unjudged_in([task]):
        if waiting.is_overdue:
            words = ngettext(
                "%(phase)s, %(scenario)s: %(n)s run waits for its judge %(since)s.",
                "%(phase)s, %(scenario)s: %(n)s runs wait for their judge, the oldest %(since)s.",
                waiting.n,
            )
            names = {"phase": waiting.gold.phase.name, "scenario": waiting.gold.scenario.name}
            words %= names | {"n": amount(waiting.n), "since": relative(waiting.since)}
            yield Decision(words, gettext("See the judges"), reverse("desk_scenarios_judges", args=[task.slug]))


def _of_phase(task: Task, stage: PhaseReadiness) -> Iterable[Decision]:
    phase = stage.phase
    here = reverse("desk_phases_one", args=[task.slug, phase.slug])
    facts = {"phase": phase.name, "closes": relative(phase.closes)}
    if phase.state == "paused":
        yield Decision(gettext("%(phase)s is paused and takes no uploads.") % facts, gettext("Go on"), here)
    if _closes_soon(phase):
        yield Decision(gettext("%(phase)s closes %(closes)s.") % facts, gettext("Extend it"), here)
    if phase.state == "closed" and phase.results_released is None:
        words = gettext("%(phase)s closed %(closes)s; its results are not released.") % facts
        yield Decision(words, gettext("Release them"), reverse("desk_release_phase", args=[task.slug, phase.slug]))
    if task.is_published and stage.lacks_limit and phase.state != "closed":
        words = gettext("%(phase)s does not limit uploads: a patient team can reconstruct the hidden gold, run by run.")
        yield Decision(words % facts, gettext("Set a limit"), here)
    elif task.is_published and stage.tells_too_much:
        words = gettext("%(phase)s tells so much of each run that a team may read more than half of the hidden gold.")
        yield Decision(words % facts, gettext("See what uploads may read"), f"{here}#reading")


def _closes_soon(phase: Phase) -> bool:
    return phase.state == "open" and phase.closes is not None and phase.closes - timezone.now() < SOON
