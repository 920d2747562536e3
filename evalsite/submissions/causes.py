"""Problems and their causes as they are stored, and as they come from the engine's child."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import scoring as engine
from scoring.errors import Cause
from scoring.messages import from_data, to_data
from scoring.readers.explanations import Explanation, Location


def problem_to_json(problem: engine.Problem) -> dict[str, Any]:
    stored: dict[str, Any] = to_data(asdict(problem))
    if not problem.rest:
        del stored["rest"]
    return stored


def problem_from_json(stored: Mapping[str, Any]) -> engine.Problem:
    plain = {name: stored.get(name) for name in ("file", "line", "column")}
    rest = tuple(
        Cause(
            problem=problem_from_json(cause["problem"]),
            n=cause["n"],
            lines=tuple((first, last) for first, last in cause["lines"]),
            is_mixed=cause["is_mixed"],
        )
        for cause in stored.get("rest", ())
    )
    return engine.Problem(from_data(stored["message"]), **plain, rest=rest)


def explanation_from_json(stored: Mapping[str, Any]) -> Explanation:
    found = from_data(stored)
    return Explanation(**found | {"places": [Location(**place) for place in found["places"]]})
