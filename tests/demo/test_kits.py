"""Every command that a starter kit prints, typed in the order of its README against a site that runs."""

import io
import re
import shlex
from dataclasses import replace
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from demo import task as demo
from demo.plan import PARTICIPANT
from evalsite.accounts.models import User
from evalsite.api import tokens
from evalsite.challenges.models import Phase
from evalsite.submissions.models import Scoring, Submission
from scoring.__main__ import main
from tests.evalsite.conftest import broker_process, broker_url, celery

__all__ = ["broker_process", "broker_url", "celery"]  # fixtures

READMES = ("README.md", "LEEME.md")
WITHOUT_KIT = {"judgements-demo"}  # whose scores the organisers bring


@pytest.fixture
def at_home(tmp_path, monkeypatch):
    """A participant's machine on which nobody has logged in yet."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "EVALSITE_TOKEN", "EVALSITE_SITE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.thorough
def test_every_command_of_every_kit_works(
    transactional_db, live_server, celery, tmp_path, at_home, monkeypatch, capsys
):
    # The runs of other teams are nothing that a kit's commands could fail on.
    for plan in demo.TASKS:
        demo.create_task(replace(plan, all_runs=()))
    Phase.objects.update(total_limit=None, window_limit=None, year_limit=None)  # all of a kit's uploads are tried
    user = User.objects.get(email=PARTICIPANT)
    _, token = tokens.make(user, "laptop", "read upload", None)
    client = Client()
    client.force_login(user)
    failed, n_commands = [], 0
    with celery("worker", "--concurrency", "1"):
        for phase in Phase.objects.select_related("task"):
            answer = client.get(reverse("kit", args=[phase.task.slug, phase.slug]), SERVER_NAME="localhost")
            assert (answer.status_code == 404) == (phase.task.slug in WITHOUT_KIT)
            if answer.status_code == 404:
                continue
            folder = unpacked(answer.content, tmp_path)
            monkeypatch.chdir(folder)
            for words in printed_commands(folder):
                monkeypatch.setattr("sys.stdin", io.StringIO(f"{token}\n"))
                n_commands += 1
                if status := typed(with_address(words, live_server.url)):
                    failed.append((folder.name, words, status, capsys.readouterr().err))
    assert failed == []
    assert n_commands > 5 * len(demo.TASKS)
    assert not Submission.objects.filter(is_sample=False).exists()
    assert set(Scoring.objects.values_list("state", flat=True)) == {Scoring.State.SCORED}


def unpacked(kit: bytes, folder: Path) -> Path:
    """Return the one folder that is in the archive."""
    with ZipFile(io.BytesIO(kit)) as archive:
        archive.extractall(folder)
        [name] = {path.split("/")[0] for path in archive.namelist()}
    return folder / name


def printed_commands(folder: Path) -> list[list[str]]:
    """Return the words of each command, which are the same in each language."""
    english, spanish = (commands_in((folder / name).read_text(encoding="utf-8")) for name in READMES)
    assert english == spanish
    return english


def commands_in(readme: str) -> list[list[str]]:
    blocks = re.findall(r"^```\n(.*?)^```", readme, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [shlex.split(line) for line in lines if line.startswith(("python ", "evalsite "))]


def with_address(words: list[str], site: str) -> list[str]:
    """Return the command with the address at which the test's site listens."""
    return [site if word.startswith("http://") else word for word in words]


def typed(words: list[str]) -> int:
    """Return the exit status; what pip would install has to be there."""
    if words[0] == "evalsite":
        return main(words[1:])
    assert words[:4] == ["python", "-m", "pip", "install"]
    return 0 if Path(words[4].partition("[")[0]).is_file() else 1
