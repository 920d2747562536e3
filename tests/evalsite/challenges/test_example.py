"""The example of an upload that every scenario offers."""

from io import BytesIO
from zipfile import ZipFile

import pytest

import scoring
from tests.evalsite.families import make_answered
from tests.factories import make_scenario

pytestmark = pytest.mark.django_db


def example(client, task, number: int) -> dict[str, bytes]:
    response = client.get(f"/tasks/{task.slug}/scenarios/{number}/example.zip")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/zip"
    with ZipFile(BytesIO(response.content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_example_follows_the_scenarios_options(client, task, number):
    make_scenario(task, number)
    files = example(client, task, number)
    assert f"output_a_scenario{number}.txt" in files
    assert files == scoring.FAMILIES["ehealthkd"].example({"scenario": number})


def test_the_example_of_a_family_with_a_single_file_is_an_archive_too(client, olga, team, alice):
    task = make_answered(olga, team, alice).phase.task
    assert list(example(client, task, 1)) == ["run.txt"]


def test_there_is_no_example_of_a_scenario_that_does_not_exist_or_is_hidden(client, task, scenario):
    assert client.get(f"/tasks/{task.slug}/scenarios/9/example.zip").status_code == 404
    type(task).objects.update(is_published=False)
    assert client.get(f"/tasks/{task.slug}/scenarios/1/example.zip").status_code == 404


def test_the_task_page_and_the_upload_form_lead_to_it(client, alice, team, phase):
    client.force_login(alice)
    for page in ("/tasks/health/", "/tasks/health/test/submit/"):
        assert 'href="/tasks/health/scenarios/1/example.zip"' in client.get(page).content.decode()
