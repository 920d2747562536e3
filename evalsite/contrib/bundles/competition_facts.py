"""Reads the fact sheet of a competition of Codabench: what its teams tell of their runs."""

from collections.abc import Sequence

import yaml

from evalsite.accounts.names import cleaned
from evalsite.challenges.forms.own_fields import OwnFieldsField
from evalsite.challenges.taking_part.own_fields import LONGEST_QUESTION, MAX_FIELDS, MOST_CHOICES, Kind
from evalsite.contrib.bundles.parsing import shown_value

_TRUTHS = {"true", "false"}


def facts_of(node: yaml.Node | None) -> tuple[list[dict[str, object]], list[str]]:
    """Return the fields as rows of a fact sheet, and the keys of those that it has no room for."""
    questions = [(key, value) for key, value in _pairs(node) if isinstance(value, yaml.MappingNode)]
    lines: dict[str, dict[str, object]] = {}
    for key, question in questions[:MAX_FIELDS]:
        values = dict(_pairs(question))
        texts = (cleaned(text)[:LONGEST_QUESTION] for text in (shown_value(values.get("title")), key))
        # Two may have the same title there, but not the same key.
        if text := next((text for text in texts if text and text.casefold() not in lines), None):
            lines[text.casefold()] = {"key": "", "text": text, **_kind(values)}
    return OwnFieldsField().clean([*lines.values()]), [key for key, _question in questions[MAX_FIELDS:]]


def _pairs(node: yaml.Node | None) -> list[tuple[str, yaml.Node]]:
    pairs = node.value if isinstance(node, yaml.MappingNode) else []
    return [(key.value, value) for key, value in pairs if isinstance(key, yaml.ScalarNode)]


def _kind(values: dict[str, yaml.Node]) -> dict[str, object]:
    is_required = shown_value(values.get("is_required")).lower() == "true"
    choices = _choices(values.get("selection"))
    if shown_value(values.get("type")) == "checkbox" or {choice.lower() for choice in choices} == _TRUTHS:
        return {"kind": Kind.YES_NO, "choices": (), "is_required": is_required}
    kind = Kind.CHOICE if len(choices) > 1 else Kind.TEXT
    return {"kind": kind, "choices": choices, "is_required": is_required}


def _choices(node: yaml.Node | None) -> Sequence[str]:
    """Return the answers to choose from; an empty one stands there for no answer."""
    nodes = node.value if isinstance(node, yaml.SequenceNode) else []
    texts = (shown_value(choice)[:LONGEST_QUESTION] for choice in nodes)
    return tuple(dict.fromkeys(filter(None, texts)))[:MOST_CHOICES]
