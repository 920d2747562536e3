"""Filters the runs of a task."""

from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_lazy, pgettext_lazy

from evalsite.accounts.models import Team
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.leaderboard.models import BestRun
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.runs.search import search

ANY = ("", pgettext_lazy("of a filter", "any"))
STANDS = [
    ANY,
    ("ranked", gettext_lazy("in the competition")),
    ("late", gettext_lazy("late")),
    ("beyond", pgettext_lazy("run", "beyond the limits")),
    ("withdrawn", gettext_lazy("withdrawn")),
    ("baseline", gettext_lazy("baseline")),
    ("human", gettext_lazy("human")),
    ("trial", gettext_lazy("trial")),
]


class PhaseField(forms.ModelChoiceField):
    """A choice among the phases of one task, whose name need not be repeated."""

    def label_from_instance(self, obj: Phase) -> str:
        return obj.name


class RunFilter(forms.Form):
    """Filters by what is filled in; empty and unknown values match all runs."""

    q = forms.CharField(label=gettext_lazy("Method, team or code"), required=False, max_length=200)
    phase = PhaseField(
        Phase.objects.none(), label=gettext_lazy("Phase"), required=False, to_field_name="slug", empty_label=ANY[1]
    )
    scenario = forms.ModelChoiceField(
        Scenario.objects.none(),
        label=gettext_lazy("Scenario"),
        required=False,
        to_field_name="number",
        empty_label=ANY[1],
    )
    state = forms.ChoiceField(label=gettext_lazy("State"), required=False, choices=[ANY, *Scoring.State.choices])
    stands = forms.ChoiceField(label=gettext_lazy("Counts as"), required=False, choices=STANDS)
    counts = forms.ChoiceField(
        label=gettext_lazy("On a board"),
        required=False,
        choices=[ANY, ("yes", gettext_lazy("yes")), ("no", gettext_lazy("no"))],
    )
    team = forms.ModelChoiceField(Team.objects.none(), required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any, *, task: Task) -> None:
        super().__init__(data, label_suffix="")
        self.task = task
        self._offer("phase", task.phases.all())
        self._offer("scenario", task.scenarios.all())
        self._offer("team", Team.objects.filter(participations__task=task))
        for field in self.fields.values():
            field.widget.attrs["class"] = "form-select" if hasattr(field, "choices") else "form-control"
        self.is_valid()
        self.values: dict[str, Any] = {name: self.cleaned_data.get(name) for name in self.fields}

    def _offer(self, name: str, rows: QuerySet[Any]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = rows

    @property
    def choices(self) -> list[forms.BoundField]:
        return [field for field in self.visible_fields() if field.name != "q"]

    @property
    def narrows(self) -> bool:
        """Return whether one of the choices is made, so that they stand open."""
        return any(self.values[field.name] for field in self.choices)

    @property
    def is_used(self) -> bool:
        return any(self.values.values())

    @property
    def runs(self) -> QuerySet[Submission]:
        """Return the runs that match, the newest first."""
        values = self.values
        runs = Submission.objects.filter(phase__task=self.task).order_by("-created", "-pk")
        if values["phase"]:
            runs = runs.filter(phase=values["phase"])
        if values["team"]:
            runs = runs.filter(team=values["team"])
        if values["scenario"] or values["state"]:
            runs = runs.filter(Exists(self._scorings()))
        if values["stands"]:
            runs = runs.filter(**_standing(values["stands"]))
        if values["counts"]:
            on_board = Exists(self._on_board())
            runs = runs.filter(on_board if values["counts"] == "yes" else ~on_board)
        return search(runs, values["q"]) if values["q"] else runs

    def _scorings(self) -> QuerySet[Scoring]:
        """Return the scorings of a run on gold that counts or is to count."""
        scorings = Scoring.objects.filter(submission=OuterRef("pk"))
        if self.values["scenario"]:
            scorings = scorings.filter(scenario=self.values["scenario"])
        if self.values["state"]:
            current = [gold.pk for golds in golds_of(self.task.phases.all()).values() for gold in golds.to_score]
            scorings = scorings.filter(state=self.values["state"], gold__in=current)
        return scorings

    def _on_board(self) -> QuerySet[BestRun]:
        in_force = [golds.in_force.pk for golds in golds_of(self.task.phases.all()).values()]
        rows = BestRun.objects.filter(result__scoring__submission=OuterRef("pk"), gold__in=in_force)
        return rows.filter(result__scoring__scenario=self.values["scenario"]) if self.values["scenario"] else rows


def _standing(stands: str) -> dict[str, Any]:
    if stands == "withdrawn":
        return {"withdrawn__isnull": False}
    if stands == "late":
        return {"is_late": True}
    if stands == "beyond":
        return {"is_beyond_limit": True}
    if stands == "ranked":
        return {"reference": "", "withdrawn": None, "is_beyond_limit": False}
    return {"reference": stands, "withdrawn": None}
