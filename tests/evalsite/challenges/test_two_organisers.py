"""Two people who edit one task at a time: what one has saved, the other does not undo unawares."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Download, Event, Phase, Scenario, Task
from tests.factories import make_phase, make_user
from tests.forms import filled

pytestmark = pytest.mark.django_db


@pytest.fixture
def otto(task):
    otto = make_user("Otto", is_staff=True)
    task.organisers.add(otto)
    return otto


class Page:
    """The task's page in somebody's browser, from when it was opened."""

    def __init__(self, user, task):
        self.client = Client()
        self.client.force_login(user)
        self.address = reverse("admin:challenges_task_change", args=[task.pk])
        self.shown = self.client.get(self.address)

    def save(self, **typed):
        """Sends the form as it stands, with what was typed; a page that refuses it is then the one that stands."""
        response = self.client.post(self.address, filled(self.shown, "task_form", **typed))
        if response.status_code == 200:
            self.shown = response
        return response

    @property
    def text(self):
        return self.shown.content.decode()


@pytest.fixture
def closing(task, scenario):
    return make_phase(
        task, opens=timezone.now() - timedelta(days=9), closes=datetime(2099, 12, 20, 12, tzinfo=UTC), name="Final"
    )


@pytest.fixture
def olgas(olga, otto, closing, task):
    return Page(olga, task)


@pytest.fixture
def ottos(otto, olgas, task):
    return Page(otto, task)


def extend(page, day="2099-12-31"):
    assert page.save(**{"phases-0-closes_0": day}).status_code == 302


def test_an_unrelated_save_does_not_put_a_deadline_back(olgas, ottos, closing, task):
    extend(ottos)
    assert olgas.save(summary="Another word.").status_code == 200
    closing.refresh_from_db()
    task.refresh_from_db()
    assert closing.closes == datetime(2099, 12, 31, 12, tzinfo=UTC)
    assert task.summary != "Another word."  # nothing at all was written


def test_the_refused_page_shows_both_values_and_who_changed_it(olgas, ottos):
    extend(ottos)
    olgas.save(summary="Another word.")
    assert "Nothing was saved yet" in olgas.text
    assert "31 Dec 2099, 12:00 UTC" in olgas.text
    assert "20 Dec 2099, 12:00 UTC" in olgas.text
    assert "(Otto, " in olgas.text


def test_what_was_not_touched_shows_what_is_stored_and_saving_again_keeps_both_changes(olgas, ottos, closing, task):
    extend(ottos)
    olgas.save(summary="Another word.")
    assert "You had not changed it" in olgas.text
    assert olgas.save().status_code == 302
    closing.refresh_from_db()
    task.refresh_from_db()
    assert closing.closes.day == 31
    assert task.summary == "Another word."


def test_of_two_values_of_one_field_ones_own_stays_typed_and_is_saved_the_second_time(olgas, ottos, closing):
    extend(ottos)
    olgas.save(**{"phases-0-closes_0": "2099-12-24"})
    assert olgas.save().status_code == 302
    closing.refresh_from_db()
    assert closing.closes.day == 24


def test_of_two_values_of_one_field_the_other_ones_can_be_chosen(olgas, ottos, closing):
    extend(ottos)
    olgas.save(**{"phases-0-closes_0": "2099-12-24"})
    assert olgas.save(**{"phases-0-take-closes": "theirs"}).status_code == 302
    closing.refresh_from_db()
    assert closing.closes.day == 31


def test_one_may_go_on_typing_on_the_refused_page(olgas, ottos, closing):
    extend(ottos)
    olgas.save(**{"phases-0-closes_0": "2099-12-24"})
    assert olgas.save(**{"phases-0-closes_0": "2099-12-27"}).status_code == 302
    closing.refresh_from_db()
    assert closing.closes.day == 27


def test_the_second_page_is_refused_too_if_it_has_grown_old(olgas, ottos, closing, otto, task):
    extend(ottos)
    olgas.save(summary="Another word.")
    extend(Page(otto, task), "2100-01-07")
    assert olgas.save().status_code == 200
    closing.refresh_from_db()
    assert closing.closes.year == 2100


def test_two_who_change_different_things_are_told_as_well(olgas, ottos, task):
    assert ottos.save(title="Another title").status_code == 302
    assert olgas.save(**{"scenarios-0-name": "Everything"}).status_code == 200
    assert "Another title" in olgas.text
    assert not Scenario.objects.filter(name="Everything").exists()


def test_two_who_say_the_same_are_of_one_mind(olgas, ottos):
    extend(ottos)
    assert olgas.save(**{"phases-0-closes_0": "2099-12-31"}).status_code == 302


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("description", "Line one\r\n\r\nLine three"),
        ("is_published", None),
        ("organisers", "olga@example.org"),
        ("scenarios-0-options", '{"scenario": "2"}'),
        ("scenarios-0-shown_scores", "recall"),
        ("phases-0-window_0", "week"),
        ("phases-0-board_audience", "organisers"),
        ("phases-0-is_paused", "on"),
        ("phases-0-results_released_0", "2099-12-31"),
        ("downloads-0-title", "Texts"),
    ],
)
def test_every_kind_of_field_can_be_in_conflict_and_be_taken_back(olga, otto, task, closing, field, value):
    Download.objects.create(task=task, title="Sentences", file=ContentFile(b"x", "x.txt"))
    first, second = Page(otto, task), Page(olga, task)
    typed = {field: value}
    if field == "phases-0-results_released_0":
        typed["phases-0-results_released_1"] = "00:00:00"
    answer = first.save(**typed)
    if "lose every right" in first.text:  # that is asked back
        answer = first.save(sure=value_of(first, "sure"))
    assert answer.status_code == 302
    before = everything(task)
    assert second.save(title="Of the second").status_code == 200
    assert everything(task) == before
    assert second.save().status_code == 302
    after = everything(task)
    assert after.pop("title") == "Of the second"
    before.pop("title")
    assert after == before


def value_of(page, name):
    """The value of a box that is not ticked."""
    return page.text.split(f'name="{name}" value="')[1].split('"')[0]


def everything(task):
    task = Task.objects.get(pk=task.pk)
    rows = [task.scenarios.values(), task.phases.values(), task.downloads.values("title", "description", "file")]
    return {
        "title": task.title,
        "task": (task.slug, task.summary, task.description, task.is_published),
        "organisers": sorted(task.organisers.values_list("email", flat=True)),
        "rows": [list(each) for each in rows],
    }


def test_a_page_without_any_sign_of_what_it_showed_is_an_old_one(olgas, ottos, closing):
    extend(ottos)
    assert olgas.save(seen=None, **{"phases-0-seen": None, "scenarios-0-seen": None}).status_code == 200
    closing.refresh_from_db()
    assert closing.closes.day == 31


def test_a_phase_that_was_changed_is_not_deleted_from_an_old_page(olgas, ottos, closing):
    extend(ottos)
    assert olgas.save(**{"phases-0-DELETE": "on"}).status_code == 200
    assert Phase.objects.filter(pk=closing.pk).exists()


def test_a_phase_that_a_colleague_has_deleted_is_told(olgas, ottos, closing, task):
    make_phase(task, "other")
    assert ottos.save(**{"phases-0-DELETE": "on"}).status_code == 302
    response = olgas.client.post(olgas.address, filled(olgas.shown, "task_form", summary="New."), follow=True)
    assert "a phase of your page is not there any more" in response.content.decode()
    task.refresh_from_db()
    assert task.summary != "New."


def test_a_phase_that_a_colleague_has_added_stays(olgas, task):
    added = make_phase(task, "added", opens=timezone.now() - timedelta(days=99), closes=None)
    assert olgas.save(summary="Another word.").status_code == 302
    assert Phase.objects.filter(pk=added.pk, slug="added").exists()


def test_a_refused_page_names_each_phase_as_its_own_though_others_were_added(olgas, ottos, task, closing):
    extend(ottos)
    Phase.objects.create(
        task=task, slug="early", name="Early", opens=timezone.now() - timedelta(days=99), created=task.created
    )
    olgas.save(summary="Another word.")
    block = olgas.text.split('id="phases-0"')[1].split("<fieldset")[0]
    assert "Final" in block
    assert "Early" not in block


def test_an_old_page_leaves_no_event(olgas, ottos):
    extend(ottos)
    before = Event.objects.count()
    olgas.save(summary="Another word.")
    assert Event.objects.count() == before
