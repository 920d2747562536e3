"""The families by name: the engine's own, and those of installed packages."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from scoring import lazy

if TYPE_CHECKING:
    from scoring.families.packages import Declared
    from scoring.family import Family

_NAMES = (
    "ehealthkd",
    "mat",
    "coreference",
    "spacy",
    "qac",
    "labels",
    "numbers",
    "ranking",
    "transcripts",
    "text",
    "edits",
    "given",
)


class Families(Mapping[str, "Family"]):
    """{name: Family}, ours first. Our record of a family is the attribute NAME of the package `families/name`.

    It is imported when it is first asked for: each family brings libraries that the others can do without. Installed
    packages are looked for when a name is asked for that is none of ours, or all are.
    """

    def __getitem__(self, name: str) -> "Family":
        if name not in _NAMES:
            return self._declared.families[name]
        family: Family = lazy.load(f"{__name__}.{name}", name.upper())
        return family

    def __iter__(self) -> Iterator[str]:
        yield from _NAMES
        yield from self._declared.families

    def __len__(self) -> int:
        return len(_NAMES) + len(self._declared.families)

    @property
    def refused(self) -> Mapping[str, str]:
        """Return the families whose packages are installed and cannot be used: {name: why}."""
        return self._declared.refused

    def why_refused(self, name: str) -> str:
        """Return why the package of this family cannot be used, "" where there is nothing to say.

        For a name of ours it looks for no package.
        """
        return "" if name in _NAMES else self.refused.get(name, "")

    @cached_property
    def _declared(self) -> "Declared":
        declared: Declared = lazy.load(f"{__name__}.packages", "declared")(_NAMES)
        return declared


FAMILIES = Families()
