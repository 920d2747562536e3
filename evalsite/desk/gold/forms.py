"""The form by which gold is added to a phase."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
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
from evalsite.desk.gold.guesses import Guess, guess_for
from evalsite.submissions.models import KeptUpload
from evalsite.submissions.receiving.kept_uploads import find, keep, opened
from evalsite.submissions.uploads import as_upload
from evalsite.translating.engine import from_engine
from evalsite.wording import amount, minute, size
from scoring.readers.archive import Files, Named, open_files
from scoring.readers.archive.names import base_name

MOST_PROBLEMS = 20
_NAMED = 6  # files


class GoldForm(forms.Form):
    """The next version of a phase's gold, for one scenario or several; valid if it is perfect against itself."""

    scenarios = forms.ModelMultipleChoiceField(
        Scenario.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=gettext_lazy("Only these scenarios"),
        help_text=gettext_lazy("Leave empty to fill every scenario whose files are found in the archive."),
    )
    file = forms.FileField(label=gettext_lazy("File"), error_messages={"required": gettext_lazy("Choose the file.")})
    kept = forms.CharField(required=False, widget=forms.HiddenInput, max_length=40)
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
        self.kept: KeptUpload | None = find(user, self["kept"].value() or "") if self.is_bound else None
        self.fields["file"].required = self.kept is None
        self.guess: Guess | None = None
        self.file: Any = None
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
            return cleaned
        self.file = cleaned.get("file")  # an error takes it from the cleaned data
        if not self.errors:
            with self._opened() as file:
                self._check(file)
        if self.errors:
            self._keep()
        return cleaned

    @contextmanager
    def _opened(self) -> Iterator[Named]:
        """Yield the file that was sent, or the one of before that is kept."""
        if self.file:
            with temporary_copy(self.file, self.file.name) as copy:
                yield copy
        elif self.kept:
            with opened(self.kept) as upload:
                yield Named(str(upload.path), upload.name)

    def _keep(self) -> None:
        """Keep a file that is refused for an hour, as those of participants are, and say so beside the field."""
        if self.file:
            with as_upload([self.file]) as upload:
                self.kept = keep(self.user, self.phase, upload)
        self.data = self.data.copy()
        self.data["kept"] = str(self.kept.pk) if self.kept else ""
        if self.kept:
            text = gettext("%(file)s is here until %(time)s, and is checked again if you choose no other file.")
            values = {"file": self.kept.name, "time": minute(self.kept.expires)}
            self["file"].help_text = text % values

    def _check(self, file: Named) -> None:
        scenarios = list(self.phase.task.scenarios.all())
        try:
            entered = list(self.cleaned_data.get("scenarios", [])) or scenarios_in(file, scenarios)
        except scoring.SubmissionError as error:
            return self.add_error("file", _listed(map(from_engine, error.problems)))
        if not scenarios:
            return self.add_error(None, gettext("This task has no scenario yet. Add one first."))
        if not entered:
            return self.add_error("file", _nothing_of(file, scenarios))
        self.reports = [report_on(self.phase, scenario, file, self.user) for scenario in entered]
        if problems := [problem for report in self.reports for problem in problems_of(report)]:
            self.add_error("file", _listed(problems))
            self.guess = guess_for(self.reports[0].scenario, file) if len(self.reports) == 1 else None
        elif all(report.same_as for report in self.reports):
            self.add_error("file", [already_there(report) for report in self.reports])

    @property
    def remarks(self) -> Remarks:
        return remarks_of(self.phase, self.reports)

    def store_waiting(self) -> WaitingGold:
        note, scenarios = self.cleaned_data["note"], [report.scenario for report in self.reports]
        with self._opened() as copy:
            return store_waiting(self.phase, scenarios, copy, remarks=self.remarks, by=self.user, note=note)

    def save(self) -> list[Gold]:
        note = self.cleaned_data["note"]
        with self._opened() as copy:
            return store_all(self.phase, self.reports, copy, by=self.user, note=note)


def _too_large() -> str:
    text = gettext("Nothing was saved: the files are larger than %(most)s, the limit for one upload.")
    return text % {"most": size(settings.MAX_UPLOAD_BYTES)}


def problems_of(report: Report) -> Iterator[str]:
    """Yield why the gold is refused; several lines, such as a script, stay several lines."""
    for problem in report.problems:
        text = gettext("Scenario %(number)s: %(problem)s")
        values = {"number": report.scenario.number, "problem": from_engine(problem)}
        first, _, more = (text % values).partition("\n")
        yield format_html("{}<pre>{}</pre>", first, more) if more else first


def already_there(report: Report) -> str:
    version = report.same_as.number if report.same_as else ""
    text = gettext("Scenario %(number)s: this file is already its gold, as version %(version)s.")
    return text % {"number": report.scenario.number, "version": version}


def _nothing_of(file: Named, scenarios: Sequence[Scenario]) -> str:
    """Say which files are there and which are wanted, and whether they follow other rules of the same family."""
    files = open_files(file)
    wanted = [name for scenario in scenarios for name in _names(scenario)]
    words = gettext("No scenario's files were found. The upload has %(names)s; wanted are %(wanted)s.")
    words = words % {"names": _some(map(base_name, files)), "wanted": _some(wanted)}
    if rules := next((rules for scenario in scenarios for rules in _other_rules(files, scenario)), None):
        words += " " + gettext("These are files of %(rules)s: choose it as the rules of the scenario.") % {
            "rules": rules
        }
    return words


def _names(scenario: Scenario) -> Sequence[str]:
    names = scenario.engine_family.files.file_names
    return names(scenario.configured) if names else [*scenario.example]


def _some(names: Iterable[str]) -> str:
    listed = [*dict.fromkeys(names)]
    return ", ".join(listed[:_NAMED]) + (", …" if len(listed) > _NAMED else "")


def _other_rules(files: Files, scenario: Scenario) -> Iterator[str]:
    """Yield the rules by which the files would be a scenario's."""
    family = scenario.engine_family
    choices = next((option.choices or () for option in family.options if option.key == "rules"), ())
    for rules in choices:
        with suppress(scoring.ConfigurationError):  # not each rule goes with the scenario's other options
            configured = family.configure({**scenario.options, "rules": rules})
            if family.files.has_files and family.files.has_files(files, configured):
                yield str(rules)


def _listed(problems: Iterable[str]) -> list[str]:
    listed = list(problems)
    rest = len(listed) - MOST_PROBLEMS
    return listed if rest <= 0 else [*listed[:MOST_PROBLEMS], gettext(AND_MORE) % {"n": amount(rest)}]
