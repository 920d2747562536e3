"""Whether the gold that is there fits a scenario whose options are about to change."""

from django.utils.translation import gettext

import scoring
from evalsite.challenges.models import Gold, Scenario
from evalsite.challenges.services import check_gold
from evalsite.challenges.storage.files import named
from evalsite.translating.engine import from_engine


def gold_that_does_not_fit(scenario: Scenario) -> str:
    """What is wrong with the newest gold of a phase by these options, by which it was not checked; "" if all fit."""
    golds = Gold.objects.filter(scenario=scenario.pk).select_related("phase").order_by("version")
    for gold in {gold.phase_id: gold for gold in golds}.values():
        try:
            with named(gold.file) as path:
                check_gold(path, scenario)
        except scoring.GoldError as error:
            said = gettext("The gold of %(phase)s does not fit: %(problem)s")
            return said % {"phase": gold.phase.name, "problem": from_engine(error.problems[0])}
        except scoring.ConfigurationError as error:
            return from_engine(error)
    return ""
