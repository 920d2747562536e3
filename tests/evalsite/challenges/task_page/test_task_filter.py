"""Tests the filter of the home page, which is offered where tasks are many and differ."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import make_phase, make_scenario, make_task

pytestmark = pytest.mark.django_db


@pytest.fixture
def tasks():
    now = timezone.now()
    for number in range(6):
        task = make_task(f"t{number}", title=f"Title {number}", data_language="es" if number % 2 else "ja")
        make_scenario(task, family="text" if number < 2 else "ehealthkd", options={})
        begins = now + timedelta(days=5 if number == 5 else -5)
        make_phase(task, opens=begins, closes=begins + timedelta(days=9))


def shown(client, query: str = "") -> str:
    page = client.get(f"/{query}").content.decode()
    return "".join(number for number in "012345" if f"Title {number}" in page)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("?kind=text", "01"),
        ("?language=es", "135"),
        ("?state=upcoming", "5"),
        ("?kind=text&language=es", "1"),
        ("?kind=text&state=upcoming", ""),
        ("?kind=&language=&state=", "012345"),
        ("?kind=unknown", "012345"),
    ],
)
def test_tasks_are_filtered_by_kind_language_and_state(client, tasks, query, found):
    assert shown(client, query) == found


def test_a_filter_without_a_match_says_so_and_leads_back(client, tasks):
    page = client.get("/?kind=text&state=upcoming").content.decode()
    assert "No task matches." in page
    assert "Show all tasks" in page


def test_languages_are_named_in_the_language_of_the_page(client, tasks):
    assert "japonés" in client.get("/", headers={"accept-language": "es"}).content.decode().lower()


def test_few_tasks_have_no_filter(client):
    make_phase(make_task("one"))
    assert "<select" not in client.get("/").content.decode()
