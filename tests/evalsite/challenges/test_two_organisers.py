"""Two people who edit one part of a task at a time: what one has saved, the other does not undo unawares."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Download, Event, Phase, Task
from tests.desk_parts import PartsPage
from tests.factories import make_phase

pytestmark = pytest.mark.django_db


@pytest.fixture
def closing(task, scenario):
    return make_phase(
        task, opens=timezone.now() - timedelta(days=9), closes=datetime(2099, 12, 20, 12, tzinfo=UTC), name="Final"
    )


def page_of(user, phase):
    return PartsPage(user, reverse("desk_phases_one", args=[phase.task.slug, phase.slug]))


@pytest.fixture
def olgas(olga, otto, closing):
    return page_of(olga, closing)


@pytest.fixture
def ottos(otto, olgas, closing):
    return page_of(otto, closing)


def extend(page, day="2099-12-31"):
    assert page.save("times", closes_0=day).status_code == 302


def test_what_was_not_touched_shows_what_is_stored_and_saving_again_keeps_both_changes(olgas, ottos, closing):
    extend(ottos)
    assert olgas.save("times", opens_0="2026-11-02").status_code == 422
    assert "Nothing was saved yet" in olgas.text
    assert "You had not changed it" in olgas.text
    closing.refresh_from_db()
    assert closing.opens.day != 2 or closing.opens.month != 11
    assert olgas.save("times").status_code == 302
    closing.refresh_from_db()
    assert (closing.closes.day, f"{closing.opens:%Y-%m-%d}") == (31, "2026-11-02")


def test_of_two_values_of_one_field_ones_own_stays_typed_and_is_saved_the_second_time(olgas, ottos, closing):
    extend(ottos)
    olgas.save("times", closes_0="2100-01-03")
    assert olgas.save("times").status_code == 302
    closing.refresh_from_db()
    assert closing.closes.day == 3


def test_of_two_values_of_one_field_the_other_ones_can_be_chosen(olgas, ottos, closing):
    extend(ottos)
    olgas.save("times", closes_0="2099-12-24")
    assert olgas.save("times", **{"take-closes": "theirs"}).status_code == 302
    closing.refresh_from_db()
    assert closing.closes.day == 31


def test_the_second_page_is_refused_too_if_it_has_grown_old(olgas, ottos, closing, otto):
    extend(ottos)
    olgas.save("times", closes_0="2099-12-24")
    extend(page_of(otto, closing), "2100-01-07")
    assert olgas.save("times").status_code == 422
    closing.refresh_from_db()
    assert closing.closes.year == 2100


def test_two_who_say_the_same_are_of_one_mind(olgas, ottos):
    extend(ottos)
    assert olgas.save("times", closes_0="2099-12-31").status_code == 302


def test_a_page_without_any_sign_of_what_it_showed_is_an_old_one(olgas, ottos, closing):
    extend(ottos)
    assert olgas.save("times", seen=None).status_code == 422
    closing.refresh_from_db()
    assert closing.closes.day == 31


def test_an_old_page_leaves_no_event(olgas, ottos):
    extend(ottos)
    before = Event.objects.count()
    olgas.save("times", closes_0="2099-12-24")
    assert Event.objects.count() == before


@pytest.mark.parametrize(
    ("part", "field", "value", "other"),
    [
        ("description", "description", "Line one\r\n\r\nLine three", None),
        ("limits", "window_0", "week", {"total_limit": "7"}),
        ("sight", "board_audience", "organisers", {"is_anonymous": "on"}),
        ("sight", "gold_released", "on", {"is_anonymous": "on"}),
        ("download", "title", "Texts", {"description": "Short."}),
    ],
)
def test_every_kind_of_field_can_be_in_conflict_and_be_taken_back(olga, otto, task, closing, part, field, value, other):
    """The second leaves the field as it was, changes another one, and saves once more what the page then shows."""
    download = Download.objects.create(task=task, title="Sentences", file=ContentFile(b"x", "x.txt"))
    address = {
        "description": reverse("desk_texts", args=[task.slug]),
        "download": reverse("desk_texts_download", args=[task.slug, download.pk]),
    }.get(part, reverse("desk_phases_one", args=[task.slug, closing.slug]))
    first, second = PartsPage(otto, address), PartsPage(olga, address)
    assert first.save(part, **{field: value}).status_code == 302
    before = stored(task)
    typed = other or {field: "Something else"}
    assert second.save(part, **typed).status_code == 422
    assert stored(task) == before
    taking = {f"take-{field}": "theirs"} if other is None else {}
    assert second.save(part, **taking).status_code == 302
    assert all(pair in stored(task) for pair in before if pair[0] == field.removesuffix("_0"))


def stored(task):
    rows = [
        *Task.objects.filter(pk=task.pk).values("description"),
        *Phase.objects.values("window", "board_audience", "gold_released"),
        *Download.objects.values("title"),
    ]
    return [pair for row in rows for pair in row.items()]
