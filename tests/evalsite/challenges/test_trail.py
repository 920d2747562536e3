"""The audit trail: what happened, once, with old and new values."""

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.base import ContentFile
from django.urls import reverse

from evalsite.challenges.models import Download, Event, Phase
from tests.forms import filled

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(client, olga, task, scored_submission):
    """The task's page in olga's browser, with runs, texts of several lines and a download."""
    Download.objects.create(task=task, title="Sentences", file=ContentFile(b"x", "x.txt"))
    task.description = "# Names\n\nFind them.\n"
    task.save()
    client.force_login(olga)
    return reverse("admin:challenges_task_change", args=[task.pk])


def save(client, page, **typed):
    before = set(Event.objects.values_list("pk", flat=True))
    answer = client.post(page, filled(client.get(page), "task_form", **typed))
    assert answer.status_code == 302
    return list(Event.objects.exclude(pk__in=before).order_by("pk"))


def test_a_save_without_a_change_leaves_no_trace(client, page):
    assert save(client, page) == []
    assert not LogEntry.objects.exists()


def test_a_change_is_recorded_once_with_both_values(client, page, phase, olga):
    [event] = save(client, page, **{"phases-0-window_limit": "3"})
    assert (event.kind, event.subject, event.actor) == ("phase changed", phase.pk, olga)
    assert event.detail == {"name": "Task health: Test", "changed": {"window_limit": ["", "3"]}}
    assert LogEntry.objects.count() == 1


def test_a_window_is_recorded_in_a_form_that_tells_its_length(client, page):
    [event] = save(client, page, **{"phases-0-window_0": "hours", "phases-0-window_1": "36"})
    assert event.detail["changed"] == {"window": ["1 day, 0:00:00", "1 day, 12:00:00"]}


def test_long_texts_are_kept_whole_and_shown_where_they_differ(client, page, task):
    text = "".join(f"Line {number} of the description.\r\n" for number in range(99))
    save(client, page, description=text)
    [event] = save(client, page, description=text.replace("Line 70 of", "Line seventy of"))
    old, new = event.detail["changed"]["description"]
    assert len(old) > 2000
    assert len(new) == len(old) + 5
    shown = client.get(reverse("admin:challenges_event_changelist")).content.decode()
    assert "Line 70 of" in shown
    assert "Line seventy of" in shown


def test_the_list_of_events_shows_old_and_new(client, page):
    save(client, page, title="Renamed")
    shown = client.get(reverse("admin:challenges_event_changelist")).content.decode()
    assert "changed: title from “Task health” to “Renamed”" in shown


def test_events_of_before_show_the_value_that_they_have(client, page, task):
    Event.objects.create(task=task, kind="task changed", detail={"changed": {"title": "Old way"}})
    shown = client.get(reverse("admin:challenges_event_changelist")).content.decode()
    assert "title = Old way" in shown


def test_organisers_are_named_by_their_addresses(client, page, task, django_user_model):
    django_user_model.objects.create_user("otto@example.org", name="Otto", is_staff=True)
    [event] = save(client, page, organisers="olga@example.org otto@example.org")
    assert event.detail["changed"] == {"organisers": ["olga@example.org", "olga@example.org, otto@example.org"]}


def test_what_is_added_and_deleted_is_recorded(client, page, phase):
    added = save(
        client,
        page,
        **{
            "phases-TOTAL_FORMS": "2",
            **{f"phases-1-{name}": value for name, value in NEW_PHASE.items()},
        },
    )
    assert [event.kind for event in added] == ["phase added"]
    place = str(list(Phase.objects.order_by("created")).index(Phase.objects.get(slug="final")))
    deleted = save(client, page, **{f"phases-{place}-DELETE": "on"})
    assert [(event.kind, event.detail["name"]) for event in deleted] == [("phase deleted", "Task health: Final")]


NEW_PHASE = {
    **{"name": "Final", "slug": "final", "window_0": "day", "board_audience": "everybody"},
    **{"opens_0": "2099-12-01", "opens_1": "00:00:00"},
}
