"""The public name of the family and the module that it comes from."""

from scoring.families.coreference.record import COREFERENCE as COREFERENCE
