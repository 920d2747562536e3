"""The audit trail: what happened, once, with old and new values."""

import pytest
from django.urls import reverse

from evalsite.challenges.models import Event, Task
from tests.desk_parts import PartsPage
from tests.factories import make_team

pytestmark = pytest.mark.django_db


@pytest.fixture
def limits(olga, phase, scored_submission):
    """The phase's page in olga's browser, with runs."""
    return PartsPage(olga, reverse("desk_phases_one", args=[phase.task.slug, phase.slug]))


@pytest.fixture
def texts(olga, task):
    return PartsPage(olga, reverse("desk_texts", args=[task.slug]))


def save(page, part, **typed):
    before = set(Event.objects.values_list("pk", flat=True))
    assert page.save(part, **typed).status_code == 302
    return list(Event.objects.exclude(pk__in=before).order_by("pk"))


def test_a_save_without_a_change_leaves_no_trace(limits, texts, task):
    Task.objects.filter(pk=task.pk).update(description="# Names\n\nFind them.\n")
    texts = PartsPage(texts.shown.wsgi_request.user, texts.address)
    assert [save(limits, part) for part in ("names", "times", "limits", "sight")] == [[], [], [], []]
    assert save(texts, "description") == []


def test_a_change_is_recorded_once_with_both_values(limits, phase, olga):
    [event] = save(limits, "limits", window_limit="3")
    assert (event.kind, event.subject, event.actor) == ("phase changed", phase.pk, olga)
    assert event.detail == {"name": "Task health: Test", "changed": {"window_limit": ["", "3"]}}


def test_a_window_is_recorded_in_a_form_that_tells_its_length(limits):
    [event] = save(limits, "limits", window_0="hours", window_1="36")
    assert event.detail["changed"] == {"window": ["1 day, 0:00:00", "1 day, 12:00:00"]}


def test_long_texts_are_kept_whole_and_shown_where_they_differ(as_olga, olga, texts, task):
    text = "".join(f"Line {number} of the description.\r\n" for number in range(99))
    save(texts, "description", description=text)
    texts = PartsPage(olga, texts.address)
    [event] = save(texts, "description", description=text.replace("Line 70 of", "Line seventy of"))
    old, new = event.detail["changed"]["description"]
    assert len(old) > 2000
    assert len(new) == len(old) + 5
    shown = as_olga.get(reverse("desk_log", args=[task.slug])).content.decode()
    assert "Line 70 of" in shown
    assert "Line seventy of" in shown


def test_the_log_shows_old_and_new(as_olga, texts, task):
    save(texts, "names", title="Renamed")
    shown = as_olga.get(reverse("desk_log", args=[task.slug])).content.decode()
    assert "from “Task health” to “Renamed”" in shown


def test_events_of_before_show_the_value_that_they_have(as_olga, task):
    Event.objects.create(task=task, kind="task changed", detail={"changed": {"title": "Old way"}})
    shown = as_olga.get(reverse("desk_log", args=[task.slug])).content.decode()
    assert "= Old way" in shown


def test_the_fields_of_an_event_have_names_in_words(as_olga, task, submission):
    Event.objects.create(task=task, kind="phase changed", detail={"changed": {"window_limit": ["", "3"]}})
    shown = as_olga.get(reverse("desk_log", args=[task.slug]), {"kind": "all"}).content.decode()
    assert "uploads per window" in shown
    assert "fingerprint of the file" in shown
    assert "sha256" not in shown


def said_of_teams(client):
    """The lines of the organisers' list of events that are about a team."""
    return list(Event.objects.exclude(team=None).order_by("pk").values_list("kind", "actor__name", "detail"))


def test_what_a_team_does_with_its_name_and_members_is_recorded(as_alice, as_bob, as_charlie, team, alice, bob):
    as_alice.post(reverse("team_edit", args=[team.pk]), {"name": "Sentinels", "affiliation": "Alicante"})
    as_alice.post(reverse("team_edit", args=[team.pk]), {"name": "Sentinels", "affiliation": "Alicante"})
    as_alice.post(reverse("team_invitation", args=[team.pk]))
    team.refresh_from_db()
    as_charlie.post(reverse("team_join", args=[team.invitation]))
    as_charlie.post(reverse("team_leave", args=[team.pk]))
    as_alice.post(reverse("team_hand_over", args=[team.pk, bob.pk]))
    as_bob.post(reverse("team_remove", args=[team.pk, alice.pk]))
    renamed = {"name": ["Alice and Bob", "Sentinels"], "affiliation": ["", "Alicante"]}
    told = [event for event in said_of_teams(as_bob) if event[0] != "invitation renewed"]
    assert told == [
        ("team renamed", "Alice", {"changed": renamed}),
        ("member joined", "Charlie", {"member": "Charlie"}),
        ("member left", "Charlie", {"member": "Charlie"}),
        ("team handed over", "Alice", {"member": "Bob"}),
        ("member removed", "Bob", {"member": "Alice"}),
    ]
    assert ("invitation renewed", "Alice", {}) in said_of_teams(as_bob), "without the link itself"


def test_a_team_that_somebody_founds_is_recorded(as_alice):
    as_alice.post(reverse("team_create"), {"name": "Sentinels"})
    assert said_of_teams(as_alice) == [("team made", "Alice", {"name": "Sentinels"})]


@pytest.mark.usefixtures("administering")
def test_what_teams_do_with_themselves_stands_among_all_events(client, olga, team, alice, charlie):
    strangers = make_team("Strangers", charlie)
    for one, owner in ((team, alice), (strangers, charlie)):
        client.force_login(owner)
        client.post(reverse("team_edit", args=[one.pk]), {"name": f"{one} renamed"})
    client.force_login(olga)
    shown = client.get(reverse("admin:challenges_event_changelist")).content.decode()
    assert "from “Alice and Bob” to “Alice and Bob renamed”" in shown
    assert "Strangers renamed" in shown
