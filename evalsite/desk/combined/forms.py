"""What is combined: a formula over scores, or the mean of ranks."""

from typing import Any

from django import forms
from django.utils.translation import gettext

from evalsite.leaderboard.combined.formulas import problem_of
from evalsite.leaderboard.models import Combined


class CombinedForm(forms.ModelForm):  # type: ignore[type-arg]
    """Its formula is read with the scenarios of the phase, so that what is wrong is told where it is typed."""

    class Meta:
        model = Combined
        fields = ("kind", "formula", "lower_is_better", "missing")
        widgets = {
            "kind": forms.RadioSelect,
            "missing": forms.RadioSelect,
            "formula": forms.TextInput(attrs={"spellcheck": "false", "autocomplete": "off"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["formula"].required = not self.is_bound or self.data.get("kind") != Combined.Kind.RANKS

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("kind") == Combined.Kind.RANKS:
            return cleaned | {"formula": "", "lower_is_better": False}
        if "formula" in cleaned and (problem := problem_of(self.instance.phase, cleaned["formula"])):
            self.add_error("formula", problem)
        if cleaned.get("lower_is_better") and cleaned.get("missing") == Combined.Missing.LAST:
            self.add_error("missing", gettext("Where less is better, a score of 0 would reward a missing run."))
        return cleaned
