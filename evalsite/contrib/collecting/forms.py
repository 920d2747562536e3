"""The forms of the desk's page of a phase that collects runs: its input, the time to mend runs, and a pool."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator
from django.db import transaction
from django.utils.translation import gettext, gettext_lazy

import scoring
from evalsite.accounts.models import User
from evalsite.challenges.gold.inputs import read_input, store_input
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.storage.files import temporary_copy
from evalsite.translating.engine import from_engine

MOST_SHOWN = 10  # problems of an input


class InputForm(forms.Form):
    """What participants are given, for one scenario or several that have no gold yet."""

    scenarios = forms.ModelMultipleChoiceField(
        Scenario.objects.none(), widget=forms.CheckboxSelectMultiple, label=gettext_lazy("Scenarios")
    )
    file = forms.FileField(
        label=gettext_lazy("Input"),
        help_text=gettext_lazy("What participants are given: queries, texts, questions, ids. One file, or a zip."),
    )

    def __init__(self, *args: Any, phase: Phase, offered: Iterable[Scenario], user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.phase, self.user = phase, user
        scenarios = phase.task.scenarios.filter(pk__in=[scenario.pk for scenario in offered])
        self.fields["scenarios"].queryset = scenarios
        self.fields["scenarios"].initial = scenarios

    def save(self) -> list[Gold]:
        """Store the input of each scenario, or none and say in the form why."""
        file, chosen = self.cleaned_data["file"], self.cleaned_data["scenarios"]
        read = []
        with temporary_copy(file, file.name) as copy:
            try:
                for scenario in chosen:
                    read.append(read_input(scenario, copy))
                golds = []
                with transaction.atomic():
                    for scenario, made in zip(chosen, read, strict=True):
                        golds.append(store_input(self.phase, scenario, made, by=self.user))
                return golds
            except scoring.GoldError as error:
                words = gettext("Scenario %(number)s: %(problem)s")
                for problem in error.problems[:MOST_SHOWN]:
                    self.add_error("file", words % {"number": scenario.number, "problem": from_engine(problem.placed)})
        return []


class MendingForm(forms.ModelForm):
    class Meta:
        model = Phase
        fields = ("mend_days",)
        labels = {"mend_days": gettext_lazy("Days to correct a run")}
        help_texts = {
            "mend_days": gettext_lazy(
                "A run that turns out not to be valid for the gold may be corrected once, within this many days "
                "after its team was notified. 0: not at all."
            )
        }


class PoolForm(forms.Form):
    depth = forms.IntegerField(
        label=gettext_lazy("Answers of each item"),
        min_value=1,
        initial=100,
        validators=[MaxValueValidator(10_000)],
        help_text=gettext_lazy("Of rankings the first so many documents of each query."),
    )
    runs = forms.IntegerField(
        label=gettext_lazy("Runs of each team"),
        min_value=1,
        initial=3,
        validators=[MaxValueValidator(1000)],
        help_text=gettext_lazy("By priority: those that the team chose, then primary ones, then the latest."),
    )
