"""The JSON files of scorch: one document a file, as clusters or as a graph of links.

    {"type": "clusters", "clusters": {"0": ["m1", "m2"], "1": ["m3"]}}
    {"type": "graph", "mentions": ["m1", "m2", "m3"], "links": [["m1", "m2"]]}

Both say the same: the entities of a graph are its connected components. Scorch's own reader trusts its input, and
then scores what was not meant, such as a mention in two clusters; here such files are refused.
"""

import json
import math
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple, NoReturn

from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.coreference.documents import Content, Document, Mention, entity_of, name_problem, shown
from scoring.readers.json_text import each_once, fault_in_json
from scoring.readers.problems import ProblemCollector

# Up to here every integer has a hash of its own. Of larger ones, hash() is the remainder by a known prime, and a file
# could be made of numbers that all meet in one place of a dictionary.
_LARGEST = 2**53


class LargeNumber(NamedTuple):
    """An integer beyond 53 bits as its digits, whose hash nobody can know beforehand."""

    digits: str

    def __repr__(self) -> str:
        return self.digits


# Compared by `type`, not isinstance: a truth value would pass as an integer. As keys of dictionaries 1 equals 1.0, and
# neither equals "1".
_MENTION_TYPES = {str, int, float, LargeNumber}
# How messages call the types of JSON; numbers are what is left.
_TYPE_NAMES = {
    dict: Message.word("an object"),
    list: Message.word("a list"),
    str: Message.word("a text"),
    bool: Message.word("a truth value"),
    type(None): Message.word("null"),
}


def read(text: str, file: str) -> Content:
    """Read the document of a file, named after the file without its last suffix, whatever its key "name" says."""
    name = PurePosixPath(file).stem
    value = _Value(file)
    labels, entities = value.entities(text)
    if problem := name_problem(name, file, None):
        value.problems.append(problem)
    document = Document(name, file, None, labels, entities, value.entity_of, n_repeated=value.n_repeated)
    return Content([document], list(value.problems), list(value.repetitions))


