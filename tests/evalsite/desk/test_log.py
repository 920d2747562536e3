"""Tests what happened in a task, as its organisers read it."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evalsite.accounts import services
from evalsite.challenges.models import record
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.changing import withdraw
from tests.factories import make_gold, make_scenario, make_task, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def page(as_olga, task):
    return lambda query="": as_olga.get(reverse("desk_log", args=[task.slug]) + query).content.decode()


def test_a_change_stands_with_who_from_what_to_what(page, phase, task, olga):
    changes = {"closes": ("2026-12-01 12:00:00+00:00", "2026-12-08 12:00:00+00:00")}
    record(task, "phase changed", actor=olga, subject=phase.pk, changes=changes)
    text = " ".join(page().split())
    assert "Olga" in text
    assert '<strong>phase changed</strong> <bdi class="name">Test</bdi>' in text
    assert "from “1 Dec 2026, 12:00 UTC” to “8 Dec 2026, 12:00 UTC”" in text


def test_times_are_written_as_everywhere_and_what_only_looks_like_one_stays(page, phase, task, olga):
    no_time = "2026-13-48 07:25:56+00:00"
    changes = {"results_released": ("", "2026-11-28 07:25:56.495284+00:00"), "name": ("Test", no_time)}
    record(task, "phase changed", actor=olga, subject=phase.pk, changes=changes)
    assert "from nothing to “28 Nov 2026, 07:25:56 UTC”" in page()
    assert f"from “Test” to “{no_time}”" in page()


def test_golds_of_one_upload_stand_in_one_line_without_the_name_of_the_task(page, phase, task, olga):
    for _ in range(2):
        second = make_gold(phase, make_scenario(task, number=task.scenarios.count() + 1))
        record(task, "gold replaced", actor=olga, subject=second.pk, version=1, scenario=second.scenario.number)
    text = page("?kind=gold+replaced")
    assert text.count("<strong>gold replaced") == 1
    assert text.count("Test, gold version 1, scenario") == 1
    assert text.index("<bdi>2</bdi>") < text.index("<bdi>3</bdi>")
    assert "<dt>" not in text


def test_what_teams_of_the_task_do_stands_there_and_nothing_of_others(page, submission, strangers, alice, charlie):
    services.rename(submission.team, "New name", "", by=alice)
    services.rename(strangers, "Foreign name", "", by=charlie)
    record(make_task("foreign"), "task changed", changes={"title": ("Old", "Foreign title")})
    assert "from “Alice and Bob” to “New name”" in page()
    assert "Foreign" not in page()


def test_it_is_narrowed_to_a_kind_and_runs_lead_to_their_page(page, submission):
    text = page("?kind=submitted")
    assert reverse("submission", args=[submission.pk]) in text
    assert "<strong>gold added" not in text
    assert "<strong>gold added" in page("?kind=gold+added")
    assert "Nothing of this kind" in page("?kind=%3Cb%3E")


def test_uploads_are_left_out_until_everything_or_they_are_asked_for(page, submission):
    address = reverse("submission", args=[submission.pk])
    assert address not in page()
    assert address in page("?kind=all")
    assert "<strong>gold added" in page("?kind=all")


def test_its_queries_do_not_grow_with_its_lines(page, task, submission):
    def queries(n_lines: int) -> int:
        for number in range(n_lines):
            record(task, "submitted", actor=make_user(f"Person{n_lines}{number}"), subject=submission.pk)
        with CaptureQueriesContext(connection) as counted:
            page("?kind=all")
        return len(counted)

    assert queries(2) == queries(30)


def test_a_line_does_not_repeat_the_name_of_its_phase_nor_who_withdrew_a_run(page, phase, scored_submission, olga):
    record(phase.task, "phase changed", actor=olga, subject=phase.pk, name=str(phase), changes={"closes": ("", "now")})
    withdraw([scored_submission], by=olga, side=Submission.Side.ORGANISERS, reason="A copy.")
    text = page()
    assert "A copy." in text
    assert "<dt>name</dt>" not in text
    assert "<dt>side</dt>" not in text
