"""The best runs and the records that are kept as results change are those that all results have."""

import random
from contextlib import suppress

import pytest
from django.db.models import F
from django.utils import timezone

from evalsite.leaderboard.making.best_runs import recount_all
from evalsite.leaderboard.making.entries import make_entries, refresh
from evalsite.leaderboard.models import BestRun, Board, PerfectRun, RecordRun
from evalsite.submissions.lifecycle import scorer
from evalsite.submissions.lifecycle.rescoring import score_again
from evalsite.submissions.models import Result, Scoring
from evalsite.submissions.runs import changing
from evalsite.submissions.runs.choosing import NoChoice, choose
from evalsite.submissions.runs.merging import merge
from tests.factories import PARTLY_RIGHT, make_gold, make_run, make_submission, make_team, run_files, scored

RUNS = (PARTLY_RIGHT, run_files(relations=""), run_files())


def kept():
    bests = BestRun.objects.order_by("pk").values_list("pk", "gold", "team", "reference", "n_runs", "n_withdrawn")
    records = RecordRun.objects.order_by("pk").values_list("pk", "gold", "arrived", "score")
    return list(bests), list(records), list(PerfectRun.objects.order_by("pk").values_list("pk", "gold"))


def is_right() -> bool:
    """Tell whether what is kept is what all results have."""
    before = kept()
    for board in Board.objects.all():
        recount_all(board)
    assert kept() == before
    return True


@pytest.fixture
def runs(phase, team, strangers):
    return [make_run(phase, each, files) for files in RUNS for each in (team, strangers)]


def test_they_are_right_after_results_have_come(runs, team):
    assert is_right()
    assert [best.n_runs for best in BestRun.objects.all()] == [3, 3]
    assert {best.result.headline for best in BestRun.objects.all()} == {1.0}


@pytest.mark.thorough
@pytest.mark.parametrize(("seed", "counts"), list(enumerate(["best", "last", "chosen", "two"])))
def test_they_are_right_whatever_is_withdrawn_restored_late_chosen_or_made_a_reference(
    phase, runs, scenario, alice, seed, counts
):
    chance = random.Random(seed)
    phase.counts = counts
    phase.save()
    recount_all(Board.objects.get())
    for _ in range(12):
        some = chance.sample(runs, 2)
        change = chance.choice(["withdraw", "restore", "late", "in time", "choose", "choose", "baseline"])
        if change in ("withdraw", "restore"):
            getattr(changing, change)(some, by=alice)
        elif change == "choose":
            with suppress(NoChoice):
                choose(phase, scenario, some[0].team, *some[: 1 + (counts == "two")], by=alice)
        elif change == "baseline":
            changing.set_reference(some[0], change, by=alice)
        else:
            changing.set_late(some, change == "late", by=alice)
        for each in runs:
            each.refresh_from_db()
        assert is_right()


@pytest.mark.thorough
@pytest.mark.parametrize("counts", ["best", "last", "chosen", "two"])
def test_they_are_right_whatever_the_order_in_which_runs_are_scored(phase, scenario, team, strangers, counts):
    phase.counts = counts
    phase.save()
    waiting = [
        make_submission(phase, each, each.members.first(), files) for files in RUNS for each in (team, strangers)
    ]
    if counts in ("chosen", "two"):
        some = waiting[2:3] if counts == "chosen" else waiting[:3:2]
        choose(phase, scenario, team, *some, by=team.members.first())
    for submission in (waiting[3], waiting[4], waiting[0], waiting[5], waiting[2], waiting[1]):
        scored(submission)
        assert is_right()


@pytest.mark.thorough
def test_they_are_right_after_new_gold_and_after_a_newer_engine(runs, phase, scenario, olga, monkeypatch):
    make_gold(phase, scenario, PARTLY_RIGHT)
    for key in score_again(runs, by=olga):
        scorer.score(key)
        assert is_right()
    refresh(Board.objects.get())

    monkeypatch.setattr("scoring.signature.__version__", "99.0")
    for key in score_again(runs[:2], by=olga):
        scorer.score(key)
        Result.objects.filter(pk=key).update(headline=0.01)
        assert Scoring.objects.filter(submission=Scoring.objects.get(pk=key).submission).count() > 2
    recount_all(Board.objects.get())
    assert is_right()


@pytest.mark.parametrize("limit", [None, 1])
def test_they_are_right_after_two_teams_were_merged(phase, alice, bob, team, olga, limit):
    phase.total_limit = limit
    phase.save()
    alone = make_team("Alice alone", alice)
    make_run(phase, alone, run_files())
    scored(make_submission(phase, team, bob, PARTLY_RIGHT))  # who is alone in a limited phase uploads for no other team
    assert BestRun.objects.filter(team=alone).exists()

    merge(phase.task, alone, team, by=olga)

    assert is_right()
    assert not BestRun.objects.filter(team=alone).exists()
    expected = [("", 2)] if limit is None else [("", 1), ("beyond", 1)]
    assert sorted(BestRun.objects.filter(team=team).values_list("reference", "n_runs")) == expected


def test_a_phase_whose_gold_is_opened_has_its_runs_counted_anew(runs, phase, team):
    phase.gold_released = True
    phase.gold_released_since = None
    phase.save()
    type(phase).objects.update(gold_released_since=None)
    assert Board.objects.get().to_recount

    refresh(Board.objects.get())

    assert not Board.objects.get().to_recount
    assert PerfectRun.objects.filter(is_copy=True).count() == 2
    assert {best.result.headline < 1 for best in BestRun.objects.all()} == {True}
    assert not RecordRun.objects.filter(score=1).exists()


def test_making_entries_reads_no_run_but_the_best_ones(phase, team, strangers):
    make_run(phase, team)
    make_run(phase, strangers)
    make_entries(Board.objects.get())
    for number in range(4):
        make_run(phase, team, run_files(relations="") | {"note.txt": str(number)})
    Result.objects.exclude(pk__in=BestRun.objects.values("pk")).delete()

    make_entries(Board.objects.get())

    edition = Board.objects.get().editions.get()
    assert [(entry["n_runs"], entry["rank"]) for entry in edition.entries] == [(5, 1), (1, 2)]
    assert not Board.objects.filter(made__lt=F("wanted")).exists()


def test_a_run_that_is_withdrawn_while_it_is_scored_is_nobodys_best(phase, team, alice):
    submission = make_submission(phase, team, alice)
    type(submission).objects.update(withdrawn=timezone.now())
    scored(submission)

    assert Result.objects.exists()
    assert not BestRun.objects.exists()
    assert is_right()
