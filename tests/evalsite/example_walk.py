"""Looks at the app of docs/contrib.md in a process in which it is installed.

`contrib/test_extension_points.py` makes it out of the page.
"""

import pytest
from django.urls import reverse

from tests.factories import make_run, run_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(phase, scenario, team):
    return make_run(phase, team, run_files())


def test_everybody_reads_it_on_the_task_and_on_a_tab_of_its_board(client, task, phase, run):
    assert "<p>1 runs so far</p>" in client.get(task.get_absolute_url()).content.decode()
    address = reverse("board_runs_so_far", args=[task.slug, phase.slug, 1])
    assert f'href="{address}"' in client.get(reverse("board", args=[task.slug, phase.slug, 1])).content.decode()
    assert "<p>1 runs</p>" in client.get(address).content.decode()


def test_programs_read_it(client, task, run):
    assert client.get(f"/api/v1/tasks/{task.slug}/runs-so-far").json() == {"n_runs": 1}


def test_organisers_note_it_in_the_log_and_strangers_do_not(as_olga, as_charlie, task, run):
    address = reverse("desk_runs_so_far", args=[task.slug])
    assert as_charlie.post(address).status_code == 404
    assert f'href="{address}"' in as_olga.get(reverse("desk", args=[task.slug])).content.decode()
    assert "1 runs" in as_olga.get(address).content.decode()
    assert as_olga.post(address).status_code == 302
    assert "runs were counted" in as_olga.get(reverse("desk_log", args=[task.slug])).content.decode()
