"""Writes out the numbers and scores of single units."""

from collections.abc import Mapping

from evalsite.challenges.models import Scenario
from evalsite.translating.engine import from_engine
from evalsite.wording import NOTHING, in_digits
from scoring.families import FAMILIES


def value(number: float | None) -> str:
    """Return a number of a file with up to six significant digits: 3.25, −0.5, 1e+08.

    >>> value(3.25), value(-0.5), value(100000000.25), value(None)
    ('3.25', '−0.5', '1e+08', '–')
    """
    return NOTHING if number is None else in_digits(f"{number:.6g}")


def signed_value(number: float | None) -> str:
    """Return the same of a difference, with its sign.

    >>> signed_value(0.25), signed_value(0.0), signed_value(-2)
    ('+0.25', '0', '−2')
    """
    text = value(number)
    return f"+{text}" if number is not None and number > 0 else text


def with_titles(scores: Mapping[str, float | None], scenario: Scenario | None = None) -> list[tuple[str, str]]:
    """Return title and value, written out as the scenario or else the family says it, of each score of a segment."""
    return [(text_score_title(name), text_score(name, value, scenario)) for name, value in scores.items()]


def text_score_title(name: str) -> str:
    return from_engine(FAMILIES["text"].score_titles[name])


def text_score(name: str, value: float | None, scenario: Scenario | None) -> str:
    """Return the value of a score of texts, as the scenario or else the family writes it."""
    scale = scenario.scale_of(name) if scenario else FAMILIES["text"].scale(name, {})
    return scale.text(value)
