"""The forms of an upload, of the choice of a run, and of its withdrawal."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.forms import NameField
from evalsite.accounts.models import Team
from evalsite.challenges.forms.own_fields import add_own_fields, answers_of
from evalsite.challenges.models import FactSheet, Phase, Scenario
from evalsite.challenges.scenarios import are_read_alike, must_be_chosen
from evalsite.challenges.taking_part.own_fields import OwnField, own_fields
from evalsite.submissions.checking.quick_check import Checked, is_in_order
from evalsite.submissions.models import Submission
from evalsite.submissions.receiving.admission import Remedy
from evalsite.submissions.uploads import repeated_names
from evalsite.wording import link

LONGEST_DESCRIPTION = 5_000  # characters


class MultipleFileInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class MultipleFileField(forms.FileField):
    """A field for one file or several, which cleans to a list."""

    widget = MultipleFileInput

    def __init__(self, *, words_if_none: Any = None, **options: Any) -> None:
        super().__init__(**options)
        self._words_if_none = words_if_none  # else those for a run

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        if not data and not self.required:
            return []
        if not data:
            words = self._words_if_none or gettext("Choose the files of your run, or one zip archive of them.")
            raise forms.ValidationError(words, code="required")
        files = [super(MultipleFileField, self).clean(file, initial) for file in data]
        if repeated := repeated_names(files):
            words = gettext("Two files are named %(name)s. Put files with equal names into folders of a zip archive.")
            raise forms.ValidationError(words % {"name": repeated[0]})
        return files


def method_field() -> NameField:
    return NameField(
        max_length=Submission._meta.get_field("method").max_length,
        label=gettext_lazy("Name of the method"),
        help_text=gettext_lazy("Shown on the board, for example “CRF with gazetteer”."),
    )


def files_field() -> MultipleFileField:
    return MultipleFileField(
        label=gettext_lazy("Files"),
        allow_empty_file=True,  # a run may have found nothing
        help_text=gettext_lazy("A zip archive, or the single files."),
    )


def scenarios_field() -> forms.ModelMultipleChoiceField:
    return forms.ModelMultipleChoiceField(
        Scenario.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Only these scenarios"),
        help_text=gettext_lazy("Leave empty to enter every scenario whose files are found."),
    )


def description_field() -> forms.CharField:
    return forms.CharField(
        required=False,
        max_length=LONGEST_DESCRIPTION,
        widget=forms.Textarea(attrs={"rows": 2}),
        label=gettext_lazy("Description"),
        help_text=gettext_lazy(
            "What it does and what it was trained on; for you and the organisers, unless you show it with the results."
        ),
    )


def link_field() -> forms.URLField:
    return forms.URLField(
        required=False,
        assume_scheme="https",
        max_length=200,
        label=gettext_lazy("Link to a paper or code"),
        help_text=gettext_lazy("Shown on the board once the phase has closed or its results are released."),
        empty_value="",
    )


def offer_scenarios(form: forms.BaseForm, phase: Phase, scenarios: list[Scenario]) -> None:
    """Fill the field of scenarios, or remove it where there is nothing to choose."""
    if len(scenarios) > 1:
        pks = [scenario.pk for scenario in scenarios]
        form.fields["scenarios"].queryset = phase.task.scenarios.filter(pk__in=pks)
        form.fields["scenarios"].choices = [(scenario.pk, str(scenario)) for scenario in scenarios]
        if must_be_chosen(scenarios):
            form.fields["scenarios"].label = gettext("For these scenarios")
            form.fields["scenarios"].help_text = gettext("Leave empty to enter every scenario that the file is for.")
            form.fields["scenarios"].initial = pks if are_read_alike(scenarios) else []
    else:
        del form.fields["scenarios"]


def tick_sound(form: forms.BaseForm, checked: Sequence[Checked]) -> list[Scenario]:
    """Tick the scenarios without problems beside some with problems, and return them."""
    sound = [part.scenario for part in checked if part.scenario and not part.problems]
    if not sound or is_in_order(checked):
        return []
    form.data = form.data.copy()
    form.data.setlist("scenarios", [str(scenario.pk) for scenario in sound])
    return sound


class OwnTeamField(forms.ModelChoiceField):
    """A choice among loaded teams, which costs no further query."""

    loaded: Sequence[Team] = ()

    def to_python(self, value: Any) -> Team | None:
        if value in self.empty_values:
            return None
        chosen = next((team for team in self.loaded if str(team.pk) == str(value).lower()), None)
        if chosen is None:
            raise forms.ValidationError(
                self.error_messages["invalid_choice"], code="invalid_choice", params={"value": value}
            )
        return chosen


class CheckForm(forms.Form):
    """Files alone, to be checked for nobody in particular."""

    files = files_field()
    scenarios = scenarios_field()

    def __init__(self, *args: Any, phase: Phase, scenarios: list[Scenario], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer_scenarios(self, phase, scenarios)


class SubmissionForm(forms.ModelForm):
    files = files_field()
    team = OwnTeamField(
        Team.objects.none(),
        empty_label=None,
        widget=forms.RadioSelect,
        label=gettext_lazy("Team"),
        help_text=gettext_lazy("Limits and places on the board belong to the team."),
    )
    method = method_field()
    description = description_field()
    link = link_field()
    scenarios = scenarios_field()

    class Meta:
        model = Submission
        # Not the team: the model's validation would query the one that the field has just found.
        fields = ("files", "method", "description", "link", "scenarios")

    def __init__(
        self,
        *args: Any,
        phase: Phase,
        teams: Sequence[Team],
        scenarios: list[Scenario],
        likely: Team | None,
        questions: Sequence[OwnField] = (),
        has_kept: bool = False,
        **kwargs: Any,
    ) -> None:
        """Offer the person's teams, of which `likely` is chosen beforehand, and the fact sheet's own `questions`.

        `has_kept` makes the files optional.
        """
        super().__init__(*args, **kwargs)
        self._own = questions
        add_own_fields(self, questions, {})
        self.fields["files"].required = not has_kept
        self.fields["team"].loaded = teams
        self.fields["team"].initial = likely
        if len(self.fields["team"].loaded) == 1:
            self.fields["team"].widget = forms.HiddenInput()
        offer_scenarios(self, phase, scenarios)

    def ask_for_files_alone(self) -> None:
        """Require nothing else: neither team, nor method, nor facts matter for a check."""
        for name, field in self.fields.items():
            field.required &= name == "files"

    @property
    def told(self) -> dict[str, Any]:
        """Return what is told of the run, by field of `pipeline.Run`."""
        values = {name: self.cleaned_data[name] for name in ("team", "method", "description", "link")}
        return values | {"facts": answers_of(self, self._own)}

    def blame_files(self, words: str) -> None:
        """Replace the error of missing files by these words: their absence is no choice of the participant's."""
        self.errors.pop("files", None)
        self.add_error("files", words)

    def reject(self, words: str, remedy: Remedy | None = None) -> None:
        """Say why the upload is not taken, with a link to the page where that can be changed."""
        self.add_error(
            None, words if remedy is None else format_html("{} {}", words, link(remedy.address, remedy.words))
        )


