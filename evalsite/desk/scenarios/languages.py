"""Adds the same scenario for other languages, by a form of their codes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext, gettext_lazy, ngettext

from evalsite.accounts.models import User
from evalsite.challenges.models import Scenario
from evalsite.challenges.soft_drafts import is_soft
from evalsite.desk.examples.replacing import problem_of_options
from evalsite.desk.scenarios.services import add_scenario, change_scenario
from scoring.family import Options
from scoring.readers.parts import Rows

MAX_LANGUAGES = 60  # languages that are added at once
_CODE = re.compile(r"[^\W_][\w-]{0,29}")


@dataclass(frozen=True)
class Language:
    code: str  # as a folder or a column has it
    name: str  # of the scenario


class LanguagesForm(forms.Form):
    """Languages line by line, and how an upload distinguishes them."""

    FOLDER, COLUMN = "folder", "column"

    own = forms.CharField(
        label=gettext_lazy("Language of this scenario"),
        max_length=30,
        help_text=gettext_lazy(
            "As it is written in folders or in the column, such as en. The scenario keeps its name."
        ),
        widget=forms.TextInput(attrs={"size": 8}),
    )
    languages = forms.CharField(
        label=gettext_lazy("Other languages"),
        widget=forms.Textarea(attrs={"rows": 6, "cols": 30}),
        help_text=gettext_lazy("One per line: the code, and “= name” if the scenario is to have another name."),
    )
    told_by = forms.ChoiceField(label=gettext_lazy("How uploads tell them apart"), widget=forms.RadioSelect)
    column = forms.CharField(label=gettext_lazy("Name of the column"), max_length=50, required=False, initial="lang")

    def __init__(self, *args: Any, scenario: Scenario, **kwargs: Any) -> None:
        self.scenario = scenario
        self.has_runs = scenario.scorings.exists()
        self.is_frozen = self.has_runs and not is_soft(scenario.task)
        self.removes_example = False  # whether the example's gold does not fit one language of several
        super().__init__(*args, **kwargs)
        self.fields["languages"].widget.attrs["placeholder"] = "de = German\nes = Spanish"
        by_folder = (self.FOLDER, gettext("by a folder or file with that name: de/run.csv, de.csv"))
        by_column = (self.COLUMN, gettext("by a column of one table: id,lang,label"))
        told_by = self.fields["told_by"]
        assert isinstance(told_by, forms.ChoiceField)
        told_by.choices = [by_folder, by_column] if scenario.engine_family.files.has_columns else [by_folder]
        told_by.initial = self.COLUMN if scenario.options.get("rows") else self.FOLDER
        if not scenario.engine_family.files.has_columns:
            del self.fields["column"]
        elif part := scenario.part:
            self.fields["column"].initial = part.column
        if self.is_part or self.is_frozen:
            del self.fields["own"]

    @property
    def is_part(self) -> bool:
        """Return whether the scenario is one language already."""
        return bool(self.scenario.options.get("folder") or self.scenario.options.get("rows"))

    def clean_own(self) -> str:
        return _code(self.cleaned_data["own"])

    def clean_languages(self) -> list[Language]:
        lines = list(_lines(self.cleaned_data["languages"]))
        if len(lines) > MAX_LANGUAGES:
            raise ValidationError(gettext("At most %(n)s languages at once.") % {"n": MAX_LANGUAGES})
        languages = []
        for line in lines:
            written, _, name = line.partition("=")
            if "=" in name:
                raise ValidationError(gettext("Write one language per line: %(line)s") % {"line": line[:100]})
            code = _code(written)
            languages.append(Language(code, " ".join(name.split())[:100] or code))
        if not languages:
            raise ValidationError(self.fields["languages"].error_messages["required"], code="required")
        return languages

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        if cleaned["told_by"] == self.COLUMN and not cleaned.get("column", "").strip():
            self.add_error("column", gettext("Enter the name of the column."))
        elif problems := list(self._taken(cleaned["languages"], cleaned.get("own"))):
            self.add_error("languages", problems)
        elif own_language := cleaned.get("own"):
            self.scenario.options = self.options_for(own_language)
            problem, self.removes_example = problem_of_options(self.scenario)
            if problem:
                self.add_error(None, problem)
        return cleaned

    @property
    def alters_scores(self) -> bool:
        """Return whether the scenario becomes one language, and its runs have other scores."""
        return self.has_runs and bool(self.cleaned_data.get("own"))

    def _taken(self, languages: list[Language], own_language: str | None) -> Iterator[str]:
        """Yield the names that would stand twice: formulas and boards know scenarios by their names."""
        taken = {scenario.name.casefold() for scenario in self.scenario.task.scenarios.all()}
        for language in languages:
            if language.code == own_language:
                yield gettext("%(code)s is the language of this scenario.") % {"code": own_language}
            if language.name.casefold() in taken:
                yield gettext("A scenario of this task is called %(name)s already.") % {"name": language.name}
            taken.add(language.name.casefold())

    def options_for(self, code: str) -> Options:
        """Return the scenario's own options, for this language."""
        options = {key: value for key, value in self.scenario.options.items() if key not in ("folder", "rows")}
        if self.cleaned_data["told_by"] == self.COLUMN:
            return options | {"rows": str(Rows(self.cleaned_data["column"].strip(), code))}
        return options | {"folder": code}


def _lines(text: str) -> Iterator[str]:
    """Yield what describes one language: a line, or its pieces between commas where all have a name or none has.

    So `de, es` and `de = German, es = Spanish` are two languages; the comma of `ca = Irony, Catalan` is in the name.
    """
    for line in text.splitlines():
        pieces = [piece for piece in line.split(",") if piece.strip()]
        n_named = sum("=" in piece for piece in pieces)
        yield from pieces if n_named in (0, len(pieces)) else [line]


def _code(text: str) -> str:
    code = text.strip()
    if not _CODE.fullmatch(code):
        problem = gettext("%(code)s is not the code of a language, such as en or pt-BR.")
        raise ValidationError(problem % {"code": code or "–"})
    return code


def add_languages(form: LanguagesForm, *, by: User) -> list[Scenario]:
    """Add a scenario for each language; the original one becomes one of them, unless it has runs."""
    scenario = form.scenario
    others = [
        Scenario(
            task=scenario.task,
            number=scenario.number,  # the next one that is free
            name=language.name,
            description=scenario.description,
            family=scenario.family,
            use=scenario.use,
            digits=scenario.digits,
            shown_scores=list(scenario.shown_scores),
            options=form.options_for(language.code),
        )
        for language in form.cleaned_data["languages"]
    ]
    with transaction.atomic():
        if form.cleaned_data.get("own"):
            part = {key: ("", scenario.options[key]) for key in ("folder", "rows") if key in scenario.options}
            change_scenario(scenario, part, by=by)
        for other in others:
            add_scenario(other, by=by)
    return others


def said_of(added: list[Scenario]) -> str:
    """Return the message that they were added."""
    text = ngettext("%(n)s scenario was added.", "%(n)s scenarios were added.", len(added)) % {"n": len(added)}
    return f"{text} {gettext('Their gold may come in one archive, with a folder for each, or in one table.')}"
