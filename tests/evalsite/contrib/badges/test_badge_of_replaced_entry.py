"""The live badge of an entry says so when another run of its team has taken its place on the board."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Phase
from tests.evalsite.public_pages.places import refresh_all
from tests.factories import PARTLY_RIGHT, make_gold, make_run, run_files


@pytest.mark.django_db
def test_it_says_so_of_a_run_that_stood_there_and_nothing_of_others(client, phase, scenario, team, strangers):
    make_gold(phase, scenario)
    make_run(phase, strangers, run_files(relations=""))
    replaced = make_run(phase, team, PARTLY_RIGHT)
    refresh_all()
    Phase.objects.update(results_released=timezone.now() - timedelta(hours=1))
    make_run(phase, team, run_files())
    worse = make_run(phase, team, run_files(relations=""))
    refresh_all()

    def badge(run):
        return client.get(reverse("entry_badge", args=["health", "test", 1, run.pk]))

    assert "replaced by another run of the team" in badge(replaced).content.decode()
    assert badge(worse).status_code == 404
