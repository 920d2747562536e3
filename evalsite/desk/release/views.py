"""The end of each phase, step by step: closing, results and gold for everybody, with who will see what."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from evalsite.base.moment import database_now
from evalsite.challenges import services
from evalsite.challenges.forms.zones import zone_called
from evalsite.challenges.models import Phase, Task
from evalsite.desk.access import desk_page, phase_of
from evalsite.desk.phases.visibility import columns, visibility_of
from evalsite.desk.preview.rendering import As
from evalsite.desk.release.doubts import (
    Doubt,
    about_closing,
    about_gold,
    about_results,
    shown_by_closing,
    shown_by_gold,
    shown_by_results,
)
from evalsite.desk.release.forms import ClosingForm, GoldForm, NowForm, ResultsForm
from evalsite.desk.release.steps import Ending, ending_of, endings
from evalsite.desk.sections import SectionForm, Sections
from evalsite.submissions.access import signed_in


@dataclass(frozen=True)
class Step:
    """One of the three steps of a release, with its forms: at once, and at a time."""

    key: str
    title: str
    since: datetime | None  # when it was done, or will be by itself
    is_done: bool
    is_possible: bool  # at once
    has_time: bool  # which may be set, or was
    shown: list[str]  # what is new, and to whom
    doubts: list[Doubt]
    now: NowForm
    at: SectionForm

    @property
    def address(self) -> str:
        return f"desk_release_{self.key}"

    @property
    def is_asked(self) -> bool:
        """Return whether one of its forms was sent and is not done yet, so that it stands open."""
        return bool(self.now.errors or self.at.errors)


@require_safe
@desk_page()
def phases(request: HttpRequest, task: Task) -> HttpResponse:
    return render(request, "desk/release/phases.html", {"endings": endings(task)})


@desk_page()
def phase(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row = phase_of(task, phase)
    rows = Phase.objects.select_related("task")
    sections = Sections(request, [ClosingForm, ResultsForm, GoldForm], lambda: rows.get(pk=phase_row.pk))
    if sections.is_saved:
        messages.success(request, gettext("Saved."))
        return redirect("desk_release_phase", task.slug, phase_row.slug)
    return _page(request, phase_row, sections, {}, sections.status)


def _page(
    request: HttpRequest, phase: Phase, sections: Sections, sent: Mapping[str, NowForm], status: int
) -> HttpResponse:
    """Show the page of a phase; `sent` is the form of the step that was to be done at once, by its key."""
    ending = ending_of(phase)
    context = {
        "phase": phase,
        "ending": ending,
        "sections": sections,
        "steps": _steps(ending, sections, sent),
        "columns": columns(),
        "visibility": visibility_of(phase),
        "previews": _previews(phase.task, phase),
    }
    return render(request, "desk/release/phase.html", context, status=status)


def _steps(ending: Ending, sections: Sections, sent: Mapping[str, NowForm]) -> list[Step]:
    phase, forms = ending.phase, {form.key: form for form in sections.forms}
    facts = {
        "close": (gettext("Close the phase"), phase.closes, ending.is_closed, shown_by_closing(phase)),
        "results": (
            gettext("Release the results"),
            phase.results_released,
            phase.is_released,
            shown_by_results(phase),
        ),
        "gold": (
            gettext("Release the gold"),
            phase.gold_released_since or phase.gold_due,
            phase.gold_released,
            shown_by_gold(phase),
        ),
    }
    steps = []
    for key, (title, since, is_done, shown) in facts.items():
        doubts = [] if is_done else list(DOUBTS[key](ending, ending.now))
        steps.append(
            Step(
                key,
                title,
                since,
                is_done,
                is_possible=not is_done and not (key == "close" and phase.state == "upcoming"),
                has_time=not is_done or key == "results",
                shown=shown,
                doubts=doubts,
                now=sent.get(key) or NowForm(doubts=doubts),
                at=forms[key],
            )
        )
    return steps


DOUBTS = {"close": about_closing, "results": about_results, "gold": about_gold}


def _previews(task: Task, phase: Phase) -> list[tuple[str, str]]:
    """Return links to previews of the task's page as others will see it once the results are released."""
    at = phase.results_released or max(timezone.now(), phase.closes or timezone.now()) + timedelta(minutes=1)
    names = {As.STRANGER: gettext("as a stranger"), As.PARTICIPANT: gettext("as a participant")}
    return [(words, preview_address(task, who, at)) for who, words in names.items()]


def preview_address(task: Task, who: As, at: datetime) -> str:
    local = at.astimezone(zone_called(task.zone))
    query = {"as": who, "at_0": f"{local:%Y-%m-%d}", "at_1": f"{local:%H:%M:%S}"}
    return f"{reverse('desk_preview', args=[task.slug])}?{urlencode(query)}"


@require_POST
@desk_page()
def close(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row = phase_of(task, phase)
    if phase_row.state not in ("open", "paused"):
        return _redirect_with_message(
            request, phase_row, gettext("It is not open, so nothing was changed."), messages.warning
        )
    text = gettext("It is closed. Its boards become final once all its runs are scored.")
    return _done(request, phase_row, "close", partial(services.close, phase_row, by=signed_in(request)), text)


@require_POST
@desk_page()
def results(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row = phase_of(task, phase)
    text = gettext("The results are released: everybody sees the boards, with names.")
    if phase_row.is_released:
        return _redirect_with_message(request, phase_row, text)
    release = partial(services.release_results, phase_row, database_now(), by=signed_in(request))
    return _done(request, phase_row, "results", release, text)


@require_POST
@desk_page()
def gold(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row = phase_of(task, phase)
    text = gettext("The gold is released: everybody can download it.")
    if phase_row.gold_released:
        return _redirect_with_message(request, phase_row, text)
    return _done(request, phase_row, "gold", partial(services.release_gold, phase_row, by=signed_in(request)), text)


def _done(request: HttpRequest, phase: Phase, key: str, do: Callable[[], None], text: str) -> HttpResponse:
    """Do the step, unless something speaks against it that the organiser has not ticked."""
    ending = ending_of(phase)
    form = NowForm(request.POST, doubts=list(DOUBTS[key](ending, ending.now)))
    if form.is_valid():
        do()
        return _redirect_with_message(request, phase, text)
    sections = Sections(request, [ClosingForm, ResultsForm, GoldForm], lambda: phase)  # none of them was sent
    return _page(request, phase, sections, {key: form}, 422)


def _redirect_with_message(
    request: HttpRequest, phase: Phase, text: str, level: Callable[[HttpRequest, str], None] = messages.success
) -> HttpResponse:
    level(request, text)
    return redirect("desk_release_phase", phase.task.slug, phase.slug)
