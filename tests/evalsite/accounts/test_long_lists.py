"""Lists of the administration that are too long to be counted; the planner's estimate stands for the number of rows."""

import pytest

from evalsite.accounts import plain_admin
from evalsite.accounts.models import Team
from evalsite.accounts.plain_admin import LongListPaginator

pytestmark = pytest.mark.django_db


@pytest.fixture
def names():
    """Return a page of 95 teams, in their order."""
    names = [f"Team {number:02d}" for number in range(95)]
    Team.objects.bulk_create(Team(name=name) for name in names)
    return names


@pytest.fixture
def estimated(monkeypatch):
    """Stand for a database whose planner says how many rows there are: a number of the test's choice."""

    def estimate(number: int) -> LongListPaginator:
        monkeypatch.setattr(plain_admin, "MOST_COUNTED", 20)
        monkeypatch.setattr(plain_admin, "_may_be_estimated", lambda rows: True)
        monkeypatch.setattr(plain_admin, "_estimate", lambda rows: number)
        return LongListPaginator(Team.objects.order_by("name"), 10)

    return estimate


def names_on(page):
    return [team.name for team in page.object_list]


def test_a_short_list_is_counted(names, estimated):
    paginator = estimated(1000)
    paginator.object_list = paginator.object_list.filter(name__lt="Team 20")
    assert paginator.count == 20
    assert not paginator.is_estimate
    assert names_on(paginator.page(2)) == names[10:20]


@pytest.mark.parametrize("number", [60, 95, 200])
def test_first_and_last_page_are_right_however_wrong_the_estimate_is(names, estimated, number):
    paginator = estimated(number)
    assert paginator.count == number
    assert paginator.is_estimate
    assert names_on(paginator.page(1)) == names[:10]
    assert names_on(paginator.page(paginator.num_pages)) == names[-(number % 10 or 10) :]
    assert names_on(paginator.page(paginator.num_pages - 1))[-1] == names[-(number % 10 or 10) - 1]


def test_where_the_database_gives_no_estimate_all_rows_are_counted(names, monkeypatch):
    monkeypatch.setattr(plain_admin, "MOST_COUNTED", 20)
    monkeypatch.setattr(plain_admin.connections["default"], "vendor", "sqlite")
    assert LongListPaginator(Team.objects.order_by("name"), 10).count == 95


def test_an_estimate_is_rounded_up_and_is_more_than_what_was_counted(monkeypatch):
    plans = iter(['[{"Plan": {"Plan Rows": 1234567}}]', '[{"Plan": {"Plan Rows": 3}}]'])
    monkeypatch.setattr("django.db.models.QuerySet.explain", lambda rows, format: next(plans))
    assert plain_admin._estimate(Team.objects.all()) == 1_235_000
    assert plain_admin._estimate(Team.objects.all()) > plain_admin.MOST_COUNTED
