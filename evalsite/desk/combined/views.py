"""The page on which organisers say what a phase combines, with the formula's values before it is saved."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_POST

from evalsite.base.after_commit import after_commit
from evalsite.challenges.models import Participation, Phase, Task, record
from evalsite.desk.access import desk_page, phase_of
from evalsite.leaderboard.combined.formulas import Names, names_of, problem_of, values_now
from evalsite.leaderboard.combined.parts import scenarios_of
from evalsite.leaderboard.models import Combined
from evalsite.leaderboard.tasks import enqueue_combined


class CombinedForm(forms.ModelForm):  # type: ignore[type-arg]
    """The formula is parsed with the scenarios of the phase, so that its problems stand where it is typed."""

    class Meta:
        model = Combined
        fields = ("kind", "formula", "lower_is_better", "missing")
        widgets = {
            "kind": forms.RadioSelect,
            "missing": forms.RadioSelect,
            "formula": forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off", "list": "formulas"}),
        }
        labels = {
            "lower_is_better": gettext_lazy("Lower is better"),
            "missing": gettext_lazy("Teams without a score in every scenario"),
        }
        help_texts = {"lower_is_better": gettext_lazy("For the value of the formula.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["missing"].choices = [  # type: ignore[attr-defined]
            (Combined.Missing.UNRANKED, gettext("are listed without a place")),
            (Combined.Missing.LAST, gettext("get the worst score there: 0, or the last rank")),
        ]
        self.fields["formula"].required = not self.is_bound or self.data.get("kind") != Combined.Kind.RANKS

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("kind") == Combined.Kind.RANKS:
            return cleaned | {"formula": "", "lower_is_better": False}
        if "formula" in cleaned and (problem := problem_of(self.instance.phase, cleaned["formula"])):
            self.add_error("formula", problem)
        if cleaned.get("lower_is_better") and cleaned.get("missing") == Combined.Missing.LAST:
            self.add_error("missing", gettext("Where lower is better, a score of 0 would reward a missing run."))
        return cleaned


PREVIEW = "preview"
FIELDS = ("kind", "formula", "lower_is_better", "missing")


@desk_page()
def combined(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row = phase_of(task, phase)
    stored = Combined.objects.filter(phase=phase_row).first()
    form = CombinedForm(
        request.POST if request.method == "POST" else None, instance=stored or Combined(phase=phase_row)
    )
    form.instance.phase = phase_row
    if request.method == "POST" and form.is_valid() and PREVIEW not in request.POST:
        _save(form, stored, request)
        messages.success(request, gettext("Saved. The board is being made."))
        return redirect("desk_phases_combined", task.slug, phase_row.slug)
    return _page(request, phase_row, form, stored)


@require_POST
@desk_page()
def remove(request: HttpRequest, task: Task, phase: str) -> HttpResponse:
    phase_row = phase_of(task, phase)
    with transaction.atomic():
        if Combined.objects.filter(phase=phase_row).delete()[0]:
            record(task, "combined score removed", actor=request.user, subject=phase_row.pk, name=phase_row.name)
    messages.success(request, gettext("The phase no longer has a combined score."))
    return redirect("desk_phases_one", task.slug, phase_row.slug)


def _save(form: CombinedForm, stored: Combined | None, request: HttpRequest) -> None:
    before = {name: getattr(Combined.objects.get(pk=stored.pk), name) for name in FIELDS} if stored else {}
    with transaction.atomic():
        saved = form.save(commit=False)
        saved.basis = ""  # the board that was made before is void
        saved.board = {}
        saved.save()
        after = {name: getattr(saved, name) for name in FIELDS}
        changes = {name: [before.get(name), value] for name, value in after.items() if before.get(name) != value}
        phase = saved.phase
        record(
            phase.task,
            "combined score changed",
            actor=request.user,
            subject=phase.pk,
            changes=changes,
            name=phase.name,
        )
        after_commit(enqueue_combined, phase.pk)


def _page(request: HttpRequest, phase: Phase, form: CombinedForm, stored: Combined | None) -> HttpResponse:
    names = names_of(phase)
    context: dict[str, Any] = {
        "phase": phase,
        "form": form,
        "stored": stored,
        "names": _by_scores(names),
        "formulas": usual_formulas(names),
        "scenarios": scenarios_of(phase),
        "values": _values(phase, form) if form.is_bound and form.is_valid() else None,
    }
    status = 422 if form.is_bound and form.errors else 200
    return render(request, "desk/combined/one.html", context, status=status)


def _by_scores(names: Sequence[Names]) -> list[tuple[list[str], Sequence[str]]]:
    """Return the scenarios that have the same scores together, with these scores."""
    grouped: dict[tuple[str, ...], list[str]] = {}
    for scenario in names:
        grouped.setdefault(tuple(scenario.scores), []).append(scenario.scenario)
    return [(scenarios, scores) for scores, scenarios in grouped.items()]


def usual_formulas(names: Sequence[Names]) -> list[str]:
    """Return the means of the scores that all scenarios have, which the field completes."""
    if not names:
        return []
    shared = set.intersection(*(set(scenario.scores) for scenario in names))
    return [f"mean(*.{score})" for score in names[0].scores if score in shared]


def _values(phase: Phase, form: CombinedForm) -> list[tuple[str, float | None]] | None:
    """Return the values of some teams by their names; None if there is no formula."""
    if form.cleaned_data["kind"] != Combined.Kind.FORMULA:
        return None
    entered = Participation.objects.filter(task=phase.task_id).values_list("team_id", "team__name")
    names = {str(team): name for team, name in entered}
    sides = values_now(phase, form.cleaned_data["formula"])
    return [(side.method if side.reference else names.get(side.team, side.method), value) for side, value in sides]
