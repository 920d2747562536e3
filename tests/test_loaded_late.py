"""What few pages and commands need is loaded when it is asked for, so that every process starts soon."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

from tests.import_graph import ROOT

PAGES = ["scipy", "scoring.families.mat", "sacrebleu", "nltk", "lxml"]
# A server of pages loads the API with all other addresses, which takes some hundredths of a second; workers need none.
SITE = [*PAGES, "ninja", "evalsite.api.api", "django.test", "jinja2", "pydantic", "markdown_it", "PIL"]
# Of the engine too: other commands, parts of uploads, what names a format after a refusal, and installed families.
LATE = [
    "scoring.remote",
    "scoring.verifying",
    "scoring.descriptions",
    "scoring.families.parts",
    "scoring.readers.natures",
    "scoring.readers.hints",
    "scoring.comparing",
    "scoring.describing",
    "scoring.repairs",
    "scoring.display.svg",
    "statistics",
]
ENGINE = ["scipy", "numpy.ma", "http", "ssl", "scoring.combining", *LATE]
EXAMPLE = "scoring/families/ehealthkd/example"


def loaded_by(program, *absent):
    """Return which of these modules a program loads."""
    ending = f"\nimport sys\nprint(*(name for name in {absent!r} if name in sys.modules), file=sys.stderr)"
    return run(program + ending).stderr.splitlines()[-1].split()


def run(program):
    environment = os.environ | {"EVALSITE_BOOTSTRAP": "0", "DJANGO_SETTINGS_MODULE": "evalsite.settings"}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)


def test_a_server_of_pages_starts_without_what_few_pages_need():
    assert loaded_by("import evalsite.wsgi", *PAGES) == []


def test_a_worker_starts_without_scipy_and_the_api():
    assert loaded_by("import evalsite.celery, django; django.setup()", *SITE) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "--help"],
        ["evaluate", "ehealthkd", "--gold", f"{EXAMPLE}/gold", "--system", f"{EXAMPLE}/run", "-o", "scenario=1"],
    ],
)
def test_a_run_is_scored_without_what_other_commands_need(arguments):
    program = (
        f"import sys; from scoring.__main__ import main\ntry:\n    main({arguments!r})\nexcept SystemExit:\n    pass"
    )
    assert loaded_by(program, *ENGINE) == []


@pytest.mark.parametrize(
    "start",
    ["import evalsite.celery", "import sys; sys.argv = ['', '--help']; from scoring.__main__ import run; run()"],
)
def test_what_was_loaded_is_not_searched_for_garbage_when_a_process_ends(start):
    # What is registered first is called last.
    program = "import atexit, gc; atexit.register(lambda: print('frozen:', gc.get_freeze_count() > 0));" + start
    assert run(program).stdout.splitlines()[-1] == "frozen: True"


def test_a_check_loads_no_family_and_nothing_that_talks_to_redis_or_prometheus():
    program = "import django; django.setup(); from django.core.checks import run_checks; run_checks()"
    assert loaded_by(program, *PAGES, "scoring.families.ehealthkd", "redis", "prometheus_client", "latex2mathml") == []


def test_the_first_request_to_the_api_loads_it(client):
    assert client.get("/api/v1/nothing-there").status_code == 404
    assert client.get("/api/").status_code == 200


def test_the_engines_server_loads_a_family_with_the_first_job_of_it():
    preloaded = f"import importlib; [importlib.import_module(name).prepare() for name in {settings.JOBS_PRELOADED}]"
    absent = ["scipy", "sacrebleu", "scoring.families.mat", "scoring.families.ehealthkd"]
    assert loaded_by(preloaded, *absent) == []
    loading = f"{preloaded}; from evalsite.submissions.engine_jobs import load; load({{'name': 'ehealthkd'}})"
    assert loaded_by(loading, *absent) == ["scoring.families.ehealthkd"]