class DescribeForm(forms.ModelForm):
    """What a team tells of a run: in the fields of all tasks, and in the organisers' own."""

    description = description_field()
    link = link_field()
    code = forms.URLField(
        required=False, assume_scheme="https", max_length=200, label=gettext_lazy("Link to the code"), empty_value=""
    )

    class Meta:
        model = Submission
        fields = ("description", "shows_description", "affiliation", "link", "code", "is_contrastive")
        labels = {
            "is_contrastive": gettext_lazy("This run is contrastive"),
            "shows_description": gettext_lazy("Show the description with the results"),
        }
        help_texts = {"affiliation": gettext_lazy("On the page of the entry, once the results are released.")}

    def __init__(self, *args: Any, sheet: FactSheet, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._own = own_fields(sheet.own)
        add_own_fields(self, self._own, self.instance.facts)

    @property
    def values(self) -> dict[str, Any]:
        """Return what is told, by field of the run; answers to fields that are asked for no more stay."""
        values = {name: self.cleaned_data[name] for name in self._meta.fields or ()}
        return values | {"facts": self.instance.facts | answers_of(self, self._own)}


class ChoiceForm(forms.Form):
    """Chooses the runs that count in a scenario: one, the better of two, or without any the last."""

    team = forms.ModelChoiceField(Team.objects.none())
    scenario = forms.ModelChoiceField(Scenario.objects.none(), to_field_name="number")
    run = forms.ModelChoiceField(Submission.objects.none(), required=False)
    second = forms.ModelChoiceField(Submission.objects.none(), required=False)

    def __init__(self, *args: Any, phase: Phase, teams: QuerySet[Team], **kwargs: Any) -> None:
        """Offer the runs of `teams`, for which the person may choose."""
        super().__init__(*args, **kwargs)
        self.fields["team"].queryset = teams
        self.fields["scenario"].queryset = phase.task.scenarios.all()
        for name in ("run", "second"):
            self.fields[name].queryset = Submission.objects.filter(phase=phase, team__in=teams)

    @property
    def chosen(self) -> list[Submission]:
        """Return the chosen runs without repetition."""
        sent = (self.cleaned_data[name] for name in ("run", "second"))
        return list(dict.fromkeys(run for run in sent if run))


class WithdrawalForm(forms.Form):
    """Asks for the reason of a withdrawal; organisers have to give one to the team."""

    reason = forms.CharField(
        max_length=Submission._meta.get_field("withdrawn_reason").max_length,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": gettext_lazy("Give a reason: the team reads it on the page of its run.")},
    )

    def __init__(self, *args: Any, side: Submission.Side, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        reason = self.fields["reason"]
        reason.required = side == Submission.Side.ORGANISERS
        reason.label = (
            gettext("Reason, which the team and the public list of decisions will show")
            if reason.required
            else gettext("Reason")
        )
