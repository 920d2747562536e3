"""Owners take a bundle from the desk, and whoever may create tasks makes one of it."""

import io
import zipfile
from pathlib import Path

import pytest
from django.conf import settings as site
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from evalsite.background.models import Job
from evalsite.background.services import work
from evalsite.challenges.models import Event, Task
from tests.archives import zip_of
from tests.evalsite.contrib.bundles.test_competitions import codalab
from tests.evalsite.contrib.bundles.test_round_trip import contents, differing
from tests.factories import make_organiser, work_off
from tests.forms import filled
from tests.whole_task import make_whole_task

__all__ = ["codalab"]  # a fixture

PAGE = "/organise/bundle/"


@pytest.fixture
def whole(olga, team) -> Task:
    return make_whole_task(olga)


def sent(content: bytes) -> dict[str, SimpleUploadedFile]:
    return {"file": SimpleUploadedFile("hunt.zip", content)}


def test_an_owner_takes_a_bundle_and_makes_the_same_task_of_it(
    as_olga, whole, olga, django_capture_on_commit_callbacks
):
    answer = as_olga.post("/tasks/hunt-2026/organise/bundle/", follow=True)
    assert answer["Content-Disposition"] == 'attachment; filename="hunt-2026-bundle.zip"'
    archive = b"".join(answer.streaming_content)
    assert Event.objects.get(kind="task exported").actor == olga
    before = contents(whole)
    Task.objects.update(slug="elsewhere")
    progress = as_olga.post(PAGE, sent(archive))
    assert progress.status_code == 302
    assert "The import starts in a moment" in as_olga.get(progress.url).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        work_off()
    text = as_olga.get(progress.url).content.decode()
    assert "was imported. Only you can see it so far." in text
    made = Task.objects.get(slug="hunt-2026")
    assert differing(before, contents(made)) == set()
    job = Job.objects.get(task=made)
    assert (job.state, job.file.name) == ("done", "")
    assert not list(Path(site.MEDIA_ROOT).glob("background/*/*"))  # it has hidden gold


@pytest.fixture
def asked(as_olga, codalab, django_capture_on_commit_callbacks):
    """The page of an import that asks what the systems of a competition do."""
    progress = as_olga.post(PAGE, sent(zip_of(codalab)))
    with django_capture_on_commit_callbacks(execute=True):
        work(Job.objects.get().pk)  # once: it is postponed by an hour
    return progress.url


def test_of_a_competition_the_next_page_asks_what_systems_do_and_its_file_is_kept(
    as_olga, asked, django_capture_on_commit_callbacks
):
    page = as_olga.get(asked)
    assert "One choice is left" in page.content.decode()
    assert as_olga.post(asked, filled(page, "use_form")).status_code == 422
    with django_capture_on_commit_callbacks(execute=True):
        assert as_olga.post(asked, filled(page, "use_form", use="text-classification")).status_code == 302
        work_off()
    assert "was imported. Only you can see it so far." in as_olga.get(asked).content.decode()
    assert Task.objects.get().title == "Boats"
    assert not list(Path(site.MEDIA_ROOT).glob("background/*/*"))


def test_after_an_hour_without_an_answer_nothing_of_it_is_left(as_olga, asked, django_capture_on_commit_callbacks):
    Job.objects.update(not_before=timezone.now())
    with django_capture_on_commit_callbacks(execute=True):
        work_off()
    assert "You have not chosen what its systems do." in as_olga.get(asked).content.decode()
    assert not list(Path(site.MEDIA_ROOT).glob("background/*/*"))


