"""Organisers write to groups of teams: they see the letter, try it on themselves, and send it once."""

import re

import pytest
from django.core import mail

from evalsite.challenges.models import Event, Task
from evalsite.desk.waiting.kinds import waiting_in
from evalsite.mailing.models import Delivery, Letter
from evalsite.mailing.switches import switch
from evalsite.submissions.models import Scoring
from evalsite.submissions.runs.banning import ban
from tests.factories import make_organiser, make_phase, make_run, make_submission, make_team, make_user

pytestmark = pytest.mark.django_db
WORDS = {"subject": "Camera-ready <b>", "text": "Dear all,\n\nplease send your papers."}


@pytest.fixture
def desk(as_olga, phase, scenario, team, strangers, charlie):
    make_run(phase, team)
    refused = make_submission(phase, strangers, charlie)
    Scoring.objects.filter(submission=refused).update(state="refused")
    as_olga.at = f"/tasks/{phase.task.slug}/organise/letters/"
    return as_olga


def typed(desk, audience="entered", **more):
    key = re.search('name="key" value="([^"]+)"', desk.get(f"{desk.at}write/").content.decode())[1]
    return {"audience": audience, "key": key} | WORDS | more


def addressed() -> list[str]:
    return sorted(
        name.partition("@")[0]
        for name in Delivery.objects.filter(letter__kind="letter").values_list("email", flat=True)
    )


def test_nothing_goes_out_before_it_was_seen(desk, olga):
    seen = desk.post(f"{desk.at}write/", typed(desk))
    text = " ".join(seen.content.decode().split())
    assert "[Task health] Camera-ready &lt;b&gt;" in text
    assert "It goes to 3 people, separately. Teams: 2." in text
    assert not Letter.objects.exists()
    desk.post(f"{desk.at}write/", typed(desk, test="1"))
    assert not Letter.objects.exists()
    [own] = mail.outbox
    assert own.to == [olga.email]
    assert "please send your papers" in own.body


def test_it_is_sent_once_whoever_presses_the_button_again(desk):
    sent = typed(desk, send="1")
    for _ in range(2):
        answer = desk.post(f"{desk.at}write/", sent, follow=True)
        assert answer.status_code == 200
    assert addressed() == ["alice", "bob", "charlie"]
    assert Event.objects.get(kind="letter sent").detail["readers"] == 3
    Delivery.objects.filter(email="bob@example.org").update(state="rejected", error="550 no such user")
    page = desk.get(f"{desk.at}{Letter.objects.get().pk}/").content.decode()
    assert "bob@example.org" in page
    assert "550 no such user" in page


@pytest.mark.parametrize(
    ("audience", "readers"),
    [
        ("entered", ["alice", "bob", "charlie"]),
        ("without-run", ["charlie"]),
        ("phase:{phase}", ["alice", "bob", "charlie"]),
        ("phase:{other}", []),
        ("team:{team}", ["alice", "bob"]),
    ],
)
def test_a_letter_reaches_those_whom_it_is_for(desk, phase, team, audience, readers):
    other = make_phase(phase.task, "later")
    audience = audience.format(phase=phase.pk, other=other.pk, team=team.pk)
    desk.post(f"{desk.at}write/", typed(desk, audience, send="1"))
    assert addressed() == readers


def test_banned_teams_and_those_who_want_no_letters_get_none(desk, phase, team, strangers, bob, olga):
    ban(phase.task, strangers, "Reason", by=olga)
    switch(bob.pk, "letter", is_on=False)
    seen = desk.post(f"{desk.at}write/", typed(desk)).content.decode()
    assert "1 has turned off letters from organisers." in " ".join(seen.split())
    desk.post(f"{desk.at}write/", typed(desk, send="1"))
    assert addressed() == ["alice"]


@pytest.mark.parametrize("wrong", [{"subject": ""}, {"audience": "team:nobody"}, {"text": "x" * 10_001}, {"key": "1"}])
def test_what_is_wrong_with_a_letter_is_said(desk, wrong):
    assert desk.post(f"{desk.at}write/", typed(desk, send="1") | wrong).status_code == 422
    assert not Letter.objects.exists()


def test_teams_of_other_tasks_and_addresses_are_out_of_reach(desk, phase, client):
    elsewhere = make_team("Elsewhere", make_user("Emil"))
    assert desk.post(f"{desk.at}write/", typed(desk, f"team:{elsewhere.pk}", send="1")).status_code == 422
    desk.post(f"{desk.at}write/", typed(desk, send="1"))
    Delivery.objects.update(state="rejected")
    viewer = make_user("Vera")
    make_organiser(phase.task, viewer, "viewer")
    client.force_login(viewer)
    assert "bob@example.org" not in client.get(f"{desk.at}{Letter.objects.get().pk}/").content.decode()
    assert client.post(f"{desk.at}write/", WORDS).status_code == 403


def test_a_letter_that_a_reader_did_not_get_waits_for_the_organisers(as_olga, task, alice):
    letter = Letter.objects.create(task=task, subject="News", text="News")
    Delivery.objects.create(letter=letter, user=alice, email="a@x.org", state=Delivery.State.REJECTED)
    [waiting] = waiting_in(Task.objects.filter(pk=task.pk))
    assert (waiting.section, waiting.text) == ("desk_letters", "1 reader did not get your letter “News”.")
    assert as_olga.get(waiting.address).status_code == 200
