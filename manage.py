#!/usr/bin/env python3
"""Django's command line, in an environment that evalsite/bootstrap.py has prepared; `test` runs pytest."""

import argparse
import os
import sys

from evalsite import bootstrap
from evalsite.base import garbage

ENGINE_TESTS = os.path.join("tests", "scoring")


def main():
    command = sys.argv[1:2]
    if command == ["demo"] and os.name == "nt":
        sys.exit("demo needs Linux or macOS: its web server and its supervisor do not run on Windows.")
    bootstrap.ensure_environment(sys.argv)
    if command != ["test"]:  # pyproject.toml names the settings of tests
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evalsite.settings")
    garbage.collect_seldom()
    try:
        if command == ["test"]:
            run_tests(without_django(sys.argv[2:]))
        if command == ["demo"]:
            # The settings read the environment once, so the folder must be known before Django is set up.
            os.environ["EVALSITE_DATA_DIR"] = demo_data_dir(sys.argv[2:])
        run_django(sys.argv)
    except ModuleNotFoundError as error:
        if os.environ.get("EVALSITE_BOOTSTRAP") == "0" and error.name in ("django", "pytest"):
            sys.exit(f"{error.name} isn't installed, and EVALSITE_BOOTSTRAP=0 leaves installing to you.")
        raise


def run_tests(arguments):
    import pytest

    # A hundred processes load the same modules: some machines keep Python from storing what it has compiled.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    os.chdir(bootstrap.ROOT)
    sys.exit(pytest.main(in_parallel(arguments)))


def without_django(arguments):
    """Return the arguments, without a start of the site, which takes seconds, where they name tests of the engine."""
    paths = [word for word in arguments if os.path.exists(word.partition("::")[0])]
    if paths and all(os.path.relpath(path, bootstrap.ROOT).startswith(ENGINE_TESTS) for path in paths):
        return ["-o", "DJANGO_SETTINGS_MODULE="] + arguments
    return arguments


def in_parallel(arguments):
    """Return the arguments for a process on each processor, unless they choose tests, say how many, or how to stop."""
    alone = ("-n", "-s", "-x", "--dist", "--exitfirst", "--maxfail", "--numprocesses", "--trace")
    if any(not word.startswith("-") or word.startswith(alone) for word in arguments):
        return arguments
    return ["-n", "auto", "--dist", "worksteal"] + arguments


def run_django(arguments):
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(arguments)
    except ImproperlyConfigured as error:
        if "--traceback" in arguments:
            raise
        sys.exit(str(error))


def demo_data_dir(arguments):
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data-dir", default=os.path.join(bootstrap.ROOT, ".data", "demo"))
    return os.path.abspath(parser.parse_known_args(arguments)[0].data_dir)


if __name__ == "__main__":
    main()