def test_another_bundle_takes_the_place_of_one_that_waits_for_an_answer(
    as_olga, asked, codalab, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        assert as_olga.post(PAGE, sent(zip_of(codalab))).status_code == 302
    assert "You have not chosen what its systems do." in as_olga.get(asked).content.decode()
    assert len(list(Path(site.MEDIA_ROOT).glob("background/*/*"))) == 1


def test_others_of_the_desk_read_what_a_bundle_is_and_get_none(client, whole, alice):
    make_organiser(whole, alice)
    client.force_login(alice)
    page = client.get("/tasks/hunt-2026/organise/bundle/", follow=True).content.decode()
    assert "Only owners of the task can download it." in page
    assert client.post("/tasks/hunt-2026/organise/bundle/").status_code == 403


@pytest.mark.thorough
def test_a_file_that_is_lost_is_named_instead_of_a_bundle_without_it(as_olga, whole):
    download = whole.downloads.first()
    download.file.storage.delete(download.file.name)
    answer = as_olga.post("/tasks/hunt-2026/organise/bundle/", follow=True)
    assert "No bundle was made: files of the task are not stored any more: " in answer.content.decode()


def test_what_is_wrong_is_told_with_file_and_line(as_olga, django_capture_on_commit_callbacks):
    progress = as_olga.post(PAGE, sent(zip_of({"task.yaml": "evalsite_bundle: 1\ntitel: Hunt\n"})))
    with django_capture_on_commit_callbacks(execute=True):
        work_off()
    text = " ".join(as_olga.get(progress.url).content.decode().split())
    assert "<code>task.yaml:2</code> Unknown key titel. Did you mean title?" in text
    assert not Task.objects.exists()
    assert not list(Path(site.MEDIA_ROOT).glob("background/*/*"))


def test_what_the_child_finds_is_told_in_the_language_of_the_sender(as_olga):
    as_olga.cookies["language"] = "es"
    progress = as_olga.post(PAGE, sent(zip_of({"task.yaml": "x", "../x": b""})))
    work_off()
    assert "ruta insegura en el archivo comprimido" in as_olga.get(progress.url).content.decode()


@pytest.mark.thorough
def test_gold_that_does_not_fit_is_told_when_it_was_checked(as_olga, whole, django_capture_on_commit_callbacks):
    archive = b"".join(as_olga.post("/tasks/hunt-2026/organise/bundle/").streaming_content)
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        members = {path: opened.read(path) for path in opened.namelist() if path != "digests.sha256"}
    gold = next(path for path in members if path.startswith("gold/"))
    progress = as_olga.post(PAGE, sent(zip_of({**members, gold: zip_of({"input_scenario1.txt": "x"})})))
    with django_capture_on_commit_callbacks(execute=True):
        work_off()
    text = as_olga.get(progress.url).content.decode()
    assert "This bundle cannot be imported as it is" in text
    assert "<code>task.yaml:" in text
    assert Task.objects.get() == whole
    assert not list(Path(site.MEDIA_ROOT).glob("background/*/*"))


@pytest.mark.thorough
def test_an_import_that_was_stored_is_not_done_twice(as_olga, whole):
    archive = b"".join(as_olga.post("/tasks/hunt-2026/organise/bundle/").streaming_content)
    as_olga.post(PAGE, sent(archive))
    work_off()
    Job.objects.update(state="queued")
    work_off()
    assert Task.objects.count() == 2


@pytest.mark.thorough
def test_nobody_else_sees_what_has_become_of_an_import(as_olga, as_alice, whole, alice):
    progress = as_olga.post(PAGE, sent(b"".join(as_olga.post("/tasks/hunt-2026/organise/bundle/").streaming_content)))
    assert as_alice.get(progress.url).status_code == 404


def test_who_may_not_create_tasks_imports_none(as_alice):
    assert as_alice.get(PAGE).status_code == 403
    assert as_alice.post(PAGE).status_code == 403


@pytest.mark.thorough
def test_a_file_that_is_too_large_is_told_beside_the_field(as_olga, settings):
    settings.MAX_UPLOAD_BYTES = 1000
    answer = as_olga.post(PAGE, sent(bytes(100_000)))
    assert answer.status_code == 422
    assert "The file is too large: at most 1000 bytes." in answer.content.decode().replace("1,000", "1000")
