"""Parses the settings of a bundle, YAML from a stranger: within limits, and with the line of everything.

Nodes go from the child to the site as a table: a node that is there several times, by an alias, is one row of it.
"""

from collections.abc import Iterator
from typing import Any

import yaml

from evalsite.contrib.bundles.problems import SETTINGS, BundleError, BundleProblems
from scoring.findings import Finding
from scoring.messages import Message

MOST_BYTES = 2**20
MOST_VALUES = 50_000
DEEPEST = 16  # lists and objects inside each other
_Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # ten times as fast where there is libyaml
_OPENING = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_CLOSING = (yaml.MappingEndEvent, yaml.SequenceEndEvent)
Table = list[list[Any]]


def parsed(content: bytes, file: str = SETTINGS, *, has_aliases: bool = False) -> yaml.MappingNode:
    """Return the object that the file holds, as nodes with their lines; raise BundleError.

    With `has_aliases` a node may be there several times: the caller reads what it knows and follows nothing.
    """
    problems = BundleProblems(file)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise BundleError([Finding(Message("bundle-not-utf-8", "This is not UTF-8."), file, line)]) from None
    try:
        _look_over(text, problems, has_aliases=has_aliases)
        node = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        problems.at(error.problem_mark, _no_yaml(str(error.problem or error.context)))
    except yaml.YAMLError as error:
        problems.at(None, _no_yaml(" ".join(str(error).split())))
    else:
        if isinstance(node, yaml.MappingNode):
            return node
        problems.at(node, Message("bundle-object-needed", "An object of keys and values is needed."))
    raise BundleError(problems)


def _no_yaml(problem: str) -> Message:
    return Message("bundle-no-yaml", "This is not YAML: {problem}.", problem=problem[:200])


def _look_over(text: str, problems: BundleProblems, *, has_aliases: bool) -> None:
    """Raise BundleError for what would cost much or mean something else than it says, before anything is made of it."""
    depth = n_values = n_documents = 0
    for event in yaml.parse(text, Loader=_Loader):
        n_values += 1
        depth += isinstance(event, _OPENING) - isinstance(event, _CLOSING)
        n_documents += isinstance(event, yaml.DocumentStartEvent)
        if not has_aliases and (isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None)):
            problems.at(
                event, Message("bundle-no-aliases", "Anchors (&) and aliases (*) are not taken: write the value out.")
            )
        elif getattr(event, "tag", None) and not _is_usual(event):
            problems.at(event, Message("bundle-no-tags", "Tags (!) are not taken: write the value alone."))
        elif isinstance(event, yaml.ScalarEvent) and _is_unfit(event.value):
            problems.at(event, Message("bundle-unfit-character", "The value has a character that cannot be stored."))
        if depth > DEEPEST:
            problems.at(
                event,
                Message("bundle-too-deep", "Lists and objects lie inside each other more than {n} deep.", n=DEEPEST),
            )
        elif n_values > MOST_VALUES:
            problems.at(event, Message("bundle-most-values", "The file has more than {n} values.", n=MOST_VALUES))
        elif n_documents > 1:
            problems.at(event, Message("bundle-second-document", "A second document begins here; one is needed."))
        else:
            continue
        break
    problems.raise_if_any()


def _is_usual(event: Any) -> bool:
    """Return whether a tag is the one that a plain list or object has anyway."""
    return not isinstance(event, yaml.ScalarEvent) and event.implicit


def _is_unfit(text: str) -> bool:
    return "\0" in text or any("\ud800" <= char <= "\udfff" for char in text)


def nodes_of(root: yaml.Node) -> Iterator[yaml.Node]:
    """Yield each node once, the root first, however often aliases name it."""
    seen, waiting = {id(root)}, [root]
    while waiting:
        node = waiting.pop()
        yield node
        for part in _parts(node):
            if id(part) not in seen:
                seen.add(id(part))
                waiting.append(part)


def _parts(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


_KINDS: dict[str, type[yaml.ScalarNode | yaml.SequenceNode | yaml.MappingNode]] = {
    "scalar": yaml.ScalarNode,
    "sequence": yaml.SequenceNode,
    "mapping": yaml.MappingNode,
}


def as_table(root: yaml.Node) -> Table:
    """Return the nodes as rows of JSON, the root first: kind, line, tag, and a text or the places of the parts."""
    nodes = list(nodes_of(root))
    places = {id(node): place for place, node in enumerate(nodes)}
    names: dict[type[yaml.Node], str] = {kind: name for name, kind in _KINDS.items()}
    return [
        [
            names[type(node)],
            node.start_mark.line,
            node.tag,
            node.value if isinstance(node, yaml.ScalarNode) else [places[id(part)] for part in _parts(node)],
        ]
        for node in nodes
    ]


def from_table(table: Table) -> yaml.Node:
    """Return the root of the nodes that `as_table` has made rows of."""
    nodes: list[yaml.Node] = [
        _KINDS[kind](tag, value, yaml.Mark(SETTINGS, 0, line, 0, None, 0)) for kind, line, tag, value in table
    ]
    for node in nodes:
        if isinstance(node, yaml.SequenceNode):
            node.value = [nodes[place] for place in node.value]
        elif isinstance(node, yaml.MappingNode):
            parts = [nodes[place] for place in node.value]
            node.value = list(zip(parts[::2], parts[1::2], strict=True))
    return nodes[0]
