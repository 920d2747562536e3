"""Tests who organises a task: invited by mail, with a role, by its owners."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from evalsite.challenges.access import Role, role_of
from evalsite.challenges.models import Event, OrganiserInvitation
from evalsite.desk.people import services
from tests.factories import PASSWORD, make_organiser, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(as_olga, task):
    return as_olga


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


def test_the_link_of_an_invitation_gives_its_role_once(owner, task, charlie, alice, as_alice, as_charlie):
    invite(owner, task, "charlie@example.org", "viewer")
    link = link_in_last_mail()
    assert as_charlie.post(link).url == reverse("desk", args=[task.slug])
    assert role_of(charlie, task) == Role.VIEWER
    assert mail.outbox[-1].to == ["olga@example.org"], "owners are told who has joined"
    assert as_alice.post(link).status_code == 404
    assert role_of(alice, task) == Role.STRANGER
    joined = Event.objects.get(kind="organiser joined")
    assert joined.detail == {"person": "Charlie", "address": "charlie@example.org", "role": "viewer"}


def test_an_invitation_is_for_the_account_of_its_address_alone(owner, task, charlie):
    invite(owner, task, "new@example.org", "owner")
    link, browser = link_in_last_mail(), Client()
    browser.force_login(charlie)
    for answer in (browser.get(link), browser.post(link)):
        text = answer.content.decode()
        assert answer.status_code == 403
        assert "n…@example.org" in text
        assert "new@" not in text
        assert task.title not in text
        assert f'name="next" value="{link}"' in text, "logging out leads back to the link"
    assert role_of(charlie, task) == Role.STRANGER
    assert not Event.objects.filter(kind="organiser joined").exists()


@pytest.mark.parametrize(
    ("invited", "own", "joins"),
    [
        ("Dana@Example.org", "dana@example.org", True),
        ("dana@example.org", "Dana@Example.ORG", True),
        ("dana+desk@example.org", "dana@example.org", False),
        ("dana@example.org", "dana+desk@example.org", False),
        ("dana@sub.example.org", "dana@example.org", False),
    ],
)
def test_addresses_are_the_same_whatever_their_case_and_nothing_else(owner, task, client, invited, own, joins):
    dana = make_user("Dana", email=own)
    invite(owner, task, invited, "viewer")
    client.force_login(dana)
    client.post(link_in_last_mail())
    assert role_of(dana, task) == (Role.VIEWER if joins else Role.STRANGER)


def test_an_address_that_is_not_confirmed_yet_joins_nothing(owner, task, charlie, as_charlie):
    """The account is about to change its address, or has changed it since."""
    invite(owner, task, "next@example.org")
    link = link_in_last_mail()
    address = charlie.emailaddress_set.create(email="next@example.org", verified=False)
    assert as_charlie.post(link).status_code == 403
    charlie.emailaddress_set.exclude(pk=address.pk).delete()
    charlie.emailaddress_set.update(verified=True, primary=True)
    assert as_charlie.post(link).status_code == 302


def test_a_changed_address_leaves_the_invitation_of_the_former_one_behind(owner, task, charlie, as_charlie):
    invite(owner, task, "charlie@example.org")
    charlie.emailaddress_set.update(email="elsewhere@example.org")
    assert as_charlie.post(link_in_last_mail()).status_code == 403


def test_who_signs_up_with_the_invited_address_comes_back_to_the_link_and_joins(owner, task):
    invite(owner, task, "dana@example.org", "owner")
    assert "only for the account whose confirmed address is dana@example.org" in mail.outbox[-1].body.replace("\n", " ")
    link, browser = link_in_last_mail(), Client()
    login = browser.get(link).url
    assert "You are invited to organise a task." in browser.get(login).content.decode()
    data = {"name": "Dana", "affiliation": "", "email": "dana@example.org", "password1": PASSWORD, "next": link}
    browser.post(reverse("account_signup"), data)
    confirmation = re.search(r"http://testserver(/accounts/\S+)", mail.outbox[-1].body)[1]
    assert browser.post(confirmation).url == link
    assert browser.post(link).url == reverse("desk", args=[task.slug])


@pytest.mark.parametrize(("role", "days"), [("owner", 1), ("organiser", 14), ("viewer", 14)])
def test_a_link_for_owners_lasts_a_day_and_others_two_weeks(owner, task, as_charlie, role, days):
    invite(owner, task, "charlie@example.org", role)
    link, sent = link_in_last_mail(), OrganiserInvitation.objects.get().sent
    OrganiserInvitation.objects.update(sent=sent - timedelta(days=days, minutes=1))
    assert "no longer valid" in as_charlie.post(link).content.decode()
    OrganiserInvitation.objects.update(sent=sent - timedelta(days=days) + timedelta(minutes=1))
    assert as_charlie.post(link).status_code == 302


def test_an_old_a_voided_and_a_replaced_link_lead_nowhere(owner, task, charlie, as_charlie):
    invite(owner, task, "charlie@example.org")
    replaced = link_in_last_mail()
    invite(owner, task, "charlie@example.org")
    old = link_in_last_mail()
    OrganiserInvitation.objects.update(sent="2020-01-01T00:00Z")
    invite(owner, task, "other@example.org")
    voided = link_in_last_mail()
    other = OrganiserInvitation.objects.get(email="other@example.org")
    owner.post(reverse("desk_people_void", args=[task.slug, other.pk]))
    assert as_charlie.post(replaced).status_code == 404
    assert "no longer valid" in as_charlie.post(old).content.decode()
    assert as_charlie.post(voided).status_code == 404
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
    assert "removed you from the organisers" in mail.outbox[-1].body


@pytest.mark.parametrize(("name", "data"), [("desk_people_remove", {}), ("desk_people_role", {"role": "viewer"})])
def test_the_founder_is_neither_removed_nor_made_less_by_another_owner(client, task, olga, name, data):
    second = make_user("Second")
    make_organiser(task, second, "owner")
    client.force_login(second)
    assert "Only owners themselves can leave or change their role" in act(client, task, name, olga, **data)
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
