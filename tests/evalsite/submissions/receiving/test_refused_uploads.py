"""Tests how often a person may send uploads that are refused, counted over all processes of the web server."""

import resource
import threading
import time
from datetime import timedelta
from html import unescape

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts import rates
from evalsite.accounts.rates import counted
from evalsite.submissions.models import Submission
from tests.factories import PARTLY_RIGHT, make_team, make_user, zip_upload

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _three(settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"refused_upload": "3/10m"}


def upload(client, phase, team, *files, **fields):
    data = {"files": list(files), "team": str(team.pk), "method": "Rules"} | fields
    return client.post(reverse("submit", args=[phase.task.slug, phase.slug]), data)


def broken() -> SimpleUploadedFile:
    return SimpleUploadedFile("run.zip", b"PK\x03\x04 cut")


def test_after_some_refused_uploads_even_a_good_one_has_to_wait(as_alice, phase, team):
    for _ in range(3):
        assert upload(as_alice, phase, team, broken()).status_code == 422
    response = upload(as_alice, phase, team, zip_upload(PARTLY_RIGHT), method="My method")
    text = unescape(response.content.decode())
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 600
    assert "Too many of your uploads in the last 10 minutes could not be accepted or took long to check" in text
    assert "Try again at" in text
    assert 'value="My method"' in text, "what was typed is kept"
    assert not Submission.objects.exists()


def test_the_wait_ends_when_the_first_of_them_is_old_enough(as_alice, alice, phase, team):
    for _ in range(3):
        upload(as_alice, phase, team, broken())
    with time_machine.travel(timezone.now() + timedelta(minutes=10, seconds=1)):
        assert upload(as_alice, phase, team, zip_upload(PARTLY_RIGHT)).status_code == 302
        assert not counted("refused_upload", alice.pk), "what no longer counts is not kept"


def test_taken_and_repeated_uploads_are_not_counted(as_alice, phase, team):
    for number in range(4):
        assert upload(as_alice, phase, team, zip_upload(PARTLY_RIGHT | {"n.txt": str(number)})).status_code == 302
    for _ in range(4):
        assert upload(as_alice, phase, team, zip_upload(PARTLY_RIGHT | {"n.txt": "0"})).status_code == 302


def test_uploads_to_a_phase_that_takes_none_are_counted_too(as_alice, phase, team):
    phase.is_paused = True
    phase.save()
    statuses = [upload(as_alice, phase, team, zip_upload(PARTLY_RIGHT)).status_code for _ in range(4)]
    assert statuses == [422, 422, 422, 429]


def test_a_form_that_is_not_filled_in_costs_nothing(as_alice, phase, team):
    for _ in range(4):
        assert upload(as_alice, phase, team, zip_upload(PARTLY_RIGHT), method="").status_code == 422
    assert upload(as_alice, phase, team, zip_upload(PARTLY_RIGHT)).status_code == 302


def test_each_person_is_counted_alone(as_alice, as_bob, phase, team):
    for _ in range(3):
        upload(as_alice, phase, team, broken())
    assert upload(as_bob, phase, team, zip_upload(PARTLY_RIGHT)).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_uploads_of_one_moment_are_all_counted(alice):
    start, waits = threading.Barrier(6), []

    def begin():
        start.wait()
        waits.append(rates.seconds_to_wait("refused_upload", alice.pk))

    in_threads(begin, 6)
    assert waits.count(0) == counted("refused_upload", alice.pk) == 3


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_of_uploads_of_one_person_at_the_same_moment_one_is_looked_at(phase, team, alice, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"refused_upload": "20/10m"}
    start, responses = threading.Barrier(4), []

    def send():
        client = Client()
        client.force_login(alice)
        start.wait()
        responses.append(upload(client, phase, team, large(), method="My method", anyway="yes"))
        connection.close()

    in_threads(send, 4)
    assert sorted(response.status_code for response in responses) == [302, 429, 429, 429]
    busy = next(response for response in responses if response.status_code == 429)
    text = unescape(busy.content.decode())
    assert "Another upload of yours is being checked" in text
    assert 'value="My method"' in text, "what was typed is kept"
    assert not counted("refused_upload", alice.pk), "what was not looked at is not counted"
    client = Client()
    client.force_login(alice)
    assert upload(client, phase, team, zip_upload(PARTLY_RIGHT)).status_code == 302, "the place is free again"


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_when_more_people_upload_than_can_be_checked_some_are_asked_to_come_again(phase, settings):
    settings.JOBS_AT_ONCE, settings.JOBS_WAITING = 1, 1
    start, responses = threading.Barrier(5), []
    people = [make_user(f"Person{number}") for number in range(5)]
    teams = [make_team(f"Team {number}", person) for number, person in enumerate(people)]

    def send(person, team):
        client = Client()
        client.force_login(person)
        start.wait()
        responses.append(upload(client, phase, team, large(), anyway="yes"))
        connection.close()

    in_threads(send, *zip(people, teams, strict=True))
    assert sorted(response.status_code for response in responses) == [302, 302, 503, 503, 503]
    busy = next(response for response in responses if response.status_code == 503)
    assert "Try again shortly" in unescape(busy.content.decode())
    assert int(busy["Retry-After"]) > 0
    assert not any(counted("refused_upload", person.pk) for person in people), "a full house is nobody's fault"


def test_an_upload_whose_check_takes_too_long_is_refused_rated_and_told_why(
    as_alice, alice, phase, team, settings, monkeypatch
):
    settings.CHECK_SECONDS = 0.02  # twice that by the clock; the file takes some tenths of a second
    monkeypatch.setattr(rates, "SECONDS_OF_ONE", 0.005)
    began = time.monotonic()
    response = upload(as_alice, phase, team, large())
    assert time.monotonic() - began < 5
    text = unescape(response.content.decode())
    assert response.status_code == 422
    assert "Checking these files needs more time than it may take (1 second), so it was stopped." in text
    assert "Look for lines, annotations or labels" in text
    assert counted("refused_upload", alice.pk) > 5, "it counts as often as it has taken time"


def test_an_upload_whose_check_wants_too_much_memory_is_refused_and_the_web_process_does_not_grow(
    as_alice, phase, team, settings, all_limits
):
    settings.CHECK_MEMORY_BYTES = 24 * 1024**2
    assert upload(as_alice, phase, team, zip_upload(PARTLY_RIGHT)).status_code == 302, "an ordinary run has room enough"
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    response = upload(as_alice, phase, team, large())
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert response.status_code == 422
    assert "more memory than it may use (24 MB)" in unescape(response.content.decode())
    assert grown * 1024 < 32 * 1024**2


def large() -> SimpleUploadedFile:
    """Return as many phrases as are looked at in the form; all of them are right."""
    phrases = "".join(f"{number}\t0 3\tConcept\tLas\n" for number in range(300_000))
    return zip_upload(PARTLY_RIGHT | {"output_a_scenario1.txt": phrases, "output_b_scenario1.txt": ""})


def in_threads(function, *arguments):
    """The function in as many threads, or once for each of the tuples of arguments."""
    calls = [()] * arguments[0] if isinstance(arguments[0], int) else arguments
    threads = [threading.Thread(target=function, args=each) for each in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
