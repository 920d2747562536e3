"""Families of other people's packages, which declare them by an entry point of the group `scoring.families`.

A package that cannot be used takes nothing else down: its families are left out, and `refused` says why.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from importlib.metadata import EntryPoint, entry_points

from scoring.errors import ConfigurationError
from scoring.family import RECORD_VERSIONS, Family, Package

GROUP = "scoring.families"


@dataclass(frozen=True)
class Declared:
    """Holds what the installed packages declare."""

    families: dict[str, Family]  # by name
    refused: dict[str, str]  # {name: why its package cannot be used}


def declared(own_names: Collection[str]) -> Declared:
    """The families of all installed packages; none of them may bear the name of one of ours, nor one name twice."""
    families: dict[str, Family] = {}
    refused: dict[str, str] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, _package(entry))):
        try:
            if entry.name in {*own_names, *families}:
                raise ConfigurationError(f"there is a family {entry.name} already")
            families[entry.name] = _loaded(entry)
        except Exception as error:  # whatever somebody else's module raises when it is imported
            refused[entry.name] = f"{_package(entry)}: {type(error).__name__}: {error}"
    return Declared(families, refused)


def _loaded(entry: EntryPoint) -> Family:
    """The record that the entry point names, with its package."""
    family = entry.load()
    if not isinstance(family, Family):
        raise ConfigurationError(f"{entry.value} is {type(family).__name__} and no scoring.Family")
    if family.name != entry.name:
        raise ConfigurationError(f"the record's name is {family.name!r}, that of the entry point {entry.name!r}")
    if family.written_for not in RECORD_VERSIONS:
        known = " or ".join(map(str, RECORD_VERSIONS))
        raise ConfigurationError(f"it says written_for={family.written_for}; this engine knows the record {known}")
    return replace(family, package=_package(entry))


def _package(entry: EntryPoint) -> Package:
    if entry.dist is None:
        return Package("a package without metadata", "0")
    return Package(entry.dist.name, entry.dist.version)
