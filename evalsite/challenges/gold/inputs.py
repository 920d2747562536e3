"""The input of a phase that collects runs before there is gold: stored as a gold without answers, version 0.

It is made of what participants are given, by the same step that lets the kit check a run without gold. So all that
needs the texts, ids or questions of a gold has them: the check of uploads, the kit, samples, what an upload is for.
"""

from contextlib import suppress
from dataclasses import dataclass

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

import scoring
from evalsite.accounts.models import User
from evalsite.challenges.gold.services import delete_gold, has_runs
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, Phase, Scenario, record
from evalsite.challenges.storage.durable import removed_on_error
from evalsite.challenges.storage.files import archive_of, sha256_of
from scoring.descriptions import blank_gold
from scoring.readers.archive import Files, Made, Named

NAME = "input.zip"


def may_collect(scenario: Scenario) -> bool:
    """Return whether runs of the scenario can be checked beside an input, and wait for gold instead of a judge."""
    files = scenario.engine_family.files
    return scenario.takes_uploads and not scenario.is_judged and not scenario.is_brought and files.inputs is not None


@dataclass(frozen=True)
class Input:
    """Holds a gold without answers, as it is stored."""

    archive: bytes
    n_units: int


def read_input(scenario: Scenario, file: Named) -> Input:
    """Return the input of a scenario; raise scoring.GoldError where no runs can be checked beside it."""
    try:
        blank = blank_gold(scenario.family, file, scenario.options, drop_marks=True)
        files = scenario.engine_family.files
        sample = files.sample(blank, scenario.configured) if files.sample else scenario.example
        scoring.read_against(scenario.family, inputs=file, system=Made(sample), options=scenario.options)
        n_units = max(_n_units(scenario, blank, Made(sample)), _n_keys(scenario, blank))
    except scoring.SubmissionError as error:
        raise scoring.GoldError(error.problems) from error
    except scoring.ConfigurationError as error:
        raise scoring.GoldError(str(error)) from error
    if not n_units:
        raise scoring.GoldError(gettext("It contains nothing for runs to answer."))
    return Input(archive_of({path: blank[path] for path in blank}), n_units)


def _n_units(scenario: Scenario, blank: Files, sample: Files) -> int:
    with suppress(scoring.ScoringError):  # what has no answers need not have scores
        return len(scoring.evaluate(scenario.family, gold=blank, system=sample, options=scenario.options).units)
    return 0


def _n_keys(scenario: Scenario, blank: Files) -> int:
    keys = scenario.engine_family.files.input_keys
    return len(keys(blank, scenario.configured, "gold")) if keys else 0


def store_input(phase: Phase, scenario: Scenario, made: Input, *, by: User) -> Gold:
    """Let the scenario take runs in this phase before it has gold; raise scoring.GoldError where that cannot be.

    An input beside which runs wait already stays as it is.
    """
    with transaction.atomic():
        Phase.objects.select_for_update().get(pk=phase.pk)
        if former := gold_in_force(phase, scenario):
            if not former.is_input:
                raise scoring.GoldError(gettext("It already has gold, so runs need not wait."))
            if has_runs(former):
                raise scoring.GoldError(gettext("Runs that were checked against its input are already waiting."))
            delete_gold(former, by=by)
        archive = ContentFile(made.archive, NAME)
        gold = Gold(phase=phase, scenario=scenario, version=0, is_input=True, file=archive, file_name=NAME)
        gold.sha256, gold.n_units = sha256_of(archive), made.n_units
        gold.created_by = gold.published_by = by
        gold.published = timezone.now()
        with removed_on_error(gold.file):
            gold.save(force_insert=True)
            record(phase.task, "input added", actor=by, subject=gold.pk, scenario=scenario.number)
    return gold
