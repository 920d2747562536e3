"""The package as participants have it: installed into an empty environment, against a site that really runs."""

import subprocess
import sys
from io import BytesIO
from pathlib import Path
from urllib.request import urlopen
from zipfile import ZipFile

import pytest

import scoring
from evalsite.api import tokens
from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Submission
from tests.factories import PARTLY_RIGHT, PHRASES, make_gold, make_phase, make_scenario, make_task, run_files
from tests.thoroughness import is_thorough
from tests.workers import wait_for

WHEEL = f"evalsite-{scoring.__version__}-py3-none-any.whl"


class Machine:
    """A participant's machine: an environment, a home, and a folder to work in."""

    def __init__(self, folder: Path, environment: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir()
        self.environ = {
            "PATH": f"{environment / 'bin'}:/usr/bin:/bin",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "OPENBLAS_NUM_THREADS": "1",
        }

    def run(self, *words: str, typed: str = "", **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words, cwd=self.home, env=self.environ | environ, input=typed, capture_output=True, text=True, check=False
        )

    def write(self, folder: str, files: dict[str, str]) -> None:
        (self.home / folder).mkdir()
        for name, content in files.items():
            (self.home / folder / name).write_text(content, encoding="utf-8")


@pytest.fixture(scope="module")
def environment(tmp_path_factory, live_server) -> Path:
    """With --thorough an empty environment into which pip installs from the site; else the wheel, unpacked, beside the
    tests' own NumPy."""
    folder = tmp_path_factory.mktemp("environment")
    if is_thorough():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "-q", f"{live_server.url}/engine/{WHEEL}"]
        subprocess.run(pip, check=True)
        return folder
    with urlopen(f"{live_server.url}/engine/{WHEEL}") as answer, ZipFile(BytesIO(answer.read())) as archive:
        archive.extractall(folder / "package")
    (folder / "bin").mkdir()
    command = folder / "bin" / "evalsite"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{folder / "package"}" exec "{sys.executable}" -m scoring "$@"\n')
    command.chmod(0o755)
    return folder


@pytest.fixture
def machine(tmp_path, environment) -> Machine:
    return Machine(tmp_path, environment)


@pytest.fixture
def logged_in(machine, live_server, alice, team) -> Machine:
    _, text = tokens.make(alice, "laptop", "read upload", None)
    done = machine.run("evalsite", "login", live_server.url, typed=f"{text}\n")
    assert done.returncode == 0, done.stderr
    assert "Logged in as Alice" in done.stdout
    kept = machine.home / ".config" / "evalsite" / "login.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert text in kept.read_text()
    return machine


def test_a_run_is_checked_uploaded_awaited_and_found_on_the_board(transactional_db, logged_in, celery, phase, team):
    machine = logged_in
    machine.write("input", {"input_scenario1.txt": run_files()["input_scenario1.txt"]})
    machine.write("run", PARTLY_RIGHT)
    check = machine.run("evalsite", "check", "ehealthkd", "--input", "input", "--system", "run", "-o", "scenario=1")
    assert check.returncode == 0
    assert check.stdout.startswith("No problem found.\n4 phrases and 1 relation in 2 of 2 sentences.")
    with celery("worker", "--concurrency", "1"):
        sent = machine.run("evalsite", "submit", "health/test", "run", "--method", "Rules", "--wait")
    assert (sent.returncode, sent.stderr) == (0, "")
    assert "Scenario 1, Scenario 1: scored" in sent.stdout
    assert "F1" in sent.stdout
    assert "0.500" in sent.stdout
    assert Submission.objects.get().team == team
    wait_for(Board.objects.exists)
    refresh(Board.objects.get())
    board = machine.run("evalsite", "board", "health/test")
    assert board.returncode == 0
    assert "1      Alice and Bob  0.500" in board.stdout


def test_scores_that_the_organisers_bring_are_refused_with_the_words_of_the_page(transactional_db, logged_in, olga):
    task = make_task("judged", olga)
    make_gold(make_phase(task), make_scenario(task, family="given", options={}), {"units.csv": "unit\nu1\nu2\n"})
    logged_in.write("run", {"run.csv": "unit,score\nu1,99\nu2,100\n"})
    refused = logged_in.run("evalsite", "submit", "judged/test", "run", "--method", "Wishes")
    assert refused.returncode == 2
    assert "brought by the organisers: nobody uploads them here." in refused.stderr
    assert not Submission.objects.exists()


