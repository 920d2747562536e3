"""The form by which gold is added to a phase."""

from collections.abc import Iterable, Iterator
from typing import Any

from django import forms
from django.conf import settings
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy

import scoring
from evalsite.accounts.models import User
from evalsite.challenges.gold.remarks import AND_MORE
from evalsite.challenges.gold.report import Report, remarks_of, report_on, store_all
from evalsite.challenges.gold.services import Remarks, store_waiting
from evalsite.challenges.models import Gold, Phase, Scenario, WaitingGold
from evalsite.challenges.scenarios import require_choice, scenarios_in
from evalsite.challenges.storage.files import temporary_copy
from evalsite.translating.engine import from_engine
from evalsite.wording import amount, size
from scoring.readers.archive import Named

MOST_PROBLEMS = 20


class GoldForm(forms.Form):
    """The next version of a phase's gold, for one scenario or several; valid if it is perfect against itself."""

    scenarios = forms.ModelMultipleChoiceField(
        Scenario.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Only these scenarios"),
        help_text=gettext_lazy("Leave empty to fill every scenario whose files are found in the archive."),
    )
    file = forms.FileField(label=gettext_lazy("File"))
    note = forms.CharField(
        label=gettext_lazy("Note"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("What changed, for the record."),
        widget=forms.TextInput(attrs={"size": 60}),
    )

    def __init__(self, *args: Any, phase: Phase, user: User, is_too_large: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.phase, self.user, self.is_too_large = phase, user, is_too_large
        most = gettext("One file, or a zip archive of all files. At most %(size)s.")
        self.fields["file"].help_text = most % {"size": size(settings.MAX_UPLOAD_BYTES)}
        scenarios = phase.task.scenarios.all()
        if len(scenarios) > 1:
            self.fields["scenarios"].queryset = scenarios
            require_choice(self.fields["scenarios"], scenarios)
        else:
            del self.fields["scenarios"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.is_too_large:
            self.errors.pop("file", None)
            self.add_error("file", _too_large())
        elif not self.errors:
            with temporary_copy(cleaned["file"], cleaned["file"].name) as copy:
                self._check(copy)
        return cleaned

    def _check(self, file: Named) -> None:
        scenarios = list(self.phase.task.scenarios.all())
        try:
            entered = list(self.cleaned_data.get("scenarios", [])) or scenarios_in(file, scenarios)
        except scoring.SubmissionError as error:
            return self.add_error("file", _listed(map(from_engine, error.problems)))
        if not scenarios:
            return self.add_error(None, gettext("This task has no scenario yet. Add one first."))
        if not entered:
            missing = gettext("No scenario's files were found. Compare the names of the files with the layout.")
            return self.add_error("file", missing)
        self.reports = [report_on(self.phase, scenario, file, self.user) for scenario in entered]
        if problems := [problem for report in self.reports for problem in problems_of(report)]:
            self.add_error("file", _listed(problems))
        elif all(report.same_as for report in self.reports):
            self.add_error("file", [already_there(report) for report in self.reports])

    @property
    def remarks(self) -> Remarks:
        return remarks_of(self.phase, self.reports)

    def store_waiting(self) -> WaitingGold:
        file, note = self.cleaned_data["file"], self.cleaned_data["note"]
        scenarios = [report.scenario for report in self.reports]
        with temporary_copy(file, file.name) as copy:
            return store_waiting(self.phase, scenarios, copy, remarks=self.remarks, by=self.user, note=note)

    def save(self) -> list[Gold]:
        file, note = self.cleaned_data["file"], self.cleaned_data["note"]
        with temporary_copy(file, file.name) as copy:
            return store_all(self.phase, self.reports, copy, by=self.user, note=note)


def _too_large() -> str:
    text = gettext("Nothing was saved: the files are larger than %(most)s, the most that one upload may have.")
    return text % {"most": size(settings.MAX_UPLOAD_BYTES)}


def problems_of(report: Report) -> Iterator[str]:
    """Yield why the gold is refused; several lines, such as a script, stay several lines."""
    for problem in report.problems:
        text = gettext("Scenario %(number)s: %(problem)s")
        values = {"number": report.scenario.number, "problem": from_engine(problem)}
        first, _, more = (text % values).partition("\n")
        yield format_html("{}<pre>{}</pre>", first, more) if more else first


def already_there(report: Report) -> str:
    version = report.same_as.version if report.same_as else ""
    text = gettext("Scenario %(number)s: this file is already its gold, as version %(version)s.")
    return text % {"number": report.scenario.number, "version": version}


def _listed(problems: Iterable[str]) -> list[str]:
    listed = list(problems)
    rest = len(listed) - MOST_PROBLEMS
    return listed if rest <= 0 else [*listed[:MOST_PROBLEMS], gettext(AND_MORE) % {"n": amount(rest)}]
