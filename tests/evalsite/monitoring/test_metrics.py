"""Tests what Prometheus reads."""

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from evalsite.leaderboard.models import Board
from evalsite.monitoring import health
from evalsite.submissions.lifecycle.enqueueing import enqueue
from evalsite.submissions.models import Scoring
from tests.factories import make_run, make_submission

pytestmark = pytest.mark.django_db
TOKEN = "a token of forty letters or something alike"


@pytest.fixture
def read(client, settings, monkeypatch):
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(health, "_cached", None)

    def _read() -> dict:
        text = client.get("/metrics", HTTP_AUTHORIZATION=f"Bearer {TOKEN}").content.decode()
        return {
            (sample.name, *sample.labels.values()): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    return _read


def test_an_empty_site_has_its_metrics_too(read):
    found = read()
    assert found["evalsite_scorings", "queued"] == 0
    assert found["evalsite_scorings_oldest_seconds",] == 0
    assert found["evalsite_up", "database"] == 1
    assert found["evalsite_disk_free_bytes",] > 0
    assert ("evalsite_scoring_seconds", "0.5") not in found


def test_queue_outcomes_durations_and_the_lag_of_boards_are_told(read, phase, team, strangers, charlie):
    make_run(phase, team)
    Scoring.objects.update(started=timezone.now() - timedelta(seconds=3), finished=timezone.now())
    waiting = make_submission(phase, strangers, charlie).scorings
    waiting.update(created=timezone.now() - timedelta(seconds=90))
    Board.objects.update(wanted=F("wanted") + 1, stale_since=timezone.now() - timedelta(seconds=70))
    found = read()
    assert found["evalsite_scorings", "queued"] == 1
    assert 90 <= found["evalsite_scorings_oldest_seconds",] < 120
    assert found["evalsite_scorings_ended_last_hour", "scored"] == 1
    assert found["evalsite_scorings_ended_last_hour", "failed"] == 0
    assert 2.9 < found["evalsite_scoring_seconds", "0.95"] < 4
    assert found["evalsite_uploads_last_hour",] == 2
    assert found["evalsite_boards_stale",] == 1
    assert 70 <= found["evalsite_boards_lag_seconds",] < 100


def test_messages_in_the_broker_are_counted(read, broker_url, submission):
    enqueue(submission.scorings.values_list("pk", flat=True))
    found = read()
    assert found["evalsite_up", "broker"] == 1
    assert sum(value for key, value in found.items() if key[0] == "evalsite_queue_messages") == 1


@pytest.mark.parametrize("sent", ["", "Bearer ", "Bearer wrong", "Bearer ü", TOKEN[:-1]])
def test_without_the_token_there_is_no_such_page(client, settings, sent):
    settings.METRICS_TOKEN = TOKEN
    assert client.get("/metrics", HTTP_AUTHORIZATION=sent).status_code == 404
    settings.METRICS_TOKEN = ""
    assert client.get("/metrics", HTTP_AUTHORIZATION=sent).status_code == 404
