"""What organisers fill in: a task, its scenarios and downloads, and gold."""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django import forms
from django.conf import settings
from django.db.models import Max, Q
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext

import scoring
from evalsite.accounts.models import User
from evalsite.challenges.access import MAY_ORGANISE, organised_tasks
from evalsite.challenges.editing import CarefulForm
from evalsite.challenges.files import at_path, local_path
from evalsite.challenges.gold_report import Report, remarks_of, report_on, store_all
from evalsite.challenges.models import Download, Gold, Phase, Scenario, Task, WaitingGold
from evalsite.challenges.remarks import AND_MORE
from evalsite.challenges.services import Remarks, check_gold, keep_waiting, must_be_chosen, scenarios_in
from evalsite.challenges.times import Question, Times, about_download, about_phase, implausible
from evalsite.challenges.windows import WindowField
from evalsite.translating.engine import from_engine
from evalsite.wording import amount, enumerated, size, utc
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
        "invalid_choice": gettext_lazy(
            "%(value)s is not the address of an organiser's account. "
            "The site's administrators can make an account an organiser's."
        )
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(User.objects.filter(MAY_ORGANISE), to_field_name="email", **kwargs)


class TaskForm(CarefulForm):
    organisers = OrganisersField(
        label=gettext_lazy("Organisers"),
        help_text=gettext_lazy(
            "E-mail addresses, one on a line. Organisers change the task and see its gold and all uploads."
        ),
    )
    is_too_large = False  # whether files of the request were dropped while they arrived

    class Meta:
        model = Task
        fields = (
            *("title", "slug", "summary", "description", "language", "data_language"),
            *("contact", "organisers", "is_published"),
        )
        help_texts = {
            "slug": gettext_lazy("The task's place in addresses, /tasks/<i>slug</i>/. Keep it once it is known."),
            "description": gettext_lazy(
                "Markdown: what is to be found, in which data, how it is scored, dates, whom to cite. "
                "Headings, lists, tables, links and code; no footnotes or formulas, and of an image a link to it."
            ),
            "contact": gettext_lazy("An e-mail address at which participants can ask; everybody sees it."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.is_new:
            self.fields["organisers"].required = False
            self._add_to_help(gettext("Yours is added by itself."))
        elif former := self.instance.organisers.exclude(MAY_ORGANISE):
            # They stay on the list, or the task could not be saved before somebody takes them off it.
            self.fields["organisers"].queryset = User.objects.filter(MAY_ORGANISE | Q(pk__in=former))
            said = gettext("Without rights, because not an organiser of this site: %(addresses)s.")
            self._add_to_help(said % {"addresses": ", ".join(each.email for each in former)})

    def _add_to_help(self, sentence: str) -> None:
        self.fields["organisers"].help_text = f"{self.fields['organisers'].help_text} {sentence}"

    def clean(self) -> dict[str, Any] | None:
        if self.is_too_large:
            raise forms.ValidationError(too_large())
        return super().clean()

    def questions(self) -> Iterator[Question]:
        if self.is_new:
            return
        cleaned, changed = self.cleaned_data, self.changed_data
        was_published = self.stored("is_published")
        if "slug" in changed and was_published:
            yield (
                "slug",
                gettext("The task is published: links to its pages and boards will lead nowhere. Is that meant?"),
            )
        if removed := [each for each in self.stored("organisers") if each not in cleaned["organisers"]]:
            asked = ngettext(
                "%(names)s would lose every right in this task. Is that meant?",
                "%(names)s would lose every right in this task. Is that meant?",
                len(removed),
            )
            yield "organisers", asked % {"names": enumerated([f"{each} ({each.email})" for each in removed])}
        if cleaned["is_published"] and not was_published:
            for phase in self.instance.phases.filter(gold_released=True, opens__gt=timezone.now()):
                if phase.golds.exists():
                    yield "is_published", public_gold(phase.name, phase.opens)


def public_gold(phase: str, opens: datetime) -> str:
    asked = gettext("%(phase)s opens on %(opens)s, but everybody could download its gold at once. Is that meant?")
    return asked % {"phase": phase, "opens": utc(opens)}


def too_large() -> str:
    said = gettext("Nothing was saved: the files are larger than %(most)s, the most that one upload may have.")
    return said % {"most": size(settings.MAX_UPLOAD_BYTES)}


class NamesField(forms.CharField):
    """A list of names, written with commas between them."""

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(map(str, value)) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [name.strip() for name in str(super().to_python(value)).split(",") if name.strip()]


class OptionsField(forms.JSONField):
    """JSON; what Python's parser gives up on, such as a number of ten thousand digits, is no JSON either."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except (ValueError, RecursionError):
            raise forms.ValidationError(
                self.error_messages["invalid"], code="invalid", params={"value": value}
            ) from None


class ScenarioForm(CarefulForm):
    """Family and options stay as they are once runs have been scored with them: scores would not compare."""

    shown_scores = NamesField(label=gettext_lazy("Shown scores"), required=False)

    class Meta:
        model = Scenario
        fields = ("number", "name", "description", "family", "options", "shown_scores")
        field_classes = {"options": OptionsField}
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
        if not self.is_new and self.instance.scorings.exists():
            for name in ("family", "options"):
                self.fields[name].disabled = True
            said = gettext("Runs have been scored: family and options stay. For others, add a scenario.")
            self.fields["family"].help_text = said

    def questions(self) -> Iterator[Question]:
        if not self.is_new and "number" in self.changed_data and self.instance.scorings.exists():
            asked = gettext("Links to the boards and results of this scenario will lead nowhere. Is that meant?")
            yield "number", asked

    def clean_options(self) -> Any:
        return {} if self.cleaned_data["options"] is None else self.cleaned_data["options"]

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.is_new and {"family", "options"} & set(self.changed_data) and not self.errors:
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
                said = gettext("The gold of %(phase)s does not fit: %(problem)s")
                self.add_error("options", said % {"phase": gold.phase.name, "problem": from_engine(error.problems[0])})
            except scoring.ConfigurationError:
                return  # said by the model


def options_help(families: list[scoring.Family]) -> SafeString:
    """Every option with its values, the default first."""
    return format_html(
        "{}{}",
        gettext("A JSON object; what is left out has its default."),
        format_html_join(
            "",
            '<details class="choices"><summary>{}</summary><dl>{}</dl></details>',
            (
                (gettext("Options of %(family)s") % {"family": from_engine(family.title)}, _options_of(family))
                for family in families
            ),
        ),
    )


def _options_of(family: scoring.Family) -> SafeString:
    return format_html_join(
        "",
        "<dt><code>{}</code></dt><dd>{}. <span>{}; {} {}</span></dd>",
        (
            (
                option.key,
                from_engine(option.help),
                _values(option),
                pgettext("value of an option", "default"),
                _as_json(option.default),
            )
            for option in family.options
            if not option.is_local
        ),
    )


def _values(option: Option) -> str:
    return from_engine(option.values) if option.values else " | ".join(map(_as_json, option.choices))


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def scores_help(families: list[scoring.Family]) -> SafeString:
    known = format_html_join(
        "",
        '<details class="choices"><summary>{}</summary><dl>{}</dl></details>',
        (
            (gettext("Scores of %(family)s") % {"family": from_engine(family.title)}, _scores_of(family))
            for family in families
        ),
    )
    said = gettext(
        "The board's columns, with commas between them. Empty: the family's choice. The headline is always first."
    )
    return format_html("{}{}", said, known)


def _scores_of(family: scoring.Family) -> SafeString:
    scores = ((name, from_engine(title)) for name, title in family.score_titles.items())
    return format_html_join("", "<dt><code>{}</code></dt><dd>{}</dd>", scores)


def file_help(families: Iterable[scoring.Family]) -> SafeString:
    """What a file of gold has to hold, for each family of the task."""
    most = gettext("One file, or a zip archive of all files. At most %(size)s.")
    layouts = format_html_join(
        "",
        '<details class="choices"><summary>{}</summary><p>{}</p><p>{}</p></details>',
        (
            (
                gettext("What is in it for %(family)s") % {"family": from_engine(family.title)},
                gettext("This is the layout of runs. What a run may leave out, gold has to hold."),
                from_engine(family.layout),
            )
            for family in families
        ),
    )
    return format_html("{}{}", most % {"size": size(settings.MAX_UPLOAD_BYTES)}, layouts)


def require_choice(field: forms.Field, scenarios: Iterable[Scenario]) -> None:
    """Ask for the scenarios of an upload where its files cannot tell them."""
    if must_be_chosen(scenarios):
        field.required = True
        field.label = gettext("For these scenarios")
        field.help_text = gettext("The file does not tell what it is for.")
        field.error_messages["required"] = gettext("Choose the scenario that the file is for.")


TIMES = ("opens", "closes", "results_released")


class PhaseForm(CarefulForm):
    window = WindowField(
        label=gettext_lazy("Window"),
        initial=timedelta(days=1),
        help_text=gettext_lazy("The time in which the uploads are counted."),
    )

    class Meta:
        model = Phase
        fields = (
            *("name", "slug", "description", "opens", "closes", "is_paused", "window_limit", "window", "total_limit"),
            "upload_megabytes",
            *("board_audience", "is_anonymous", "shows_scores", "gold_released", "results_released"),
        )
        widgets = {"description": forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"})}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        echo_times(self, TIMES)
        noon = gettext("Noon UTC is the end of the day before, anywhere on Earth.")
        self.fields["closes"].help_text = format_html("{} {}", self.fields["closes"].help_text, noon)

    def questions(self) -> Iterator[Question]:
        cleaned, changed, now = self.cleaned_data, set(self.changed_data), timezone.now()
        yield from implausible({name: cleaned[name] for name in TIMES if name in changed or self.is_new})
        before = None if self.is_new else Times(*map(self.stored, TIMES))
        after = Times(*(cleaned[name] for name in TIMES))
        if self.is_new or changed.intersection(TIMES):
            downloads = Download.objects.filter(task=self.instance.task_id)
            last = downloads.aggregate(last=Max("available_from"))["last"]
            yield from about_phase(before, after, last, now)
        if before is None:
            return
        if "slug" in changed and self.instance.submissions.exists():
            yield "slug", gettext("Links to this phase, its boards and its results will lead nowhere. Is that meant?")
        is_newly_public = cleaned["gold_released"] and changed & {"gold_released", "opens"}
        if is_newly_public and after.opens > now and self.instance.golds.exists():
            yield "gold_released", public_gold(cleaned["name"], after.opens)


def echo_times(form: CarefulForm, names: Iterable[str]) -> None:
    """Below each time that is stored: the time in words, to which times.js adds the visitor's own."""
    for name in names:
        if not form.is_new and (time := form.stored(name)):
            form.fields[name].help_text = format_html(
                "{} {} {}.",
                form.fields[name].help_text,
                pgettext("before a stored time", "Now:"),
                format_html('<time datetime="{}" data-local>{}</time>', time.isoformat(), utc(time)),
            )


class DownloadForm(CarefulForm):
    class Meta:
        model = Download
        fields = ("title", "description", "file", "available_from")
        widgets = {"file": forms.FileInput}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        echo_times(self, ("available_from",))

    def questions(self) -> Iterator[Question]:
        if self.is_new or "available_from" in self.changed_data:
            time = self.cleaned_data["available_from"]
            yield from implausible({"available_from": time})
            phases = Phase.objects.filter(task=self.instance.task_id)  # none of a task that is new itself
            yield from about_download(time, phases.values_list("closes", flat=True))


class GoldForm(forms.Form):
    """The next version of a phase's gold, for one scenario or several; valid if it is perfect against itself."""

    phase = forms.ModelChoiceField(Phase.objects.none(), label=gettext_lazy("Phase"))
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

    def __init__(self, *args: Any, user: User, is_too_large: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.is_too_large = is_too_large
        own = Phase.objects.filter(task__in=organised_tasks(user)).select_related("task")
        self.fields["phase"].queryset = own
        phase = self.known_phase = self._known_phase()
        if phase:
            self.fields["phase"].widget = forms.HiddenInput()
        scenarios = phase.task.scenarios.all() if phase else Scenario.objects.none()
        if len(scenarios) > 1:
            self.fields["scenarios"].queryset = scenarios
            require_choice(self.fields["scenarios"], scenarios)
        else:
            del self.fields["scenarios"]
        families = {scenario.family: scenario.engine_family for scenario in scenarios}
        self.fields["file"].help_text = file_help(families.values())

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
            with at_path(cleaned["file"], cleaned["file"].name) as path:
                self._check(path)
        return cleaned

    def _check(self, path: Path) -> None:
        phase = self.cleaned_data["phase"]
        scenarios = list(phase.task.scenarios.all())
        try:
            entered = list(self.cleaned_data.get("scenarios", [])) or scenarios_in(path, scenarios)
        except scoring.SubmissionError as error:
            return self.add_error("file", _listed(map(from_engine, error.problems)))
        if not scenarios:
            return self.add_error(None, gettext("This task has no scenario yet. Add one to the task first."))
        if not entered:
            missing = gettext("No file of any scenario was found. Compare the names of the files with the layout.")
            return self.add_error("file", missing)
        self.reports = [report_on(phase, scenario, path, self.user) for scenario in entered]
        if problems := [problem for report in self.reports for problem in problems_of(report)]:
            self.add_error("file", _listed(problems))
        elif all(report.same_as for report in self.reports):
            self.add_error("file", [already_there(report) for report in self.reports])

    @property
    def remarks(self) -> Remarks:
        return remarks_of(self.cleaned_data["phase"], self.reports)

    def keep_waiting(self) -> WaitingGold:
        phase, file, note = (self.cleaned_data[name] for name in ("phase", "file", "note"))
        scenarios = [report.scenario for report in self.reports]
        with at_path(file, file.name) as path:
            return keep_waiting(phase, scenarios, path, remarks=self.remarks, by=self.user, note=note)

    def save(self) -> list[Gold]:
        phase, file, note = (self.cleaned_data[name] for name in ("phase", "file", "note"))
        with at_path(file, file.name) as path:
            return store_all(phase, self.reports, path, by=self.user, note=note)


def problems_of(report: Report) -> Iterator[str]:
    """Why the gold is refused; several lines, such as a script, stay several lines."""
    for problem in report.problems:
        said = gettext("Scenario %(number)s: %(problem)s")
        values = {"number": report.scenario.number, "problem": from_engine(problem)}
        first, _, more = (said % values).partition("\n")
        yield format_html("{}<pre>{}</pre>", first, more) if more else first


def already_there(report: Report) -> str:
    version = report.same_as.version if report.same_as else ""
    said = gettext("Scenario %(number)s: this very file is its gold already, as version %(version)s.")
    return said % {"number": report.scenario.number, "version": version}


def _listed(problems: Iterable[str]) -> list[str]:
    listed = list(problems)
    rest = len(listed) - MOST_PROBLEMS
    return listed if rest <= 0 else [*listed[:MOST_PROBLEMS], gettext(AND_MORE) % {"n": amount(rest)}]
