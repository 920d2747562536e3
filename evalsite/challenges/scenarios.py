"""The scenarios of an upload: those that a phase takes, and those that a file is for."""

from collections.abc import Iterable

from django import forms
from django.utils.translation import gettext

from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Phase, Scenario
from scoring.readers.archive import Files, Source, open_files


def open_scenarios(phase: Phase) -> list[Scenario]:
    """Return the scenarios to which participants upload in this phase: those with gold that organisers do not bring."""
    return [scenario for scenario in golds_in_force(phase) if scenario.takes_uploads]


def sampled_scenarios(phase: Phase) -> list[Scenario]:
    """Return those of them for which a sample is made, and files can be scored at once: not those that wait for a
    judge.
    """
    return [scenario for scenario in open_scenarios(phase) if scenario.has_sample]


def scenarios_in(path: Source, scenarios: list[Scenario]) -> list[Scenario]:
    """Return the scenarios for which the upload has files; if a family cannot tell, a single one.

    It raises scoring.SubmissionError if the upload cannot be opened.
    """
    files = open_files(path)
    return [scenario for scenario in scenarios if _has_files(files, scenario, is_only=len(scenarios) == 1)]


def _has_files(files: Files, scenario: Scenario, *, is_only: bool) -> bool:
    has_files = scenario.engine_family.files.has_files
    return is_only if has_files is None else has_files(files, scenario.configured)


def must_be_chosen(scenarios: Iterable[Scenario]) -> bool:
    """Return whether the files of an upload cannot tell which of the scenarios it is for."""
    offered = list(scenarios)
    return len(offered) > 1 and any(scenario.engine_family.files.has_files is None for scenario in offered)


def are_read_alike(scenarios: Iterable[Scenario]) -> bool:
    """Return whether one file is read for all of the scenarios: of one family, of tables with the same heading."""
    return len({_shape(scenario) for scenario in scenarios}) == 1


def _shape(scenario: Scenario) -> tuple[object, ...]:
    family = scenario.engine_family
    example = family.example(scenario.configured)
    headings = [text.partition(b"\n")[0] for text in example.values()] if family.files.has_columns else []
    return family.name, *example, *headings


def require_choice(field: forms.Field, scenarios: Iterable[Scenario]) -> None:
    """Make the field of scenarios required if the files of an upload cannot tell them."""
    if must_be_chosen(scenarios):
        field.required = True
        field.label = gettext("For these scenarios")
        field.help_text = gettext("The file does not say which scenario it is for.")
        field.error_messages["required"] = gettext("Choose the scenario that the file is for.")
