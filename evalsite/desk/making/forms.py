"""The forms of a new task: from nothing, or like another one."""

import operator
from typing import Any

from django import forms
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy

from evalsite.challenges.forms.zones import MomentField, zone_called
from evalsite.challenges.models import Download, Phase, Task
from evalsite.desk.making.answers import reasons_to_leave
from evalsite.desk.making.cloning import first_opening, next_opening, next_title
from evalsite.desk.scenarios.uses import areas_of, way, ways


def use_choices() -> list[tuple[str, Any]]:
    areas = [(area.title, [(way.use.key, way.title) for way in area.ways]) for area in areas_of(ways())]
    return [("", str(gettext_lazy("I will choose later"))), *areas]


class NewTaskForm(forms.ModelForm):
    use = forms.ChoiceField(
        label=gettext_lazy("What systems are to do"),
        choices=use_choices,
        required=False,
        help_text=gettext_lazy("It becomes the first scenario of the task; you can add others."),
    )

    class Meta:
        model = Task
        fields = ("title", "summary")
        labels = {"title": gettext_lazy("Title"), "summary": gettext_lazy("Summary")}

    def clean(self):
        cleaned = super().clean()
        self.way = way(self.cleaned_data.get("use", ""))
        return cleaned


class CloneForm(forms.Form):
    title = forms.CharField(label=gettext_lazy("Title"), max_length=200)
    opens = MomentField(label=gettext_lazy("The first phase opens"))
    phases = forms.ModelMultipleChoiceField(
        queryset=Phase.objects.none(),
        label=gettext_lazy("Phases to copy"),
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("The task has had several seasons; usually the last one is enough."),
    )
    files = forms.ModelMultipleChoiceField(
        queryset=Download.objects.none(),
        label=gettext_lazy("Files for participants to copy"),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    with_gold = forms.BooleanField(
        label=gettext_lazy("Copy the gold too"),
        required=False,
        help_text=gettext_lazy("To use the same data again; otherwise the new task needs gold of its own."),
    )

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        first, opens = first_opening(task), next_opening(task)
        phases = list(task.phases.all())
        going_on = [phase for phase in phases if not phase.is_former_season]
        reasons = reasons_to_leave(task)
        files = [row for row, reason in reasons.items() if not reason]
        initial = {"title": next_title(task), "opens": opens, "phases": going_on, "files": files}
        super().__init__(*args, initial=initial, **kwargs)
        if len(going_on) < len(phases):
            self.fields["phases"].queryset = task.phases.all()
            self.fields["phases"].label_from_instance = operator.attrgetter("name")
        else:
            del self.fields["phases"]
        self._offer(reasons)
        if first is None:
            del self.fields["opens"]
            return
        field = self.fields["opens"]
        field.set_zone(task.zone)
        text = gettext(
            "All other times move with it. In %(task)s it was %(before)s. We suggest the same day of the "
            "week, in %(zone)s."
        )
        before = date_format(first.astimezone(zone_called(task.zone)), "l, j F Y")
        field.help_text = text % {"task": task, "before": before, "zone": task.zone}

    def _offer(self, reasons: dict[Download, str]) -> None:
        """Let the files be chosen, each with why it may hold the answers."""
        if not reasons:
            del self.fields["files"]
            return
        field = self.fields["files"]
        field.queryset = Download.objects.filter(pk__in=[row.pk for row in reasons])
        if any(reasons.values()):
            field.help_text = gettext("Files that may hold the answers are not ticked.")
        field.label_from_instance = lambda row: f"{row} ({reasons[row]})" if reasons[row] else str(row)
