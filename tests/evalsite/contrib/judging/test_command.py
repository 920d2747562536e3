"""The command `evalsite judge`, by a real program, at a site that really runs."""

import html
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse

from evalsite.api import tokens
from evalsite.challenges.models import Gold
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Judgement, Result
from tests.evalsite.contrib.judging.conftest import N_UNITS, upload
from tests.factories import PASSWORD, make_gold, scored
from tests.printed import commands_of

pytestmark = pytest.mark.django_db(transaction=True)
# As the guide has it: a score for each unit, here by the length of what the system wrote.
SCRIPT = f"""#!/bin/sh
length=$(wc -c < "$1")
echo unit,score
k=0
while [ $k -lt {N_UNITS} ]; do
  echo "u$k,0.$(( (length + k) % 10 ))"
  k=$((k + 1))
done
"""


class Machine:
    """A judge's machine, with the token of its task."""

    def __init__(self, folder: Path, site: str, token: str) -> None:
        self.folder = folder
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PYTHONPATH": str(settings.BASE_DIR),
            "EVALSITE_SITE": site,
            "EVALSITE_TOKEN": token,
            "OPENBLAS_NUM_THREADS": "1",
        }

    def script(self, text: str) -> str:
        path = self.folder / "score.sh"
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def words(self, *more: str, version: str = "1", script: str = SCRIPT) -> list[str]:
        named = ["summaries/test", "--name", "COMET", "--version", version]
        return [sys.executable, "-m", "scoring", "judge", *named, *more, "--", self.script(script)]

    def judge(self, *more: str, **fields: str) -> subprocess.CompletedProcess[str]:
        words = self.words(*more, **fields)
        return subprocess.run(
            words, env=self.environ, cwd=self.folder, capture_output=True, text=True, check=False, timeout=120
        )


@pytest.fixture
def machine(tmp_path, live_server, olga, scenario) -> Machine:
    _, text = tokens.make(olga, "GPU", "judge gold", None, scenario.task)
    return Machine(tmp_path, live_server.url, text)


def test_it_scores_what_waits_and_says_so(machine, runs):
    done = machine.judge()
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f"{N_UNITS} scores posted") == 2
    assert "2 runs scored, none waits." in done.stderr
    assert [scored(run).scorings.get().state for run in runs] == ["scored", "scored"]
    again = machine.judge()
    assert (again.returncode, again.stdout) == (0, "")


@pytest.mark.parametrize("language", ["", ".es"])
def test_the_script_and_the_command_of_the_guide_do_as_it_says(machine, scenario, phase, language):
    guide = (settings.BASE_DIR / "docs" / "guides" / f"judges{language}.md").read_text()
    script = re.search(r"```python\n(.*?)```", guide, re.DOTALL)[1]
    command = re.search(r"^evalsite judge TASK/PHASE (.+) -- ./score.py$", guide, re.MULTILINE)[1]
    make_gold(phase, scenario, {"units.csv": "unit\n" + "".join(f"line{k + 1}\n" for k in range(N_UNITS))})
    upload(phase, "Ada", "\n".join("one two one" for _ in range(N_UNITS)) + "\n")
    words = [sys.executable, "-m", "scoring", "judge", "summaries/test", *command.split(), "--", machine.script(script)]
    done = subprocess.run(words, env=machine.environ, capture_output=True, text=True, check=False, timeout=60)
    gold = Gold.objects.order_by("-version").first()
    assert gold.judge == "Diversity 1", done.stderr
    with Judgement.objects.get(gold=gold).file.open() as file:
        assert file.read().count(b"0.6667") == N_UNITS


