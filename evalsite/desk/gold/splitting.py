"""The page on which a gold is split into a shown and a ranked part: asked for, looked at, and confirmed."""

import secrets
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

import scoring
from evalsite.base.spreadsheets import spreadsheet
from evalsite.board_pages.board.power import Plan, plans_of
from evalsite.challenges.gold import parts
from evalsite.challenges.models import Gold, GoldSplit, Part, Task
from evalsite.desk.access import desk_page
from evalsite.submissions.access import signed_in
from evalsite.translating.engine import from_engine

MOST_LISTED = 5_000_000  # characters of a list of units
_MOST_SEED = 2**31


class SplitForm(forms.Form):
    """How the units are told apart; valid if both parts are large enough, and then it has a `draft`."""

    way = forms.ChoiceField(
        label=gettext_lazy("How the shown part is chosen"),
        choices=GoldSplit.Way.choices,
        widget=forms.RadioSelect,
        initial=GoldSplit.Way.SHARE,
    )
    percent = forms.IntegerField(
        label=gettext_lazy("Share that is shown, in per cent"),
        min_value=1,
        max_value=99,
        initial=50,
        help_text=gettext_lazy("At random, as near as whole groups allow."),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        min_value=0,
        max_value=_MOST_SEED,
        help_text=gettext_lazy("The same seed gives the same parts again. Keep it to yourselves until the end."),
    )
    separator = forms.CharField(
        label=gettext_lazy("Keep units of one document together"),
        max_length=10,
        required=False,
        strip=False,
        widget=forms.TextInput(attrs={"size": 4}),
        help_text=gettext_lazy(
            "The character after the document's name, such as -. Leave empty to split unit by unit."
        ),
    )
    units = forms.CharField(
        label=gettext_lazy("Names of the shown units, one a line"),
        max_length=MOST_LISTED,
        required=False,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
    )
    file = forms.FileField(
        label=gettext_lazy("Or a file of them"), required=False, help_text=gettext_lazy("Text, in UTF-8.")
    )

    def __init__(self, *args: Any, gold: Gold, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.gold = gold
        self.fields["seed"].initial = secrets.randbelow(_MOST_SEED)
        for name in ("percent", "seed"):
            self.fields[name].required = self.data.get("way") != GoldSplit.Way.LIST
        self.draft: parts.Draft | None = None

    def clean_file(self) -> str:
        file = self.cleaned_data["file"]
        try:
            return file.read(MOST_LISTED).decode("utf-8-sig") if file else ""
        except UnicodeDecodeError:
            raise forms.ValidationError(gettext("This is no text in UTF-8.")) from None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        is_listed = cleaned.get("way") == GoldSplit.Way.LIST
        if self.errors:
            return cleaned
        try:
            names = parts.units_of(self.gold)
            if is_listed:
                self.draft = parts.by_list(names, cleaned["file"] or cleaned["units"])
            else:
                self.draft = parts.at_random(names, cleaned["percent"], cleaned["seed"], cleaned["separator"])
        except parts.CannotSplit as refusal:
            self.add_error("units" if is_listed else "percent", refusal.messages)
        except scoring.GoldError as error:
            self.add_error(None, [from_engine(problem) for problem in error.problems])
        return cleaned


@dataclass(frozen=True)
class PartRow:
    """What the page tells of one part."""

    part: Part
    n_units: int
    n_groups: int
    plan: Plan | None  # what differences it would tell apart, where runs on the scenario say so


@desk_page()
def split(request: HttpRequest, task: Task, gold: UUID) -> HttpResponse:
    """Split the gold, after a look at both parts; or put them together again, as long as no run was scored."""
    gold_row = _gold_or_404(task, gold)
    if request.method == "POST" and "join" in request.POST:
        return _joined(request, gold_row)
    problem = "" if gold_row.split else parts.why_not(gold_row)
    is_open = not gold_row.split and not problem
    form = SplitForm(*_sent(request), gold=gold_row) if is_open else None
    if form and form.is_valid() and form.draft and "split" in request.POST:
        try:
            parts.split_gold(gold_row, form.draft, by=signed_in(request))
        except parts.CannotSplit as refusal:
            form.add_error(None, refusal.messages)
        else:
            messages.success(request, gettext("The gold is split: from now on everything comes from the shown part."))
            return redirect("desk_gold_split", task.slug, gold_row.pk)
    draft = form.draft if form else _draft_of(gold_row.split)
    context = {
        "task": task,
        "gold": gold_row,
        "problem": problem,
        "form": form,
        "draft": draft,
        "rows": _rows(gold_row, draft) if draft else [],
        "held": Gold.objects.filter(split=gold_row.split, part=Part.RANKED).order_by("-version").first()
        if gold_row.split
        else None,
        "may_join": gold_row.split is not None and not _is_scored(gold_row.split),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form and form.errors else HTTPStatus.OK
    return render(request, "desk/gold/split.html", context, status=status)


@require_safe
@desk_page()
def split_units(request: HttpRequest, task: Task, gold: UUID) -> HttpResponse:
    """Send the units of both parts as a table; it is for organisers, who may publish it once the phase is over."""
    gold_row = _gold_or_404(task, gold)
    if gold_row.split is None:
        raise Http404
    shown = set(gold_row.split.shown)
    rows = [(name, Part.SHOWN if place in shown else Part.RANKED) for place, name in enumerate(gold_row.split.names)]
    answer = HttpResponse(spreadsheet(["unit", "part"], rows), content_type="text/csv; charset=utf-8")
    name = f"{task.slug}-{gold_row.phase.slug}-scenario{gold_row.scenario.number}-parts.csv"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer


def _gold_or_404(task: Task, gold: UUID) -> Gold:
    related = ("phase__task", "scenario__task", "split__by")
    gold_row: Gold = get_object_or_404(Gold.objects.filter(phase__task=task).select_related(*related), pk=gold)
    return gold_row


def _sent(request: HttpRequest) -> tuple[Any, Any]:
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


def _draft_of(stored: GoldSplit | None) -> parts.Draft | None:
    if stored is None:
        return None
    return parts.Draft(stored.names, stored.shown, stored.way, stored.percent, stored.seed, stored.separator)


def _rows(gold: Gold, draft: parts.Draft) -> list[PartRow]:
    plan = plans_of(gold.phase.task).get((gold.phase_id, gold.scenario_id))
    return [
        PartRow(
            part,
            draft.n_units(part),
            draft.n_groups(part),
            Plan(plan.test.on(draft.n_units(part)), plan.unit, plan.source) if plan else None,
        )
        for part in (Part.SHOWN, Part.RANKED)
    ]


def _is_scored(split: GoldSplit) -> bool:
    return Gold.objects.filter(split=split, scorings__isnull=False).exists()


def _joined(request: HttpRequest, gold: Gold) -> HttpResponse:
    if parts.join_parts(gold, by=signed_in(request)):
        messages.success(request, gettext("The gold is whole again."))
    else:
        messages.warning(request, gettext("Runs have been scored on the parts, so they stay apart."))
    return redirect("desk_gold", gold.phase.task.slug)
