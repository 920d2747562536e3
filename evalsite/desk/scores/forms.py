"""The form for a table of scores, and the one that says whose each run is."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.models import Team
from evalsite.accounts.services import called_like
from evalsite.challenges.models import Participation, Scenario, Task
from evalsite.desk.scores.reading import RunPreview
from evalsite.submissions.models import Submission

NEW, BASELINE, HUMAN, LEFT_OUT = "new", "baseline", "human", ""


class TableForm(forms.Form):
    scenario = forms.ChoiceField(label=gettext_lazy("Scenario"))
    table = forms.FileField(
        label=gettext_lazy("Table of scores"),
        help_text=gettext_lazy("With the columns run, unit and score, or those that the scenario's options name."),
    )

    def __init__(self, *args: Any, scenarios: Sequence[Scenario], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scenario"].choices = [(str(scenario.number), str(scenario)) for scenario in scenarios]  # type: ignore[attr-defined]


class RunsForm(forms.Form):
    """Asks for the owner of each run of the table: a team, a new team, the organisers, or nobody."""

    def __init__(self, *args: Any, previews: Sequence[RunPreview], task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.previews = previews
        teams = list(Participation.objects.filter(task=task).select_related("team").order_by("team__name"))
        choices = [(str(participation.team_id), participation.team.name) for participation in teams]
        for number, preview in enumerate(previews):
            name = preview.run.name
            field = forms.ChoiceField(
                label=name or gettext("The only run"),
                required=False,
                widget=forms.Select(attrs={"class": "form-select"}),
                choices=[
                    (LEFT_OUT, gettext("leave it out")),
                    *([(NEW, gettext("a new team, %(name)s") % {"name": name})] if name else []),
                    (BASELINE, gettext("a baseline of the organisers")),
                    (HUMAN, gettext("a human run of the organisers")),
                    (gettext("Teams of the task"), choices),
                ],
            )
            field.initial = _likely_team(preview, task)
            self.fields[f"run-{number}"] = field

    def clean(self) -> dict[str, Any]:
        """Hold a run's name to the rules of methods, and that of a new team to those of teams."""
        cleaned = super().clean() or {}
        for number, preview in enumerate(self.previews):
            whose, name = cleaned.get(f"run-{number}"), preview.run.name
            columns = [Submission._meta.get_field("method")] if whose and name else []
            try:
                for column in [*columns, *([Team._meta.get_field("name")] if whose == NEW else [])]:
                    column.clean(name, None)
            except ValidationError as error:
                self.add_error(f"run-{number}", error)
        return cleaned


def _likely_team(preview: RunPreview, task: Task) -> str:
    """Return the team of this name, or else a new one; nobody if the run would be refused."""
    if not preview.is_in_order or not preview.run.name:
        return LEFT_OUT
    same = Team.objects.filter(called_like(preview.run.name), participations__task=task).first()
    return str(same.pk) if same else NEW
