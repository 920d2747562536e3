"""The drawer of a team: its own runs, rows and pairs, as far as its members may see them at the time."""

import csv
import io
import zipfile
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.contrib.drawer import team as team_drawer
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import make_run, run_files

pytestmark = pytest.mark.django_db
BOARD = "boards/test/scenario1"


@pytest.fixture
def runs(phase, team, strangers):
    found = [
        make_run(phase, strangers, run_files(relations="")),
        make_run(phase, team),
        make_run(phase, team, run_files(), method="Second"),
    ]
    refresh_all()
    return found


def drawer(client, team):
    answer = client.get(reverse("team_drawer", args=["health", team.pk]))
    if answer.status_code != 200:
        return answer.status_code
    with zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content))) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def rows(content):
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_a_team_gets_its_scores_rows_pairs_fact_sheets_and_files(as_alice, team, runs):
    files = drawer(as_alice, team)
    assert [row["team"] for row in rows(files[f"{BOARD}.csv"])] == [team.name]
    assert [row["team"] for row in rows(files[f"{BOARD}-runs.csv"])] == [team.name] * 2
    assert [(row["system"], row["other"]) for row in rows(files[f"{BOARD}-pairs.csv"])] == [
        (team.name, "Charlie's team")
    ]
    assert r"\begin{tabular}" in files[f"{BOARD}.tex"].decode()
    assert len(rows(files["fact-sheets.csv"])) == 2
    assert sum(name.startswith("runs/") for name in files) == 3  # with their table
    assert f"`{BOARD}-pairs.csv`" in files["README.md"].decode()


def test_nobody_else_gets_it(client, as_charlie, as_olga, team, runs):
    for visitor in (as_charlie, as_olga):
        assert drawer(visitor, team) == 404
    client.logout()
    assert drawer(client, team) == 302


def test_numbers_are_as_rough_as_pages_tell_them_while_the_gold_is_hidden(as_alice, team, runs):
    shown = rows(drawer(as_alice, team)[f"{BOARD}-runs.csv"])[0]
    names = [name for name in shown if name.endswith("_low")]
    assert names
    assert all(len(shown[name]) <= len("0.1234") for name in names)
    public = reverse("board_export", args=["health", "test", 1, "csv"])
    of_board = rows(as_alice.get(public).content)
    own = rows(drawer(as_alice, team)[f"{BOARD}.csv"])
    assert own == [row for row in of_board if row["team"] == team.name]


def test_where_scores_are_hidden_there_are_none_in_it(as_alice, team, runs):
    Phase.objects.update(shows_scores=False)
    files = drawer(as_alice, team)
    assert not [name for name in files if name.startswith("boards/")]
    assert "the boards are not shown to participants yet" in files["README.md"].decode().replace("\\", "")


def test_where_boards_are_the_organisers_alone_it_has_scores_and_no_rows(as_alice, team, runs):
    Phase.objects.update(board_audience=Phase.Audience.ORGANISERS)
    assert [name for name in drawer(as_alice, team) if name.startswith("boards/")] == [
        f"{BOARD}-runs.csv",
        f"{BOARD}-runs.tex",
    ]


def test_where_teams_have_numbers_it_names_no_other_team(as_alice, team, runs):
    Phase.objects.update(is_anonymous=True)
    refresh_all()
    assert "Charlie" not in b"".join(content for name, content in drawer(as_alice, team).items()).decode("latin-1")


def test_entries_are_cited_once_their_pages_are_public(as_alice, team, runs):
    assert drawer(as_alice, team)["citations.bib"].decode().count("@misc{") == 1
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    cited = drawer(as_alice, team)["citations.bib"].decode()
    assert cited.count("@misc{") == 2
    address = cited.split("url          = {")[2].split("}")[0]
    assert as_alice.get(address.removeprefix("http://localhost:8000")).status_code == 200


def test_uploads_that_are_too_large_stay_out_and_the_readme_says_so(as_alice, team, runs, monkeypatch):
    monkeypatch.setattr(team_drawer, "MOST_BYTES", 1)
    files = drawer(as_alice, team)
    assert not [name for name in files if name.startswith("runs/")]
    assert "they are not in here" in files["README.md"].decode()


def test_pages_of_runs_and_of_the_entry_lead_to_it(client, as_alice, team, runs):
    address = reverse("team_drawer", args=["health", team.pk])
    assert address in as_alice.get(reverse("submissions", args=["health"])).content.decode()
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    entry = reverse("entry", args=["health", "test", runs[2].pk])
    assert address in as_alice.get(entry).content.decode()
    client.logout()
    assert address not in client.get(entry).content.decode()


def test_where_a_phase_has_the_ladder_it_has_no_scores_before_the_release(as_alice, team, runs):
    Phase.objects.update(is_ladder=True)
    assert not [name for name in drawer(as_alice, team) if name.startswith("boards/")]
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    assert f"{BOARD}-runs.csv" in drawer(as_alice, team)
