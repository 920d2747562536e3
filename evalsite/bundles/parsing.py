"""Parses the settings of a bundle, YAML from a stranger: within limits, and with the line of everything."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

import yaml
from django.utils.translation import gettext as _
from yaml.constructor import SafeConstructor

from evalsite.bundles.format import SETTINGS
from scoring.errors import Problem

MOST_BYTES = 2**20
MOST_VALUES = 50_000
DEEPEST = 16  # lists and objects inside each other
MOST_TOLD = 100  # problems
SHOWN = 60  # characters of a value
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast where there is libyaml
_OPENING = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_CLOSING = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
_TAG = "tag:yaml.org,2002:"
_COMPUTED = {f"{_TAG}{name}" for name in ("null", "bool", "int", "float")}


class BundleError(Exception):
    """A bundle cannot be imported; `problems` are all that were found, for who has made it."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__("\n".join(map(str, self.problems)))


class Found(list[Problem]):
    """The problems found so far in one file."""

    def __init__(self, file: str = SETTINGS) -> None:
        super().__init__()
        self.file = file

    def at(self, place: Any, message: str) -> None:
        """Add one; `place` is a node, a mark or None for the file as a whole."""
        mark = getattr(place, "start_mark", place)
        self.add(message, mark.line + 1 if mark else None)

    def add(self, message: str, line: int | None) -> None:
        """Add one; raise BundleError when there are very many."""
        self.append(Problem(message, self.file, line))
        if len(self) >= MOST_TOLD:
            self.raise_if_any()

    def raise_if_any(self) -> None:
        if self:
            raise BundleError(self)


def parsed(content: bytes, file: str = SETTINGS, *, has_aliases: bool = False) -> yaml.MappingNode:
    """Return the object that the file holds, as nodes with their lines; raise BundleError.

    With `has_aliases` a node may be there several times: the caller reads what it knows and follows nothing.
    """
    found = Found(file)
    if len(content) > MOST_BYTES:
        found.at(None, _("The file has more than %(most)s bytes.") % {"most": MOST_BYTES})
    found.raise_if_any()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BundleError([Problem(_("This is not UTF-8."), file, line)]) from None
    try:
        _look_over(text, found, has_aliases=has_aliases)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        found.at(error.problem_mark, _("This is not YAML: %(problem)s.") % {"problem": error.problem or error.context})
    except yaml.YAMLError as error:
        found.at(None, _("This is not YAML: %(problem)s.") % {"problem": " ".join(str(error).split())})
    else:
        if isinstance(node, yaml.MappingNode):
            return node
        found.at(node, _("An object of keys and values is needed."))
    raise BundleError(found)


def _look_over(text: str, found: Found, *, has_aliases: bool) -> None:
    """Raise BundleError for what would cost much or mean something else than it says, before anything is made of it."""
    depth = n_values = n_documents = 0
    for event in yaml.parse(text, Loader=_Loader):
        n_values += 1
        depth += isinstance(event, _OPENING) - isinstance(event, _CLOSING)
        n_documents += isinstance(event, yaml.DocumentStartEvent)
        if not has_aliases and (isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None)):
            found.at(event, _("Anchors (&) and aliases (*) are not taken: write the value out."))
        elif getattr(event, "tag", None) and not _is_usual(event):
            found.at(event, _("Tags (!) are not taken: write the value alone."))
        elif isinstance(event, yaml.ScalarEvent) and _is_unfit(event.value):
            found.at(event, _("The value has a character that cannot be stored."))
        if depth > DEEPEST:
            found.at(event, _("Lists and objects lie inside each other more than %(n)s deep.") % {"n": DEEPEST})
        elif n_values > MOST_VALUES:
            found.at(event, _("The file has more than %(n)s values.") % {"n": MOST_VALUES})
        elif n_documents > 1:
            found.at(event, _("A second document begins here; one is needed."))
        else:
            continue
        break
    found.raise_if_any()


def _is_usual(event: Any) -> bool:
    """Return whether a tag is the one that a plain list or object has anyway."""
    return not isinstance(event, yaml.ScalarEvent) and event.implicit


def _is_unfit(text: str) -> bool:
    return "\0" in text or any("\ud800" <= char <= "\udfff" for char in text)


def entries(node: yaml.Node, found: Found) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    """Return key node and value node by key of an object; note keys that are there twice."""
    if not isinstance(node, yaml.MappingNode):
        found.at(node, _("An object of keys and values is needed, not %(value)s.") % {"value": shown(node)})
        return {}
    read: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            found.at(key, _("A key has to be a word."))
        elif key.value in read:
            line = read[key.value][0].start_mark.line + 1
            found.at(key, _("The key %(key)s is there already, in line %(line)s.") % {"key": key.value, "line": line})
        else:
            read[key.value] = key, value
    return read


def refuse_unknown(read: Mapping[str, tuple[yaml.Node, yaml.Node]], known: Iterable[str], found: Found) -> None:
    names = list(known)
    for key, (node, _value) in read.items():
        if key in names:
            continue
        near = get_close_matches(key[:SHOWN], names, n=1)
        if near:
            found.at(node, _("Unknown key %(key)s. Did you mean %(near)s?") % {"key": cut(key), "near": near[0]})
        else:
            message = _("Unknown key %(key)s. The keys here are %(known)s.")
            found.at(node, message % {"key": cut(key), "known": ", ".join(names)})


def items(node: yaml.Node, found: Found) -> Iterator[yaml.Node]:
    """Yield the nodes of a list."""
    if isinstance(node, yaml.SequenceNode):
        yield from node.value
    else:
        found.at(node, _("A list is needed, not %(value)s.") % {"value": shown(node)})


def computed(node: yaml.Node) -> Any:
    """Return None, a truth value or a number where the scalar is one, else its text."""
    if node.tag not in _COMPUTED:
        return node.value
    try:
        return SafeConstructor().construct_object(node)
    except (ValueError, OverflowError):  # such as of a number with very many digits
        return node.value


def data(node: yaml.Node, found: Found) -> Any:
    """Return a value as JSON knows it; times are text there."""
    if isinstance(node, yaml.MappingNode):
        return {key: data(value, found) for key, (_key, value) in entries(node, found).items()}
    if isinstance(node, yaml.SequenceNode):
        return [data(each, found) for each in node.value]
    value = computed(node)
    if isinstance(value, float) and value - value != 0:
        found.at(node, _("A number has to be finite."))
    return value


def shown(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return _("“%(text)s”") % {"text": cut(node.value)}
    return _("a list") if isinstance(node, yaml.SequenceNode) else _("an object")


def cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
