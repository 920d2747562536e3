"""The teams of a task on the desk: who they are, what they have used, and what they are given beyond it."""

import csv
import io
from functools import partial

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.accounts.services import TeamRuleError, join, leave, remove_member
from evalsite.challenges.models import Event, Phase
from evalsite.submissions.models import Allowance, Choice, RefusedUploads, Scoring
from tests.desk_parts import PartsPage
from tests.factories import (
    PARTLY_RIGHT,
    make_gold,
    make_organiser,
    make_run,
    make_scenario,
    make_submission,
    make_task,
    make_team,
    make_user,
    run_files,
    zip_upload,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(as_olga, phase, scenario):
    phase.total_limit, phase.window_limit = 3, 2
    phase.save()
    as_olga.at = f"/tasks/{phase.task.slug}/organise/teams/"
    return as_olga


def text_of(page) -> str:
    return " ".join(page.content.decode().split())


def test_teams_stand_with_members_uploads_and_scores(desk, phase, team, strangers, charlie):
    make_run(phase, team, PARTLY_RIGHT)
    best = make_run(phase, team, run_files())
    waiting = make_submission(phase, strangers, charlie)
    page = desk.get(desk.at)
    lines = {line.team: line for line in page.context["lines"]}
    assert [use.n_uploads for use in lines[team].uses] == [2]
    assert [use.left for use in lines[team].uses] == [0]  # of two a day
    Phase.objects.update(window_limit=9, year_limit=3, total_limit=None)
    assert {line.team: line.uses[0].left for line in desk.get(desk.at).context["lines"]} == {team: 1, strangers: 2}
    assert [score for *_, score in lines[team].best] == [best.scorings.get().result.headline]
    assert sorted(person.name for person in lines[team].people) == ["Alice", "Bob"]
    Scoring.objects.filter(submission=waiting).update(state="refused")
    without = desk.get(f"{desk.at}?without=run")
    assert [line.team for line in without.context["lines"]] == [strangers]
    assert [line.team for line in desk.get(f"{desk.at}?q=alice").context["lines"]] == [team]


def test_a_scenario_in_which_a_team_has_no_score_keeps_its_place(desk, phase, scenario, team):
    make_run(phase, team, run_files())
    second = make_scenario(phase.task, 2, family="labels", options={})
    make_gold(phase, second, {"labels.csv": "id,label\n" + "".join(f"t{k},{k % 2}\n" for k in range(30))})
    [line] = desk.get(desk.at).context["lines"]
    assert [(each, score is None) for _, each, score in line.best] == [(scenario, False), (second, True)]


def test_organisers_read_addresses_and_viewers_do_not_neither_does_the_csv_tell_them(desk, client, phase, team, alice):
    User.objects.filter(pk=alice.pk).update(affiliation="Universidad de La Laguna", name="=Alice")
    make_run(phase, team, method="Rules, 1", link="https://example.org/paper")
    viewer = make_user("Vera")
    make_organiser(phase.task, viewer, "viewer")
    client.force_login(viewer)
    for page in (desk.at, f"{desk.at}{team.pk}/", f"{desk.at}teams.csv"):
        assert "bob@example.org" in desk.get(page).content.decode()
        assert "Universidad de La Laguna" in client.get(page).content.decode()
        assert "bob@example.org" not in client.get(page).content.decode()
    [line] = csv.DictReader(io.StringIO(desk.get(f"{desk.at}teams.csv").content.decode()))
    assert line["members"] == "'=Alice\nBob", "a spreadsheet calculates nothing"
    assert line["addresses"] == "alice@example.org\nbob@example.org"
    assert (line["methods"], line["links"]) == ("Rules, 1", "https://example.org/paper")
    assert (line["uploads"], line["has_valid_run"]) == ("1", "true")
    assert not list(csv.DictReader(io.StringIO(desk.get(f"{desk.at}teams.csv?without=run").content.decode())))


@pytest.mark.thorough
def test_who_uploads_is_told_that_organisers_read_the_address(client, phase, scenario, team, alice):
    make_gold(phase, scenario)
    client.force_login(alice)
    assert "see the names, affiliations and e-mail addresses" in text_of(
        client.get(f"/tasks/health/{phase.slug}/submit/")
    )


def test_an_extra_upload_is_given_with_a_reason_and_what_is_unused_is_taken_back(desk, phase, team, alice):
    for number in range(2):
        make_submission(phase, team, alice, PARTLY_RIGHT | {"README.md": str(number)})
    address = f"{desk.at}{team.pk}/"
    given = {"phase": phase.pk, "uploads": "1", "zone": "UTC", "until_0": "", "until_1": ""}
    assert desk.post(address, given).status_code == 422  # without a reason
    assert desk.post(address, given | {"reason": "server was down"}).status_code == 302
    shown = desk.get(address)
    assert '3 + 1 upload, granted by the organisers: <bdi class="name">server was down</bdi>' in text_of(shown)
    assert shown.context["line"].uses[0].left == 1
    desk.post(f"{desk.at}allowances/{Allowance.objects.get().pk}/end/")
    assert desk.get(address).context["line"].uses[0].left == 0
    assert set(Event.objects.filter(subject=team.pk).values_list("kind", flat=True)) == {
        "uploads allowed",
        "allowance ended",
    }


@pytest.mark.thorough
def test_the_number_of_queries_does_not_grow_with_teams_and_others_teams_are_out_of_reach(desk, phase, team):
    make_run(phase, team)
    with CaptureQueriesContext(connection) as few:
        desk.get(desk.at)
    for number in range(4):
        person = make_user(f"Person {number}", email=f"{number}@example.org")
        make_run(phase, make_team(f"Team {number}", person))
    with CaptureQueriesContext(connection) as many:
        desk.get(desk.at)
    assert len(many) == len(few)
    elsewhere = make_task("other", organiser=make_user("Otto"))
    desk.force_login(elsewhere.organisers.get())
    assert desk.get(f"/tasks/other/organise/teams/{team.pk}/").status_code == 404


@pytest.mark.thorough
def test_refused_uploads_are_counted_with_the_last_reason_also_of_a_team_that_has_not_entered(
    client, desk, phase, scenario, team, alice
):
    make_gold(phase, scenario)
    client.force_login(alice)
    form = {"team": team.pk, "method": "Rules", "scenarios": [scenario.pk]}
    for line in ("x", "1\t0 5\tConcept"):
        files = zip_upload(PARTLY_RIGHT | {"output_a_scenario1.txt": f"{line}\n"})
        assert client.post(f"/tasks/health/{phase.slug}/submit/", form | {"files": files}).status_code == 422
    page = text_of(desk.get(desk.at))
    assert "Refused uploads" in page
    assert "output_a_scenario1.txt:1: Line has 3 columns" in page
    assert (RefusedUploads.objects.get().n, RefusedUploads.objects.get().team) == (2, team)
    Phase.objects.update(closes=timezone.now())
    files = [SimpleUploadedFile("run.zip", b"")]
    client.post(f"/tasks/health/{phase.slug}/submit/", form | {"files": files})
    assert "This phase closed on" in text_of(desk.get(desk.at))


@pytest.mark.thorough
def test_a_check_and_an_upload_that_is_scored_leave_no_refusal(client, desk, phase, scenario, team, alice):
    make_gold(phase, scenario)
    client.force_login(alice)
    files = [SimpleUploadedFile("output_a_scenario1.txt", b"x\n")]
    form = {"team": team.pk, "method": "Rules", "scenarios": [scenario.pk], "files": files}
    client.post(f"/tasks/health/{phase.slug}/submit/", form | {"check": "only"})
    make_run(phase, team)
    assert not RefusedUploads.objects.exists()
    assert "Refused uploads" not in text_of(desk.get(desk.at))


@pytest.mark.thorough
def test_members_that_are_frozen_neither_join_nor_leave(desk, client, phase, team, alice, bob, charlie):
    make_run(phase, team)
    PartsPage(phase.task.organisers.get(), desk.at).save(
        "freeze", members_frozen_0="2026-01-02", members_frozen_1="12:00"
    )
    client.force_login(charlie)
    answer = client.post(f"/teams/join/{team.invitation}/", follow=True)
    assert "have frozen the members of its teams on 2 Jan 2026, 12:00 UTC" in text_of(answer)
    for change in (partial(leave, team, bob), partial(remove_member, team, bob, by=alice)):
        with pytest.raises(TeamRuleError):
            change()
    assert set(team.members.all()) == {alice, bob}
    assert not Event.objects.filter(team=team).exists(), "what was undone is not on record"
    other = make_team("Elsewhere", alice, bob)
    leave(other, bob)
    PartsPage(phase.task.organisers.get(), desk.at).save(
        "freeze", members_frozen_0="2099-01-02", members_frozen_1="12:00"
    )
    join(team, charlie)


def test_organisers_change_which_run_counts_also_after_the_closing(desk, phase, scenario, team):
    runs = [make_run(phase, team, files) for files in (PARTLY_RIGHT, run_files())]
    phase.counts, phase.closes = "chosen", timezone.now()
    phase.save()
    assert "Which run counts" in desk.get(f"{desk.at}{team.pk}/").content.decode()
    desk.post(f"{desk.at}choose/{phase.slug}/", {"team": team.pk, "scenario": 1, "run": runs[0].pk})
    assert Choice.objects.get().submission == runs[0]
    assert Event.objects.get(kind="run chosen").detail["side"] == "organisers"
