"""The options of a scenario as its readers are told them: in the words of its family, in their language."""

from typing import Any

from evalsite.challenges.models import Scenario
from evalsite.translating.engine import from_engine
from evalsite.wording import option_value, words
from scoring.family import Option


def options_in_words(scenario: Scenario) -> str:
    """Return the options that the organisers chose, such as "entities of one mention count; CoNLL columns".

    Those follow that participants have to know in any case.
    """
    configured = scenario.configured
    options = {option.key: option for option in scenario.engine_family.options}
    keys = dict.fromkeys([*scenario.options, *(key for key, option in options.items() if option.is_always_told)])
    sentences = [_in_words(options[key], configured[key]) for key in keys if configured.get(key) is not None]
    return "; ".join(filter(None, sentences))


def _in_words(option: Option, value: Any) -> str:
    meaning = option.describe(value)
    if meaning is not None:
        return from_engine(meaning)
    shown = ", ".join(map(str, value)) if isinstance(value, list | tuple) else option_value(value)
    return f"{words(option.key)}: {shown}"
