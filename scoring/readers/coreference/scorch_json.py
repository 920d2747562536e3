"""The JSON files of scorch: one document a file, as clusters or as a graph of links."""

import json
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any, NoReturn

from scoring.errors import Problem
from scoring.readers.coreference.documents import Content, Document, Mention, entity_of, name_problem, shown

_MENTION_TYPES = {str, int, float}
_TYPES = {dict: "an object", list: "a list", str: "a text", bool: "a truth value", type(None): "null"}


def read(text: str, file: str) -> Content:
    """The document of a file, named after the file without its last suffix."""
    name = PurePosixPath(file).stem
    parsed = _Parsed(file)
    labels, entities = parsed.entities(text)
    if problem := name_problem(name, file, None):
        parsed.problems.append(problem)
    document = Document(name, file, None, labels, entities, parsed.entity_of)
    return Content([document], parsed.problems, parsed.repetitions)


class _Parsed:
    """The value in a file, checked from the outside to the inside; problems are gathered on the way."""

    def __init__(self, file: str) -> None:
        self._file = file
        self.entity_of: dict[Mention, int] = {}
        self.problems: list[Problem] = []
        self.repetitions: list[Problem] = []

    def entities(self, text: str) -> tuple[list[str], list[list[Mention]]]:
        value = self._value(text)
        if self.problems:
            return [], []
        if not isinstance(value, dict):
            self._problem(f"the top level must be an object: it is {_type(value)}")
        elif "type" not in value:
            self._problem('key "type" is missing')
        elif value["type"] == "clusters":
            return self._clusters(value.get("clusters", _MISSING))
        elif value["type"] == "graph":
            return self._graph(value.get("mentions", _MISSING), value.get("links", _MISSING))
        else:
            found = f"'{shown(value['type'])}'" if isinstance(value["type"], str) else _type(value["type"])
            self._problem(f'type {found} is neither "clusters" nor "graph"')
        return [], []

    def _value(self, text: str) -> Any:
        try:
            return json.loads(text, parse_constant=_refuse_constant)
        except json.JSONDecodeError as error:
            self.problems.append(Problem(f"not JSON: {error.msg}", self._file, error.lineno, error.colno))
        except RecursionError:
            self._problem("not JSON: brackets are nested too deeply")
        except ValueError as error:
            self._problem(f"not JSON: {error}")
        return None

    def _clusters(self, clusters: Any) -> tuple[list[str], list[list[Mention]]]:
        if not isinstance(clusters, dict):
            self._problem(f'"clusters" must be an object of lists: it is {_type(clusters)}')
            return [], []
        fit = {label: mentions for label, mentions in clusters.items() if self._is_cluster(label, mentions)}
        return list(fit), self._disjoint(fit)

    def _is_cluster(self, label: str, mentions: Any) -> bool:
        if not isinstance(mentions, list):
            self._problem(f'cluster "{shown(label)}" must be a list: it is {_type(mentions)}')
        elif not mentions:
            self._problem(f'cluster "{shown(label)}" is empty')
        elif not _MENTION_TYPES.issuperset(map(type, mentions)):
            self._problem(f'cluster "{shown(label)}": a mention must be a string or a number: {_odd(mentions)}')
        else:
            return True
        return False

    def _disjoint(self, clusters: dict[str, list[Mention]]) -> list[list[Mention]]:
        entities = list(clusters.values())
        self.entity_of = entity_of(entities)
        if len(self.entity_of) == sum(map(len, entities)):
            return entities
        labels = list(clusters)
        seen: dict[Mention, int] = {}
        for k, mentions in enumerate(entities):
            for mention in mentions:
                if (first := seen.setdefault(mention, k)) != k:
                    self._problem(
                        f'mention {_quoted(mention)} is in cluster "{shown(labels[first])}"'
                        f' and in cluster "{shown(labels[k])}"'
                    )
        return [self._once(mentions, f'in cluster "{shown(label)}"') for label, mentions in clusters.items()]

    def _graph(self, mentions: Any, links: Any) -> tuple[list[str], list[list[Mention]]]:
        for key, value in (("mentions", mentions), ("links", links)):
            if not isinstance(value, list):
                self._problem(f'key "{key}" must be a list: it is {_type(value)}')
        if self.problems:
            return [], []
        if not _MENTION_TYPES.issuperset(map(type, mentions)):
            self._problem(f'key "mentions": a mention must be a string or a number: {_odd(mentions)}')
        for number, link in enumerate(links, start=1):
            self._check_link(number, link)
        if self.problems:
            return [], []
        entities = _components(self._once(mentions, 'in "mentions"'), links)
        self.entity_of = entity_of(entities)
        return [str(k) for k in range(len(entities))], entities

    def _check_link(self, number: int, link: Any) -> None:
        if not isinstance(link, list):
            self._problem(f"link {number} must have two mentions: it is {_type(link)}")
        elif len(link) != 2:
            self._problem(f"link {number} must have two mentions: it has {len(link)}")
        elif not _MENTION_TYPES.issuperset(map(type, link)):
            self._problem(f"link {number}: a mention must be a string or a number: {_odd(link)}")

    def _once(self, mentions: list[Mention], where: str) -> list[Mention]:
        """Each mention once; scorch takes equal ones of a graph for different singletons."""
        kept = list(dict.fromkeys(mentions))
        if len(kept) == len(mentions):
            return mentions
        seen: set[Mention] = set()
        for mention in mentions:
            if mention in seen:
                self.repetitions.append(
                    Problem(f"mention {_quoted(mention)} is repeated {where}: counted once", self._file)
                )
            seen.add(mention)
        return kept

    def _problem(self, message: str) -> None:
        self.problems.append(Problem(message, self._file))


def _components(mentions: Iterable[Mention], links: Sequence[Sequence[Mention]]) -> list[list[Mention]]:
    """The connected components, by union and find with halving of the paths."""
    above: dict[Mention, Mention] = {mention: mention for mention in mentions}
    for source, target in links:
        first, second = _top(above, source), _top(above, target)
        if first != second:
            above[second] = first
    found: dict[Mention, list[Mention]] = {}
    for mention in above:
        found.setdefault(_top(above, mention), []).append(mention)
    return list(found.values())


def _top(above: dict[Mention, Mention], mention: Mention) -> Mention:
    above.setdefault(mention, mention)
    while above[mention] != mention:
        above[mention] = above[above[mention]]
        mention = above[mention]
    return mention


_MISSING = object()


def _type(value: Any) -> str:
    if value is _MISSING:
        return "missing"
    return _TYPES.get(type(value), "a number")


def _odd(values: Sequence[Any]) -> str:
    """The first value that is no mention, told by its type alone: it may be of any size and depth."""
    place = next(k for k, value in enumerate(values) if type(value) not in _MENTION_TYPES)
    return f"number {place + 1} of {len(values)} is {_type(values[place])}"


def _quoted(mention: Mention) -> str:
    return f"'{shown(mention)}'" if isinstance(mention, str) else shown(mention)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
