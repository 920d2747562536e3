"""A board that ranks by an error: the lowest is first, everywhere."""

import json
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Scenario
from evalsite.comparisons.compare_two.page import Better, better_side
from evalsite.jobs import sandbox
from evalsite.leaderboard.making.best_runs import recount_all
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import BestRun, Board, RecordRun
from evalsite.submissions.models import Result, Submission
from tests import estimates
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task, make_team

GOLD = np.arange(10.0, 50.0)


@pytest.fixture(autouse=True)
def family(monkeypatch):
    """The family is known in this process alone, so the engine's children work in it."""
    estimates.register(monkeypatch)

    def run(function, arguments, limits, on_step=None, **files):
        return json.loads(json.dumps(function(arguments, on_step or (lambda step: None))))

    @contextmanager
    def child(function, limits, **files):
        yield lambda arguments, on_step=None: run(function, arguments, limits, on_step)

    monkeypatch.setattr(sandbox, "run", run)
    monkeypatch.setattr(sandbox, "child", child)


@pytest.fixture
def board(db):
    task = make_task("estimates", is_published=True)
    scenario = make_scenario(task, family=estimates.NAME, options={})
    phase = make_phase(task, board_audience="everybody")
    make_gold(phase, scenario, {"gold.txt": estimates.lines(GOLD)})
    return Board.objects.get_or_create(phase=phase, scenario=scenario)[0]


def upload(board, team, spread, minutes=0, **fields):
    """A run whose errors have this spread, uploaded so many minutes later than the first one."""
    errors = spread * np.random.default_rng(7).normal(size=len(GOLD))
    run = make_run(board.phase, team, {"run.txt": estimates.lines(GOLD + errors)}, **fields)
    Submission.objects.filter(pk=run.pk).update(
        created=timezone.now() - timedelta(hours=9) + timedelta(minutes=minutes)
    )
    return run


@pytest.fixture
def raced(board, alice, charlie):
    """Alice's team: rough, fine, rough again. Charlie's team: a little better than fine; a bad baseline."""
    first, second = make_team("Alices", alice), make_team("Charlies", charlie)
    runs = {
        "rough": upload(board, first, 3.0, method="Rough"),
        "fine": upload(board, first, 1.0, 10, method="Fine"),
        "again": upload(board, first, 2.0, 20, method="Again"),
        "finest": upload(board, second, 0.9, 30, method="Finest"),
        "baseline": upload(board, first, 5.0, 40, reference="baseline", method="Mean"),
    }
    recount_all(board)
    refresh(board)
    return runs


def page(client, board, name="board", **query):
    return client.get(
        reverse(name, args=[board.phase.task.slug, board.phase.slug, board.scenario.number]), query
    ).content.decode()


def test_a_perfect_gold_has_no_error_and_a_teams_best_run_is_the_lowest(board, raced):
    best = BestRun.objects.get(team__name="Alices", reference="")
    assert best.result.scoring.submission == raced["fine"]
    assert best.n_runs == 3


@pytest.mark.thorough
def test_records_fall(board, raced):
    records = list(RecordRun.objects.order_by("arrived").values_list("score", flat=True))
    assert len(records) == 3
    assert records == sorted(records, reverse=True)
    RecordRun.objects.all().delete()
    recount_all(board)
    assert list(RecordRun.objects.order_by("arrived").values_list("score", flat=True)) == records


@pytest.mark.thorough
def test_what_is_kept_as_results_come_is_what_is_found_anew(board, alice, raced):
    """A further run is worse, a last one better than all."""
    for spread, minutes in ((4.0, 50), (0.5, 60)):
        upload(board, make_team(f"Team {minutes}", alice), spread, minutes)
    kept = [set(model.objects.values_list("pk", flat=True)) for model in (BestRun, RecordRun)]
    recount_all(board)
    assert [set(model.objects.values_list("pk", flat=True)) for model in (BestRun, RecordRun)] == kept


