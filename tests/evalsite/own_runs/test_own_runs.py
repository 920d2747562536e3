"""Tests what a run's page says of the board, of its team's earlier runs, and of what changed since the last one."""

from datetime import timedelta

import pytest
import time_machine
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.results.runs import history
from evalsite.submissions.models import Submission
from tests.evalsite.board_pages.pages import text
from tests.factories import PARTLY_RIGHT, make_gold, make_run, make_submission, make_team, run_files, scored

pytestmark = pytest.mark.django_db

LIVE = {"hx-request": "true"}
N = 40
SENTENCES = [f"El dolor numero {number:02d}" for number in range(N)]
STARTS = [sum(len(sentence) + 1 for sentence in SENTENCES[:number]) for number in range(N)]


def found(*numbers: int, label: str = "Concept") -> dict[str, str]:
    """A run, or a gold, with one phrase in the sentences of these numbers."""
    lines = [f"{k + 1}\t{STARTS[k] + 3}\t{STARTS[k] + 8}\t{label}\tdolor" for k in numbers]
    phrases = "".join(line.replace("\t", " ", 2).replace(" ", "\t", 1) + "\n" for line in lines)
    return run_files(phrases, "", sentences="".join(f"{sentence}\n" for sentence in SENTENCES))


@pytest.fixture
def forty(phase, scenario) -> Phase:
    """The phase with a gold of forty sentences of one phrase each."""
    make_gold(phase, scenario, found(*range(N)))
    return phase


@pytest.fixture
def upload(forty, team, alice):
    def uploaded(method: str, files: dict[str, str], **fields) -> Submission:
        own = fields.pop("team", team)
        return scored(make_submission(forty, own, fields.pop("by", alice), files, method=method, **fields))

    return uploaded


@pytest.fixture
def standing(client, alice):
    """Return what the page of a run says at its head."""

    def read(run: Submission, *, made: bool = True, by=alice) -> str:
        if made:
            refresh(Board.objects.get())
        client.force_login(by)
        page = client.get(run.get_absolute_url()).content.decode()
        return text(page.partition('id="position"')[2].partition("</dl>")[0].partition(">")[2])

    return read


def test_the_first_run_has_a_place_and_nothing_to_be_measured_by(upload, standing):
    said = standing(upload("Rules", found(*range(20))))
    assert "Place 1 of 1" in said
    assert "No run is ahead of it." in said
    assert "this is the first one that was scored" in said


@pytest.mark.thorough
def test_where_the_data_leave_every_place_open_none_is_told(upload, standing, charlie):
    upload("Close by", found(*range(19)), team=make_team("Terminus", charlie), by=charlie)
    said = standing(upload("Rules", found(*range(20))))
    assert "No place yet The test does not separate it from the one other team." in said
    assert "Places 1–2" not in said


@pytest.mark.thorough
def test_until_the_board_is_made_again_the_place_is_asked_for(client, alice, upload, standing):
    run = upload("Rules", found(*range(20)))
    assert "The board is being made again" in standing(run, made=False)
    address = reverse("run_place", args=[run.pk, 1])
    assert f'hx-get="{address}"' in client.get(run.get_absolute_url()).content.decode()
    waiting = client.get(address, headers=LIVE)
    assert (waiting.status_code, waiting.content) == (204, b"")
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        assert client.get(address, headers=LIVE).status_code == 286, "asking again and again helps nobody"
    refresh(Board.objects.get())
    part = client.get(address, headers=LIVE).content.decode()
    assert "Place 1 of 1" in text(part)
    assert "hx-get" not in part


@pytest.mark.thorough
def test_a_run_that_the_board_has_awaits_no_later_results(upload, standing, client, alice):
    run = upload("Rules", found(*range(20)))
    standing(run)
    Board.objects.update(wanted=F("wanted") + 1, refreshed=timezone.now() + timedelta(seconds=2))
    assert "Place 1 of 1" in standing(run, made=False)
    assert client.get(reverse("run_place", args=[run.pk, 1]), headers=LIVE).status_code == 200


def test_a_step_that_is_more_than_chance_is_called_so(upload, standing):
    upload("Rules", found(*range(10)))
    upload("Worse rules", found(*range(5)))
    # F1 is 2 · 10 / 50 of the best run before, and 2 · 36 / 76 now.
    said = standing(upload("Network", found(*range(36))))
    assert "+0.55 [+" in said
    assert "better, and more than chance · Rules · Compare" in said


