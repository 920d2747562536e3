"""Organisers ban a team from a task, and bring it back: its members read why, and its runs leave the boards."""

from html import unescape

import pytest
from django.urls import reverse

from evalsite.challenges.models import Event
from evalsite.submissions.models import Submission
from evalsite.submissions.receiving.admission import Rejection
from evalsite.submissions.runs.banning import ban, bring_back
from evalsite.submissions.runs.changing import withdraw
from tests.evalsite.public_pages.places import BOARD, read, refresh_all
from tests.factories import PARTLY_RIGHT, make_run, make_submission, make_team, run_files
from tests.own_pieces import seen

pytestmark = pytest.mark.django_db
REASON = "Its runs were made from the gold <b>"


@pytest.fixture
def desk(as_olga, task, team):
    as_olga.at = f"/tasks/{task.slug}/organise/teams/{team.pk}/"
    return as_olga


def test_a_banned_team_leaves_the_board_and_comes_back_as_it_was(desk, phase, scenario, team, strangers, alice):
    own = make_run(phase, team, PARTLY_RIGHT)
    withdrawn = make_run(phase, team, run_files(), method="Other")
    withdraw([withdrawn], by=alice)
    make_run(phase, strangers, run_files())
    refresh_all()
    assert team.name in read(BOARD)
    assert desk.post(f"{desk.at}ban/", {"reason": ""}).status_code == 302
    assert not team.participations.get().banned, "a reason is needed"
    desk.post(f"{desk.at}ban/", {"reason": REASON})
    refresh_all()
    assert team.name not in read(BOARD)
    assert strangers.name in unescape(read(BOARD))
    desk.post(f"{desk.at}bring-back/")
    refresh_all()
    assert team.name in read(BOARD)
    standing = Submission.objects.filter(team=team, withdrawn=None)
    assert list(standing) == [own], "what the team had withdrawn stays so"
    kinds = Event.objects.filter(subject=team.pk).values_list("kind", flat=True)
    assert {"team banned", "team brought back"} <= set(kinds)
    assert not bring_back(phase.task, team, by=alice), "a second press of the button does nothing"


def test_its_members_upload_for_no_team_and_read_why(client, phase, scenario, team, alice, olga):
    make_run(phase, team)
    ban(phase.task, team, REASON, by=olga)
    other = make_team("Alice again", alice)
    for mine in (team, other):
        with pytest.raises(Rejection, match="banned Alice and Bob from this task: Its runs"):
            make_submission(phase, mine, alice, run_files())
    client.force_login(alice)
    for page in (
        reverse("submit", args=["health", phase.slug]),
        reverse("submissions", args=["health"]),
        reverse("task", args=["health"]),
        reverse("team", args=[team.pk]),
        reverse("submission", args=[team.submissions.get().pk]),
    ):
        assert "Its runs were made from the gold &lt;b&gt;" in seen(client, page), page
