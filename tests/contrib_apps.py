"""Finds what the tests of apps of contrib bring for walks over the whole site, such as rows of the access table."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from evalsite.base.contrib import installed


def contrib_modules(name: str) -> list[ModuleType]:
    """Return the module of this name of each installed app of contrib that has one."""
    modules = [f"tests.evalsite.contrib.{config.label}.{name}" for config in installed()]
    return [import_module(module) for module in modules if find_spec(module)]
