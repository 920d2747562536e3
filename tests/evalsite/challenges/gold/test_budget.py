"""How much teams are told of a run while the gold is hidden: as much as leaves half of the gold unread."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.gold.budget import budget_of, detail_of
from evalsite.challenges.gold.checks import measure_golds
from evalsite.challenges.gold.parts import at_random, split_gold, units_of
from evalsite.challenges.models import Gold, Phase, Task
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import Submission
from scoring.budget import Detail
from tests.evalsite.board_pages.pages import text
from tests.factories import make_gold, make_phase, make_run, make_scenario, make_task, make_team

pytestmark = pytest.mark.django_db
N = 400


def files(shift=0):
    rows = "".join(f"m{k},{'ABCD'[(k + (shift and not k % shift)) % 4]}\n" for k in range(N))
    return {"run.csv": f"id,label\n{rows}"}


@pytest.fixture
def scenario():
    return make_scenario(
        make_task("hidden"), family="labels", options={"task": "single"}, shown_scores=["accuracy", "macro_f1"]
    )


def phase_with_gold(scenario, slug="test", **fields):
    phase = make_phase(scenario.task, slug, **({"detail": "automatic", "total_limit": 3} | fields))
    make_gold(phase, scenario, files())
    return phase


def detail(phase):
    return detail_of(Phase.objects.get(pk=phase.pk))


def test_few_uploads_leave_room_for_tables_more_for_scores_and_many_for_the_headline_alone(scenario):
    phase = phase_with_gold(scenario)
    levels = []
    for limit in (3, 10, 10_000, None):
        Phase.objects.update(total_limit=limit)
        levels.append(detail(phase))
    assert levels == [Detail.TABLES, Detail.SCORES, Detail.HEADLINE, Detail.HEADLINE]


def test_a_window_limits_uploads_in_all_where_the_phase_closes(scenario):
    opens = timezone.now() - timedelta(hours=1)
    phase = phase_with_gold(scenario, total_limit=None, window_limit=1, opens=opens, closes=opens + timedelta(days=2))
    assert Phase.objects.get().most_uploads == 3
    assert detail(phase) is Detail.TABLES
    Phase.objects.update(closes=None)
    assert Phase.objects.get().most_uploads is None
    assert detail(phase) is Detail.HEADLINE


def test_a_year_limits_uploads_in_all_where_the_phase_closes(scenario):
    opens = timezone.now()
    phase = phase_with_gold(
        scenario, total_limit=None, year_limit=2, year="rolling", opens=opens, closes=opens + timedelta(days=400)
    )
    assert Phase.objects.get(pk=phase.pk).most_uploads == 4


def test_once_no_phase_takes_uploads_everything_is_told(scenario):
    phase = phase_with_gold(scenario, total_limit=None)
    Phase.objects.update(closes=timezone.now() - timedelta(minutes=1))
    assert detail(phase) is None
    Phase.objects.update(late_until=timezone.now() + timedelta(days=1))
    assert detail(phase) is Detail.HEADLINE


def test_released_gold_is_not_hidden(scenario):
    assert detail(phase_with_gold(scenario, total_limit=None, gold_released=True)) is None


def test_an_open_phase_with_the_same_gold_hides_that_of_a_closed_one_and_both_are_added_up(scenario):
    closed = phase_with_gold(scenario, opens=timezone.now() - timedelta(days=3), total_limit=5)
    Phase.objects.update(closes=timezone.now() - timedelta(days=1))
    after = phase_with_gold(scenario, "after", total_limit=5)
    assert detail(closed) is detail(after) is Detail.SCORES  # 5 uploads of each may ask the same items
    Phase.objects.filter(pk=after.pk).update(total_limit=1)
    assert detail(closed) is detail(after) is Detail.TABLES


def test_the_same_gold_of_another_public_task_counts_and_of_a_draft_does_not(scenario):
    phase = phase_with_gold(scenario)
    other = make_scenario(make_task("other"), family="labels", options={"task": "single"})
    phase_with_gold(other, total_limit=None)
    assert detail(phase) is Detail.HEADLINE
    Phase.objects.filter(pk=phase.pk).update(opens=timezone.now() - timedelta(days=3), closes=timezone.now())
    assert detail(phase) is Detail.HEADLINE
    Task.objects.filter(slug="other").update(is_published=False)
    assert detail(phase) is None


def test_the_golds_of_a_phase_are_kept_until_another_task_has_the_same(scenario, django_assert_num_queries):
    phase = phase_with_gold(scenario)
    row = Phase.objects.select_related("task").get(pk=phase.pk)
    assert detail_of(row) is Detail.TABLES
    row = Phase.objects.select_related("task").get(pk=phase.pk)
    with django_assert_num_queries(0):
        assert detail_of(row) is Detail.TABLES
    other = make_scenario(make_task("other"), family="labels", options={"task": "single"})
    phase_with_gold(other, total_limit=None)
    assert detail(phase) is Detail.HEADLINE


def test_splitting_the_gold_buys_the_tables_back(scenario, olga):
    phase = phase_with_gold(scenario, total_limit=None)
    gold = Gold.objects.get()
    split_gold(gold, at_random(units_of(gold), 50, 1), by=olga)
    assert detail(phase) is Detail.TABLES


def test_organisers_may_tell_less_or_more(scenario):
    phase = phase_with_gold(scenario)
    Phase.objects.update(detail="headline")
    assert detail(phase) is Detail.HEADLINE
    Phase.objects.update(detail="tables", total_limit=None)
    assert detail(phase) is Detail.TABLES


def test_gold_of_before_it_was_measured_tells_the_headline_until_it_is(scenario):
    phase = phase_with_gold(scenario)
    size = Gold.objects.get().size
    Gold.objects.update(size=None)
    assert detail(phase) is Detail.HEADLINE
    assert measure_golds() == 1
    assert Gold.objects.get().size == size
    assert detail(phase) is Detail.TABLES


def test_the_level_of_a_phase_is_few_queries_however_often_it_is_asked(scenario, django_assert_num_queries):
    phase = phase_with_gold(scenario)
    phase_with_gold(scenario, "after", total_limit=8)
    phase = Phase.objects.select_related("task").get(pk=phase.pk)
    with django_assert_num_queries(2):  # its golds, and the same elsewhere
        assert {detail_of(phase) for _ in range(3)} == {Detail.SCORES}


@pytest.mark.parametrize(
    ("level", "told", "withheld"),
    [
        ("tables", ["Label by label", "Macro F1", "Accuracy"], []),
        ("scores", ["Macro F1", "Accuracy"], ["Label by label", "taken for which", "Where the points are"]),
        ("headline", ["Macro F1"], ["Accuracy", "Label by label", "taken for which", "Where the points are"]),
    ],
)
def test_page_files_and_board_tell_no_more_than_the_level(scenario, as_alice, alice, level, told, withheld):
    phase = phase_with_gold(scenario, detail=level)
    team = make_team("Alice", alice)
    first, run = (make_run(phase, team, files(shift), method=f"{shift}") for shift in (3, 5))
    refresh(Board.objects.get())
    page = text(as_alice.get(run.get_absolute_url()).content.decode())
    assert [word for word in told if word not in page] == []
    assert [word for word in withheld if word in page] == []
    scores = json.loads(as_alice.get(reverse("submission_scores", args=[run.pk, 1])).content)
    assert set(scores["scores"]) == ({"macro_f1"} if level == "headline" else {"macro_f1", "accuracy"})
    assert ("correct" in scores["counts"]) == (level == "tables")
    assert scores["counts"]["items"] == N
    board = as_alice.get(reverse("board", args=["hidden", "test", 1])).content.decode()
    assert ("Accuracy" in board) == (level != "headline")
    compared = as_alice.get(
        reverse("board_compare", args=["hidden", "test", 1]), {"a": str(run.pk), "b": str(first.pk)}
    ).content.decode()
    assert ("Accuracy" in compared.partition("<main")[2]) == (level != "headline")
    exported = as_alice.get(reverse("submission_export", args=[run.pk, 1, "labels.csv"]))
    assert exported.status_code == (200 if level == "tables" else 404)
    assert Submission.objects.count() == 2


def test_the_desk_says_what_uploads_may_read_and_the_page_of_the_task_what_teams_are_told(
    scenario, as_olga, olga, client
):
    phase_with_gold(scenario, total_limit=30)
    scenario.task.organiser_rows.create(user=olga, role="owner")
    page = text(as_olga.get(reverse("desk_phases_one", args=["hidden", "test"])).content.decode())
    [gold] = budget_of(Phase.objects.get()).golds
    told, holds = round(gold.bits_told(Detail.HEADLINE)), round(gold.holds)
    assert f"30 uploads can reveal {told} of the {holds} bits of the gold." in page
    assert "Teams now see: the score that ranks." in page
    public = text(client.get(reverse("task", args=["hidden"])).content.decode())
    assert "For each run you see only the score that ranks:" in public
