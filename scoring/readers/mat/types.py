"""Finds which annotations count, and which label an annotation bears."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Alias:
    """A label for the annotations of a type whose attributes have all these values."""

    label: str
    values: Mapping[str, str]  # attribute -> value that it must have, as text


@dataclass(frozen=True)
class Types:
    """The types of annotations that count. A type may be both; others, such as zones, are ignored."""

    content: frozenset[str] | None  # types that are scored; None stands for every type that is no token's
    tokens: frozenset[str]  # types that are tokens
    # Type -> its aliases, in the order in which they are tried.
    aliases: Mapping[str, tuple[Alias, ...]] = field(default_factory=dict)

    @property
    def named(self) -> frozenset[str]:
        """Return all types that are known by name."""
        return self.tokens | (self.content or frozenset())

    def is_content(self, name: str) -> bool:
        return name not in self.tokens if self.content is None else name in self.content

    def is_token(self, name: str) -> bool:
        return name in self.tokens


def label_of(name: str, attributes: Mapping[str, str], aliases: Mapping[str, tuple[Alias, ...]]) -> str:
    """Return the label of an annotation of this type: the first alias that fits, else the type itself.

    An attribute without a value fits nothing.

    >>> person = Alias("PERSON", {"type": "PER"})
    >>> [label_of("ENAMEX", {"type": value}, {"ENAMEX": (person,)}) for value in ("PER", "LOC")]
    ['PERSON', 'ENAMEX']
    """
    for alias in aliases.get(name, ()):
        if alias.values.items() <= attributes.items():
            return alias.label
    return name
