"""The commands that take the arguments of reproduced systems: each module here is one, under its own name.

A module has `main(argv) -> int`, which takes the arguments behind its name and returns the exit status. It holds the
arguments and the output of the reproduced program, and no rule of scoring.
"""

import pkgutil
from collections.abc import Sequence

from scoring import lazy


def names() -> list[str]:
    """Return the names as they are typed: `scorch-convert` is `scorch_convert.py`."""
    return [module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)]


def run(argv: Sequence[str]) -> int:
    """Return the exit status of the command that the first argument names; no other command is imported."""
    return int(lazy.load(f"{__name__}.{argv[0].replace('-', '_')}", "main")(argv[1:]))
