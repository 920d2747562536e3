"""What organisers fill in: a task, its scenarios and downloads, and gold."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

import scoring
from evalsite.accounts.models import User
from evalsite.challenges.access import organised_tasks
from evalsite.challenges.files import local_path
from evalsite.challenges.models import Download, Gold, Phase, Scenario, Task, sha256_of
from evalsite.challenges.services import add_gold, check_gold, current_gold, must_be_chosen, scenarios_in
from evalsite.wording import size
from scoring.family import Option

MOST_PROBLEMS = 20


class AddressesInput(forms.Textarea):
    """E-mail addresses, one on a line."""

    def format_value(self, value: Any) -> str:
        return "\n".join(value or [])

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        return data.get(name, "").lower().split()


class OrganisersField(forms.ModelMultipleChoiceField):
    """Accounts are entered, not listed: an organiser needn't learn who else has one."""

    widget = AddressesInput(attrs={"rows": 3, "cols": 50})
    default_error_messages = {
        "invalid_choice": "%(value)s is not the address of an organiser's account. "
        "The site's administrators can make an account an organiser's."
    }

    def __init__(self, **kwargs: Any) -> None:
        organisers = User.objects.filter(is_staff=True, is_active=True)
        super().__init__(organisers, to_field_name="email", **kwargs)


