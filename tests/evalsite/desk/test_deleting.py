"""A task is deleted by its owner, with all that is the organisers' own, and never with a team's run."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evalsite.accounts.models import HOUSE_NAME, Team
from evalsite.background.models import Job
from evalsite.challenges.models import Download, Event, Task
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.changing import delete_task, set_reference
from tests.factories import make_organiser, make_submission, make_user, scored

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(task):
    return reverse("desk_publish_delete", args=[task.slug])


@pytest.fixture
def own_run(phase, olga, team):
    """A baseline of the organisers, scored."""
    return scored(make_submission(phase, team, olga, reference="baseline"))


def test_a_task_goes_with_gold_own_runs_and_all_files_and_leaves_a_line(
    as_olga, olga, task, own_run, address, settings, django_capture_on_commit_callbacks
):
    Download.objects.create(task=task, title="Sentences", file=SimpleUploadedFile("x.txt", b"x"))
    Job.objects.create(kind="export", task=task)
    page = as_olga.get(address).content.decode()
    assert "1 submission" in page
    assert as_olga.post(address, {"name": "another"}).status_code == 422
    with django_capture_on_commit_callbacks(execute=True):
        assert as_olga.post(address, {"name": task.slug}).url == reverse("organise")
    assert not Task.objects.exists()
    assert not Submission.objects.exists()
    assert not Team.objects.filter(name=HOUSE_NAME).exists()
    assert [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()] == []
    left = Event.objects.get(kind="task deleted")
    assert (left.actor, left.detail["slug"]) == (olga, "health")


def test_a_task_with_a_run_of_a_team_stays_also_where_that_is_a_baseline_now(as_olga, olga, task, submission, address):
    for _ in range(2):
        assert "This task stays" in as_olga.get(address).content.decode()
        assert as_olga.post(address, {"name": task.slug}).status_code == 302
        assert Task.objects.exists()
        set_reference(submission, "baseline", by=olga)


def test_a_run_that_comes_in_this_very_moment_keeps_it(olga, task, submission, monkeypatch):
    monkeypatch.setattr("evalsite.submissions.runs.changing.has_uploads_of_teams", lambda task: False)
    assert not delete_task(task, by=olga)
    assert Task.objects.exists()


def test_who_is_no_owner_reads_what_would_go_and_deletes_nothing(client, task, phase, address):
    otto = make_user("Otto")
    make_organiser(task, otto)
    client.force_login(otto)
    assert "Only owners of the task may do this" in client.get(address).content.decode()
    assert client.post(address, {"name": task.slug}).status_code == 403
    assert Task.objects.exists()
