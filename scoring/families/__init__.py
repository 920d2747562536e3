"""The families by name."""

from scoring.families.ehealthkd import EHEALTHKD
from scoring.family import Family

FAMILIES: dict[str, Family] = {family.name: family for family in (EHEALTHKD,)}
