"""Reads the notation of notices.py: words, tags, heads, labels and entities of one sentence."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

TOKEN = re.compile(
    r"\[(?P<label>[a-z]+)(?::(?P<inner>[^\s\[\]<>]+))?(?=[ \]])|(?P<end>\])|<(?P<entity>[A-Z]+) |(?P<close>>)"
    r"|(?P<dep>[a-z]+):(?P<leaf>[^\s\[\]<>]+)|(?P<head>[^\s\[\]<>]+)"
)


@dataclass
class Group:
    """A head with its dependents; `members` are the indices of tokens whose head it is."""

    label: str
    members: list[tuple[int, str]] = field(default_factory=list)
    head: int | None = None
    # A second bracket that the same closing one ends.
    is_inner: bool = False


@dataclass(frozen=True)
class Tree:
    words: list[str]
    tags: list[str]
    heads: list[int]
    deps: list[str]
    ents: list[tuple[int, int, str]]


def read(notation: str, tags: dict[str, str]) -> Tree:
    """ValueError if a group has not exactly one head."""
    words: list[str] = []
    found: list[str] = []
    heads: list[int] = []
    deps: list[str] = []
    ents: list[tuple[int, int, str]] = []
    opened: list[tuple[int, str]] = []
    groups = [Group("ROOT")]

    def add(text: str) -> int:
        word, _, tag = text.partition("/")
        words.append(word)
        found.append(tag or tags[word])
        heads.append(-1)
        deps.append("")
        return len(words) - 1

    def set_head(group: Group, token: int) -> None:
        if group.head is not None:
            raise ValueError(f"two heads, {words[group.head]} and {words[token]}: {notation}")
        group.head = token

    def close() -> None:
        group = groups.pop()
        if group.head is None:
            raise ValueError(f"no head of {group.label}: {notation}")
        for token, label in group.members:
            heads[token], deps[token] = group.head, label
        if groups:
            groups[-1].members.append((group.head, group.label))
            if group.is_inner:
                close()
        else:
            heads[group.head], deps[group.head] = group.head, group.label

    for token in TOKEN.finditer(notation):
        if token["label"]:
            groups.append(Group(token["label"]))
            if token["inner"]:
                set_head(groups[-1], add(token["inner"]))
                groups.append(Group("pobj", is_inner=True))
        elif token["end"]:
            close()
        elif token["entity"]:
            opened.append((len(words), token["entity"]))
        elif token["close"]:
            start, label = opened.pop()
            ents.append((start, len(words), label))
        elif token["dep"]:
            groups[-1].members.append((add(token["leaf"]), token["dep"]))
        else:
            set_head(groups[-1], add(token["head"]))
    if len(groups) != 1 or opened:
        raise ValueError(f"brackets that do not close: {notation}")
    close()
    return Tree(words, found, heads, deps, sorted(ents))


def sentences_of(text: str) -> Iterator[tuple[str, str]]:
    """(categories, notation) of each sentence, whose further lines are indented."""
    for line in re.sub(r"\n +", " ", text.strip()).split("\n"):
        categories, _, notation = line.partition(":")
        yield categories.strip(), notation.strip()
