"""The families by name."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from scoring import lazy

if TYPE_CHECKING:
    from scoring.family import Family

_NAMES = ("ehealthkd", "mat", "coreference", "spacy", "qac")


class _Families(Mapping[str, "Family"]):
    """{name: Family}. The record of a family is the attribute NAME of the package `families/name`.

    It is imported when it is first asked for: each family brings libraries that the others can do without.
    """

    def __getitem__(self, name: str) -> "Family":
        if name not in _NAMES:
            raise KeyError(name)
        family: Family = lazy.load(f"{__name__}.{name}", name.upper())
        return family

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


FAMILIES: "Mapping[str, Family]" = _Families()
