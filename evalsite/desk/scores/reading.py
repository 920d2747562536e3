"""Reads a table of scores, beside the gold of its scenario."""

import json
from dataclasses import dataclass

from django.utils.translation import ngettext

from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.storage.files import named
from evalsite.wording import amount
from scoring.display.tables import csv_text
from scoring.families.given.inputs import written
from scoring.readers.archive import Source, open_files
from scoring.readers.given import Contribution, Runs, read_gold, read_runs

FAMILY = "given"


def scenarios_with_gold(phase: Phase) -> dict[Scenario, Gold]:
    """Return the scenarios of the phase whose scores are made elsewhere, with their gold."""
    return {scenario: gold for scenario, gold in golds_in_force(phase).items() if takes_table(scenario)}


def takes_table(scenario: Scenario) -> bool:
    """Return whether one table has the scores of several runs for it, which are made elsewhere."""
    return scenario.is_brought and scenario.family == FAMILY


def read(file: Source, scenario: Scenario, gold: Gold) -> Runs:
    """Return all runs of the table; raises SubmissionError with its problems."""
    options = scenario.configured | {"run": None}
    with named(gold.file) as units:
        return read_runs(open_files(file, drop_marks=True), read_gold(open_files(units), options), options)


@dataclass(frozen=True)
class RunPreview:
    """One run of the table, as the preview shows it."""

    run: Contribution
    scenario: Scenario

    @property
    def is_in_order(self) -> bool:
        """Return whether it would be scored and not refused."""
        options = self.scenario.configured
        refused = (
            self.run.n_missing and options["missing"] == "refuse",
            self.run.n_unknown and options["unknown_ids"] == "refuse",
            self.run.n_repeated and options["repeated"] == "refuse",
        )
        return not any(refused)

    @property
    def remarks(self) -> list[str]:
        """Return what is missing, unknown or repeated, with the first of them by name."""
        run, sentences = self.run, []
        if run.n_missing:
            words = ngettext("%(n)s unit is missing: %(names)s", "%(n)s units are missing: %(names)s", run.n_missing)
            sentences.append(words % {"n": amount(run.n_missing), "names": _named(run.missing, run.n_missing)})
        if run.n_unknown:
            words = ngettext(
                "%(n)s row of a unit that the gold does not have: %(names)s",
                "%(n)s rows of units that the gold does not have: %(names)s",
                run.n_unknown,
            )
            sentences.append(words % {"n": amount(run.n_unknown), "names": _named(run.unknown, run.n_unknown)})
        if run.n_repeated:
            words = ngettext(
                "%(n)s extra score of units that already have one",
                "%(n)s extra scores of units that already have one",
                run.n_repeated,
            )
            sentences.append(words % {"n": amount(run.n_repeated)})
        return sentences


def _named(names: list[str], number: int) -> str:
    n_more = number - len(names)
    more = ngettext("and %(n)s more", "and %(n)s more", n_more) % {"n": amount(n_more)} if n_more > 0 else ""
    return " ".join(filter(None, [", ".join(names), more]))


def file_of(runs: Runs, run: Contribution, scenario: Scenario) -> tuple[str, bytes]:
    """Return name and content of a file that uploads one run to the scenario."""
    options = scenario.configured
    table = runs.table
    units = table.ids.taken(run.rows).texts()
    scores = table.columns[options["score"]].taken(run.rows).texts()
    rows = list(zip(units, map(json.loads, scores) if options["format"] == "jsonl" else scores, strict=True))
    [(name, content)] = written("scores", [options["unit"], options["score"]], rows, options, "system").items()
    return name, content


def example() -> str:
    """Return an example of a table."""
    return csv_text([("run", "unit", "score"), ("sysA", "doc1:3", "0.8125"), ("sysB", "doc1:3", "0.79")])
