"""Coreference: MUC, B³, CEAF, BLANC, LEA and the CoNLL average, of entities as sets of mentions.

The record of the family, COREFERENCE, stands in `record.py` and is loaded when it is first asked for (`__init__.pyi`):
the command `scorch` uses modules of this package, and starts faster than NumPy can be imported.
"""

from scoring import lazy

__getattr__, __dir__, __all__ = lazy.names_of_stub(__name__, __file__)
