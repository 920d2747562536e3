"""Tries tests on sites with other apps than this one, each in a fork of a process that has loaded libraries alone.

What is installed is settled when a process starts, and most of a start is libraries. `python -m tests.other_sites` has
them, reads what is to be tried, a line each, and answers each with what came out in a fork of its own.
"""

import gc
import importlib
import json
import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from typing import NamedTuple, Self

from evalsite.base import garbage
from tests.import_graph import ROOT

# Those that need no settings. Plugins of pytest are left to pytest, which rewrites their assertions.
LIBRARIES = [
    *("allauth", "celery", "cryptography.x509", "django.contrib.admin", "django.core.management", "django.test"),
    *("django_structlog", "fakeredis", "jinja2", "kombu.transport.memory", "markdown_it", "numpy", "PIL.Image"),
    *("psycopg", "pydantic", "pytest", "redis", "requests", "structlog", "yaml"),
]


class Outcome(NamedTuple):
    """What became of a site's check and test: 0 where both passed, and what they printed."""

    status: int
    output: str


class OtherSites:
    """A process that tries other sites for as long as its block lasts."""

    def __enter__(self) -> Self:
        # The sites are on SQLite, and a library that asks for a setting before its site is set up fails.
        left_out = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE")
        environment = {name: value for name, value in os.environ.items() if name not in left_out}
        command = [sys.executable, "-m", "tests.other_sites"]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True)
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()

    def outcome(self, test: str, path: Path = ROOT, **variables: str) -> Outcome:
        """Check a site that has these variables and may find apps in a folder, and run a file of tests on it."""
        self._process.stdin.write(json.dumps([test, str(path), variables]) + "\n")
        self._process.stdin.flush()
        return Outcome(*json.loads(self._process.stdout.readline()))


def main() -> None:
    garbage.collect_seldom()
    for name in LIBRARIES:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        print(json.dumps(_outcome_in_fork(*json.loads(line))), flush=True)


def _outcome_in_fork(test: str, path: str, variables: dict[str, str]) -> Outcome:
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        child = os.fork()
        if not child:
            os.dup2(output.fileno(), sys.stdout.fileno())
            os.dup2(output.fileno(), sys.stderr.fileno())
            sys.path.insert(0, path)
            os.environ.update(EVALSITE_BOOTSTRAP="0", DJANGO_SETTINGS_MODULE="evalsite.settings", **variables)
            os._exit(_status(test))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        output.seek(0)
        return Outcome(status, output.read())


def _status(test: str) -> int:
    """Set up the site, check it and run the test; return 0 if all of that passed."""
    import django
    import pytest
    from django.core.management import call_command

    try:
        django.setup()
        call_command("check")
        status = pytest.main(["-q", test])
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return status


if __name__ == "__main__":
    main()
