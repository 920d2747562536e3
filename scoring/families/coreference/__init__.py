"""Coreference: MUC, B³, CEAF, BLANC, LEA and the CoNLL average, of entities as sets of mentions."""

import importlib
from typing import Any


def __getattr__(name: str) -> Any:
    """COREFERENCE, made when it is first asked for: the command scorch does without it and without NumPy."""
    if name != "COREFERENCE":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return importlib.import_module(f"{__name__}.family").COREFERENCE
