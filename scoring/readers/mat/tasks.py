"""task.xml: which types of annotations a task has, and the aliases of their labels."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.readers.mat.types import Alias


@dataclass(frozen=True)
class TaskDefinition:
    """The content and token types of a task, in file order, and the aliases of a type."""

    name: str
    content: tuple[str, ...]
    tokens: tuple[str, ...]
    aliases: Mapping[str, tuple[Alias, ...]]


def read_task(path: str, name: str | None) -> TaskDefinition:
    """The task of this name, or the only one, of a task.xml or of a folder with one; ConfigurationError."""
    raise NotImplementedError
