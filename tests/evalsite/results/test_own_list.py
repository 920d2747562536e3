"""The list of a team's runs, where it goes over several pages."""

import pytest
from django.urls import reverse

from tests.factories import PARTLY_RIGHT, make_submission, run_files, scored

pytestmark = pytest.mark.django_db


@pytest.fixture
def listed(client, alice, team, phase, monkeypatch):
    """The page of this number; the best of the four runs is the first one, and two stand on a page."""
    monkeypatch.setattr("evalsite.results.views.RUNS", 2)
    for number, files in enumerate([run_files(), PARTLY_RIGHT, PARTLY_RIGHT, PARTLY_RIGHT]):
        scored(make_submission(phase, team, alice, files | {"README.md": str(number)}, method=f"Run {number}"))
    client.force_login(alice)
    path = reverse("submissions", args=[phase.task.slug])
    return lambda number: client.get(path, {"page": number})


def test_the_newest_runs_come_first_and_each_stands_once(listed):
    methods = [
        [run.submission.method for history in listed(number).context["histories"] for run in history.runs]
        for number in (1, 2)
    ]
    assert methods == [["Run 3", "Run 2"], ["Run 1", "Run 0"]]


def test_the_star_is_at_the_best_of_all_runs_whatever_page_it_is_on(listed):
    marked = [
        [cell.is_best for history in listed(number).context["histories"] for run in history.runs for cell in run.cells]
        for number in (1, 2)
    ]
    assert marked == [[False, False], [False, True]]


def test_pages_lead_to_each_other(listed):
    assert "Page 1 of 2" in listed(1).content.decode()
