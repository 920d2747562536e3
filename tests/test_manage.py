"""What `manage.py test` makes of its words."""

import subprocess
import sys

import pytest

import manage
from tests.import_graph import ROOT

OFF = ["-o", "DJANGO_SETTINGS_MODULE="]


@pytest.mark.parametrize(
    ("words", "are_without"),
    [
        (["tests/scoring"], True),
        (["-n", "2", "tests/scoring/test_prf.py::test_any", "-k", "ratio"], True),
        (["tests/scoring", "tests/evalsite/test_doors.py"], False),
        (["-k", "ratio"], False),
        ([], False),
    ],
)
def test_tests_of_the_engine_alone_start_no_site(words, are_without):
    assert manage.without_django(words) == ([*OFF, *words] if are_without else words)


def test_tests_of_the_engine_pass_without_the_site(monkeypatch):
    monkeypatch.delenv("DJANGO_SETTINGS_MODULE", raising=False)
    command = [sys.executable, "manage.py", "test", "tests/scoring/test_prf.py"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "django: version" not in done.stdout


def test_words_that_choose_tests_keep_them_in_one_process():
    assert manage.in_parallel(["tests/scoring"]) == ["tests/scoring"]
    assert manage.in_parallel(["--thorough"]) == ["-n", "auto", "--dist", "worksteal", "--thorough"]
