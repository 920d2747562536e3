"""Which annotations count, and which label an annotation bears."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Alias:
    """A label for the annotations of a type whose attributes have all these values."""

    label: str
    values: Mapping[str, str]


@dataclass(frozen=True)
class Types:
    """The types of annotations that count; `content` None stands for every type that is no token's.

    `aliases` are those of a type, in the order in which they are tried.
    """

    content: frozenset[str] | None
    tokens: frozenset[str]
    aliases: Mapping[str, tuple[Alias, ...]] = field(default_factory=dict)

    @property
    def named(self) -> frozenset[str]:
        return self.tokens | (self.content or frozenset())

    def is_content(self, name: str) -> bool:
        return name not in self.tokens if self.content is None else name in self.content

    def is_token(self, name: str) -> bool:
        return name in self.tokens


def label_of(name: str, attributes: Mapping[str, str], aliases: Mapping[str, tuple[Alias, ...]]) -> str:
    """The first alias that fits, else the type itself."""
    for alias in aliases.get(name, ()):
        if alias.values.items() <= attributes.items():
            return alias.label
    return name
