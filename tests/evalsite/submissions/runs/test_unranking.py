"""Organisers show a team without a rank, for a reason that everybody reads, and rank it again."""

import csv
from html import unescape

import pytest

from evalsite.challenges.models import Event
from evalsite.leaderboard.models import BestRun, RecordRun
from evalsite.submissions.runs.changing import withdraw
from evalsite.submissions.runs.unranking import show_unranked
from tests.evalsite.public_pages.places import BOARD, read, refresh_all
from tests.factories import PARTLY_RIGHT, make_run, run_files
from tests.own_pieces import seen

pytestmark = pytest.mark.django_db
REASON = "No system paper <b>"


@pytest.fixture
def runs(phase, scenario, team, strangers, alice):
    """The team's run is the best one, and another one of it is withdrawn."""
    best, withdrawn = make_run(phase, team, run_files()), make_run(phase, team, PARTLY_RIGHT)
    withdraw([withdrawn], by=alice)
    other = make_run(phase, strangers, PARTLY_RIGHT)
    refresh_all()
    return best, other


def unrank(client, team, reason=REASON):
    answer = client.post(f"/tasks/health/organise/teams/{team.pk}/unrank/", {"reason": reason})
    refresh_all()
    return answer


def entries(client) -> dict[str, dict]:
    return {entry["team"]: entry for entry in client.get(f"{BOARD}board.json").json()["entries"]}


def test_the_board_shows_the_team_with_the_reason_and_ranks_the_others_without_it(
    client, as_olga, runs, team, strangers
):
    assert entries(client)[team.name]["rank"] == 1
    assert unrank(as_olga, team).status_code == 302
    page = unescape(read(BOARD))
    assert f'is shown, not ranked: <bdi class="name">{REASON}</bdi>' in page
    assert "<b></bdi>" not in read(BOARD)
    told = entries(client)
    assert (told[team.name]["rank"], told[team.name]["reference"]) == (None, "unranked")
    assert (told[team.name]["because"], told[team.name]["n_withdrawn"]) == (REASON, 1)
    assert (told[strangers.name]["rank"], "because" in told[strangers.name]) == (1, False)


def test_files_and_api_say_the_same(client, as_olga, runs, team, strangers):
    unrank(as_olga, team)
    table = client.get(f"{BOARD}board.csv").content.decode().splitlines()
    lines = {line["team"]: line for line in csv.DictReader(table)}
    assert (lines[team.name]["reference"], lines[team.name]["because"]) == ("unranked", REASON)
    assert (lines[strangers.name]["rank"], lines[strangers.name]["because"]) == ("1", "")
    api = client.get("/api/v1/tasks/health/test/boards/1").json()["entries"]
    assert {entry["team"]: entry for entry in api} == entries(client)


def test_a_team_that_is_ranked_again_stands_where_it_stood(client, as_olga, runs, team):
    before = entries(client)
    unrank(as_olga, team)
    unrank(as_olga, team, "")
    assert entries(client) == before
    assert BestRun.objects.filter(team=team, reference="").exists()
    kinds = Event.objects.filter(subject=team.pk).order_by("pk").values_list("kind", flat=True)
    assert list(kinds)[-2:] == ["team unranked", "team ranked"]


def test_a_new_run_of_the_team_is_not_ranked_either_and_is_no_record(client, as_olga, phase, runs, team):
    unrank(as_olga, team)
    run = make_run(phase, team, run_files(relations=""))
    refresh_all()
    assert {entry["reference"] for entry in client.get(f"{BOARD}board.json").json()["entries"]} == {None, "unranked"}
    assert BestRun.objects.get(team=team).reference == "unranked"
    assert not RecordRun.objects.filter(result__scoring__submission__team=run.team).exists()


def test_its_members_read_it_on_the_page_of_the_run(as_alice, as_olga, runs, team):
    unrank(as_olga, team)
    assert "Its team is shown without a rank" in seen(as_alice, f"/submissions/{runs[0].pk}/")


def test_the_same_reason_once_more_changes_nothing(task, runs, team, olga):
    assert show_unranked(task, team, "No paper", by=olga)
    assert not show_unranked(task, team, "No paper", by=olga)


def test_the_desk_marks_the_team_and_shows_the_reason_in_its_form(as_olga, runs, team):
    unrank(as_olga, team)
    assert "not ranked" in as_olga.get("/tasks/health/organise/teams/").content.decode()
    page = as_olga.get(f"/tasks/health/organise/teams/{team.pk}/").content.decode()
    assert 'value="No system paper &lt;b&gt;"' in page
