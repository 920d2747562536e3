"""What waits for organisers stands in To do, in the navigation and on Your tasks, and comes by mail once a day."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.base.contrib import Waiting
from evalsite.base.faults import Fault
from evalsite.challenges.models import Application, EntryRules, Phase, Task, WaitingGold
from evalsite.desk.waiting.kinds import waiting_in
from evalsite.desk.waiting.mails import post_waiting
from evalsite.mailing.models import Delivery, Kind, Letter
from evalsite.mailing.switches import switch
from evalsite.submissions.models import RefusedUploads, Scoring
from tests.factories import make_gold, make_run, make_submission, make_team, make_user, run_files

pytestmark = pytest.mark.django_db


def waiting(task: Task) -> list[Waiting]:
    return waiting_in(Task.objects.filter(pk=task.pk))


@pytest.fixture
def asking(task, phase, olga) -> Task:
    """A task that two teams ask to take part in."""
    EntryRules.objects.create(task=task, way="approval")
    for name in ("Zoe", "Max"):
        team = make_team(name, make_user(name.lower()))
        Application.objects.create(task=task, team=team, state=Application.State.WAITING)
    return task


def test_teams_that_ask_stand_in_to_do_in_the_navigation_and_on_your_tasks(asking, client, olga):
    client.force_login(olga)
    words = "2 teams wait for your answer."
    desk = client.get(reverse("desk", args=[asking.slug]))
    assert words in desk.text
    numbers = {entry.title: entry.n_waiting for group in desk.wsgi_request.desk.navigation for entry in group.entries}
    assert {title: n for title, n in numbers.items() if n} == {"Taking part": 2}
    assert '<span class="waiting">2</span>' in desk.text
    assert words in client.get(reverse("organise")).text


def test_each_kind_of_thing_that_can_wait_is_told_with_an_address_that_opens(
    asking, phase, scenario, team, client, olga
):
    EntryRules.objects.update(way="open")
    make_run(phase, team, run_files())
    EntryRules.objects.update(way="approval")
    assert make_gold(phase, scenario, run_files(relations="part-of\t1\t2\n")).is_candidate
    WaitingGold.objects.create(phase=phase, file_name="odd.zip", file="odd.zip", remarks=[], created_by=olga)
    other = make_team("Refused", make_user("rita"))
    RefusedUploads.objects.create(phase=phase, team=other, n=3)
    ended = timezone.now() - timedelta(hours=1)
    hides = {"board_audience": Phase.Audience.ORGANISERS, "task": asking}
    Phase.objects.create(name="Old", slug="old", opens=ended - timedelta(days=9), closes=ended, **hides)
    Phase.objects.create(name="Next", slug="next", opens=timezone.now() + timedelta(days=1), **hides)
    told = {each.section: each.text for each in waiting(asking)}
    assert {*told} == {"desk_entry", "desk_teams", "desk_gold", "desk_release"}
    texts = " ".join(each.text for each in waiting(asking))
    for words in (
        "odd.zip",
        "version 2 is a candidate",
        "Next has no gold yet",
        "Old closed",
        "1 team has uploaded nothing but files that were refused",
    ):
        assert words in texts
    client.force_login(olga)
    for each in waiting(asking):
        if "odd.zip" not in each.text:  # its file is not there
            assert client.get(each.address).status_code == 200, each


@pytest.fixture
def stopped(phase, team, alice) -> Scoring:
    """A scoring that has failed."""
    run = make_submission(phase, team, alice)
    Scoring.objects.filter(submission=run).update(state="failed", fault=Fault.WORKER_DIED, error="It was killed.")
    return Scoring.objects.get(submission=run)


def test_a_run_that_cannot_be_scored_is_something_to_do_and_leads_to_the_problem(stopped, task, client, olga):
    client.force_login(olga)
    desk = client.get(reverse("desk", args=[task.slug]))
    assert "1 run cannot be scored." in desk.text
    assert "Nothing to do." not in desk.text
    assert f'href="{reverse("desk", args=[task.slug])}#went-wrong"' in desk.text
    assert 'id="went-wrong"' in desk.text
    assert "1 run cannot be scored." in client.get(reverse("organise")).text
    problems = client.get(reverse("organise_troubles")).text
    assert f'href="{reverse("desk", args=[task.slug])}#went-wrong"' in problems
    assert str(task.title) in problems


def test_a_fault_that_may_pass_by_itself_is_told_after_an_hour_and_a_lost_file_at_once(stopped, task):
    for fault in (Fault.FILE_MISSING, Fault.FILE_CHANGED):
        Scoring.objects.update(state="queued", fault=fault)
        assert [each.text for each in waiting(task)] == ["1 run cannot be scored."]
    Scoring.objects.update(fault=Fault.DATABASE_AWAY)
    assert waiting(task) == []
    Scoring.objects.update(created=timezone.now() - timedelta(minutes=61))
    assert [each.n for each in waiting(task)] == [1]
    Scoring.objects.update(state="scored", fault="")
    assert waiting(task) == []


def test_what_only_rests_is_not_said_beside_runs_that_are_scored(stopped, task, client, olga):
    Scoring.objects.update(state="queued", fault=Fault.FILE_MISSING, not_before=timezone.now() + timedelta(minutes=1))
    client.force_login(olga)
    page = client.get(reverse("desk", args=[task.slug])).text
    assert "1 run waits until a problem is solved." in page
    assert "0 runs" not in page


def test_a_task_in_the_archive_waits_for_nothing(asking):
    Task.objects.update(archived=timezone.now())
    assert waiting(asking) == []


def mails() -> list[str]:
    """Return the mails that are on their way since this was asked before."""
    waiting = Delivery.objects.filter(state=Delivery.State.QUEUED)
    texts = list(waiting.values_list("text", flat=True))
    waiting.update(state=Delivery.State.SENT)
    return texts


def test_organisers_get_one_mail_a_day_and_none_that_says_the_same_again(asking):
    post_waiting()
    [body] = mails()
    assert "2 teams wait for your answer." in body
    assert reverse("desk_entry", args=[asking.slug]) in body
    assert "because you organise" in body
    Application.objects.create(task=asking, team=make_team("Eve", make_user("eve")), state=Application.State.WAITING)
    post_waiting()
    assert mails() == []  # it was told today
    Letter.objects.update(created=timezone.now() - timedelta(days=2))
    post_waiting()
    assert "3 teams wait for your answer." in mails()[0]
    Letter.objects.update(created=timezone.now() - timedelta(days=2))
    post_waiting()
    assert mails() == []  # nothing new


def test_whoever_has_switched_the_kind_off_gets_none(asking, olga):
    switch(olga.pk, Kind.WAITING, is_on=False)
    post_waiting()
    assert mails() == []
