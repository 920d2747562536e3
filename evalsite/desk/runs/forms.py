"""Forms about runs: the confirmation of an action, an upload of the organisers, and changes of one run."""

from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, ngettext

from evalsite.challenges.models import Phase, Scenario
from evalsite.desk.runs.bulk import Action, Preview
from evalsite.submissions.forms import (
    LONGEST_DESCRIPTION,
    WithdrawalForm,
    files_field,
    method_field,
    offer_scenarios,
    scenarios_field,
)
from evalsite.submissions.models import Submission
from evalsite.submissions.receiving.admission import Remedy
from evalsite.wording import amount

Reference = Submission.Reference
KINDS = [(kind.value, kind.label) for kind in (Reference.BASELINE, Reference.HUMAN, Reference.TRIAL)]


class ConfirmForm(forms.Form):
    """Asks for a reason where teams read it, and for the number of runs where they are many."""

    number = forms.IntegerField(widget=forms.TextInput(attrs={"inputmode": "numeric"}))

    def __init__(self, *args: Any, action: Action, preview: Preview, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.preview = preview
        if action.is_grave:
            self.fields["reason"] = WithdrawalForm(side=Submission.Side.ORGANISERS).fields["reason"]
        if preview.needs_number:
            label = gettext("To confirm, type the number of runs: %(n)s")
            self.fields["number"].label = label % {"n": preview.n_runs}
        else:
            del self.fields["number"]

    def clean_number(self) -> int | None:
        number: int | None = self.cleaned_data["number"]
        if number != self.preview.n_runs:
            words = ngettext(
                "This concerns %(n)s run now. Type that number, or go back.",
                "This concerns %(n)s runs now. Type that number, or go back.",
                self.preview.n_runs,
            )
            raise forms.ValidationError(words % {"n": amount(self.preview.n_runs)})
        return number


class HouseRunForm(forms.Form):
    """A baseline, a human run or a trial."""

    files = files_field()
    reference = forms.ChoiceField(
        label=gettext_lazy("Kind"),
        choices=KINDS,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Baselines and human runs are shown on the board outside the ranks; only organisers see a trial."
        ),
    )
    method = method_field()
    description = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        max_length=LONGEST_DESCRIPTION,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    link = forms.URLField(
        label=gettext_lazy("Link to a paper or code"), required=False, assume_scheme="https", max_length=200
    )
    scenarios = scenarios_field()

    def __init__(
        self, *args: Any, phase: Phase, scenarios: list[Scenario], has_kept: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["files"].required = not has_kept
        offer_scenarios(self, phase, scenarios)

    def reject(self, words: str, remedy: Remedy | None = None) -> None:
        self.add_error(None, words)


class ChangeForm(forms.Form):
    """Changes name and kind of a run of the organisers; of a team's run the name alone."""

    method = method_field()
    reference = forms.ChoiceField(label=gettext_lazy("Kind"), choices=KINDS, widget=forms.RadioSelect)

    def __init__(self, *args: Any, run: Submission, **kwargs: Any) -> None:
        super().__init__(*args, initial={"method": run.method, "reference": run.reference}, **kwargs)
        if not run.reference:
            del self.fields["reference"]
            self.fields["method"].help_text = gettext("If a team has given one that is not fit for the board.")
