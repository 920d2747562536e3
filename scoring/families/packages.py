"""Families of other people's packages, which declare them by an entry point of the group `scoring.families`.

A package that cannot be used takes nothing else down: its families are left out, and `refused` says why.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points

from scoring.errors import ConfigurationError, explain_error
from scoring.family import RECORD_VERSION, Family, Package
from scoring.messages import Message

GROUP = "scoring.families"


@dataclass(frozen=True)
class Declared:
    """Holds what the installed packages declare."""

    families: dict[str, Family]  # by name
    refused: dict[str, str]  # {name: why its package cannot be used}


def declared(own_names: Collection[str]) -> Declared:
    """Load the families of all installed packages.

    None of them may bear the name of one of ours, nor one name twice.
    """
    families: dict[str, Family] = {}
    refused: dict[str, str] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, _package(entry))):
        try:
            if entry.name in {*own_names, *families}:
                raise ConfigurationError(
                    Message("family-there-already", "there is a family {name} already", name=entry.name)
                )
            families[entry.name] = _loaded(entry)
        except Exception as error:  # whatever somebody else's module raises when it is imported
            refused[entry.name] = Message(
                "package-broken",
                "{package}: {error}: {why}",
                package=str(_package(entry)),
                error=type(error).__name__,
                why=explain_error(error),
            )
    return Declared(families, refused)


def _loaded(entry: EntryPoint) -> Family:
    """Load the record that the entry point names, with its package."""
    family = entry.load()
    if not isinstance(family, Family):
        raise ConfigurationError(
            Message(
                "entry-no-family",
                "{entry} is {type} and no scoring.Family",
                entry=entry.value,
                type=type(family).__name__,
            )
        )
    if family.name != entry.name:
        raise ConfigurationError(
            Message(
                "family-names-differ",
                "the record's name is {name!r}, that of the entry point {entry!r}",
                name=family.name,
                entry=entry.name,
            )
        )
    if family.written_for != RECORD_VERSION:
        raise ConfigurationError(
            Message(
                "record-unknown",
                "it says written_for={written_for}; this engine takes records of version {version}",
                written_for=family.written_for,
                version=RECORD_VERSION,
            )
        )
    return replace(family, package=_package(entry))


def _package(entry: EntryPoint) -> Package:
    if entry.dist is None:
        return Package("a package without metadata", "0")
    return Package(entry.dist.name, entry.dist.version)
