"""Reads values out of the settings of a bundle, which a child has parsed: nodes with their lines."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

import yaml
from django.utils.translation import gettext as _
from yaml.constructor import SafeConstructor

from evalsite.contrib.bundles.problems import BundleProblems

SHOWN = 60  # characters of a value
_TAG = "tag:yaml.org,2002:"
_COMPUTED = {f"{_TAG}{name}" for name in ("null", "bool", "int", "float")}


def entries(node: yaml.Node, problems: BundleProblems) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    """Return key node and value node by key of an object; note keys that are there twice."""
    if not isinstance(node, yaml.MappingNode):
        problems.at(node, _("An object of keys and values is needed, not %(value)s.") % {"value": shown(node)})
        return {}
    read: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            problems.at(key, _("A key has to be a word."))
        elif key.value in read:
            line = read[key.value][0].start_mark.line + 1
            problems.at(
                key, _("The key %(key)s is there already, in line %(line)s.") % {"key": key.value, "line": line}
            )
        else:
            read[key.value] = key, value
    return read


def refuse_unknown(
    read: Mapping[str, tuple[yaml.Node, yaml.Node]], allowed: Iterable[str], problems: BundleProblems
) -> None:
    names = list(allowed)
    for key, (node, _value) in read.items():
        if key in names:
            continue
        near = get_close_matches(key[:SHOWN], names, n=1)
        if near:
            problems.at(node, _("Unknown key %(key)s. Did you mean %(near)s?") % {"key": cut(key), "near": near[0]})
        else:
            message = _("Unknown key %(key)s. The keys here are %(known)s.")
            problems.at(node, message % {"key": cut(key), "known": ", ".join(names)})


def items(node: yaml.Node, problems: BundleProblems) -> Iterator[yaml.Node]:
    """Yield the nodes of a list."""
    if isinstance(node, yaml.SequenceNode):
        yield from node.value
    else:
        problems.at(node, _("A list is needed, not %(value)s.") % {"value": shown(node)})


def computed(node: yaml.Node) -> Any:
    """Return None, a truth value or a number where the scalar is one, else its text."""
    if node.tag not in _COMPUTED:
        return node.value
    try:
        return SafeConstructor().construct_object(node)
    except (ValueError, OverflowError):  # such as of a number with very many digits
        return node.value


def shown_value(node: yaml.Node | None) -> str:
    """Return the text of a scalar; "" of anything else."""
    return node.value.strip() if isinstance(node, yaml.ScalarNode) and computed(node) is not None else ""


def data(node: yaml.Node, problems: BundleProblems) -> Any:
    """Return a value as JSON knows it; times are text there."""
    if isinstance(node, yaml.MappingNode):
        return {key: data(value, problems) for key, (_key, value) in entries(node, problems).items()}
    if isinstance(node, yaml.SequenceNode):
        return [data(item, problems) for item in node.value]
    value = computed(node)
    if isinstance(value, float) and value - value != 0:
        problems.at(node, _("A number has to be finite."))
    return value


def shown(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return _("“%(text)s”") % {"text": cut(node.value)}
    return _("a list") if isinstance(node, yaml.SequenceNode) else _("an object")


def cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
