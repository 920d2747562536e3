"""What the page of a board says about getting its numbers again is true: the command runs as it is printed."""

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board, Edition
from evalsite.submissions.models import Submission
from tests.evalsite.board_pages.pages import page, text
from tests.evalsite.comparisons.test_compare_two import N_SENTENCES, found, run
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[4]


@pytest.fixture
def phrases(phase, scenario, team, strangers):
    make_gold(phase, scenario, found(*range(N_SENTENCES)))
    run(phase, team, range(38))
    run(phase, strangers, range(8))
    return f"/tasks/health/{phase.slug}/board/1/"


def documents(n_right: int) -> str:
    names = [
        {"id": f"d{k:02}", "words": ["Ann", "runs"], "ents": [[0, 1, "PER" if k < n_right else "ORG"]]}
        for k in range(30)
    ]
    return "".join(f"{json.dumps(each)}\n" for each in names)


@pytest.fixture
def annotated(team, strangers, olga):
    """A family whose options are JSON, which a shell would take apart."""
    task = make_task("spans", olga)
    scenario = make_scenario(task, family="spacy", options={"scores": [{"name": "ner"}, {"name": "confusion"}]})
    phase = make_phase(task)
    make_gold(phase, scenario, {"gold.jsonl": documents(30)})
    for each, n_right in ((team, 28), (strangers, 9)):
        make_run(phase, each, {"run.jsonl": documents(n_right)})
    return f"/tasks/spans/{phase.slug}/board/1/"


@pytest.mark.parametrize("board", ["phrases", "annotated"])
def test_the_printed_command_gives_the_boards_signature_and_finding(board, client, tmp_path, request):
    address = request.getfixturevalue(board)
    refresh(Board.objects.get())
    html = page(client, path=address)
    command = unescape(re.search(r'class="board-source reproduce">.*?<pre>(.*?)</pre>', html, re.DOTALL)[1])
    assert command.startswith("python -m scoring compare ")

    gold = Edition.objects.get().gold
    shutil.copy(gold.file.path, tmp_path / Path(gold.file.name).name)
    (tmp_path / "runs").mkdir()
    for submission in Submission.objects.all():
        shutil.copy(submission.file.path, tmp_path / "runs" / f"{submission.team.name}.zip")
    paths = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    printed = subprocess.run(
        ["sh", "-c", command],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PATH": paths},
        capture_output=True,
        text=True,
        check=True,
    ).stdout

    assert printed.splitlines()[-1] == Edition.objects.get().comparison["signature"]
    assert printed.splitlines()[0] in text(html)


def test_a_board_whose_gold_is_gone_keeps_its_signature(client, phrases):
    refresh(Board.objects.get())
    Edition.objects.update(gold=None)
    html = page(client)
    assert "The signature says what was compared" in html
    assert "python -m scoring compare" not in html


def test_the_signature_is_folded(client, phrases):
    refresh(Board.objects.get())
    assert re.search(r"<summary>Reproduce</summary>.*?<code[^>]*>family:ehealthkd\|", page(client), re.DOTALL)
