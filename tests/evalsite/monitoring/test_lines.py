"""Tests which ids the lines of the logs carry, in the site and in a worker."""

import json
from pathlib import Path

import pytest
from django.urls import reverse

from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Scoring, Submission
from tests.factories import PARTLY_RIGHT, zip_upload
from tests.workers import states, wait_for

pytestmark = pytest.mark.thorough


@pytest.mark.django_db
def test_the_end_of_a_request_tells_its_length_its_time_and_who_it_was(as_alice, alice, caplog):
    page = as_alice.get(reverse("home"))
    line = next(each.msg for each in caplog.records if "request_finished" in str(each.msg))
    assert line["bytes"] == len(page.content)
    assert line["duration_ms"] >= 0
    assert line["user_id"] == str(alice.pk)


@pytest.mark.django_db
def test_a_redirect_to_https_has_its_lines_too(client, settings, caplog):
    settings.SECURE_SSL_REDIRECT = True
    client.get(reverse("home"))
    line = next(each.msg for each in caplog.records if "request_finished" in str(each.msg))
    assert line["code"] == 301


@pytest.mark.django_db(transaction=True)
def test_from_an_upload_one_id_leads_to_the_lines_of_its_scorings_in_the_worker(
    as_alice, phase, team, celery, tmp_path, caplog
):
    with celery("worker", "--concurrency", "1", "--loglevel", "INFO", JSON_LOGS="1"), celery("beat"):
        sent = {"team": str(team.pk), "method": "Rules", "files": [zip_upload(PARTLY_RIGHT)]}
        as_alice.post(reverse("submit", args=[phase.task.slug, phase.slug]), sent)
        wait_for(lambda: states() == {"scored"})
        wait_for(lambda: Board.objects.filter(refreshed__isnull=False).exists())
    request = next(each.msg for each in caplog.records if "POST" in str(each.msg))["request_id"]
    lines = [json.loads(line) for line in Path(tmp_path, "worker.log").read_text().splitlines() if line[:1] == "{"]
    tasks = {line["task_id"]: line["task"] for line in lines if line["event"] == "task_started"}
    of_scoring = [line for line in lines if tasks.get(line.get("task_id"), "").endswith("tasks.score")]
    submission, scoring = str(Submission.objects.get().pk), str(Scoring.objects.get().pk)
    events = {each["event"] for each in of_scoring}
    assert {"task_started", "scoring claimed", "scoring ended", "task_succeeded"} <= events
    assert {each["request_id"] for each in of_scoring} == {request}
    ended = next(each for each in of_scoring if each["event"] == "scoring ended")
    assert (ended["submission"], ended["scoring"], ended["state"]) == (submission, scoring, "scored")
    assert ended["seconds"] > 0
    others = [line for line in lines if tasks.get(line.get("task_id"), "").endswith(("tasks.reap", "refresh_boards"))]
    assert others
    assert not any("scoring" in line or "request_id" in line for line in others)