@pytest.mark.thorough
def test_a_small_step_could_be_chance_and_a_fall_is_called_worse(upload, standing):
    upload("Rules", found(*range(30)))
    assert "could be chance · Rules" in standing(upload("One more", found(*range(31))))
    said = standing(upload("Half", found(*range(12))))
    assert "worse, and more than chance · One more" in said
    assert "The team is on the board with One more : 0.873, place 1 of 1." in said


@pytest.mark.thorough
def test_the_distance_to_the_leader_stands_beside_it(upload, standing, charlie):
    own = upload("Rules", found(*range(20)))
    worse = upload("Few rules", found(*range(10)))
    upload("Network", found(*range(38)), team=make_team("Terminus", charlie), by=charlie)
    said = standing(own)
    assert "Place 2 of 2" in said
    assert "To the leader −0.31 [−" in said
    assert said.endswith("Terminus")
    assert "To the leader −0.57 Terminus" in standing(worse, made=False), "it is no entry, and so not tested"


@pytest.mark.thorough
def test_with_too_few_sentences_a_step_is_not_tested(standing, phase, team, scored_submission):
    said = standing(make_run(phase, team, run_files()))
    assert "+0.50" in said
    assert "not tested" in said


@pytest.mark.thorough
def test_equal_runs_have_the_same_score(upload, standing):
    upload("Rules", found(*range(20)))
    assert "0.000 the same score" in standing(upload("Rules again", found(*range(20)) | {"README.md": "again"}))


def test_where_the_board_is_hidden_the_own_step_is_told_and_no_place(upload, standing, forty):
    Phase.objects.filter(pk=forty.pk).update(board_audience=Phase.Audience.ORGANISERS)
    upload("Rules", found(*range(10)))
    said = standing(upload("Network", found(*range(36))))
    assert "You will see its place when the organisers show you the board." in said
    assert "better, and more than chance" in said
    assert "Place 1" not in said


def test_where_scores_are_kept_back_nothing_is_said(as_alice, upload, forty):
    Phase.objects.filter(pk=forty.pk).update(shows_scores=False)
    upload("Rules", found(*range(10)))
    run = upload("Network", found(*range(36)))
    page = as_alice.get(run.get_absolute_url()).content.decode()
    assert 'id="position"' not in page
    assert "What changed" not in page
    refresh(Board.objects.get())
    assert as_alice.get(reverse("run_place", args=[run.pk, 1]), headers=LIVE).status_code == 404


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"reference": "baseline"}, "It is outside the ranks."),
        ({"withdrawn_as": "team"}, "It is withdrawn, so it is not on any board."),
    ],
)
def test_runs_without_a_place_say_why(upload, standing, fields, words):
    run = upload("Rules", found(*range(10)))
    withdrawn = {"withdrawn": run.created} if "withdrawn_as" in fields else {}
    Submission.objects.filter(pk=run.pk).update(**fields, **withdrawn)
    assert words in standing(run)


@pytest.mark.thorough
def test_the_open_gold_itself_stands_outside_the_ranks(upload, standing, forty):
    Phase.objects.filter(pk=forty.pk).update(gold_released=True)
    forty.refresh_from_db()
    assert "is shown as the gold itself" in standing(upload("Gold", found(*range(N))))


def changes(client, run: Submission) -> str:
    page = client.get(run.get_absolute_url()).content.decode()
    return page.partition("What changed since the last run")[2].partition("</details>")[0]


def test_on_hidden_gold_labels_are_told_and_no_sentence(as_alice, upload):
    upload("Rules", found(*range(10)))
    run = upload("Network", found(*range(20)))
    Phase.objects.update(closes=timezone.now())  # while uploads come, F by label would tell how they are labelled
    said = changes(as_alice, run)
    assert "Concept +0.267 (0.400 → 0.667)" in text(said)
    assert "sentence" not in said
    assert "/units/" not in said


@pytest.mark.thorough
def test_on_open_gold_sentences_that_are_better_and_worse_lead_to_their_pages(as_alice, upload, forty):
    Phase.objects.filter(pk=forty.pk).update(gold_released=True)
    upload("Rules", found(*range(10)))
    run = upload("Other rules", found(*range(8), 30))
    said = changes(as_alice, run)
    assert "Of the sentences, 1 are better than before, 2 worse and 37 alike." in text(said)
    assert "1 became entirely right, 2 no longer are." in text(said)
    for sentence in ("sentence 9", "sentence 10", "sentence 31"):
        assert f'href="{reverse("submission_unit", args=[run.pk, 1, sentence])}"' in said
    assert "No longer right" in text(said)
    assert "0.000 → 1.000" not in text(said), "each sentence is right or wrong, as its list says"


