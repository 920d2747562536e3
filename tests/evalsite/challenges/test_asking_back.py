"""Tests what the desk asks back before it saves: dates, limits, and what makes something public or takes it away."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Download, Phase
from tests.desk_parts import PartsPage
from tests.factories import make_gold, make_phase

pytestmark = pytest.mark.django_db


def add_phase(task, slug, opens, closes=None, **fields):
    """Return a phase with times in days from now."""
    now = timezone.now().replace(microsecond=0)
    closing = None if closes is None else now + timedelta(days=closes)
    return make_phase(task, slug, opens=now + timedelta(days=opens), closes=closing, **fields)


def at(name, days):
    """The two inputs of a time."""
    time = timezone.now() + timedelta(days=days)
    return {f"{name}_0": f"{time:%Y-%m-%d}", f"{name}_1": "12:00:00"}


@pytest.fixture
def opened(olga):
    """Its page, or the one of its release."""

    def opened(phase, page="desk_phases_one"):
        return PartsPage(olga, reverse(page, args=[phase.task.slug, phase.slug]))

    return opened


def asked(page, part, **typed):
    """The one question that is asked; a tick saves all the same."""
    before = list(Phase.objects.order_by("pk").values())
    assert page.save(part, **typed).status_code == 422
    assert list(Phase.objects.order_by("pk").values()) == before
    [question] = page.questions
    assert question in page.text
    assert page.save_all_the_same(part).status_code == 302
    return question


@pytest.mark.parametrize("year", ["1990", "1999"])
def test_dates_of_the_last_century_are_asked_back(opened, task, year):
    page = opened(add_phase(task, "test", -1, 9))
    typed = {"opens_0": f"{year}-06-01", "opens_1": "00:00:00"}
    assert asked(page, "times", **typed) == f"Do you really mean the year {year}?"


@pytest.mark.parametrize("year", ["0001", "1989", "2101", "9999"])
def test_dates_outside_1990_to_2100_are_refused(opened, task, year):
    page = opened(add_phase(task, "test", -1, 9))
    field = "opens" if year < "2000" else "closes"
    before = Phase.objects.values().get()
    assert page.save("times", **{f"{field}_0": f"{year}-06-01", f"{field}_1": "00:00:00"}).status_code == 422
    assert f"The year {int(year)} is out of range: it can be from 1990 to 2100." in page.text
    assert Phase.objects.values().get() == before


def test_dates_of_the_century_are_not(opened, task):
    typed = {"opens_0": "2000-01-01", "closes_0": "2100-12-31", "closes_1": "23:59:59"}
    assert opened(add_phase(task, "test", -1, 9)).save("times", **typed).status_code == 302


@pytest.mark.parametrize(
    ("opens", "closes", "words"), [(5, None, "before the phase opens"), (-5, 5, "before the phase closes")]
)
def test_results_released_too_early_are_asked_back(opened, task, opens, closes, words):
    page = opened(add_phase(task, "test", opens, closes), "desk_release_phase")
    assert words in asked(page, "results", **at("results_released", 2))


def test_results_released_after_the_phase_are_not(opened, task):
    page = opened(add_phase(task, "test", -5, 5), "desk_release_phase")
    assert page.save("results", **at("results_released", 9)).status_code == 302


def test_opening_a_closed_phase_again_is_asked_back(opened, task):
    question = asked(opened(add_phase(task, "test", -9, -5)), "times", **at("closes", 5))
    assert "has been closed since" in question
    assert "opens it again" in question


def test_closing_before_the_last_download_is_offered_is_asked_back(opened, task):
    phase = add_phase(task, "test", -9, 2)
    later = timezone.now() + timedelta(days=6)
    Download.objects.create(task=task, title="Texts", file=ContentFile(b"x", "x.txt"), available_from=later)
    assert "before the last download is offered" in asked(opened(phase), "times", **at("closes", 3))


def test_a_download_after_the_last_closing_is_asked_back(olga, task):
    add_phase(task, "test", -9, 3)
    download = Download.objects.create(task=task, title="Texts", file=ContentFile(b"x", "x.txt"))
    page = PartsPage(olga, reverse("desk_texts_download", args=[task.slug, download.pk]))
    assert "Every phase will have closed by then" in asked(page, "download", **at("available_from", 6))


def test_a_question_about_something_else_is_asked_though_the_first_was_answered(opened, task):
    page = opened(add_phase(task, "test", -9, 5))
    page.save("times", **at("closes", -1))
    [trouble] = [form.trouble for form in page.shown.context["sections"].forms if form.trouble]
    tick = {trouble.sure_name.removeprefix("times-"): trouble.sure_value}
    page.save("times", **tick, opens_0="1995-01-01", opens_1="00:00")
    assert "Do you really mean the year 1995?" in page.questions


def test_gold_of_a_phase_that_is_not_open_is_asked_back_before_it_is_public(opened, task, scenario):
    phase = add_phase(task, "test", 5, 9)
    make_gold(phase, scenario)
    assert "everybody could download its gold at once" in asked(opened(phase), "sight", gold_released="on")


def test_gold_of_an_open_phase_is_released_without_a_question(opened, task, scenario):
    phase = add_phase(task, "test", -5, 9)
    make_gold(phase, scenario)
    assert opened(phase).save("sight", gold_released="on").status_code == 302


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
def test_a_window_is_chosen_in_words_and_shown_in_the_same(opened, task, choice, hours, length):
    phase = add_phase(task, "test", -1)
    assert opened(phase).save("limits", window_0=choice, window_1=hours).status_code == 302
    phase.refresh_from_db()
    assert phase.window == length
    form = next(form for form in opened(phase).shown.context["sections"].forms if form.key == "limits")
    shown = form.fields["window"].widget.decompress(form.stored("window"))
    assert [str(part or "") for part in shown] == [choice, hours]


@pytest.mark.parametrize(
    ("choice", "hours", "words"),
    [
        ("2", "", "Select a valid choice"),
        ("hours", "", "Enter the number of hours."),
        ("hours", "0.0005", "at least a quarter of an hour (0.25)"),
        ("hours", "99999", "at most a year (8784 hours)"),
        ("hours", "two", "not a number"),
        ("hours", "nan", "not a number"),
        ("day", "2", "choose “a number of hours”"),
    ],
)
def test_a_window_that_is_none_is_refused_in_words(opened, task, choice, hours, words):
    phase = add_phase(task, "test", -1)
    page = opened(phase)
    page.save("limits", window_0=choice, window_1=hours)
    assert words in page.text
    phase.refresh_from_db()
    assert phase.window == timedelta(days=1)


def test_one_word_stands_for_boards_that_only_organisers_see(opened, task):
    shown = opened(add_phase(task, "test", -1)).text
    assert '<option value="organisers">' in shown
    assert "nobody" not in shown.split('name="sight-board_audience"')[1].split("</select>")[0]
