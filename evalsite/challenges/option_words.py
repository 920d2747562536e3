"""The options of a scenario as its readers are told them: in the words of its family, in their language."""

from typing import Any

from evalsite.challenges.models import Scenario
from evalsite.translating.engine import from_engine
from evalsite.wording import option_value, words
from scoring.family import Option


def options_in_words(scenario: Scenario) -> str:
    """Return the options that the organisers chose, such as "entities of one mention count; CoNLL columns"."""
    configured = scenario.configured
    options = {option.key: option for option in scenario.engine_family.options}
    said = [_said(options[key], configured[key]) for key in scenario.options if configured.get(key) is not None]
    return "; ".join(filter(None, said))


def _said(option: Option, value: Any) -> str:
    meaning = option.describe(value)
    if meaning is not None:
        return from_engine(meaning)
    shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else option_value(value)
    return f"{words(option.key)}: {shown}"
