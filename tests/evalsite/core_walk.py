"""Looks at the pages on which apps of contrib have places.

`contrib/test_extension_points.py` has it run without each of these apps.
"""

import pytest
from django.urls import reverse

from evalsite.desk.navigation import sections
from tests.factories import make_run, run_files

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(phase, team):
    return make_run(phase, team, run_files())


def test_everybody_sees_task_board_and_help(client, task, phase, run):
    pages = [
        reverse("home"),
        task.get_absolute_url(),
        reverse("board", args=[task.slug, phase.slug, 1]),
        reverse("help"),
    ]
    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)


def test_a_team_sees_its_runs_and_its_account(as_alice, task, run):
    pages = [run.get_absolute_url(), reverse("submissions", args=[task.slug]), reverse("profile"), reverse("teams")]
    assert {page: as_alice.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)


def test_organisers_see_every_section_of_the_desk(as_olga, task, run):
    pages = [reverse("organise"), reverse("organise_new"), *(reverse(one.name, args=[task.slug]) for one in sections())]
    pages += [reverse("desk_phases_one", args=[task.slug, run.phase.slug])]
    assert {page: as_olga.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)
