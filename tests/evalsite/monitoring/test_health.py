"""Tests what a load balancer is told: whether a process lives, and whether it can answer pages."""

import json

import pytest

from evalsite.monitoring import health

OPERATOR = {"Authorization": "Bearer of operators"}


@pytest.fixture(autouse=True)
def _operators(settings):
    settings.METRICS_TOKEN = "of operators"


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch):
    monkeypatch.setattr(health, "_cached", None)
    monkeypatch.setattr(health, "_is_migrated", False)


def test_a_process_that_answers_is_alive_without_a_database_and_by_whatever_name(client, settings):
    settings.SECURE_SSL_REDIRECT = True
    response = client.get("/healthz", HTTP_HOST="10.0.0.7")
    assert (response.status_code, response.content) == (200, b"ok\n")


def test_without_a_database_it_is_not_ready(client):
    # This test may not use the database, so that whoever asks it gets an error.
    response = client.get("/readyz", HTTP_HOST="10.0.0.7", headers=OPERATOR)
    told = json.loads(response.content)
    assert (response.status_code, told["ready"], told["database"], told["storage"]) == (503, False, False, True)
    assert client.get("/healthz").status_code == 200


@pytest.mark.django_db
def test_with_a_database_that_is_migrated_it_is_ready_whatever_else_is_away(client, settings):
    settings.STORAGES = settings.STORAGES | {"default": {"BACKEND": "tests.evalsite.monitoring.away.AwayStorage"}}
    response = client.get("/readyz", headers=OPERATOR)
    told = json.loads(response.content)
    assert (response.status_code, told["ready"], told["database"], told["migrations"]) == (200, True, True, True)
    assert told["storage"] is False


def test_which_part_is_away_is_told_to_those_who_run_the_site_alone(client, settings):
    for headers in ({}, {"Authorization": "Bearer wrong"}):
        answer = client.get("/readyz", headers=headers)
        assert (answer.status_code, answer.json()) == (503, {"ready": False})
    settings.METRICS_TOKEN = ""
    for headers in ({}, {"Authorization": "Bearer "}, OPERATOR):
        assert client.get("/readyz", headers=headers).json() == {"ready": False}


@pytest.mark.django_db
def test_who_asks_often_gets_the_answer_of_before(client, django_assert_num_queries):
    client.get("/readyz")
    with django_assert_num_queries(0):
        for _ in range(20):
            client.get("/readyz")


def test_nothing_else_is_answered_before_the_site(client):
    assert client.post("/healthz").status_code == 404
