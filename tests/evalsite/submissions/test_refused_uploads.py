"""How often a person may send uploads that are refused, counted over all processes of the web server."""

import threading
from datetime import timedelta
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts.models import UploadAttempt
from evalsite.submissions.models import Submission
from tests.factories import PARTLY_RIGHT, zip_upload

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _three(settings):
    settings.MAX_REFUSED_UPLOADS = 3


def upload(client, phase, team, *files, **fields):
    data = {"files": list(files), "team": str(team.pk), "method": "Rules"} | fields
    return client.post(reverse("submit", args=[phase.task.slug, phase.slug]), data)


def broken() -> SimpleUploadedFile:
    return SimpleUploadedFile("run.zip", b"PK\x03\x04 cut")


def test_after_some_refused_uploads_even_a_good_one_has_to_wait(client, phase, team, alice):
    client.force_login(alice)
    for _ in range(3):
        assert upload(client, phase, team, broken()).status_code == 422
    response = upload(client, phase, team, zip_upload(PARTLY_RIGHT), method="My method")
    text = unescape(response.content.decode())
    assert response.status_code == 429
    assert 0 < int(response["Retry-After"]) <= 600
    assert "3 uploads of yours in the last 10 minutes could not be taken" in text
    assert "Try again at" in text
    assert 'value="My method"' in text, "what was typed is kept"
    assert not Submission.objects.exists()


def test_the_wait_ends_when_the_first_of_them_is_old_enough(client, phase, team, alice):
    client.force_login(alice)
    for _ in range(3):
        upload(client, phase, team, broken())
    UploadAttempt.objects.update(made=timezone.now() - timedelta(minutes=10, seconds=1))
    assert upload(client, phase, team, zip_upload(PARTLY_RIGHT)).status_code == 302
    assert not UploadAttempt.objects.exists(), "what no longer counts is not kept"


def test_taken_and_repeated_uploads_are_not_counted(client, phase, team, alice):
    client.force_login(alice)
    for number in range(4):
        assert upload(client, phase, team, zip_upload(PARTLY_RIGHT | {"n.txt": str(number)})).status_code == 302
    for _ in range(4):
        assert upload(client, phase, team, zip_upload(PARTLY_RIGHT | {"n.txt": "0"})).status_code == 302


def test_uploads_to_a_phase_that_takes_none_are_counted_too(client, phase, team, alice):
    phase.is_paused = True
    phase.save()
    client.force_login(alice)
    statuses = [upload(client, phase, team, zip_upload(PARTLY_RIGHT)).status_code for _ in range(4)]
    assert statuses == [422, 422, 422, 429]


def test_a_form_that_is_not_filled_in_costs_nothing(client, phase, team, alice):
    client.force_login(alice)
    for _ in range(4):
        assert upload(client, phase, team, zip_upload(PARTLY_RIGHT), method="").status_code == 422
    assert upload(client, phase, team, zip_upload(PARTLY_RIGHT)).status_code == 302


def test_each_person_is_counted_alone(client, phase, team, alice, bob):
    client.force_login(alice)
    for _ in range(3):
        upload(client, phase, team, broken())
    client.force_login(bob)
    assert upload(client, phase, team, zip_upload(PARTLY_RIGHT)).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_uploads_of_one_moment_are_all_counted(phase, team, alice):
    start, statuses = threading.Barrier(6), []

    def send():
        client = Client()
        client.force_login(alice)
        start.wait()
        statuses.append(upload(client, phase, team, broken()).status_code)
        connection.close()

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [422, 422, 422, 429, 429, 429]