@pytest.mark.thorough
def test_what_goes_wrong_has_its_own_exit_status(transactional_db, logged_in, live_server, phase):
    machine = logged_in
    machine.write("broken", {"output_a_scenario1.txt": "1 2 3\n", "output_b_scenario1.txt": ""})
    refused = machine.run("evalsite", "submit", "health/test", "broken", "--method", "Rules")
    assert refused.returncode == 1
    assert "\noutput_a_scenario1.txt:1: Line has 1 column, 4 are needed" in refused.stderr
    assert "\n    1 | 1 2 3\n    Line 1 has blanks where tabs belong.\n" in refused.stderr
    assert machine.run("evalsite", "submit", "health/nothing", "broken", "--method", "Rules").returncode == 2
    wrong = {"EVALSITE_TOKEN": "evs_wrong"}
    wrong_token = machine.run("evalsite", "submit", "health/test", "broken", "--method", "x", **wrong)
    assert wrong_token.returncode == 2
    assert "This token is unknown" in wrong_token.stderr
    nobody = machine.run("evalsite", "board", "health/test/1", "--site", "http://127.0.0.1:9")
    assert nobody.returncode == 3
    assert "does not answer" in nobody.stderr
    assert not Submission.objects.exists()


@pytest.mark.thorough
def test_each_cause_is_told_once_in_the_language_of_the_terminal(transactional_db, logged_in, phase):
    machine = logged_in
    lines = "".join(f"{number}\t0 5\tConcept\n" for number in range(1, 31))
    machine.write("broken", {"output_a_scenario1.txt": lines, "output_b_scenario1.txt": ""})
    words = ("evalsite", "submit", "health/test", "broken", "--method", "Rules", "--check")
    english, spanish = machine.run(*words), machine.run(*words, LANG="es_ES.UTF-8")
    assert (english.returncode, spanish.returncode) == (1, 1)
    assert english.stderr.count("output_a_scenario1.txt") == spanish.stderr.count("output_a_scenario1.txt") == 1
    assert "    lines 1 to 30 (all)\n    1 | 1⇥0 5⇥Concept\n" in english.stderr
    assert spanish.stderr.startswith("Los archivos tienen problemas")
    assert "    líneas 1 a 30 (todas)\n    1 | 1⇥0 5⇥Concept\n" in spanish.stderr
    machine.write("run", PARTLY_RIGHT)
    checked = machine.run("evalsite", "submit", "health/test", "run", "--check", LC_ALL="es")
    assert checked.stdout.startswith("Ningún problema")


def test_a_run_for_another_phase_is_told_so_as_on_the_page(transactional_db, logged_in, phase, olga):
    other = make_phase(phase.task, slug="training", name="Training")
    make_gold(other, phase.task.scenarios.get(), {name: text.upper() for name, text in run_files().items()})
    logged_in.write("run", {name: text.upper() for name, text in run_files().items()})
    refused = logged_in.run("evalsite", "submit", "health/test", "run", "--method", "Rules")
    assert "These are the sentences of Training, not of Test." in refused.stderr


def test_what_looks_odd_is_uploaded_by_whoever_says_so(transactional_db, logged_in, phase):
    machine = logged_in
    machine.write("odd", run_files(PHRASES.replace("Concept", "concept")))
    words = ("evalsite", "submit", "health/test", "odd", "--method", "Rules")
    asked = machine.run(*words)
    assert asked.returncode == 1
    assert "did you mean Concept?" in asked.stderr
    assert "--anyway in the command" in asked.stderr
    assert not Submission.objects.exists()
    assert machine.run(*words, "--anyway").returncode == 0
    assert Submission.objects.get().method == "Rules"


@pytest.mark.thorough
def test_a_large_run_goes_in_one_request_where_the_phase_takes_it(transactional_db, logged_in, phase, settings):
    settings.MAX_UPLOAD_BYTES = 400
    machine = logged_in
    machine.write("run", PARTLY_RIGHT)
    words = ("evalsite", "submit", "health/test", "run", "--method", "Rules")
    refused = machine.run(*words)
    assert refused.returncode == 2
    assert "The files are larger than" in refused.stderr
    Phase.objects.update(upload_megabytes=1)
    assert "No problem found" in machine.run(*words, "--check").stdout
    assert machine.run(*words).returncode == 0
    assert Submission.objects.get().size > 400


def test_a_token_goes_to_no_other_site_than_its_own(transactional_db, logged_in, live_server, phase):
    other = live_server.url.replace("localhost", "127.0.0.1")
    assert other != live_server.url
    logged_in.write("run", PARTLY_RIGHT)
    asked = logged_in.run("evalsite", "submit", "health/test", "run", "--method", "x", "--site", other)
    assert asked.returncode == 2
    assert "This needs an access token" in asked.stderr


def test_whoever_has_not_logged_in_is_told_how(transactional_db, machine):
    asked = machine.run("evalsite", "board", "health/test")
    assert asked.returncode == 2
    assert "evalsite login" in asked.stderr
