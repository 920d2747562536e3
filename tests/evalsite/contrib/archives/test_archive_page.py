"""Tests the desk's page of the archive: made in the background, given to owners alone, once the task is over."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.background.models import Job
from evalsite.challenges.models import Event, Phase
from scoring.cli.main import main
from tests.evalsite.contrib.archives.finished import make_finished
from tests.factories import make_organiser, make_user, work_off

pytestmark = pytest.mark.django_db
PAGE, TAKE = (reverse(name, args=["wood"]) for name in ("desk_ending_archive", "desk_ending"))


@pytest.fixture
def task(olga):
    return make_finished(olga)


@pytest.fixture
def as_olga(client, olga):
    client.force_login(olga)
    return client


def test_an_owner_has_it_made_and_what_is_downloaded_is_verified(task, as_olga, tmp_path):
    assert as_olga.get(f"{PAGE}archive.zip").status_code == 404
    as_olga.post(PAGE, {"make": "archive"})
    assert "The zip is being made." in as_olga.get(TAKE).content.decode()
    work_off()
    page = as_olga.get(TAKE).content.decode()
    assert f"{PAGE}archive.zip" in page
    path = tmp_path / "made.zip"
    path.write_bytes(b"".join(as_olga.get(f"{PAGE}archive.zip").streaming_content))
    assert main(["verify", str(path)]) == 0
    assert Event.objects.filter(kind="archive made").count() == 1
    as_olga.post(PAGE, {"make": "archive", "all": "on"})
    work_off()
    assert Job.objects.filter(kind="archive").count() == 1, "the one before went"
    assert "with all names and times" in as_olga.get(TAKE).content.decode()


@pytest.mark.thorough
def test_static_pages_are_made_there_too(task, as_olga):
    as_olga.post(PAGE, {"make": "pages"})
    work_off()
    content = b"".join(as_olga.get(f"{PAGE}pages.zip").streaming_content)
    assert "index.html" in zipfile.ZipFile(io.BytesIO(content)).namelist()


@pytest.mark.thorough
def test_organisers_who_are_no_owners_get_no_archive(task, client):
    otto = make_user("Otto")
    make_organiser(task, otto)
    client.force_login(otto)
    assert "Make the archive" not in client.get(TAKE).content.decode()
    assert client.post(PAGE, {"make": "archive"}).status_code == 403
    assert client.get(f"{PAGE}archive.zip").status_code == 404


def test_before_the_task_is_over_nothing_is_made(task, as_olga):
    Phase.objects.update(closes=timezone.now() + timedelta(days=1))
    assert "It can be made once all phases are closed." in as_olga.get(TAKE).content.decode()
    as_olga.post(PAGE, {"make": "archive"})
    assert not Job.objects.filter(kind="archive").exists()