def test_the_board_ranks_the_lowest_first(board, raced):
    edition = board.editions.first()
    ranked = [entry for entry in edition.entries if not entry["reference"]]
    assert [(entry["method"], entry["rank"]) for entry in ranked] == [("Finest", 1), ("Fine", 2)]
    assert ranked[1]["difference_to_leader"] > 0
    [baseline] = [entry["submission"] for entry in edition.entries if entry["reference"]]
    against = edition.comparison["references"][baseline]
    assert against["worse"] != against["better"]  # the baseline is told apart, and is the worse one


def test_its_page_says_so_and_sorts_the_best_first(client, board, raced):
    shown = page(client, board)
    assert "Lower is better." in shown
    assert "Mean absolute error\N{NO-BREAK SPACE}↓" in shown
    assert shown.index("Charlies") < shown.index("Alices")
    assert 'aria-sort="ascending"' in page(client, board, sort="mae")
    assert 'href="?sort=mae"' in shown
    assert 'href="?sort=-close"' in shown


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["board_pairs", "board_compare"])
def test_other_pages_of_the_board_follow(client, board, raced, name):
    shown = page(client, board, name)
    if name == "board_pairs":
        assert "is better than Alices" in shown
    else:
        assert "<bdi>Charlies</bdi> is better than <bdi>Alices</bdi>" in shown
        assert "drawn with the opposite sign" in shown


@pytest.mark.parametrize(
    ("directions", "side"),
    [((False, False), Better.RIGHT), ((True, True), Better.LEFT), ((True, False), Better.TURNED), ((), Better.RIGHT)],
)
def test_differences_turn_round_only_beside_such_of_the_other_direction(directions, side):
    drawn = [SimpleNamespace(lower_is_better=each) for each in directions]
    assert better_side(drawn) is side


def test_a_runs_page_says_better_of_a_lower_error(as_alice, board, raced):
    shown = as_alice.get(raced["again"].get_absolute_url()).content.decode()
    assert "worse, and more than chance" in shown
    assert "half of all" in shown  # what would be gained by mending
    assert "lower is better" in shown


@pytest.mark.thorough
def test_a_teams_history_stars_the_lowest(as_alice, board, raced):
    shown = as_alice.get(reverse("submissions", args=[board.phase.task.slug])).content.decode()
    best = Result.objects.get(scoring__submission=raced["fine"]).headline
    assert f"to {best:.2f}" in shown


@pytest.mark.thorough
def test_downloads_say_the_direction(client, board, raced):
    def file(suffix):
        address = reverse("board_export", args=[board.phase.task.slug, board.phase.slug, 1, suffix])
        return client.get(address).content.decode()

    assert json.loads(file("json"))["lower_is_better"] == ["mae", "rmse"]
    assert r"$\downarrow$" in file("tex")
    assert "| Mean absolute error ↓ |" in file("md")
    assert "Lower is better" in file("svg")
    rows = file("csv").splitlines()
    assert rows[0].startswith("rank,")
    assert rows[1].split(",")[5] == "Finest"


@pytest.mark.thorough
def test_organisers_choose_the_digits(client, board, raced):
    board.scenario.digits = Scenario.Digits.FOUR
    board.scenario.full_clean()
    board.scenario.save()
    error = Result.objects.get(scoring__submission=raced["finest"]).headline
    assert f"<b>{error:.4f}</b>" in page(client, board)
    board.scenario.digits = Scenario.Digits.PERCENT
    with pytest.raises(ValidationError, match="no share"):
        board.scenario.full_clean()


@pytest.mark.thorough
def test_shares_can_be_said_in_per_cent(client, scored_submission, phase, scenario):
    scenario.digits = Scenario.Digits.PERCENT
    scenario.full_clean()
    scenario.save()
    refresh(Board.objects.get(phase=phase, scenario=scenario))
    share = Result.objects.get().headline
    phase.board_audience = "everybody"
    phase.save()
    shown = client.get(reverse("board", args=[phase.task.slug, phase.slug, scenario.number])).content.decode()
    assert f"<b>{100 * share:.1f}\N{NO-BREAK SPACE}%</b>" in shown
