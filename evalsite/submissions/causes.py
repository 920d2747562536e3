"""Findings and explanations as they are stored, and as they come from the engine's child."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import scoring as engine
from scoring.messages import from_data, to_data
from scoring.readers.explanations import Explanation, Location

_PLACE = ("file", "line", "column")
_DEFAULTS = {field.name: field.default for field in fields(engine.Finding)}


def finding_to_json(finding: engine.Finding) -> dict[str, Any]:
    """Return what is stored: the message, its place, and whatever else is not as of most findings."""
    values = {name: getattr(finding, name) for name in _DEFAULTS if name != "rest"}
    stored: dict[str, Any] = to_data(
        {name: value for name, value in values.items() if name in ("message", *_PLACE) or value != _DEFAULTS[name]}
    )
    return stored | ({"rest": [finding_to_json(cause) for cause in finding.rest]} if finding.rest else {})


def finding_from_json(stored: Mapping[str, Any]) -> engine.Finding:
    """Return a finding, also one that was stored by version 1.2, whose causes hold their first problem."""
    values = dict(stored) | stored.get("problem", {})
    values.pop("problem", None)
    return engine.Finding(
        **from_data(values)
        | {
            "lines": tuple((first, last) for first, last in values.get("lines", ())),
            "rest": tuple(finding_from_json(cause) for cause in values.get("rest", ())),
        }
    )


def explanation_from_json(stored: Mapping[str, Any]) -> Explanation:
    values = from_data(stored)
    return Explanation(**values | {"places": [Location(**place) for place in values["places"]]})
