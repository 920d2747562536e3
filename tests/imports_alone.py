"""Imports each module of engine and site alone, and prints those that cannot be: `python -m tests.imports_alone`.

Each module is imported in a fork of a process that has the settings and the models, but has run no app's `ready`, so
that no import is hidden by one that came before.
"""

import gc
import importlib
import json
import os
import sys
from collections.abc import Iterable
from multiprocessing import get_context

import django
from django.apps import AppConfig
from django.conf import settings

from tests.import_graph import modules

_OWN = ("evalsite", "scoring", "demo", "tests")


def set_up_without_ready() -> None:
    """Load settings and models as Django does, and leave out what apps do once all are there."""
    for entry in settings.INSTALLED_APPS:
        type(AppConfig.create(entry)).ready = lambda self: None
    django.setup()


def libraries_of(names: Iterable[str]) -> list[str]:
    """Return the modules of libraries that these modules load, in the order in which they are loaded."""
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:  # noqa: S112 - it is told of by its own fork
            continue
    return [name for name in sys.modules if name.partition(".")[0] not in _OWN]


def failure_of(name: str) -> str:
    """Import a module in a fork; return the error, or ""."""
    reads, writes = os.pipe()
    child = os.fork()
    if child:
        os.close(writes)
        with os.fdopen(reads) as stream:
            error = stream.read()
        os.waitpid(child, 0)
        return error
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in _OWN:  # a library may be one that a site chooses to have
            os.write(writes, str(error).encode())
    except BaseException as error:
        os.write(writes, f"{type(error).__name__}: {error}".encode())
    os._exit(0)


def main() -> None:
    set_up_without_ready()
    names = [name for name in modules("scoring", "evalsite") if name not in sys.modules]
    with get_context("fork").Pool(1) as pool:
        libraries = pool.apply(libraries_of, [names])
    for library in libraries:
        if library not in sys.modules:
            importlib.import_module(library)
    gc.collect()
    gc.freeze()  # else each fork would search, and so copy, what all of them have
    failures = {name: error for name in names if (error := failure_of(name))}
    print(json.dumps({"imported": len(names), "failures": failures}))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evalsite.settings")
    os.environ["EVALSITE_BOOTSTRAP"] = "0"
    main()
