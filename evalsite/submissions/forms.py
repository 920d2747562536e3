"""The upload form: files, and what the participant says about the run."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.html import format_html

from evalsite.accounts.models import Team, User
from evalsite.challenges.forms import require_choice
from evalsite.challenges.models import Phase, Scenario
from evalsite.submissions.intake import Remedy
from evalsite.submissions.models import Submission
from evalsite.submissions.uploads import repeated_names
from evalsite.wording import link


class MultipleFileInput(forms.ClearableFileInput):
    allow_multiple_selected = True


class MultipleFileField(forms.FileField):
    """One file or several; cleans to a list."""

    widget = MultipleFileInput

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        if not data:
            raise forms.ValidationError("Choose the files of your run, or one zip archive of them.", code="required")
        files = [super(MultipleFileField, self).clean(file, initial) for file in data]
        if repeated := repeated_names(files):
            raise forms.ValidationError(
                f"Two files have the name {repeated[0]}. Put files with equal names into folders of a zip archive."
            )
        return files


class SubmissionForm(forms.ModelForm):
    files = MultipleFileField(
        label="Files",
        allow_empty_file=True,  # a run may have found nothing
        help_text="A zip archive, or the single files.",
    )
    team = forms.ModelChoiceField(
        Team.objects.none(),
        empty_label=None,
        widget=forms.RadioSelect,
        help_text="Limits and places on the board belong to the team.",
    )
    link = forms.URLField(
        required=False, assume_scheme="https", max_length=200, label="Link to a paper or code", empty_value=""
    )
    scenarios = forms.ModelMultipleChoiceField(
        Scenario.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Only these scenarios",
        help_text="Leave empty to enter every scenario whose files are found.",
    )

    class Meta:
        model = Submission
        fields = ("files", "team", "method", "description", "link", "scenarios")
        labels = {"method": "Name of the method"}
        help_texts = {
            "method": "Shown on the board, such as “CRF with gazetteer”.",
            "description": "What it does and what it was trained on; for you and the organisers.",
        }
        widgets = {"description": forms.Textarea(attrs={"rows": 3})}

    def __init__(
        self, *args: Any, phase: Phase, user: User, scenarios: list[Scenario], likely: Team | None, **kwargs: Any
    ) -> None:
        """`likely` is the team that is chosen beforehand."""
        super().__init__(*args, **kwargs)
        teams = user.teams.all()
        self.fields["team"].queryset = teams
        self.fields["team"].initial = likely
        if len(teams) == 1:
            self.fields["team"].widget = forms.HiddenInput()
        if len(scenarios) > 1:
            pks = [scenario.pk for scenario in scenarios]
            self.fields["scenarios"].queryset = phase.task.scenarios.filter(pk__in=pks)
            require_choice(self.fields["scenarios"], scenarios)
        else:
            del self.fields["scenarios"]

    def blame_size(self, words: str) -> None:
        """Say that files were dropped while they arrived: their absence is no choice of the participant's."""
        self.errors.pop("files", None)
        self.add_error("files", words)

    def reject(self, words: str, remedy: Remedy | None = None) -> None:
        """Say why the upload is not taken, with the way to a page where that can be changed."""
        self.add_error(
            None, words if remedy is None else format_html("{} {}", words, link(remedy.address, remedy.words))
        )


class WithdrawalForm(forms.Form):
    """Why a run is withdrawn; organisers have to say so to its team."""

    reason = forms.CharField(
        max_length=Submission._meta.get_field("withdrawn_reason").max_length,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": "Say why: the team reads it on the page of its run."},
    )

    def __init__(self, *args: Any, side: Submission.Side, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        reason = self.fields["reason"]
        reason.required = side == Submission.Side.ORGANISERS
        reason.label = "Reason, which the team will read" if reason.required else "Reason"
