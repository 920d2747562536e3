"""The front page leads a stranger to what can be done at once, and keeps drafts apart."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_organiser, make_phase, make_task, make_user

pytestmark = pytest.mark.django_db


def test_a_site_without_tasks_leads_to_what_needs_none(client):
    page = client.get("/").content.decode()
    assert "No task yet" in page
    assert 'href="/organise/new/"' in page
    assert "Once a task has opened" in page
    assert "/check/" not in page, "there is nothing to check a file against"


def test_a_file_is_tried_in_the_first_open_phase_that_is_not_for_members_alone(client):
    now = timezone.now()
    make_phase(make_task("closed"), opens=now - timedelta(days=9), closes=now - timedelta(days=1))
    make_phase(make_task("kept"), members_only=True, closes=now + timedelta(days=1))
    make_phase(make_task("open"), closes=now + timedelta(days=2))
    page = client.get("/").content.decode()
    assert 'href="/tasks/open/test/check/"' in page
    assert "/check/" not in page.replace("/tasks/open/test/check/", "")


def test_where_no_phase_is_open_a_file_is_tried_in_one_that_has_closed(client):
    now = timezone.now()
    make_phase(make_task("closed"), opens=now - timedelta(days=9), closes=now - timedelta(days=1))
    make_phase(make_task("to-come"), opens=now + timedelta(days=1), closes=now + timedelta(days=9))
    assert 'href="/tasks/closed/test/check/"' in client.get("/").text
    assert client.get("/tasks/closed/test/check/").status_code == 200


def test_drafts_are_folded_below_the_tasks_and_for_their_organisers_alone(client):
    olga = make_user("Olga", may_create_tasks=True)
    draft = make_task("draft", title="My draft", is_published=False)
    make_organiser(draft, olga)
    make_phase(draft)
    assert "My draft" not in client.get("/").content.decode()
    client.force_login(olga)
    answer = client.get("/")
    assert answer.context["tasks"]["open"] == []
    assert "My draft" in answer.content.decode().partition("<details")[2]
