"""Tests which result of which run stands on the board, and in which place."""

import pytest

from evalsite.challenges.taking_part.teams import number_teams
from evalsite.leaderboard.making.best_runs import recount_all
from evalsite.leaderboard.making.editions import complete
from evalsite.leaderboard.making.entries import entries_of, refresh
from evalsite.leaderboard.models import BestRun, Board
from evalsite.submissions.lifecycle.candidates import publish
from evalsite.submissions.models import Result, Scoring
from evalsite.submissions.runs import changing
from tests.factories import (
    PARTLY_RIGHT,
    PARTLY_RIGHT_PHRASES,
    make_gold,
    make_run,
    make_team,
    make_user,
    run_files,
    work_off,
)

WITH_A_WRONG_RELATION = PARTLY_RIGHT
WITHOUT_RELATIONS = run_files(PARTLY_RIGHT_PHRASES, "")


def entries(phase, scenario):
    board, _ = Board.objects.get_or_create(phase=phase, scenario=scenario)
    refresh(board)
    edition = board.editions.first()
    complete(edition)
    return edition.entries


def teams_and_ranks(phase, scenario):
    return [(entry["team"], entry["rank"]) for entry in entries(phase, scenario)]


def test_an_entry_carries_what_the_page_shows(phase, scenario, scored_submission, team):
    (entry,) = entries(phase, scenario)
    result = Result.objects.get()

    assert entry["submission"] == str(scored_submission.pk)
    assert entry["team"] == str(team.pk)
    assert entry["method"] == "Rules"
    assert entry["rank"] == 1
    assert entry["headline"] == result.headline == entry["scores"]["f1"]
    assert entry["scores"] == result.scores
    assert {name: [low, entry["highs"][name]] for name, low in entry["lows"].items()} == result.intervals
    assert entry["interval_method"] == result.interval_methods.get("f1", "")
    assert (entry["n_units"], entry["n_resamples"], entry["confidence_level"]) == (2, 200, 0.95)
    assert entry["date"] == scored_submission.created.isoformat()


def test_a_team_stands_with_the_best_of_its_runs(phase, scenario, team):
    make_run(phase, team, WITHOUT_RELATIONS)
    best = make_run(phase, team, run_files())
    make_run(phase, team, PARTLY_RIGHT)

    (entry,) = entries(phase, scenario)

    assert entry["submission"] == str(best.pk)
    assert entry["headline"] == 1.0
    assert entry["n_runs"] == 3


def test_of_equal_runs_the_earlier_one_stands(phase, scenario, team):
    first = make_run(phase, team, run_files())
    make_run(phase, team, {f"folder/{path}": text for path, text in run_files().items()})

    (entry,) = entries(phase, scenario)

    assert entry["submission"] == str(first.pk)
    assert entry["n_runs"] == 2


def test_equal_scores_share_a_place_and_the_next_one_is_free(phase, scenario, team, strangers):
    third = make_team("Third", make_user("Dora"))
    fourth = make_team("Fourth", make_user("Emil"))
    make_run(phase, fourth, WITH_A_WRONG_RELATION)
    make_run(phase, strangers, WITHOUT_RELATIONS)
    make_run(phase, third, WITHOUT_RELATIONS)
    make_run(phase, team, run_files())

    assert teams_and_ranks(phase, scenario) == [
        (str(team.pk), 1),
        (str(strangers.pk), 2),
        (str(third.pk), 2),
        (str(fourth.pk), 4),
    ]


def test_of_equal_teams_the_one_that_had_the_score_first_is_listed_first(phase, scenario, team, strangers):
    make_run(phase, team, WITHOUT_RELATIONS)
    make_run(phase, strangers, run_files())
    make_run(phase, team, run_files())

    assert teams_and_ranks(phase, scenario) == [(str(strangers.pk), 1), (str(team.pk), 1)]


@pytest.mark.parametrize("reference", ["baseline", "human"])
def test_a_reference_stands_by_its_score_and_takes_no_place(phase, scenario, team, strangers, reference):
    make_run(phase, team, run_files())
    make_run(phase, strangers, run_files(), reference=reference)
    make_run(phase, strangers, WITHOUT_RELATIONS)

    found = entries(phase, scenario)

    assert [(entry["reference"], entry["rank"]) for entry in found] == [("", 1), (reference, None), ("", 2)]
    assert [entry["n_runs"] for entry in found] == [1, 1, 1]


def test_a_result_without_a_headline_stands_last_and_without_a_place(phase, scenario, team, strangers):
    make_run(phase, team)
    make_run(phase, strangers)
    Result.objects.filter(scoring__submission__team=team).update(headline=None)
    recount_all(Board.objects.get())

    assert teams_and_ranks(phase, scenario) == [(str(strangers.pk), 1), (str(team.pk), None)]


def test_a_withdrawn_run_leaves_the_board_and_comes_back_when_restored(phase, scenario, team, alice):
    best = make_run(phase, team, run_files())
    other = make_run(phase, team)

    changing.withdraw([best], by=alice)
    (entry,) = entries(phase, scenario)
    assert (entry["submission"], entry["n_runs"], entry["n_withdrawn"]) == (str(other.pk), 2, 1)

    changing.restore([best], by=alice)
    (entry,) = entries(phase, scenario)
    assert (entry["submission"], entry["n_runs"]) == (str(best.pk), 2)


def test_only_results_on_one_gold_count_the_one_that_is_published(phase, scenario, scored_submission, olga):
    candidate = make_gold(phase, scenario, run_files(PARTLY_RIGHT_PHRASES, ""))
    work_off()
    (entry,) = entries(phase, scenario)
    assert entry["scores"]["recall_a"] == 0.6

    publish(candidate, by=olga)

    (entry,) = entries(phase, scenario)
    assert entry["scores"]["recall_a"] == 1.0


def test_of_two_engine_versions_the_one_that_ranks_counts(phase, scenario, scored_submission):
    newest = Scoring.objects.get()
    older = Scoring.objects.get()
    older.pk, older.engine_version = None, "0.9"
    older._state.adding = True
    older.save()
    Scoring.objects.filter(pk=older.pk).update(created="2026-01-01T00:00Z")
    result = Result.objects.get(scoring=newest)
    result.pk, result.headline = older.pk, 0.99
    result._state.adding = True
    result.save(force_insert=True)
    recount_all(Board.objects.get())

    (entry,) = entries(phase, scenario)

    assert entry["headline"] == Result.objects.get(scoring=newest).headline
    assert entry["n_runs"] == 1


def test_a_phase_without_gold_has_an_empty_board(phase, scenario, task):
    other = phase.task.phases.create(slug="other", name="Other", opens=phase.opens)

    assert entries(other, scenario) == []


def test_making_entries_costs_one_query(phase, scenario, team, strangers, django_assert_num_queries):
    for owner in (team, strangers):
        make_run(phase, owner)
    bests = BestRun.objects.select_related("result__scoring__submission")

    with django_assert_num_queries(1):
        assert len(entries_of(bests, (), scenario)) == 2


def test_refreshing_a_board_costs_a_fixed_number_of_queries(
    phase, scenario, team, strangers, django_assert_num_queries, clock_queries
):
    board = Board.objects.select_related("phase", "scenario").get_or_create(phase=phase, scenario=scenario)[0]
    make_run(phase, team)
    refresh(board)
    number_teams(phase, [strangers.pk])
    for each in (strangers, team):
        make_run(phase, each, WITHOUT_RELATIONS)
        board = Board.objects.select_related("phase", "scenario").get()
        with django_assert_num_queries(11 + clock_queries):
            refresh(board)