def test_another_team_s_runs_are_no_runs_before(as_alice, upload, charlie):
    upload("Network", found(*range(30)), team=make_team("Terminus", charlie), by=charlie)
    run = upload("Rules", found(*range(10)))
    assert "What changed" not in as_alice.get(run.get_absolute_url()).content.decode()


@pytest.mark.thorough
def test_a_run_costs_the_same_queries_after_many(as_alice, upload, django_assert_max_num_queries):
    for number in range(6):
        run = upload(f"Rules {number}", found(*range(10 + number)))
    refresh(Board.objects.get())
    with django_assert_max_num_queries(45) as few:
        as_alice.get(run.get_absolute_url())
    for number in range(6):
        run = upload(f"More rules {number}", found(*range(20 + number)))
    refresh(Board.objects.get())
    with django_assert_max_num_queries(len(few)):
        as_alice.get(run.get_absolute_url())


@pytest.mark.thorough
def test_the_list_marks_the_best_run_and_the_one_on_the_board(as_alice, bob, task, upload):
    upload("Rules", found(*range(20)))
    upload("Network", found(*range(30)), by=bob)
    upload("Broken network", found(*range(5)))
    refresh(Board.objects.get())
    page = as_alice.get(reverse("submissions", args=[task.slug])).content.decode()
    rows = [text(row) for row in page.split("<tr")[2:]]
    assert ["best of the team" in row for row in rows] == [False, True, False]
    assert ["on the board" in row for row in rows] == [False, True, False]
    assert "by Bob" in rows[1]
    assert "by Alice" in rows[0]


@pytest.mark.thorough
def test_on_hidden_gold_no_two_runs_are_ticked(as_alice, task, upload):
    upload("Rules", found(*range(20))), upload("Network", found(*range(30)))
    listed = as_alice.get(reverse("submissions", args=[task.slug])).content.decode()
    assert 'name="run"' not in listed
    assert "★" in listed


def test_two_ticked_runs_lead_to_their_comparison(as_alice, task, forty, upload):
    Phase.objects.filter(pk=forty.pk).update(gold_released=True)
    first, second = upload("Rules", found(*range(20))), upload("Network", found(*range(30)))
    refresh(Board.objects.get())
    listed = as_alice.get(reverse("submissions", args=[task.slug])).content.decode()
    assert f'name="run" value="{first.pk}"' in listed
    address = reverse("submissions_compare", args=[task.slug])
    answer = as_alice.get(address, {"run": [first.pk, second.pk]}, follow=True)
    assert answer.redirect_chain == [
        (f"{reverse('board_compare', args=[task.slug, forty.slug, 1])}?a={second.pk}&b={first.pk}", 302)
    ]
    assert "Network is better than Rules" in text(answer.content.decode())


@pytest.mark.thorough
@pytest.mark.parametrize("number", [0, 1, 3])
def test_any_other_number_of_ticks_is_asked_for_again(as_alice, task, upload, number):
    runs = [upload(f"Rules {k}", found(*range(k + 10))) for k in range(3)]
    address = reverse("submissions_compare", args=[task.slug])
    answer = as_alice.get(address, {"run": [*(run.pk for run in runs[:number]), "no key"]}, follow=True)
    assert answer.redirect_chain == [(reverse("submissions", args=[task.slug]), 302)]
    assert "Tick two runs to compare them." in answer.content.decode()


@pytest.mark.thorough
def test_runs_of_others_cannot_be_ticked(as_charlie, task, phase, team, scored_submission):
    other = make_run(phase, team, PARTLY_RIGHT | {"README.md": "other"})
    address = reverse("submissions_compare", args=[task.slug])
    answer = as_charlie.get(address, {"run": [scored_submission.pk, other.pk]}, follow=True)
    assert "Tick two runs" in answer.content.decode()


@pytest.mark.thorough
def test_runs_that_all_score_alike_have_no_chart(as_alice, task, upload):
    upload("Rules", found(*range(20)))
    upload("Rules again", found(*range(20)) | {"README.md": "again"})
    assert "progress-chart" not in as_alice.get(reverse("submissions", args=[task.slug])).content.decode()


def test_the_list_marks_a_run_once_the_board_has_it_and_is_kept_while_others_upload(
    as_alice, charlie, task, upload, monkeypatch
):
    address = reverse("submissions", args=[task.slug])
    upload("Rules", found(*range(20)))
    assert "on the board" not in as_alice.get(address).content.decode()
    refresh(Board.objects.get())
    assert "on the board" in as_alice.get(address).content.decode()
    upload("Close by", found(*range(19)), team=make_team("Terminus", charlie), by=charlie)
    refresh(Board.objects.get())
    monkeypatch.setattr(history, "_histories_of", None)
    assert "on the board" in as_alice.get(address).content.decode()
