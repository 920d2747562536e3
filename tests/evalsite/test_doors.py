"""Names and texts that come in by programs, tables and lists are held to the rules of the forms."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evalsite.accounts.models import Team
from evalsite.api import tokens
from evalsite.background.models import Job
from evalsite.challenges.models import Task
from evalsite.submissions.models import Submission
from tests.factories import PARTLY_RIGHT, make_gold, make_phase, make_scenario, make_task, work_off, zip_upload

pytestmark = pytest.mark.django_db

DIRTY, CLEAN = "Sea\x0b\x07 \u202egnp\u2066 \u200bz", "Sea gnp z"
PILED = "a" + "\u0301" * 9
BAD_LINES = ["x" * 2_000, PILED]


@pytest.fixture
def send_run(client, alice, phase, team, scenario):
    bearer = {"Authorization": f"Bearer {tokens.make(alice, 'test', 'read upload', None)[1]}"}

    def send(**fields):
        data = {"files": [zip_upload(PARTLY_RIGHT)], "method": "Rules"} | fields
        return client.post("/api/v1/tasks/health/test/submissions", data, headers=bearer)

    return send


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("method", line) for line in BAD_LINES),
        ("method", "\u202e\u200b"),
        ("description", "x" * 60_000),
        ("link", "javascript:alert(1)"),
        ("link", "https://example.org/" + "x" * 3_000),
        ("team", "x" * 2_000),
    ],
    ids=str,
)
def test_a_program_s_upload_is_refused_with_the_field(send_run, field, value):
    answer = send_run(**{field: value})
    assert answer.status_code in (404, 422)
    assert field in answer.content.decode()
    assert not Submission.objects.exists()


def test_a_program_s_method_is_stored_clean(send_run):
    assert send_run(method=DIRTY).status_code == 201
    assert Submission.objects.get().method == CLEAN


@pytest.fixture
def judged(olga):
    phase = make_phase(make_task("judged", olga))
    make_gold(phase, make_scenario(phase.task, family="given", options={}), {"units.csv": "unit\nu1\nu2\n"})
    return phase


def bring(browser, name: str):
    """Send a table of scores with one run of this name, and have its team made; return the last answer."""
    path = "/tasks/judged/organise/runs/scores/test/"
    table = f'run,unit,score\n"{name}",u1,0.5\n"{name}",u2,0.5\n'.encode()
    answer = browser.post(path, {"scenario": "1", "table": SimpleUploadedFile("scores.csv", table)})
    if answer.status_code == 302 and browser.get(answer.url).status_code == 200:
        answer = browser.post(answer.url, {"run-0": "new"})
    work_off()
    return answer


@pytest.mark.parametrize("name", BAD_LINES, ids=["too long", "piled"])
def test_a_table_of_scores_makes_no_team_with_a_bad_name(as_olga, judged, name):
    answer = bring(as_olga, name)
    assert answer.status_code == 422
    assert "characters" in answer.content.decode() or "three marks" in answer.content.decode()
    assert not Job.objects.exists()


def test_a_table_of_scores_makes_a_team_with_a_clean_name(as_olga, judged):
    bring(as_olga, DIRTY)
    assert Team.objects.get(submissions__phase=judged).name == CLEAN
    assert Submission.objects.get(phase=judged).method == CLEAN


@pytest.mark.parametrize("name", BAD_LINES, ids=["too long", "piled"])
def test_a_page_of_the_desk_refuses_a_bad_name(as_olga, task, phase, name):
    Task.objects.filter(pk=task.pk).update(is_published=True)
    page = reverse("desk_phases_add", args=[task.slug])
    answer = as_olga.post(page, {"new-phase-name": name, "name": name, "phase-name": name})
    assert answer.status_code in (200, 422)
    assert not task.phases.filter(name__startswith=name[:50]).exists()
