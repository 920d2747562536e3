"""The form by which organisers give extra uploads to a team."""

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.models import Team
from evalsite.accounts.names import cleaned
from evalsite.challenges.forms.zones import MomentField, ZoneField, zone_of
from evalsite.challenges.models import Phase, Task
from evalsite.desk.runs.filters import PhaseField
from evalsite.desk.sections import MomentForm
from evalsite.desk.teams.listing import teams_of
from evalsite.submissions.models import Allowance


class FreezeForm(MomentForm):
    key, heading, moment = "freeze", gettext_lazy("Freeze the members of teams"), "members_frozen"
    members_frozen = MomentField(
        label=gettext_lazy("From"),
        required=False,
        help_text=gettext_lazy(
            "From then on nobody joins or leaves a team that has entered, until the task is archived. Empty: teams "
            "decide who belongs to them."
        ),
    )
    field_order = ("zone", "members_frozen")

    class Meta:
        model = Task
        fields = ("members_frozen",)


class BanForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=500,
        help_text=gettext_lazy(
            "The team reads it on its pages, and where it would upload; the public list of decisions shows it."
        ),
    )


class UnrankForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Shown, not ranked, because"),
        max_length=200,
        required=False,
        help_text=gettext_lazy(
            "Such as: no system description paper. Boards, their files and the public list of decisions show it. "
            "Empty: the team is ranked."
        ),
    )

    def clean_reason(self) -> str:
        return cleaned(self.cleaned_data["reason"])


class MergeForm(forms.Form):
    former = forms.ModelChoiceField(
        Team.objects.none(),
        label=gettext_lazy("The other team"),
        help_text=gettext_lazy("Its name goes; its members and its runs come over."),
    )

    def __init__(self, *args: Any, task: Task, team: Team, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["former"].queryset = teams_of(task).exclude(pk=team.pk)


class ConfirmMergeForm(forms.Form):
    name = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}))

    def __init__(self, *args: Any, former: Team, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.former = former
        self.fields["name"].label = gettext("To confirm, type the name that goes: %(team)s") % {"team": former}

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.former.name:
            raise forms.ValidationError(gettext("This is not its name. Nothing was merged."))
        return name


class AllowanceForm(forms.ModelForm):
    """Gives extra uploads; `until` is typed in the zone."""

    phase = PhaseField(Phase.objects.none(), label=gettext_lazy("Phase"), empty_label=None)
    zone = ZoneField()
    until = MomentField(
        label=gettext_lazy("Until"),
        required=False,
        help_text=gettext_lazy("Leave empty for as long as the phase accepts uploads."),
    )
    field_order = ("phase", "uploads", "reason", "zone", "until")

    class Meta:
        model = Allowance
        fields = ("phase", "uploads", "reason", "until")

    def __init__(self, *args: Any, task: Task, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        limited = [phase.pk for phase in task.phases.all() if phase.is_limited]
        self.fields["phase"].queryset = task.phases.filter(pk__in=limited)
        self.fields["uploads"].initial = 1
        self.initial["zone"] = task.zone
        self.fields["until"].set_zone(zone_of(self.data.get("zone", "")) or task.zone)
        self.has_phases = bool(limited)

    def clean_until(self) -> Any:
        until = self.cleaned_data["until"]
        if until and until <= timezone.now():
            raise forms.ValidationError(gettext("This time has passed."))
        return until
