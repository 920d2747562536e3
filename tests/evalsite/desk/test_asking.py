"""Who wants to organise asks for it; an administrator grants it with one click."""

import pytest
from django.core import mail
from django.urls import reverse

from evalsite.accounts.models import OrganiserRequest, User
from evalsite.accounts.organisers import may_create_tasks
from evalsite.challenges.access import may_publish
from tests.factories import make_task, make_user

pytestmark = pytest.mark.django_db
ASK, LIST = "/organise/ask/", "/admin/accounts/organiserrequest/"


@pytest.fixture
def root(db):
    return make_user("Root", is_staff=True, is_superuser=True)


@pytest.fixture
def asked(as_alice, alice, root):
    as_alice.post(ASK, {"purpose": "Names in letters, with Bob, in spring."})
    return OrganiserRequest.objects.get(user=alice)


def test_the_request_goes_to_the_administrators_and_once(as_alice, asked):
    as_alice.post(ASK, {"purpose": "Again."})
    [letter] = mail.outbox
    assert letter.to == ["root@example.org"]
    assert "Names in letters" in letter.body
    assert LIST in letter.body
    assert "You asked on" in as_alice.get(ASK).content.decode()


def test_one_click_grants_it_and_the_person_is_told(client, asked, root, alice):
    client.force_login(root)
    grant = reverse("admin:accounts_organiserrequest_grant", args=[asked.pk])
    assert f'formaction="{grant}"' in client.get(LIST).content.decode()
    client.post(grant)
    assert User.objects.get(pk=alice.pk).may_create_tasks
    assert mail.outbox[-1].to == ["alice@example.org"]
    client.post(reverse("admin:accounts_organiserrequest_decline", args=[asked.pk]))
    assert User.objects.get(pk=alice.pk).may_create_tasks, "the first answer counts"


def test_who_is_declined_makes_no_task_on_an_open_site_either(client, asked, root, alice, settings):
    settings.OPEN_ORGANISING = True
    assert may_create_tasks(alice)
    client.force_login(root)
    client.post(reverse("admin:accounts_organiserrequest_decline", args=[asked.pk]))
    assert not may_create_tasks(alice)


@pytest.mark.parametrize("is_open", [True, False])
def test_on_an_open_site_whoever_asks_makes_drafts_at_once(as_alice, asked, alice, settings, is_open):
    settings.OPEN_ORGANISING = is_open
    assert ("New task" in as_alice.get("/organise/").content.decode()) is is_open


def test_a_draft_is_published_once_one_of_its_owners_was_granted_it(as_alice, asked, alice, root):
    draft = make_task("draft", alice, is_published=False)
    assert not may_publish(alice, draft)
    publish = reverse("desk_publish_now", args=["draft"])
    assert as_alice.post(publish, {"sure": "on"}).status_code == 403
    assert "looks at the request" in as_alice.get(reverse("desk_publish", args=["draft"])).content.decode()
    assert may_publish(root, draft)
    User.objects.filter(pk=alice.pk).update(may_create_tasks=True)
    assert may_publish(make_user("Helper"), draft)


@pytest.mark.parametrize("who", ["alice", "olga"])
def test_nobody_but_an_administrator_answers(client, asked, who, request):
    client.force_login(request.getfixturevalue(who))
    answer = client.post(reverse("admin:accounts_organiserrequest_grant", args=[asked.pk]))
    assert answer.status_code in (302, 403)
    assert not OrganiserRequest.objects.get().answer
