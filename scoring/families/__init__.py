"""The families by name."""

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.family import Family

_NAMES = ("ehealthkd", "mat", "coreference", "spacy", "qac")


class _Families(Mapping[str, "Family"]):
    """A family is imported when it is first asked for: each brings libraries that the others can do without."""

    def __getitem__(self, name: str) -> "Family":
        if name not in _NAMES:
            raise KeyError(name)
        family: Family = getattr(importlib.import_module(f"{__name__}.{name}"), name.upper())
        return family

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


FAMILIES: "Mapping[str, Family]" = _Families()
