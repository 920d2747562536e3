"""Offers options by which a gold that was refused would be read, such as two columns that together name a row."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext, override

import scoring
from evalsite.accounts.models import User
from evalsite.challenges.gold.checks import check_gold
from evalsite.challenges.models import Scenario
from evalsite.challenges.soft_drafts import is_soft
from evalsite.desk.examples.replacing import follow_options, problem_of_options
from evalsite.desk.scenarios.option_fields import in_words, title_of
from evalsite.desk.scenarios.services import change_scenario
from scoring.readers.archive import Named, open_files

_ALONE = ("gold_delimiter", "gold_format")  # said by the option of runs, or of no use to one who is asked


@dataclass(frozen=True)
class Guess:
    """Options of a scenario by which the gold is perfect against itself."""

    scenario: Scenario
    options: Mapping[str, Any]  # those that change

    @property
    def question(self) -> str:
        if ids := self.options.get("id"):
            if len(ids) > 1:
                text = gettext("%(columns)s together are different in each row. Use them as ids?")
            else:
                text = gettext("%(columns)s is different in each row. Use it as the id?")
            sentences = [text % {"columns": " + ".join(ids)}]
        else:
            sentences = []
        family = self.scenario.engine_family
        for option in family.options:
            if option.key in self.options and option.key not in ("id", *_ALONE):
                words = in_words(family, option, self.options[option.key])
                sentences.append(f"{title_of(option)}: {words}.")
        return " ".join(sentences) or gettext("Read it as one value a line?")


def guess_for(scenario: Scenario, file: Named) -> Guess | None:
    """Return the options by which this gold would be taken, where the scenario's may still change."""
    guess = scenario.engine_family.files.guess
    if guess is None or (scenario.scorings.exists() and not is_soft(scenario.task)):
        return None
    try:
        options = guess(open_files(file), scenario.configured)
        changed = _with_options(scenario, options)
        if not options or problem_of_options(changed)[0]:
            return None
        check_gold(file, changed)
    except (scoring.SubmissionError, scoring.GoldError, scoring.ConfigurationError):
        return None
    return Guess(scenario, options)


def apply(guess: Guess, *, by: User) -> None:
    """Give the scenario the options; runs of a draft follow."""
    with transaction.atomic():
        scenario = Scenario.objects.select_for_update().select_related("task").get(pk=guess.scenario.pk)
        changed = _with_options(scenario, guess.options)
        problem, removes_example = problem_of_options(changed)
        if problem:
            return
        family = scenario.engine_family
        before, after = scenario.configured, changed.configured
        with override("en"):
            changes = {
                option.key: (in_words(family, option, before[option.key]), in_words(family, option, after[option.key]))
                for option in family.options
                if option.key in guess.options
            }
        change_scenario(changed, changes, by=by)
        if scenario.scorings.exists() or removes_example:
            follow_options(changed, removes_example=removes_example, by=by)


def _with_options(scenario: Scenario, options: Mapping[str, Any]) -> Scenario:
    changed = copy(scenario)  # whose `configured` is made anew
    changed.__dict__.pop("configured", None)
    changed.options = {**scenario.options, **options}
    return changed
