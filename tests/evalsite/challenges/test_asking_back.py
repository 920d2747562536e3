"""What the task's page asks back before it saves: dates, limits, and what makes something public or takes it away."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Download, Phase
from tests.factories import make_gold, make_phase, make_submission, make_user
from tests.forms import filled

pytestmark = pytest.mark.django_db
YEAR = 365


@pytest.fixture
def page(client, olga, task):
    client.force_login(olga)
    return reverse("admin:challenges_task_change", args=[task.pk])


def add_phase(task, slug, opens, closes=None, **fields):
    """With times in days from now."""
    now = timezone.now().replace(microsecond=0)
    closing = None if closes is None else now + timedelta(days=closes)
    return make_phase(task, slug, opens=now + timedelta(days=opens), closes=closing, **fields)


def at(name, days):
    """The two inputs of a time."""
    time = timezone.now() + timedelta(days=days)
    return {f"{name}_0": f"{time:%Y-%m-%d}", f"{name}_1": "12:00:00"}


def save(client, page, **typed):
    return client.post(page, filled(client.get(page), "task_form", **typed))


def questions(response):
    return [question for trouble in response.context["troubles"] for question in trouble.questions]


def save_all_the_same(client, page, response):
    ticks = {trouble.sure_name: trouble.sure_value for trouble in response.context["troubles"]}
    return client.post(page, filled(response, "task_form", **ticks))


def asked(client, page, **typed):
    """The one question that is asked; a tick saves all the same."""
    before = list(Phase.objects.order_by("pk").values())
    response = save(client, page, **typed)
    assert response.status_code == 200
    assert list(Phase.objects.order_by("pk").values()) == before
    [question] = questions(response)
    assert question in response.content.decode()
    assert save_all_the_same(client, page, response).status_code == 302
    return question


@pytest.mark.parametrize("year", ["0001", "1999", "2101", "9999"])
def test_dates_outside_2000_to_2100_are_asked_back(client, page, task, year):
    add_phase(task, "test", -1)
    field = "opens" if year < "2000" else "closes"
    typed = {f"phases-0-{field}_0": f"{year}-06-01", f"phases-0-{field}_1": "00:00:00"}
    assert asked(client, page, **typed) == f"Is the year {int(year)} meant?"


def test_dates_of_the_century_are_not(client, page, task):
    add_phase(task, "test", -1)
    typed = {"phases-0-opens_0": "2000-01-01", "phases-0-closes_0": "2100-12-31", "phases-0-closes_1": "23:59:59"}
    assert save(client, page, **typed).status_code == 302


def test_results_released_before_the_phase_opens_are_asked_back(client, page, task):
    add_phase(task, "test", 5)
    assert "before the phase opens" in asked(client, page, **at("phases-0-results_released", 2))


def test_results_released_before_the_phase_closes_are_asked_back(client, page, task):
    add_phase(task, "test", -5, 5)
    assert "before the phase closes" in asked(client, page, **at("phases-0-results_released", 2))


def test_results_released_after_the_phase_are_not(client, page, task):
    add_phase(task, "test", -5, 5)
    assert save(client, page, **at("phases-0-results_released", 9)).status_code == 302


def test_hiding_results_that_are_public_is_asked_back(client, page, task):
    add_phase(task, "test", -9, -5, results_released=timezone.now() - timedelta(days=1))
    typed = {"phases-0-results_released_0": "", "phases-0-results_released_1": ""}
    assert "Hide them again?" in asked(client, page, **typed)


def test_closing_an_open_phase_at_once_is_asked_back(client, page, task):
    add_phase(task, "test", -9, 5)
    assert "closes it at once" in asked(client, page, **at("phases-0-closes", -1))


def test_opening_a_closed_phase_again_is_asked_back(client, page, task):
    add_phase(task, "test", -9, -5)
    question = asked(client, page, **at("phases-0-closes", 5))
    assert "has been closed since" in question
    assert "opens it again" in question


def test_closing_before_the_last_download_is_offered_is_asked_back(client, page, task):
    add_phase(task, "test", -9, 9)
    later = timezone.now() + timedelta(days=6)
    Download.objects.create(task=task, title="Texts", file=ContentFile(b"x", "x.txt"), available_from=later)
    assert "before the last download is offered" in asked(client, page, **at("phases-0-closes", 3))


def test_a_download_after_the_last_closing_is_asked_back(client, page, task):
    add_phase(task, "test", -9, 3)
    Download.objects.create(task=task, title="Texts", file=ContentFile(b"x", "x.txt"))
    assert "Every phase has closed by then" in asked(client, page, **at("downloads-0-available_from", 6))


def test_a_question_about_something_else_is_asked_though_the_first_was_answered(client, page, task):
    add_phase(task, "test", -9, 5)
    first = save(client, page, **at("phases-0-closes", -1))
    ticks = {trouble.sure_name: trouble.sure_value for trouble in first.context["troubles"]}
    second = client.post(
        page, filled(first, "task_form", **ticks, **{"phases-0-closes_0": "9999-01-01", "phases-0-closes_1": "00:00"})
    )
    assert questions(second) == ["Is the year 9999 meant?"]


def test_what_was_asked_once_is_not_asked_at_every_save(client, page, task):
    add_phase(task, "test", -9, 5)
    first = save(client, page, **at("phases-0-results_released", 2))
    save_all_the_same(client, page, first)
    assert save(client, page, title="Another title").status_code == 302


def test_gold_of_a_phase_that_is_not_open_is_asked_back_before_it_is_public(client, page, task, scenario):
    make_gold(add_phase(task, "test", 5, 9), scenario)
    question = asked(client, page, **{"phases-0-gold_released": "on"})
    assert "everybody could download its gold at once" in question


def test_gold_of_an_open_phase_is_released_without_a_question(client, page, task, scenario):
    make_gold(add_phase(task, "test", -5, 9), scenario)
    assert save(client, page, **{"phases-0-gold_released": "on"}).status_code == 302


def test_publishing_a_task_asks_back_where_it_makes_gold_public(client, page, task, scenario):
    task.is_published = False
    task.save()
    make_gold(add_phase(task, "test", 5, 9, gold_released=True), scenario)
    response = save(client, page, is_published="on")
    [question] = questions(response)
    assert "everybody could download its gold at once" in question
    task.refresh_from_db()
    assert not task.is_published


def test_the_address_of_a_published_task_is_asked_back(client, page, task):
    [question] = questions(save(client, page, slug="new"))
    assert "will lead nowhere" in question


def test_the_address_of_a_phase_with_runs_is_asked_back(client, page, phase, team, alice):
    make_submission(phase, team, alice)
    assert "will lead nowhere" in asked(client, page, **{"phases-0-slug": "new"})


def test_taking_an_organiser_off_the_list_is_asked_back(client, page, task):
    task.organisers.add(make_user("Otto", is_staff=True))
    [question] = questions(save(client, page, organisers="olga@example.org"))
    assert question == "Otto (otto@example.org) would lose every right in this task. Is that meant?"


def test_an_organiser_without_the_flag_does_not_hinder_a_save(client, page, task):
    task.organisers.add(make_user("Otto"))
    assert "Without rights" in client.get(page).content.decode()
    assert save(client, page, title="Renamed").status_code == 302
    assert task.organisers.count() == 2


# The window of a limit


@pytest.mark.parametrize(
    ("choice", "hours", "length"),
    [
        ("hour", "", timedelta(hours=1)),
        ("day", "", timedelta(days=1)),
        ("week", "", timedelta(days=7)),
        ("hours", "36", timedelta(hours=36)),
        ("hours", "0.5", timedelta(minutes=30)),
    ],
)
def test_a_window_is_chosen_in_words_and_shown_in_the_same(client, page, task, choice, hours, length):
    phase = add_phase(task, "test", -1)
    typed = {"phases-0-window_0": choice, "phases-0-window_1": hours}
    assert save(client, page, **typed).status_code == 302
    phase.refresh_from_db()
    assert phase.window == length
    shown = filled(client.get(page), "task_form")
    assert (shown["phases-0-window_0"], shown["phases-0-window_1"]) == (choice, hours)


@pytest.mark.parametrize(
    ("choice", "hours", "words"),
    [
        ("2", "", "Select a valid choice"),
        ("hours", "", "Say how many hours."),
        ("hours", "0", "a quarter of an hour (0.25) at least"),
        ("hours", "0.0005", "a quarter of an hour (0.25) at least"),
        ("hours", "99999", "a year (8784 hours) at most"),
        ("hours", "two", "not a number"),
        ("hours", "nan", "not a number"),
        ("day", "2", "choose “a number of hours”"),
    ],
)
def test_a_window_that_is_none_is_refused_in_words(client, page, task, choice, hours, words):
    phase = add_phase(task, "test", -1)
    response = save(client, page, **{"phases-0-window_0": choice, "phases-0-window_1": hours})
    assert words in response.content.decode()
    phase.refresh_from_db()
    assert phase.window == timedelta(days=1)


def test_a_window_of_two_seconds_from_before_has_to_be_chosen_anew(client, page, task):
    add_phase(task, "test", -1, window=timedelta(seconds=2))
    assert "a quarter of an hour (0.25) at least" in save(client, page, title="New").content.decode()
    assert save(client, page, **{"phases-0-window_0": "day", "phases-0-window_1": ""}).status_code == 302


# Times and audiences


def test_stored_times_are_said_in_words_with_their_zone(client, page, task):
    make_phase(task, opens=datetime(2026, 11, 1, tzinfo=UTC), closes=datetime(2026, 12, 12, 23, 59, tzinfo=UTC))
    shown = client.get(page).content.decode()
    assert 'Now: <time datetime="2026-12-12T23:59:00+00:00" data-local>12 Dec 2026, 23:59 UTC</time>.' in shown
    assert "js/times.js" in shown


def test_a_phase_stays_where_it_was_when_its_times_change(client, page, task):
    add_phase(task, "first", -9, 5)
    add_phase(task, "second", -5, 9)
    save(client, page, **at("phases-0-opens", -1))
    shown = filled(client.get(page), "task_form")
    assert [shown["phases-0-slug"], shown["phases-1-slug"]] == ["first", "second"]


def test_one_word_stands_for_boards_that_only_organisers_see(client, page, task):
    add_phase(task, "test", -1)
    shown = client.get(page).content.decode()
    assert '<option value="organisers">' in shown
    assert "nobody" not in shown.split('name="phases-0-board_audience"')[1].split("</select>")[0]