class TaskForm(forms.ModelForm):
    organisers = OrganisersField(
        help_text="E-mail addresses, one on a line. Organisers change the task and see its gold and all uploads."
    )
    is_too_large = False  # whether files of the request were dropped while they arrived

    class Meta:
        model = Task
        fields = ("title", "slug", "summary", "description", "contact", "organisers", "is_published")
        help_texts = {
            "slug": "The task's place in addresses, /tasks/<i>slug</i>/. Keep it once it is known.",
            "description": "Markdown: what is to be found, in which data, how it is scored, dates, whom to cite.",
            "contact": "An e-mail address at which participants can ask; everybody sees it.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance._state.adding and "organisers" in self.fields:
            self.fields["organisers"].required = False
            self.fields["organisers"].help_text += " Yours is added by itself."

    def clean(self) -> dict[str, Any] | None:
        if self.is_too_large:
            raise forms.ValidationError(too_large())
        return super().clean()


def too_large() -> str:
    most = size(settings.MAX_UPLOAD_BYTES)
    return f"Nothing was saved: the files are larger than {most}, the most that one upload may have."


class NamesField(forms.CharField):
    """A list of names, written with commas between them."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [name.strip() for name in str(super().to_python(value)).split(",") if name.strip()]


class ScenarioForm(forms.ModelForm):
    """Family and options stay as they are once runs have been scored with them: scores would not compare."""

    shown_scores = NamesField(required=False)

    class Meta:
        model = Scenario
        fields = ("number", "name", "description", "family", "options", "shown_scores")
        widgets = {
            "description": forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"}),
            "options": forms.Textarea(attrs={"rows": 2, "class": "vLargeTextField"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "options" not in self.fields:  # where all of it is only shown
            return
        own = scoring.FAMILIES.get(self.instance.family)
        families = [own] if own else list(scoring.FAMILIES.values())
        self.fields["options"].help_text = options_help(families)
        # Changed is what differs from the database, not from what the browser says that it was.
        self.fields["options"].show_hidden_initial = False
        self.fields["shown_scores"].help_text = scores_help(families)
        if not self.instance._state.adding and self.instance.scorings.exists():
            for name in ("family", "options"):
                self.fields[name].disabled = True
            self.fields[
                "family"
            ].help_text = "Runs have been scored: family and options stay. For others, add a scenario."

    def clean_options(self) -> Any:
        return {} if self.cleaned_data["options"] is None else self.cleaned_data["options"]

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.instance._state.adding and {"family", "options"} & set(self.changed_data) and not self.errors:
            self._check_golds(Scenario(family=self.cleaned_data["family"], options=self.cleaned_data["options"]))
        return cleaned

    def _check_golds(self, scenario: Scenario) -> None:
        """The gold that is there was perfect by the options of before; it has to be by these."""
        golds = Gold.objects.filter(scenario=self.instance).select_related("phase").order_by("version")
        for gold in {gold.phase_id: gold for gold in golds}.values():
            try:
                with local_path(gold.file) as path:
                    check_gold(path, scenario)
            except scoring.GoldError as error:
                self.add_error("options", f"The gold of {gold.phase.name} does not fit: {error.problems[0]}")
            except scoring.ConfigurationError:
                return  # said by the model


def options_help(families: list[scoring.Family]) -> SafeString:
    """Every option with its values, the default first."""
    return format_html(
        "A JSON object; what is left out has its default.{}",
        format_html_join(
            "",
            '<details class="choices"><summary>Options of {}</summary><dl>{}</dl></details>',
            ((family.title, _options_of(family)) for family in families),
        ),
    )


def _options_of(family: scoring.Family) -> SafeString:
    return format_html_join(
        "",
        "<dt><code>{}</code></dt><dd>{}. <span>{}; default {}</span></dd>",
        (
            (option.key, option.help, _values(option), _as_json(option.default))
            for option in family.options
            if not option.is_local
        ),
    )


def _values(option: Option) -> str:
    return option.values or " | ".join(map(_as_json, option.choices))


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def scores_help(families: list[scoring.Family]) -> SafeString:
    known = format_html_join(
        "",
        '<details class="choices"><summary>Scores of {}</summary><dl>{}</dl></details>',
        (
            (
                family.title,
                format_html_join("", "<dt><code>{}</code></dt><dd>{}</dd>", family.score_titles.items()),
            )
            for family in families
        ),
    )
    return format_html(
        "The board's columns, with commas between them. Empty: the family's choice. The headline is always first.{}",
        known,
    )


def require_choice(field: forms.Field, scenarios: Iterable[Scenario]) -> None:
    """Ask for the scenarios of an upload where its files cannot tell them."""
    if must_be_chosen(scenarios):
        field.required = True
        field.label = "For these scenarios"
        field.help_text = "The file does not tell what it is for."
        field.error_messages["required"] = "Choose the scenario that the file is for."


class DownloadForm(forms.ModelForm):
    class Meta:
        model = Download
        fields = ("title", "description", "file", "available_from")
        widgets = {"file": forms.FileInput}


class GoldForm(forms.Form):
    """The next version of a phase's gold, for one scenario or several; valid if it is perfect against itself."""

    phase = forms.ModelChoiceField(Phase.objects.none())
    scenarios = forms.ModelMultipleChoiceField(
        Scenario.objects.none(),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label="Only these scenarios",
        help_text="Leave empty to fill every scenario whose files are found in the archive.",
    )
    file = forms.FileField()
    note = forms.CharField(
        required=False,
        max_length=200,
        help_text="What changed, for the record.",
        widget=forms.TextInput(attrs={"size": 60}),
    )

    def __init__(self, *args: Any, user: User, is_too_large: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.is_too_large = is_too_large
        own = Phase.objects.filter(task__in=organised_tasks(user)).select_related("task")
        self.fields["phase"].queryset = own
        phase = self._known_phase()
        scenarios = phase.task.scenarios.all() if phase else Scenario.objects.none()
        if len(scenarios) > 1:
            self.fields["scenarios"].queryset = scenarios
            require_choice(self.fields["scenarios"], scenarios)
        else:
            del self.fields["scenarios"]
        families = {scenario.family: scenario.engine_family for scenario in scenarios}
        self.fields["file"].help_text = format_html(
            "One file, or a zip archive of all files. At most {}.{}",
            size(settings.MAX_UPLOAD_BYTES),
            format_html_join(
                "",
                '<details class="choices"><summary>What is in it for {}</summary><p>{}</p></details>',
                ((family.title, family.layout) for family in families.values()),
            ),
        )

    def _known_phase(self) -> Phase | None:
        try:
            return self.fields["phase"].clean(
                self.data.get("phase") or self.get_initial_for_field(self.fields["phase"], "phase")
            )
        except forms.ValidationError:
            return None

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.is_too_large:
            self.errors.pop("file", None)
            self.add_error("file", too_large())
        elif not self.errors:
            with _at_path(cleaned["file"]) as path:
                self._check(path)
        return cleaned

    def _check(self, path: Path) -> None:
        phase = self.cleaned_data["phase"]
        scenarios = list(phase.task.scenarios.all())
        try:
            entered = list(self.cleaned_data.get("scenarios", [])) or scenarios_in(path, scenarios)
        except scoring.SubmissionError as error:
            return self.add_error("file", _listed(map(str, error.problems)))
        self.cleaned_data["entered"] = entered
        if not scenarios:
            self.add_error("phase", "This task has no scenario yet. Add one to the task first.")
        elif not entered:
            self.add_error("file", "No file of any scenario was found. Compare the names of the files with the layout.")
        problems = [found for scenario in entered for found in self._problems(path, phase, scenario)]
        if problems:
            self.add_error("file", _listed(problems))

    def _problems(self, path: Path, phase: Phase, scenario: Scenario) -> list[str]:
        current = current_gold(phase, scenario)
        if current and current.sha256 == sha256_of(self.cleaned_data["file"]):
            return [f"Scenario {scenario.number}: this very file is its gold already, as version {current.version}."]
        try:
            check_gold(path, scenario)
        except scoring.GoldError as error:
            return [f"Scenario {scenario.number}: {problem}" for problem in error.problems]
        except scoring.ConfigurationError as error:
            return [f"Scenario {scenario.number}: {error}"]
        return []

    def save(self) -> list[Gold]:
        phase, file, note = (self.cleaned_data[name] for name in ("phase", "file", "note"))
        with _at_path(file) as path:
            return [
                add_gold(phase, scenario, path, file.name, by=self.user, note=note)
                for scenario in self.cleaned_data["entered"]
            ]


@contextmanager
def _at_path(file: UploadedFile) -> Iterator[Path]:
    """The file under its own name, from which the engine tells its format."""
    with TemporaryDirectory() as folder:
        path = Path(folder, file.name or "gold")
        with path.open("wb") as target:
            for chunk in file.chunks():
                target.write(chunk)
        yield path


def _listed(problems: Iterable[str]) -> list[str]:
    listed = list(problems)
    rest = len(listed) - MOST_PROBLEMS
    return listed if rest <= 0 else [*listed[:MOST_PROBLEMS], f"… and {rest} more."]
