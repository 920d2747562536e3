"""Queries whose text is made once find what their query sets find, for whatever values they are asked with."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from django.db import connection
from django.db.models import Value

from evalsite.challenges.models import Phase, Task
from evalsite.prepared import Prepared

pytestmark = pytest.mark.django_db
LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)
_phases = Prepared(
    lambda task, now: Phase.objects.filter(task=task, opens__lte=now).select_related("task").order_by("opens"),
    task=UUID(int=1),
    now=LONG_AGO,
)


def test_rows_are_found_with_what_belongs_to_them(phase, django_assert_num_queries):
    with django_assert_num_queries(1):
        (found,) = _phases.instances(task=phase.task.pk, now=phase.opens)
        assert found == phase
        assert found.task.title == phase.task.title
    assert _phases.first(task=phase.task.pk, now=phase.opens - timedelta(seconds=1)) is None
    assert not _phases.has_any(task=UUID(int=2), now=phase.opens)


def test_lists_of_values_are_as_the_query_set_has_them(phase):
    titles = Prepared(
        lambda slug: Task.objects.filter(slug=slug).values_list("pk", "title", Value("100 % 'so'")), slug="any"
    )
    assert titles.values(slug=phase.task.slug) == [(phase.task.pk, phase.task.title, "100 % 'so'")]
    assert titles.values(slug="%s' OR '1' = '1") == []


def test_what_is_found_may_be_changed_and_asked_for_again(phase):
    (found,) = _phases.instances(task=phase.task.pk, now=phase.opens)
    found.name = "Renamed"
    found.save()
    assert [each.name for each in _phases.instances(task=phase.task.pk, now=phase.opens)] == ["Renamed"]


def test_postgresql_keeps_the_plan_on_connections_that_stay(phase, monkeypatch):
    if connection.vendor != "postgresql":
        return
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 60)
    ask = Prepared(lambda slug: Task.objects.filter(slug=slug, title="kept plan"), slug="any")
    for slug in ("one", "two", "three"):
        ask.rows(slug=slug)
    monkeypatch.setitem(connection.settings_dict, "CONN_MAX_AGE", 0)
    Prepared(lambda slug: Task.objects.filter(slug=slug, title="no plan"), slug="any").rows(slug="one")
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        kept = [statement for (statement,) in cursor.fetchall()]
    assert sum("kept plan" in statement for statement in kept) == 1
    assert not any("no plan" in statement for statement in kept)
