"""The commands that take the arguments of reproduced systems, by name."""

import importlib
import pkgutil
from collections.abc import Sequence


def names() -> list[str]:
    return [module.name.replace("_", "-") for module in pkgutil.iter_modules(__path__)]


def run(argv: Sequence[str]) -> int:
    """The exit status of the command that the first argument names."""
    # By name: a command brings its own libraries, and none needs those of the others.
    module = importlib.import_module(f"{__name__}.{argv[0].replace('-', '_')}")
    return int(module.main(argv[1:]))
