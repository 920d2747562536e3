"""Finds what speaks against each step of a release at a time, and what the step shows to whom for the first time."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from evalsite.challenges.access import Role, sees_board, sees_links, sees_names, sees_own_scores
from evalsite.challenges.gold.parts import held_in
from evalsite.challenges.gold.versions import Golds, golds_of
from evalsite.challenges.models import Gold, Phase
from evalsite.desk.release.steps import Ending
from evalsite.submissions.lifecycle.candidates import progress_of
from evalsite.submissions.models import Scoring
from evalsite.wording import enumerated, utc


@dataclass(frozen=True)
class Doubt:
    """A reason to wait; its kind is what a tick in the form confirms, since numbers in the text change meanwhile."""

    kind: str
    text: str
    address: str = ""  # of the page where it is settled


def about_closing(ending: Ending, at: datetime) -> Iterator[Doubt]:
    phase = ending.phase
    if phase.task.is_public and phase.closes and at < phase.closes:
        text = gettext("Participants have been told that it closes on %(closes)s.")
        yield Doubt("announced", text % {"closes": utc(phase.closes)})
    if phase.late_until and at < phase.late_until:
        text = gettext("Late uploads will still be taken until %(until)s.")
        yield Doubt("late", text % {"until": utc(phase.late_until)}, _page_of(phase, "late"))


def about_results(ending: Ending, at: datetime) -> Iterator[Doubt]:
    yield from _about_uploads(ending.phase, at, gettext("Teams can still upload once they know the results."))
    yield from _about_unfinished(ending, at)
    if ending.phase.closes and ending.phase.closes <= at:
        yield from _about_ranked_parts(ending.phase)
    yield from _about_candidates(ending.phase)


def about_end(ending: Ending) -> Iterator[Doubt]:
    """Yield what may still change the boards of a phase, and what others do not see of it yet."""
    phase = ending.phase
    release = reverse("desk_release_phase", args=[phase.task.slug, phase.slug])
    yield from _about_uploads(phase, ending.now, gettext("Its boards can still change."))
    yield from _about_unfinished(ending, ending.now)
    yield from _about_candidates(phase)
    if not phase.is_released:
        yield Doubt("results", gettext("The results are not released."), release)
    if not phase.gold_released:
        yield Doubt("gold", gettext("The gold is not released."), release)


def _about_ranked_parts(phase: Phase) -> Iterator[Doubt]:
    for gold in held_in(phase):
        progress = progress_of(gold)
        if not progress.is_over:
            text = gettext("%(scenario)s: %(n)s runs are not scored on the ranked part yet; then it decides.")
            values = {"scenario": gold.scenario.name, "n": progress.n_awaited}
            yield Doubt("ranked", text % values, reverse("desk_gold_version", args=[phase.task.slug, gold.pk]))


def _about_candidates(phase: Phase) -> Iterator[Doubt]:
    for golds in _undecided(phase):
        text = gettext("%(scenario)s: the board ranks by gold version %(version)s, and a candidate is waiting.")
        values = {"scenario": golds.in_force.scenario.name, "version": golds.in_force.version}
        yield Doubt("candidate", text % values, _page_of_gold(golds))


def about_gold(ending: Ending, at: datetime) -> Iterator[Doubt]:
    phase = ending.phase
    if not phase.results_released or at < phase.results_released:
        yield Doubt("results", gettext("The results will not have been released by then."))
    for gold in held_in(phase):
        text = gettext("%(scenario)s: the ranked part does not decide yet, and anyone who has the gold can read it.")
        address = reverse("desk_gold_split", args=[phase.task.slug, gold.pk])
        yield Doubt("ranked", text % {"scenario": gold.scenario.name}, address)
    ranked = gettext("Uploads made after the release can copy the gold, and are ranked.")
    outside = gettext("Uploads made after the release can copy the gold, and are outside the ranks.")
    is_late = bool(phase.closes and phase.closes <= at)
    yield from _about_uploads(phase, at, outside if is_late and not phase.ranks_late else ranked)
    yield from _about_unfinished(ending, at)
    for golds in _undecided(phase):
        text = gettext("%(scenario)s: everybody will download version %(version)s; the candidate stays hidden.")
        values = {"scenario": golds.in_force.scenario.name, "version": golds.in_force.version}
        yield Doubt("candidate", text % values, _page_of_gold(golds))
    for other in _hidden_elsewhere(phase):
        text = gettext("%(phase)s uses the same gold and still hides it.")
        yield Doubt("elsewhere", text % {"phase": other.name}, _page_of(other, "sight"))


def _about_uploads(phase: Phase, at: datetime, why: str) -> Iterator[Doubt]:
    if phase.closes is None:
        text = gettext("The phase has no closing time.")
        yield Doubt("open", f"{text} {why}", _page_of(phase, "times"))
    elif at < phase.closes:
        text = gettext("The phase is open until %(closes)s.") % {"closes": utc(phase.closes)}
        yield Doubt("open", f"{text} {why}", _page_of(phase, "times"))
    elif phase.late_until and at < phase.late_until:
        text = gettext("Late uploads are accepted until %(until)s.") % {"until": utc(phase.late_until)}
        yield Doubt("late", f"{text} {why}", _page_of(phase, "late"))


def _about_unfinished(ending: Ending, at: datetime) -> Iterator[Doubt]:
    """Yield what is not finished now; by a time to come it may be."""
    if at > ending.now:
        return
    if n := ending.n_waiting:
        text = ngettext("%(n)s run is still being scored.", "%(n)s runs are still being scored.", n)
        yield Doubt("scoring", text % {"n": n}, reverse("desk", args=[ending.phase.task.slug]))
    if n := _n_failed(ending.phase):
        text = ngettext(
            "%(n)s scoring has failed through no fault of its team, so the run is missing from the board.",
            "%(n)s scorings have failed through no fault of their teams, so the runs are missing from the boards.",
            n,
        )
        yield Doubt("failed", text % {"n": n}, reverse("desk", args=[ending.phase.task.slug]))
    if ending.is_closed and not ending.is_frozen:
        text = gettext("%(n)s of %(all)s boards are final.")
        yield Doubt("boards", text % {"n": ending.n_final, "all": ending.n_boards})


def _n_failed(phase: Phase) -> int:
    failed = Scoring.objects.filter(submission__phase=phase, submission__withdrawn=None, state=Scoring.State.FAILED)
    return failed.filter(gold__in=Gold.objects.in_force().filter(phase=phase)).count()


def _undecided(phase: Phase) -> Iterator[Golds]:
    for golds in golds_of([phase.pk]).values():
        if golds.to_publish:
            yield golds


def _hidden_elsewhere(phase: Phase) -> list[Phase]:
    """Return other phases of the task that hide the very gold that ranks here."""
    golds = Gold.objects.in_force()
    same = Q()
    for sha256, digest in golds.filter(phase=phase).values_list("sha256", "digest"):
        same |= Q(sha256=sha256) | (Q(digest=digest) if digest else Q())
    if not same:
        return []
    hidden = golds.filter(same, phase__task=phase.task_id, phase__gold_released=False).exclude(phase=phase)
    return list(Phase.objects.filter(pk__in=hidden.values("phase")).select_related("task").order_by("opens"))


def _page_of(phase: Phase, section: str) -> str:
    return f"{reverse('desk_phases_one', args=[phase.task.slug, phase.slug])}?open={section}#{section}"


def _page_of_gold(golds: Golds) -> str:
    phase = golds.in_force.phase
    return reverse("desk_gold_version", args=[phase.task.slug, (golds.to_publish or golds.in_force).pk])


# What is new to whom


def shown_by_closing(phase: Phase) -> list[str]:
    if phase.late_until:
        return [gettext("Uploads that arrive from now on are late.")]
    return [gettext("Uploads that arrive from now on are not accepted.")]


def shown_by_results(phase: Phase) -> list[str]:
    """Return what the release of the results shows for the first time."""
    shown = []
    for gold in held_in(phase):
        text = gettext("%(scenario)s: the ranked part of the gold decides, once the phase takes no more uploads.")
        shown.append(text % {"scenario": gold.scenario.name})
    if not sees_board(Role.PARTICIPANT, phase):
        shown.append(gettext("Everybody sees the boards; until now only organisers do."))
    elif not sees_board(Role.STRANGER, phase):
        shown.append(gettext("Everybody sees the boards; until now only participants and organisers do."))
    if not sees_own_scores(Role.PARTICIPANT, phase):
        shown.append(gettext("Teams see their own scores; until now only organisers do."))
    if not sees_names(Role.STRANGER, phase):
        shown.append(gettext("The boards show the teams' names instead of numbers."))
    if not sees_links(Role.STRANGER, phase):
        shown.append(gettext("The boards link to the teams' papers and code."))
    return shown or [gettext("Everybody already sees the boards and the teams' names.")]


def shown_by_gold(phase: Phase) -> list[str]:
    """Return which gold everybody may download for the first time, and what pages show beside it."""
    golds = Gold.objects.in_force().filter(phase=phase).select_related("scenario").order_by("scenario__number")
    by_version: dict[int, list[str]] = {}
    for gold in golds:
        by_version.setdefault(gold.version, []).append(gold.scenario.name)
    text = gettext("%(scenarios)s: everybody may download version %(version)s.")
    return [
        *(text % {"scenarios": enumerated(names), "version": version} for version, names in by_version.items()),
        gettext("Teams see each mistake of their runs next to the gold."),
        gettext("What has been downloaded cannot be hidden again."),
    ]
