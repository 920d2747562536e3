"""Evaluation of language-technology systems: files in, numbers out.

The public names stand in `__init__.pyi`; `scoring/lazy.py` says why they are loaded when they are first asked for.
"""

from scoring import lazy

__getattr__, __dir__, __all__ = lazy.names_of_stub(__name__, __file__)
