"""Who organises a task: invited by mail, with a role, by its owners."""

import re

import pytest
from django.core import mail
from django.urls import reverse

from evalsite.challenges.access import Role, role_of
from evalsite.challenges.models import Event, OrganiserInvitation
from evalsite.desk.people import services
from tests.factories import make_organiser, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(client, olga, task):
    client.force_login(olga)
    return client


@pytest.fixture
def otto(task):
    otto = make_user("Otto")
    make_organiser(task, otto)
    return otto


def invite(client, task, email="new@example.org", role="organiser"):
    return client.post(reverse("desk_people", args=[task.slug]), {"email": email, "role": role})


def link_in_last_mail() -> str:
    return re.search(r"http://testserver(/organise/join/\S+)", mail.outbox[-1].body)[1]


def act(client, task, name, user, **data):
    return client.post(reverse(name, args=[task.slug, user.pk]), data, follow=True).content.decode()


@pytest.mark.parametrize("email", ["charlie@example.org", "nobody@example.org"])
def test_an_invitation_says_the_same_whether_or_not_there_is_an_account(owner, task, charlie, email):
    assert invite(owner, task, email).status_code == 302
    page = owner.get(reverse("desk_people", args=[task.slug])).content.decode()
    assert f"An invitation is on its way to {email}" in page
    assert "Charlie" not in page
    assert [letter.to for letter in mail.outbox] == [[email]]


def test_the_link_of_an_invitation_gives_its_role_once(owner, task, charlie, alice, client):
    invite(owner, task, "charlie@example.org", "viewer")
    link = link_in_last_mail()
    client.force_login(charlie)
    assert client.post(link).url == reverse("desk", args=[task.slug])
    assert role_of(charlie, task) == Role.VIEWER
    assert mail.outbox[-1].to == ["olga@example.org"], "owners are told who has joined"
    client.force_login(alice)
    assert client.post(link).status_code == 404
    assert role_of(alice, task) == Role.STRANGER
    joined = Event.objects.get(kind="organiser joined")
    assert joined.detail == {"person": "Charlie", "address": "charlie@example.org", "role": "viewer"}


def test_an_old_a_voided_and_a_replaced_link_lead_nowhere(owner, task, charlie, client):
    invite(owner, task)
    replaced = link_in_last_mail()
    invite(owner, task)
    old = link_in_last_mail()
    OrganiserInvitation.objects.update(sent="2020-01-01T00:00Z")
    invite(owner, task, "other@example.org")
    voided = link_in_last_mail()
    other = OrganiserInvitation.objects.get(email="other@example.org")
    owner.post(reverse("desk_people_void", args=[task.slug, other.pk]))
    client.force_login(charlie)
    assert client.post(replaced).status_code == 404
    assert "no longer valid" in client.post(old).content.decode()
    assert client.post(voided).status_code == 404
    assert role_of(charlie, task) == Role.STRANGER


def test_a_role_is_changed_with_an_event_and_a_mail(owner, task, otto):
    act(owner, task, "desk_people_role", otto, role="viewer")
    assert role_of(otto, task) == Role.VIEWER
    event = Event.objects.get(kind="organiser's role changed")
    assert event.detail == {"person": "Otto", "changed": {"role": ["organiser", "viewer"]}}
    assert mail.outbox[-1].to == ["otto@example.org"]


def test_who_is_removed_is_told_and_has_no_rights_left(owner, task, otto):
    act(owner, task, "desk_people_remove", otto)
    assert role_of(otto, task) == Role.STRANGER
    assert "taken you off the list" in mail.outbox[-1].body


@pytest.mark.parametrize(("name", "data"), [("desk_people_remove", {}), ("desk_people_role", {"role": "viewer"})])
def test_the_founder_is_neither_removed_nor_made_less_by_another_owner(client, task, olga, name, data):
    second = make_user("Second")
    make_organiser(task, second, "owner")
    client.force_login(second)
    assert "An owner is neither removed nor" in act(client, task, name, olga, **data)
    assert role_of(olga, task) == Role.OWNER


def test_the_last_owner_stays_until_there_is_another(owner, task, olga, otto):
    leave = reverse("desk_people_leave", args=[task.slug])
    assert "You are the only owner" in owner.post(leave, follow=True).content.decode()
    act(owner, task, "desk_people_role", otto, role="owner")
    assert owner.post(leave).url == reverse("organise")
    assert role_of(olga, task) == Role.STRANGER


def test_an_organiser_leaves_and_the_owners_are_told(client, task, otto):
    client.force_login(otto)
    client.post(reverse("desk_people_leave", args=[task.slug]))
    assert role_of(otto, task) == Role.STRANGER
    assert mail.outbox[-1].to == ["olga@example.org"]


def test_nobody_sends_invitations_without_end(owner, task, monkeypatch):
    monkeypatch.setattr(services, "MOST_INVITATIONS", 2)
    for number in range(3):
        answer = invite(owner, task, f"{number}@example.org")
    assert answer.status_code == 422
    assert len(mail.outbox) == 2


def test_a_person_cannot_be_moved_by_the_page_of_another_task(owner, task, otto):
    """The list of a task takes no key of somebody who is on another one."""
    stranger = make_user("Stranger")
    assert owner.post(reverse("desk_people_remove", args=[task.slug, stranger.pk])).status_code == 404
