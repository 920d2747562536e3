"""Organisers make two teams one: runs go over, and both together have no more uploads than one team."""

import pytest

from evalsite.challenges.models import Event
from evalsite.desk.teams.merging import preview
from evalsite.leaderboard.models import BestRun
from evalsite.submissions.models import Submission
from evalsite.submissions.quotas import grant_allowance
from evalsite.submissions.receiving.admission import Rejection
from evalsite.submissions.runs.banning import ban
from evalsite.submissions.runs.merging import CannotMerge, merge
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_phase,
    make_run,
    make_scenario,
    make_submission,
    make_task,
    make_team,
    run_files,
    scored,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def limited(phase, scenario):
    phase.total_limit = 2
    phase.save()
    return phase


@pytest.fixture
def doubled(limited, team, strangers, charlie):
    """Two runs of each of the two teams; the best one is the last that came."""
    runs = [make_run(limited, team, PARTLY_RIGHT | {"n.txt": str(n)}) for n in range(2)]
    for n, files in enumerate((PARTLY_RIGHT, run_files())):
        runs.append(scored(make_submission(limited, strangers, charlie, files | {"n.txt": f"again {n}"})))
    return runs


def test_a_preview_changes_nothing_and_shows_what_is_then_done(
    as_olga, doubled, limited, team, strangers, olga, charlie
):
    address = f"/tasks/health/organise/teams/{team.pk}/merge/"
    shown = as_olga.post(address, {"former": strangers.pk})
    assert shown.status_code == 200
    assert strangers.submissions.count() == 2
    assert not Event.objects.filter(kind="teams merged").exists()
    wrong = as_olga.post(address, {"former": strangers.pk, "name": "another"})
    assert wrong.status_code == 422
    after = shown.context["after"]
    assert (after.uses[0].n_uploads, after.uses[0].left, after.uses[0].n_beyond) == (4, 0, 2)
    assert as_olga.post(address, {"former": strangers.pk, "name": strangers.name}).status_code == 302
    assert team.submissions.count() == 4
    assert set(Submission.objects.filter(is_beyond_limit=True)) == set(doubled[2:]), "the first in time compete"
    ranked = BestRun.objects.get(reference="")
    assert ranked.team == team
    assert ranked.result.headline == after.best[0][2]
    assert charlie in team.members.all()
    assert Event.objects.get(kind="teams merged").detail["former"] == strangers.name


def test_a_merged_team_has_no_further_upload(doubled, limited, team, strangers, olga, alice, charlie):
    grant_allowance(limited, strangers, 5, reason="server was down", by=olga)
    merge(limited.task, strangers, team, by=olga)
    for mine, person in ((team, alice), (team, charlie), (strangers, charlie)):
        with pytest.raises(Rejection):
            make_submission(limited, mine, person, run_files() | {"n.txt": "one more"})


@pytest.mark.thorough
def test_the_former_team_does_not_come_back(phase, scenario, team, strangers, charlie, olga):
    for mine in (team, strangers):
        make_run(phase, mine)
    merge(phase.task, strangers, team, by=olga)
    with pytest.raises(Rejection, match="have merged Charlie's team into Alice and Bob"):
        make_submission(phase, strangers, charlie, run_files())


@pytest.mark.thorough
def test_of_two_merges_at_once_the_second_is_told(phase, scenario, team, strangers, olga):
    for mine in (team, strangers):
        make_run(phase, mine)
    merge(phase.task, strangers, team, by=olga)
    with pytest.raises(CannotMerge, match="perhaps it has just been merged"):
        merge(phase.task, team, strangers, by=olga)


def test_what_cannot_be_merged_is_said_and_stays(as_olga, phase, scenario, team, strangers, olga, bob):
    for mine in (team, strangers):
        make_run(phase, mine)
    with pytest.raises(CannotMerge, match="one team already"):
        merge(phase.task, team, team, by=olga)
    ban(phase.task, strangers, "Reason", by=olga)
    with pytest.raises(CannotMerge, match="Bring it back first"):
        preview(phase.task, strangers, team, by=olga)
    answer = as_olga.post(f"/tasks/health/organise/teams/{team.pk}/merge/", {"former": strangers.pk})
    assert answer.status_code == 409
    assert "Bring it back first" in answer.content.decode()


@pytest.mark.thorough
def test_a_merge_shows_nobody_the_runs_of_another_task(phase, scenario, team, strangers, alice, olga):
    other = make_task("other")
    elsewhere, its_scenario = make_phase(other), make_scenario(other)
    make_gold(elsewhere, its_scenario)
    make_run(elsewhere, team)
    for mine in (team, strangers):
        make_run(phase, mine)
    with pytest.raises(CannotMerge, match="runs in other tasks"):
        merge(phase.task, strangers, team, by=olga)
    merge(phase.task, make_joined(phase, team, alice), team, by=olga)
    merge(phase.task, team, strangers, by=olga)
    assert team.submissions.get().phase == elsewhere


def make_joined(phase, team, person):
    """Another team in the task, whose only member is in this one too."""
    alone = make_team("Alone", person)
    make_run(phase, alone)
    return alone
