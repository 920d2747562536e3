"""The audit trail: what happened, once, with old and new values."""

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.base import ContentFile
from django.urls import reverse

from evalsite.accounts.models import User
from evalsite.challenges.models import Download, Event, Phase
from tests.factories import make_team
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


def said_of_teams(client):
    """The lines of the organisers' list of events that are about a team."""
    return list(Event.objects.exclude(team=None).order_by("pk").values_list("kind", "actor__name", "detail"))


def test_what_a_team_does_with_its_name_and_members_is_recorded(client, team, alice, bob, charlie):
    client.force_login(alice)
    client.post(reverse("team_edit", args=[team.pk]), {"name": "Sentinels", "affiliation": "Alicante"})
    client.post(reverse("team_edit", args=[team.pk]), {"name": "Sentinels", "affiliation": "Alicante"})
    client.post(reverse("team_invitation", args=[team.pk]))
    team.refresh_from_db()
    client.force_login(charlie)
    client.post(reverse("team_join", args=[team.invitation]))
    client.post(reverse("team_leave", args=[team.pk]))
    client.force_login(alice)
    client.post(reverse("team_hand_over", args=[team.pk, bob.pk]))
    client.force_login(bob)
    client.post(reverse("team_remove", args=[team.pk, alice.pk]))
    renamed = {"name": ["Alice and Bob", "Sentinels"], "affiliation": ["", "Alicante"]}
    told = [event for event in said_of_teams(client) if event[0] != "invitation renewed"]
    assert told == [
        ("team renamed", "Alice", {"changed": renamed}),
        ("member joined", "Charlie", {"member": "Charlie"}),
        ("member left", "Charlie", {"member": "Charlie"}),
        ("team handed over", "Alice", {"member": "Bob"}),
        ("member removed", "Bob", {"member": "Alice"}),
    ]
    assert ("invitation renewed", "Alice", {}) in said_of_teams(client), "without the link itself"


def test_a_team_that_somebody_founds_is_recorded(client, alice):
    client.force_login(alice)
    client.post(reverse("team_create"), {"name": "Sentinels"})
    assert said_of_teams(client) == [("team made", "Alice", {"name": "Sentinels"})]


def test_organisers_see_what_the_teams_of_their_tasks_do_and_no_others(client, page, team, alice, charlie):
    strangers = make_team("Strangers", charlie)
    for one, owner in ((team, alice), (strangers, charlie)):
        client.force_login(owner)
        client.post(reverse("team_edit", args=[one.pk]), {"name": f"{one} renamed"})
    client.force_login(User.objects.get(name="Olga"))
    shown = client.get(reverse("admin:challenges_event_changelist")).content.decode()
    assert "from “Alice and Bob” to “Alice and Bob renamed”" in shown
    assert "Strangers" not in shown
    own, others = (Event.objects.get(team=one) for one in (team, strangers))
    assert client.get(reverse("admin:challenges_event_change", args=[own.pk])).status_code == 200
    assert client.get(reverse("admin:challenges_event_change", args=[others.pk])).status_code == 302
