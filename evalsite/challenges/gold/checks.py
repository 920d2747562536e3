"""Checks of gold: it has to score perfectly against itself, and to fit the scenario's options."""

from collections.abc import Collection
from contextlib import suppress
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext
from numpy.typing import NDArray

import scoring
from evalsite.challenges.models import Gold, Scenario, is_perfect
from evalsite.challenges.revisions import raise_revision
from evalsite.challenges.storage.files import named
from evalsite.translating.engine import from_engine
from evalsite.wording import in_digits, score
from scoring.budget import GoldSize
from scoring.families.parts import gold_of_part
from scoring.readers.archive import Made, Named, Source, open_files


def check_gold(path: Source, scenario: Scenario) -> scoring.Evaluation:
    """Score the gold against itself; raise scoring.GoldError unless that is perfect."""
    try:
        upload = as_upload(path, scenario)
        evaluation = scoring.evaluate(scenario.family, gold=path, system=upload, options=scenario.options)
    except scoring.SubmissionError as error:
        raise scoring.GoldError(error.problems) from error
    except scoring.ConfigurationError as error:
        # The options ask for what the server lacks, such as a package, or the gold, such as a score that ranks.
        raise scoring.GoldError(str(error)) from error
    require_perfect(scenario, evaluation.headline, evaluation.scores[evaluation.headline], evaluation.options)
    return evaluation


def require_perfect(scenario: Scenario, headline: str, value: float | None, options: dict[str, Any]) -> None:
    """Raise scoring.GoldError unless this is the score of a gold against itself by which the scenario can rank."""
    if headline != scenario.headline:
        problem = gettext(
            "Judging by its annotations, this gold would rank by %(own)s, but the scenario's board ranks by "
            "%(wanted)s. Choose one of the two in the scenario's options."
        )
        raise scoring.GoldError(problem % {"own": headline, "wanted": scenario.headline})
    if problem := _short_of_perfect(scenario, headline, value, options):
        raise scoring.GoldError(problem)


def _short_of_perfect(scenario: Scenario, headline: str, value: float | None, options: dict[str, Any]) -> str:
    """Return the problem with the score of a gold against itself, "" if there is none."""
    perfect = scenario.engine_family.score_when_perfect(options)
    can_be_anything = scenario.scale.is_open or scenario.lower_is_better
    is_whole = can_be_anything or (value is not None and value > 0) if perfect is None else is_perfect(value, perfect)
    if value is not None and is_whole:
        return ""
    shown = gettext("no score") if value is None else score(value, scenario.scale)
    values = {"headline": headline, "score": shown}
    if perfect is None:
        problem = gettext(
            "Scored against itself, this gold reaches %(headline)s = %(score)s. Gold without anything to "
            "find cannot rank systems."
        )
        return problem % values
    problem = gettext(
        "Scored against itself, this gold reaches %(headline)s = %(score)s instead of "
        "%(perfect)s. Gold without annotations, or gold that contradicts itself, cannot rank "
        "systems."
    )
    return problem % {**values, "perfect": in_digits(f"{perfect:g}")}


def measure_golds() -> int:
    """Measure what each gold of before this was kept holds, and return how many that are; one that fits its options no
    more, or whose file cannot be read, stays as it is, so that its phase tells as little as there is.
    """
    n_measured = 0
    for gold in _unmeasured().select_related("scenario", "phase"):
        with suppress(scoring.GoldError, OSError), named(gold.file) as path:
            size = GoldSize.of(check_gold(path, gold.scenario), gold.scenario.engine_family)
            with transaction.atomic():
                n_measured += Gold.objects.filter(pk=gold.pk).update(size=size.as_dict())
                raise_revision([gold.phase.task_id])
    return n_measured


def _unmeasured() -> QuerySet[Gold]:
    return Gold.objects.filter(size__isnull=True, is_input=False).exclude(state=Gold.State.DISCARDED)


def rows_of_itself(gold: Gold) -> NDArray[Any]:
    """Return the counts of a run that equals the gold, unit by unit: those of the gold scored against itself."""
    with named(gold.file) as path:
        upload = as_upload(path, gold.scenario)
        scenario, part = gold.scenario, gold.part_for_engine
        subset = scoring.Subset(**part["subset"]) if part else None
        result = scoring.evaluate(scenario.family, gold=path, system=upload, options=scenario.options, subset=subset)
        return np.asarray(result.rows)


def as_upload(path: Source, scenario: Scenario) -> Source:
    """Return the gold as a participant would upload it: the same file, or files in memory where the layouts differ."""
    make = scenario.engine_family.files.gold_as_submission
    made = make(open_files(path), scenario.configured) if make else None
    return path if made is None else Made(made)


def digest_of(gold: Gold) -> str:
    """Return the engine's digest of a stored gold; "" if it cannot be read any more."""
    if not gold.digest:
        try:
            with named(gold.file) as path:
                scenario, options = gold.scenario, gold.scenario.configured
                files = gold_of_part(scenario.engine_family, open_files(path), options)
                gold.digest = files.digest(scenario.engine_family.read_gold(files, options).paths)
        except (scoring.SubmissionError, scoring.GoldError, scoring.ConfigurationError, OSError):
            return ""
        Gold.objects.filter(pk=gold.pk).update(digest=gold.digest)
    return gold.digest


def is_same_gold(gold: Gold, path: Named, evaluation: scoring.Evaluation) -> bool:
    """Return whether a file holds the very gold of this version, also in another archive or under another name.

    `evaluation` is that of the file against itself, whose units tell whether a name says which document a file holds.
    """
    if digest_of(gold) == evaluation.gold_digest:
        return True
    if gold.n_units_in_file != len(evaluation.units):
        return False
    try:
        with named(gold.file) as stored:
            if _contents(gold.scenario, stored) != _contents(gold.scenario, path):
                return False
            return check_gold(stored, gold.scenario).units == evaluation.units
    except (scoring.ScoringError, OSError):
        return False


def _contents(scenario: Scenario, path: Source) -> list[bytes]:
    """Return the contents of the scenario's files, in an order that their names do not decide."""
    options = scenario.configured
    files = gold_of_part(scenario.engine_family, open_files(path), options)
    return sorted(files[path] for path in scenario.engine_family.read_gold(files, options).paths)


def is_mixed(scenario: Scenario) -> bool:
    """Return whether counts of a unit follow from other units too, so that gold cannot be split."""
    return scenario.engine_family.counts.are_mixed(scenario.configured)


def gold_that_does_not_fit(scenario: Scenario, without: Collection[Gold] = ()) -> str:
    """Return the problem of the newest gold of a phase with the scenario's new options, "" if all golds fit.

    Those of `without` need not: they are going to be removed.
    """
    golds = Gold.objects.filter(scenario=scenario.pk, is_input=False).exclude(pk__in=[gold.pk for gold in without])
    golds = golds.select_related("phase").order_by("version")
    for gold in {gold.phase_id: gold for gold in golds}.values():
        try:
            with named(gold.file) as path:
                units = check_gold(path, scenario).units
            if gold.split and (units != gold.split.names or is_mixed(scenario)):
                sentence = gettext("The gold of %(phase)s is split into parts, and other options would mix them.")
                return sentence % {"phase": gold.phase.name}
        except scoring.GoldError as error:
            sentence = gettext("The gold of %(phase)s does not fit: %(problem)s")
            return sentence % {"phase": gold.phase.name, "problem": from_engine(error.problems[0])}
        except scoring.ConfigurationError as error:
            return from_engine(error)
    return ""
