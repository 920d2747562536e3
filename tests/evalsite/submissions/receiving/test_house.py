"""The organisers' own runs: baselines, human runs and trials stand beside the competition, at any time."""

from datetime import timedelta

import pytest
from django.utils import timezone

from evalsite.challenges.models import Participation, Task, TeamNumber
from evalsite.challenges.taking_part.teams import with_n_teams
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions import quotas
from evalsite.submissions.models import Submission
from evalsite.submissions.runs import changing
from tests.factories import make_run, make_submission, run_files, scored

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


def entries() -> list[dict]:
    board = Board.objects.get()
    refresh(board)
    return board.editions.get().entries


@pytest.mark.parametrize("state", ["upcoming", "closed", "paused", "used up"])
def test_the_organisers_upload_at_any_time_and_beside_all_limits(phase, team, alice, olga, state):
    now = timezone.now()
    make_submission(phase, team, alice)
    changes = {
        "upcoming": {"opens": now + HOUR},
        "closed": {"opens": now - 2 * HOUR, "closes": now - HOUR},
        "paused": {"is_paused": True},
        "used up": {"total_limit": 0},
    }
    for name, value in changes[state].items():
        setattr(phase, name, value)
    phase.save()
    for _ in range(2):  # the same bytes twice, as a baseline and as a trial may be
        made = make_submission(phase, None, olga, reference="baseline")
        assert (made.team, made.is_late) == (Task.objects.get().house, False)


def test_they_are_counted_and_numbered_nowhere(phase, team, olga):
    phase.is_anonymous, phase.total_limit = True, 3
    phase.save()
    make_run(phase, team)
    for reference in ("baseline", "human", "trial"):
        scored(make_submission(phase, None, olga, run_files(relations=""), reference=reference))
    assert [(each["reference"], each["rank"]) for each in entries()] == [("baseline", None), ("human", None), ("", 1)]
    assert with_n_teams(Task.objects.all()).get().n_teams == 1
    assert [each.team for each in Participation.objects.all()] == [team]
    assert [each.team for each in TeamNumber.objects.all()] == [team.pk]
    assert quotas.counted_uploads(phase).count() == 1


def test_a_trial_is_seen_by_organisers_alone(client, phase, alice, bob, olga):
    made = scored(make_submission(phase, None, olga, reference="trial"))
    for user, status in ((alice, 404), (bob, 404), (olga, 200)):
        client.force_login(user)
        assert client.get(made.get_absolute_url()).status_code == status
    assert entries() == []


def test_a_run_that_becomes_a_baseline_leaves_its_team(phase, team, olga):
    made = make_run(phase, team)
    changing.set_reference(made, Submission.Reference.BASELINE, by=olga)
    assert [(each["reference"], each["rank"]) for each in entries()] == [("baseline", None)]
    assert not Participation.objects.exists()
