"""Reads what a judge posts: strict JSON, of which every problem is told with its place."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from evalsite.challenges.models import JUDGE_LENGTH, Gold
from evalsite.contrib.judging.unjudged import Judge

MOST_TOLD = 100  # problems of one post
LONGEST_UNIT = 1000  # characters of a unit's name
_KEYS = ("run", "scenario", "judge", "scores")
_OPTIONAL = ("gold", "replace")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True)
class Trouble:
    """One problem of what was posted, at a place such as `scores[3].score`."""

    place: str
    message: str


class Invalid(Exception):
    """What was posted cannot be read, or is not what the gold asks for."""

    def __init__(self, troubles: Iterable[Trouble]) -> None:
        listed = list(troubles)
        super().__init__(f"{len(listed)} problems")
        self.n = len(listed)
        self.troubles = listed[:MOST_TOLD]


@dataclass(frozen=True)
class Posted:
    """The scores of one run by one judge."""

    run: UUID
    scenario: int
    judge: Judge
    scores: list[tuple[str, float]]
    gold: int | None  # version; None: the first that lacks scores of this run
    replaces: bool  # whether other numbers of the same judge are meant to go


class _Repeated(ValueError):
    """A key stands twice in one object, so that nobody knows which value is meant."""


def read_posted(content: bytes) -> Posted:
    """Return the scores; raise Invalid with everything that is wrong with their form."""
    posted = _parsed(content)
    troubles: list[Trouble] = []
    if not isinstance(posted, dict):
        raise Invalid([Trouble("", _("An object is needed, with the keys %(keys)s.") % {"keys": ", ".join(_KEYS)})])
    _require_keys(posted, _KEYS, _OPTIONAL, "", troubles)
    run = _uuid(posted.get("run"), troubles) if "run" in posted else None
    scenario = _whole(posted, "scenario", troubles)
    gold = _whole(posted, "gold", troubles)
    if not isinstance(posted.get("replace", False), bool):
        troubles.append(Trouble("replace", _("true or false is needed.")))
    judge = _judge(posted["judge"], troubles) if "judge" in posted else None
    scores = _scores(posted["scores"], troubles) if "scores" in posted else []
    if troubles or run is None or judge is None or scenario is None:
        raise Invalid(troubles)
    return Posted(run, scenario, judge, scores, gold, bool(posted.get("replace", False)))


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(content.decode(), object_pairs_hook=_object, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        words = _("The text is not UTF-8 from byte %(byte)s on.") % {"byte": error.start}
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise Invalid([Trouble(place, _("This is not JSON: %(reason)s.") % {"reason": error.msg})]) from error
    except RecursionError:
        words = _("The JSON is nested too deeply.")
    except ValueError as error:  # of the hooks below, or an integer with thousands of digits
        words = str(error)
    raise Invalid([Trouble("", words)])


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    parsed = dict(pairs)
    if len(parsed) < len(pairs):
        twice = next(key for key, n in Counter(key for key, _value in pairs).items() if n > 1)
        raise _Repeated(_("The key “%(key)s” is there twice in one object.") % {"key": twice[:60]})
    return parsed


def _no_number(text: str) -> Any:
    raise ValueError(_("%(text)s is not a JSON number: a score is finite.") % {"text": text})


def _require_keys(
    posted: dict[str, Any], needed: Iterable[str], optional: Iterable[str], place: str, troubles: list[Trouble]
) -> None:
    within = f"{place}." if place else ""
    troubles += [Trouble(f"{within}{key}", _("This key is missing.")) for key in needed if key not in posted]
    allowed = {*needed, *optional}
    troubles += [
        Trouble(f"{within}{key[:60]}", _("This key is unknown. The keys are %(keys)s.") % {"keys": ", ".join(needed)})
        for key in posted
        if key not in allowed
    ]


def _uuid(given: Any, troubles: list[Trouble]) -> UUID | None:
    try:
        return UUID(given)
    except (ValueError, TypeError, AttributeError):
        troubles.append(Trouble("run", _("The ID of a run is needed, as the list of runs has it.")))
        return None


def _whole(posted: dict[str, Any], key: str, troubles: list[Trouble]) -> int | None:
    if key not in posted:
        return None
    if isinstance(posted[key], int) and not isinstance(posted[key], bool) and 0 < posted[key] < 2**31:
        return int(posted[key])
    troubles.append(Trouble(key, _("A whole number from 1 on is needed.")))
    return None


def _judge(given: Any, troubles: list[Trouble]) -> Judge | None:
    if not isinstance(given, dict):
        troubles.append(Trouble("judge", _("An object with name and version is needed.")))
        return None
    n_before = len(troubles)
    _require_keys(given, ("name", "version"), (), "judge", troubles)
    for key in ("name", "version"):
        if key in given and (problem := name_problem(given[key])):
            troubles.append(Trouble(f"judge.{key}", problem))
    return None if len(troubles) > n_before else Judge(given["name"], given["version"])


def name_problem(given: Any) -> str:
    """Return what is wrong with a judge's name or version, "" if nothing is."""
    if not isinstance(given, str) or not given:
        return _("A text without leading or trailing blanks is needed.")
    if len(given) > JUDGE_LENGTH:
        return _("At most %(n)s characters are possible.") % {"n": JUDGE_LENGTH}
    try:
        is_clean = Gold._meta.get_field("judge_name").clean(given, None) == given
    except ValidationError as error:
        return " ".join(error.messages)
    return (
        ""
        if is_clean
        else _("A text without leading or trailing blanks, invisible characters and control characters is needed.")
    )


def _scores(given: Any, troubles: list[Trouble]) -> list[tuple[str, float]]:
    if not isinstance(given, list) or not given:
        troubles.append(Trouble("scores", _("A list of objects with unit and score is needed.")))
        return []
    rows = []
    for index, entry in enumerate(given):
        place = f"scores[{index}]"
        if not isinstance(entry, dict):
            troubles.append(Trouble(place, _("An object with unit and score is needed.")))
            continue
        if entry.keys() != {"unit", "score"}:
            _require_keys(entry, ("unit", "score"), (), place, troubles)
            continue
        unit, score = _unit(entry["unit"]), _number(entry["score"])
        if unit is None:
            words = _("A text is needed, as the gold has it, without control characters.")
            troubles.append(Trouble(f"{place}.unit", words))
        if score is None:
            troubles.append(Trouble(f"{place}.score", _("A finite number is needed.")))
        if unit is not None and score is not None:
            rows.append((unit, score))
    return rows


def _unit(given: Any) -> str | None:
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    is_name = isinstance(given, str) and 0 < len(given) <= LONGEST_UNIT and not _CONTROL.search(given)
    return given if is_name else None


def _number(given: Any) -> float | None:
    if isinstance(given, bool) or not isinstance(given, int | float):
        return None
    try:
        number = float(given)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None
