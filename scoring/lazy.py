"""The one way in which the engine loads something only when it is asked for.

Loading NumPy takes about a tenth of a second and SciPy some more, which is longer than the commands `scorch` and
`scorch-convert` take for a whole evaluation; and a family brings libraries that the others can do without. So:

* A package whose names come from heavy modules (`scoring` itself, `scoring.families.coreference`) lists them in a stub
  `__init__.pyi` beside it, as plain import statements, and its `__init__.py` says
  `__getattr__, __dir__, __all__ = lazy.names_of_stub(__name__, __file__)`. Each public name then stands once:
  type checkers and editors read the stub, and a running program finds in it which module to import for a name.
  (The same arrangement as the package lazy_loader of Scientific Python's SPEC 1, without the dependency.)
* Code that learns a module's name at run time (the registry of families, the commands) uses `load`, and what a
  refused file alone needs.
* A record of functions names with `late` those that few evaluations call: a family's for descriptions and repairs.

Everything else is imported at the head of its module.
"""

import ast
import importlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any


def load(module: str, name: str) -> Any:
    """Return the attribute `name` of a module that is imported for it.

    >>> load("fractions", "Fraction")(3, 6)
    Fraction(1, 2)
    """
    return getattr(_imported(module), name)


def late(module: str, name: str) -> Callable[..., Any]:
    """Return a function that calls one of a module, which is imported at the first call.

    >>> late("math", "gcd")(12, 18)
    6
    """
    return lambda *given: load(module, name)(*given)


_imported = cache(importlib.import_module)  # which looks for locks and parents, however often it is asked


def names_of_stub(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Make `__getattr__`, `__dir__` and `__all__` of a package from the imports of the stub beside its `file`."""
    homes = _imports(Path(file).with_suffix(".pyi"))

    def get_attribute(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return load(*homes[name])

    def list_names() -> list[str]:
        return sorted(homes)

    return get_attribute, list_names, list_names()


def _imports(stub: Path) -> dict[str, tuple[str, str]]:
    """Read the statements `from module import name as public_name`: {public name: (module, name there)}."""
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    return {
        alias.asname or alias.name: (statement.module or "", alias.name)
        for statement in tree.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