class _Value:
    """The value in a file, checked from the outside to the inside; problems are collected on the way.

    Each check looks at a whole list at once, and only one that fails looks for what to say: most files are right.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        # For each mention the index of its entity.
        self.entity_of: dict[Mention, int] = {}
        self.problems = ProblemCollector()
        # Mentions that stand twice where once would do: to be warned of.
        self.repetitions = ProblemCollector()
        self.n_repeated = 0

    def entities(self, text: str) -> tuple[list[str], list[list[Mention]]]:
        """Return the label and the mentions of each entity; empty or incomplete if there are problems."""
        value = self._value(text)
        if self.problems:
            return [], []
        if not isinstance(value, dict):
            self._problem(
                Message("top-level-must-object", "the top level must be an object: it is {type}", type=_type(value))
            )
        elif "type" not in value:
            self._problem(Message("key-type-missing", 'key "type" is missing'))
        elif value["type"] == "clusters":
            return self._clusters(value.get("clusters", _MISSING))
        elif value["type"] == "graph":
            return self._graph(value.get("mentions", _MISSING), value.get("links", _MISSING))
        else:
            given = f"'{shown(value['type'])}'" if isinstance(value["type"], str) else _type(value["type"])
            self._problem(
                Message("type-neither-clusters-nor", 'type {given} is neither "clusters" nor "graph"', given=given)
            )
        return [], []

    def _value(self, text: str) -> Any:
        """Return the parsed text; None with a problem if it is no JSON."""
        try:
            return json.loads(
                text,
                parse_int=_integer,
                parse_float=_float,
                parse_constant=_refuse_constant,
                object_pairs_hook=each_once,
            )
        except json.JSONDecodeError as error:
            self.problems.append(
                Finding(
                    Message("not-json", "not JSON: {msg}", msg=fault_in_json(error)),
                    self._file,
                    error.lineno,
                    error.colno,
                )
            )
        except RecursionError:
            self._problem(Message("not-json-brackets-nested", "not JSON: brackets are nested too deeply"))
        except ValueError as error:
            # NaN and the like, and integers of more digits than Python converts.
            self._problem(error.args[0])
        return None

    def _clusters(self, clusters: Any) -> tuple[list[str], list[list[Mention]]]:
        """Return labels and mentions of the clusters that are well formed; a problem for each of the others."""
        if not isinstance(clusters, dict):
            self._problem(
                Message(
                    "clusters-must-object-lists",
                    '"clusters" must be an object of lists: it is {type}',
                    type=_type(clusters),
                )
            )
            return [], []
        well_formed = {label: mentions for label, mentions in clusters.items() if self._is_cluster(label, mentions)}
        return list(well_formed), self._disjoint(well_formed)

    def _is_cluster(self, label: str, mentions: Any) -> bool:
        """Return whether this is a list of mentions with something in it; else a problem says what it is."""
        if not isinstance(mentions, list):
            self._problem(
                Message(
                    "cluster-must-list",
                    'cluster "{label}" must be a list: it is {type}',
                    label=shown(label),
                    type=_type(mentions),
                )
            )
        elif not mentions:
            self._problem(Message("cluster-empty", 'cluster "{label}" is empty', label=shown(label)))
        elif not _MENTION_TYPES.issuperset(map(type, mentions)):
            self._problem(
                Message(
                    "cluster-mention-must-string",
                    'cluster "{label}": a mention must be a string or a number: {first_odd}',
                    label=shown(label),
                    first_odd=_first_odd(mentions),
                )
            )
        else:
            return True
        return False

    def _disjoint(self, clusters: dict[str, list[Mention]]) -> list[list[Mention]]:
        """Return the mentions of each cluster once.

        Scorch accepts a mention in two clusters, and B³ can exceed 1 then.
        """
        entities = list(clusters.values())
        # As many different mentions as mentions: none is repeated, and there is nothing to look for.
        self.entity_of = entity_of(entities)
        if len(self.entity_of) == sum(map(len, entities)):
            return entities
        labels = list(clusters)
        first_cluster: dict[Mention, int] = {}
        for k, mentions in enumerate(entities):
            for mention in mentions:
                if (first := first_cluster.setdefault(mention, k)) != k:
                    self._problem(
                        Message(
                            "mention-cluster-cluster",
                            'mention {mention} is in cluster "{label}" and in cluster "{label_2}"',
                            mention=_quoted(mention),
                            label=shown(labels[first]),
                            label_2=shown(labels[k]),
                        )
                    )
        return [
            self._once(mentions, Message("label-cluster", 'in cluster "{label}"', label=shown(label)))
            for label, mentions in clusters.items()
        ]

    def _graph(self, mentions: Any, links: Any) -> tuple[list[str], list[list[Mention]]]:
        """Return the connected components, numbered from 0; a mention may stand in the list, in links, or in both."""
        for key, value in (("mentions", mentions), ("links", links)):
            if not isinstance(value, list):
                self._problem(
                    Message("key-must-list", 'key "{key}" must be a list: it is {type}', key=key, type=_type(value))
                )
        if self.problems:
            return [], []
        if not _MENTION_TYPES.issuperset(map(type, mentions)):
            self._problem(
                Message(
                    "key-mentions-mention-must",
                    'key "mentions": a mention must be a string or a number: {first_odd}',
                    first_odd=_first_odd(mentions),
                )
            )
        for number, link in enumerate(links, start=1):
            self._check_link(number, link)
        if self.problems:
            return [], []
        entities = _components(self._once(mentions, Message("mentions", 'in "mentions"')), links)
        self.entity_of = entity_of(entities)
        return [str(k) for k in range(len(entities))], entities

    def _check_link(self, number: int, link: Any) -> None:
        if not isinstance(link, list):
            self._problem(
                Message(
                    "link-must-have-two",
                    "link {number} must have two mentions: it is {type}",
                    number=number,
                    type=_type(link),
                )
            )
        elif len(link) != 2:
            self._problem(
                Message(
                    "link-must-have-two-mentions",
                    "link {number} must have two mentions: it has {n}",
                    number=number,
                    n=len(link),
                )
            )
        elif not _MENTION_TYPES.issuperset(map(type, link)):
            self._problem(
                Message(
                    "link-mention-must-string",
                    "link {number}: a mention must be a string or a number: {first_odd}",
                    number=number,
                    first_odd=_first_odd(link),
                )
            )

    def _once(self, mentions: list[Mention], where: str) -> list[Mention]:
        """Return each mention once, with a warning of the others.

        Scorch makes two singletons of equal ones of a graph.
        """
        kept = list(dict.fromkeys(mentions))
        if len(kept) == len(mentions):
            return mentions
        self.n_repeated += len(mentions) - len(kept)
        seen: set[Mention] = set()
        for mention in mentions:
            if mention in seen:
                self.repetitions.append(
                    Finding(
                        Message(
                            "mention-repeated-counted-once",
                            "mention {mention} is repeated {where}: counted once",
                            mention=_quoted(mention),
                            where=where,
                        ),
                        self._file,
                    )
                )
            seen.add(mention)
        return kept

    def _problem(self, message: str) -> None:
        self.problems.append(Finding(message, self._file))


def _components(mentions: Iterable[Mention], links: Sequence[Sequence[Mention]]) -> list[list[Mention]]:
    """Return the connected components, in the order of their first mentions.

    By union and find with halving of the paths, and no recursion: a chain of links may be as long as the file.

    >>> _components(["a", "b", "c"], [["c", "a"], ["d", "d"]])
    [['a', 'c'], ['b'], ['d']]
    """
    # Each mention points to another one of its component, the root to itself.
    parent: dict[Mention, Mention] = {mention: mention for mention in mentions}
    for source, target in links:
        first, second = _root(parent, source), _root(parent, target)
        if first != second:
            parent[second] = first
    components: dict[Mention, list[Mention]] = {}
    for mention in parent:
        components.setdefault(_root(parent, mention), []).append(mention)
    return list(components.values())


def _root(parent: dict[Mention, Mention], mention: Mention) -> Mention:
    """Return the mention that stands for the whole component; one that only a link names begins as its own root."""
    parent.setdefault(mention, mention)
    while parent[mention] != mention:
        # On the way up each mention is made to point to its grandparent, so that the next search is shorter.
        parent[mention] = parent[parent[mention]]
        mention = parent[mention]
    return mention


# The value of a key that is not there; None would be null.
_MISSING = object()


def _type(value: Any) -> str:
    if value is _MISSING:
        return Message.word("missing")
    return _TYPE_NAMES.get(type(value), Message.word("a number"))


def _first_odd(values: Sequence[Any]) -> str:
    """Return the first value that is no mention, told by its type alone: it may be of any size and depth."""
    index = next(k for k, value in enumerate(values) if type(value) not in _MENTION_TYPES)
    return Message(
        "index-n-number", "number {index} of {n} is {type}", index=index + 1, n=len(values), type=_type(values[index])
    )


def _quoted(mention: Mention) -> str:
    return f"'{shown(mention)}'" if isinstance(mention, str) else shown(mention)


def _integer(digits: str) -> int | LargeNumber:
    try:
        return _hashable(int(digits))
    except ValueError:
        raise ValueError(
            Message("not-json-integer-too", "not JSON: the integer {digits}… has too many digits", digits=digits[:20])
        ) from None


def _float(digits: str) -> float | LargeNumber:
    """Return a number; beyond 53 bits no float has a fraction: those are integers like others, and infinity is one."""
    value = float(digits)
    return value if math.isinf(value) or abs(value) <= _LARGEST else _hashable(int(value))


def _hashable(value: int) -> int | LargeNumber:
    return value if abs(value) <= _LARGEST else LargeNumber(str(value))


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python's parser would accept."""
    raise ValueError(Message("not-json-no-json", "not JSON: {name} is no JSON value", name=name))
