"""Of runs that no board needs, the stored evaluation loses its resamples, and no page shows it."""

import re
from datetime import datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.core.files.storage import default_storage
from django.utils import timezone

from evalsite.leaderboard.making.draws import draws_of
from evalsite.submissions.lifecycle import thinning
from evalsite.submissions.lifecycle.thinning import ResultRow, superfluous, thin
from evalsite.submissions.models import Result
from tests.factories import PARTLY_RIGHT, make_run, run_files

START = datetime.fromisoformat("2026-01-01T00:00:00+00:00")
ONE, OTHER = uuid4(), uuid4()


def rows_of(*runs):
    """(team, headline, and what else is unusual) of results on one gold, a day apart."""
    gold = uuid4()
    return [
        ResultRow(uuid4(), gold, team, **{"reference": "", "withdrawn": None} | other, headline=headline)
        for team, headline, other in (
            (team, headline, {"arrived": START + timedelta(k), "scored": START + timedelta(k)} | dict(*other))
            for k, (team, headline, *other) in enumerate(runs)
        )
    ]


def places(rows, before=START + timedelta(365)):
    chosen = superfluous(rows, before)
    return [place for place, row in enumerate(rows) if row.pk in chosen]


def test_a_teams_best_and_those_that_led_the_board_are_needed():
    assert places(rows_of((ONE, 0.5), (OTHER, 0.2), (ONE, 0.4), (OTHER, 0.3), (ONE, 0.6), (ONE, 0.1))) == [1, 2, 5]


@pytest.mark.thorough
def test_of_equal_runs_the_earlier_one_is_needed():
    assert places(rows_of((ONE, 0.9), (OTHER, 0.5), (OTHER, 0.5))) == [2]


def test_references_are_needed_and_what_is_withdrawn_or_has_no_score_is_not():
    withdrawn = {"withdrawn": START}
    rows = rows_of((ONE, 0.3), (ONE, 0.2, {"reference": "baseline"}), (ONE, 0.9, withdrawn), (ONE, None))
    assert places(rows) == [2, 3]


@pytest.mark.thorough
def test_a_negative_score_can_be_the_best():
    assert places(rows_of((ONE, 0.1), (OTHER, -0.4), (OTHER, -0.2), (OTHER, -0.3))) == [1, 3]


@pytest.mark.thorough
def test_what_is_fresh_stays_as_it_is():
    assert places(rows_of((ONE, 0.5), (ONE, 0.4), (ONE, 0.3)), before=START + timedelta(days=1, hours=1)) == [1]


@pytest.fixture
def worse(phase, team):
    """The result of a run that is worse than the one of its team before it, both of a week ago."""
    make_run(phase, team, run_files())
    run = make_run(phase, team, PARTLY_RIGHT)
    Result.objects.update(created=timezone.now() - timedelta(days=7))
    return Result.objects.get(scoring__submission=run)


def test_the_file_of_a_worse_run_shrinks_and_its_draws_are_made_again(worse):
    before, draws = worse.evaluation.size, draws_of(worse)
    assert thin() == 1
    worse.refresh_from_db()
    assert worse.evaluation.size < before - draws.nbytes / 2
    assert draws_of(worse).tobytes() == draws.tobytes()
    assert thin() == 0


def test_the_run_of_the_board_keeps_its_file(worse):
    [best] = Result.objects.exclude(pk=worse.pk)
    thin()
    assert Result.objects.get(pk=best.pk).evaluation.name == best.evaluation.name


@pytest.mark.thorough
def test_the_former_file_stays_some_days_for_backups_and_then_goes(worse):
    former = Path(worse.evaluation.path)
    thin()
    thin()
    assert former.exists()
    assert Result.objects.get(pk=worse.pk).unthinned == worse.evaluation.name
    Result.objects.filter(pk=worse.pk).update(thinned=timezone.now() - thinning.STAYS - timedelta(hours=1))
    thin()
    assert not former.exists()
    assert not Result.objects.get(pk=worse.pk).unthinned


@pytest.mark.thorough
def test_a_page_of_two_runs_says_the_same_before_and_after(as_alice, worse):
    runs = Result.objects.order_by("scoring__submission__created").values_list("scoring__submission", flat=True)
    phase = worse.scoring.submission.phase
    path = f"/tasks/{phase.task.slug}/{phase.slug}/board/1/compare/"

    def said():
        cache.clear()
        page = as_alice.get(path, dict(zip("ab", runs, strict=True))).content.decode()
        return re.findall(r">([^<>]*\d[^<>]*)<", page.partition("<main")[2])

    before = said()
    assert any("0.667" in number for number in before)
    thin()
    assert said() == before


@pytest.mark.thorough
def test_a_file_that_is_gone_is_left_to_the_doctor_and_the_others_are_thinned(worse, phase, team):
    make_run(phase, team, PARTLY_RIGHT | {"README.md": "again"})
    Result.objects.update(created=timezone.now() - timedelta(days=7))
    default_storage.delete(worse.evaluation.name)
    assert thin() == 1
    assert Result.objects.get(pk=worse.pk).thinned is None
