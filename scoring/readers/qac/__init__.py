"""Questions and answers in the files of NTCIR's QAC, of TREC and of SQuAD: runs, and what they are scored against.

Its modules are loaded when they are first asked for (`__init__.pyi`): rankings of snippets need one of them.
"""

from scoring import lazy

__getattr__, __dir__, __all__ = lazy.names_of_stub(__name__, __file__)
