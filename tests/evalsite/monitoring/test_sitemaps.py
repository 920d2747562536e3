"""Search engines are told of the pages that everybody sees, and of no others."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.utils import timezone

from evalsite.challenges.models import Page, Phase, Task
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import make_run, make_task, run_files

pytestmark = pytest.mark.django_db
BOARD = "/tasks/health/test/board/1/"


@pytest.fixture
def run(phase, team, strangers):
    make_run(phase, strangers, run_files(relations=""))
    run = make_run(phase, team)
    refresh_all()
    return run


def told(client) -> set[str]:
    """Return the paths of all sitemaps that the index names."""
    return {
        urlsplit(page).path
        for section in locations(client, "/sitemap.xml")
        for page in locations(client, urlsplit(section).path)
    }


def locations(client, path: str) -> list[str]:
    answer = client.get(path)
    assert answer.status_code == 200
    return re.findall(r"<loc>([^<]+)</loc>", answer.content.decode())


def test_robots_are_led_to_the_index(client):
    assert "Sitemap: http://testserver/sitemap.xml" in client.get("/robots.txt").content.decode().splitlines()


def test_every_page_that_is_told_of_answers_a_stranger(client, run):
    Page.objects.create(task=run.phase.task, title="Rules", slug="rules")
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    found = told(client)

    assert {"/", "/tasks/health/", "/tasks/health/pages/rules/", BOARD, "/help/participants/"} <= found
    assert sum("/entries/" in path for path in found) == 2
    assert {client.get(path).status_code for path in found} == {200}


def test_entries_have_no_page_before_the_release(client, run):
    assert BOARD in told(client)
    assert not any("/entries/" in path for path in told(client))


@pytest.mark.parametrize("audience", ["participants", "organisers"])
def test_a_board_that_is_not_for_everybody_stays_out_for_organisers_too(as_olga, run, audience):
    Phase.objects.update(board_audience=audience)

    assert BOARD not in told(as_olga)


def test_what_is_kept_for_the_teams_that_take_part_stays_out(client, run):
    Page.objects.create(task=run.phase.task, title="Data", slug="data", members_only=True)

    assert "/tasks/health/pages/data/" not in told(client)


def test_drafts_stay_out_with_all_their_pages(as_olga, run):
    Page.objects.create(task=run.phase.task, title="Rules", slug="rules")
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    Task.objects.update(is_published=False)

    assert not any(path.startswith("/tasks/") for path in told(as_olga))


def test_a_task_stays_in_when_it_is_archived(client):
    make_task("old", archived=timezone.now())

    assert "/tasks/old/" in told(client)


def test_a_section_that_is_none_is_not_found(client, db):
    assert client.get("/sitemap-secret.xml").status_code == 404