def test_the_command_on_the_desk_does_as_it_is_printed(machine, runs, client, olga, live_server):
    client.force_login(olga)
    host = live_server.url.removeprefix("http://")
    address = reverse("desk_scenarios_judges", args=["summaries"])
    page = client.get(address, SERVER_NAME=host.split(":")[0], SERVER_PORT=host.split(":")[1]).content.decode()
    printed = html.unescape(re.search(r'<pre class="command">(.*?)</pre>', page, re.DOTALL)[1])
    command = printed.replace("evs_…", machine.environ["EVALSITE_TOKEN"]).replace(" --watch", "")
    machine.script(SCRIPT)
    evalsite = machine.folder / "evalsite"
    evalsite.write_text(f'#!/bin/sh\nexec {sys.executable} -m scoring "$@"\n')
    evalsite.chmod(0o755)
    environ = machine.environ | {"PATH": f"{machine.folder}:{machine.environ['PATH']}", "EVALSITE_TOKEN": ""}
    del environ["EVALSITE_SITE"]
    done = subprocess.run(
        ["sh", "-c", command], env=environ, cwd=machine.folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert "2 runs scored, none waits." in done.stderr, done.stderr


@pytest.mark.django_db
def test_what_is_printed_beside_a_new_token_names_the_site(client, olga, scenario):
    client.post(reverse("account_login"), {"login": olga.email, "password": PASSWORD})
    fields = {"name": "GPU", "scopes": "judge", "lifetime": "90"}
    made = client.post(reverse("desk_scenarios_judges_token", args=["summaries"]), fields)
    assert commands_of(made.content.decode()) == ["export EVALSITE_SITE=http://testserver EVALSITE_TOKEN=evs_…"]


def test_one_alone_is_scored_if_that_is_asked_for(machine, runs):
    assert machine.judge("--once").returncode == 0
    assert Judgement.objects.get().submission == runs[0]


def test_what_the_program_is_given(machine, runs, phase):
    script = """#!/bin/sh
[ "$1" = "$EVALSITE_RUN" ] && [ -z "$EVALSITE_TOKEN" ] || exit 9
echo "$EVALSITE_TASK $EVALSITE_PHASE $EVALSITE_SCENARIO $EVALSITE_RUN_ID" >> "$HOME/given"
unzip -p "$EVALSITE_GOLD" | tail -n +2 | while read unit; do echo "{\\"unit\\": \\"$unit\\", \\"score\\": 0.5}"; done \\
  > "$EVALSITE_SCORES"
echo "this goes nowhere"
"""
    done = machine.judge("--gold", script=script)
    assert done.returncode == 0, done.stderr
    given = (machine.folder / "given").read_text().splitlines()
    assert given == [f"summaries test 1 {run.pk}" for run in runs]
    assert Judgement.objects.count() == 2


def test_a_program_that_fails_leaves_the_run_and_its_last_words_are_told(machine, runs):
    failing = 'unzip -p "$1" | grep -q Ada && { echo "out of memory" >&2; exit 3; }'
    script = SCRIPT.replace("echo unit,score", f"{failing}\necho unit,score")
    done = machine.judge(script=script)
    assert done.returncode == 3
    assert "left without scores. The program ended with status 3.\n  | out of memory" in done.stderr
    assert "1 of 2 runs are left without scores" in done.stderr
    assert Judgement.objects.get().submission == runs[1]


def test_wrong_units_and_numbers_are_told_by_the_line_of_the_program(machine, runs):
    done = machine.judge("--once", script=SCRIPT.replace('echo "u$k,', 'echo "x$k,'))
    assert done.returncode == 3
    assert "line 2: unit 'x0' is not in the gold" in done.stderr
    done = machine.judge(script="#!/bin/sh\nprintf 'unit,score\\nu0,0.5\\nu1,nan\\nu2\\n'\n")
    assert "line 3: 'nan' is no finite number" in done.stderr
    assert "line 4: 2 columns are needed, found 1" in done.stderr
    assert not Judgement.objects.exists()


@pytest.mark.thorough
def test_a_wrong_token_or_version_is_told_at_once(machine, runs):
    machine.judge()
    for run in runs:
        scored(run)
    other = SCRIPT.replace("(length + k)", "(length + k + 1)")
    assert "for version 2 of the gold, a candidate" in machine.judge(version="2", script=other).stdout
    third = machine.judge(version="3")
    assert third.returncode == 2
    assert "Publish or discard it before another judge begins." in third.stderr
    machine.environ["EVALSITE_TOKEN"] = "evs_unknown"
    assert machine.judge().returncode == 2


@pytest.mark.thorough
def test_a_judge_that_watches_scores_runs_as_they_come(machine, phase, runs):
    process = subprocess.Popen(machine.words("--watch"), env=machine.environ, stdout=subprocess.PIPE, text=True)
    try:
        _wait(lambda: Judgement.objects.count() == 2)
        upload(phase, "Cy")
        _wait(lambda: Judgement.objects.count() == 3)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


@pytest.mark.thorough
def test_what_was_said_before_it_could_be_posted_is_kept(machine, runs):
    script = f'#!/bin/sh\necho called >> "$HOME/calls"\n{SCRIPT.partition(chr(10))[2]}'
    machine.judge("--keep", "kept", script=script)
    kept = sorted((machine.folder / "kept").iterdir())
    assert [path.suffix for path in kept] == [".posted", ".posted"]
    Judgement.objects.all().delete()
    for path in kept:
        path.rename(path.with_suffix(".scores"))
    assert machine.judge("--keep", "kept", script=script).returncode == 0
    assert (machine.folder / "calls").read_text().count("called") == 2
    assert Judgement.objects.count() == 2


@pytest.mark.thorough
def test_a_judge_that_is_killed_ten_times_loses_and_doubles_nothing(machine, phase):
    runs = [upload(phase, f"Person {k}", f"{'x' * k}\n") for k in range(12)]
    slow = SCRIPT.replace("echo unit,score", "sleep 0.2\necho unit,score")
    version = "1"
    for kill in range(10):
        if kill == 5:
            _finish(machine, runs, version)
            version = "2"
        process = subprocess.Popen(
            machine.words(version=version, script=slow), env=machine.environ, stdout=subprocess.PIPE, text=True
        )
        time.sleep(0.4 + 0.23 * kill)
        process.kill()
        process.communicate()
        for run in runs:
            scored(run)
        _check_board(phase)
    _finish(machine, runs, version)
    assert Judgement.objects.count() == 24
    assert Result.objects.count() == 24
    judged = {(result.scoring.submission_id, _judge_of(result)) for result in Result.objects.all()}
    assert len(judged) == 24
    _check_board(phase)


def _finish(machine, runs, version):
    done = machine.judge(version=version)
    assert done.returncode == 0, done.stderr
    for run in runs:
        scored(run)


def _check_board(phase):
    """Nothing on the board is by another judge than the gold's by which it ranks."""
    if not Board.objects.exists():
        return
    refresh(Board.objects.select_related("phase", "scenario").get(phase=phase))
    edition = Board.objects.get().editions.first()
    for entry in edition.entries:
        result = Result.objects.get(scoring__submission=entry["submission"], scoring__gold=edition.gold)
        assert _judge_of(result) == edition.gold.judge == "COMET 1"


def _judge_of(result):
    return result.signature.partition("|judge:")[2].partition("|")[0]


def _wait(done, seconds=30.0):
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end
        time.sleep(0.1)
