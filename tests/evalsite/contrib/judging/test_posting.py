"""Runs wait for their judge, are scored by what it posts, and are never on a board with those of another one."""

import pytest
from django.test import Client
from django.urls import reverse

from evalsite.api import tokens
from evalsite.challenges.models import Event, Gold
from evalsite.leaderboard.models import Board, BoardLease
from evalsite.leaderboard.tasks import refresh_board
from evalsite.submissions.lifecycle import candidates, scorer
from evalsite.submissions.lifecycle.candidates import publish, schedule_rescoring
from evalsite.submissions.lifecycle.waiting import reap
from evalsite.submissions.models import Judgement, Result, Scoring
from tests.evalsite.contrib.judging.conftest import API, N_UNITS, listed, marks, post, upload
from tests.factories import make_gold, scored, work_off

pytestmark = pytest.mark.django_db
SECOND = {"name": "COMET", "version": "2"}


def board_of(phase):
    """The teams on the board with their scores, as it is made now."""
    BoardLease.objects.all().delete()
    for board in Board.objects.all():
        refresh_board(str(board.phase_id), str(board.scenario_id))
    edition = Board.objects.get().editions.order_by("-made").first()
    return {entry["team"]: entry["headline"] for entry in edition.entries} if edition else {}


def test_an_upload_waits_for_the_judge_and_no_worker_takes_it(runs):
    [waiting] = runs[0].scorings.all()
    assert (waiting.state, waiting.awaits_judge) == ("queued", True)
    assert scorer.score(waiting.pk) == ""
    assert reap() == []
    assert runs[0].queued == []


def test_posted_scores_make_the_result_and_name_the_judge_in_its_signature(judge, runs):
    answer = post(judge, runs[0])
    assert answer.status_code == 200, answer.content
    assert answer.json() == {
        "run": str(runs[0].pk),
        "gold": 1,
        "is_candidate": False,
        "is_same": False,
        "has_replaced": False,
    }
    result = Result.objects.get(scoring__submission=scored(runs[0]))
    assert result.headline == pytest.approx(sum(mark["score"] for mark in marks(0.6)) / N_UNITS)
    assert "|judge:COMET 1|" in result.signature
    assert Event.objects.get(kind="scores posted").detail["judge"] == "COMET 1"


@pytest.mark.thorough
def test_the_list_has_the_oldest_first_in_pages_and_a_run_leaves_it_once_it_is_scored(judge, phase, runs):
    found = listed(judge).json()
    assert [run["id"] for run in found["runs"]] == [str(run.pk) for run in runs]
    assert {name: found["runs"][0][name] for name in ("team", "sha256", "bytes", "gold")} == {
        "team": "Team Ada",
        "sha256": runs[0].sha256,
        "bytes": runs[0].size,
        "gold": 1,
    }
    first = listed(judge, limit=1).json()
    assert (len(first["runs"]), first["has_more"]) == (1, True)
    then = listed(judge, limit=1, after=first["runs"][0]["id"]).json()
    assert ([run["id"] for run in then["runs"]], then["has_more"]) == ([str(runs[1].pk)], False)
    post(judge, runs[0])
    assert [run["id"] for run in listed(judge).json()["runs"]] == [str(runs[1].pk)]


@pytest.mark.thorough
def test_the_file_comes_as_it_was_uploaded(judge, runs):
    answer = judge.get(f"{API}/runs/{runs[0].pk}/file")
    with runs[0].file.open() as file:
        assert b"".join(answer.streaming_content) == file.read()


def test_the_same_scores_once_more_change_nothing(judge, runs):
    post(judge, runs[0])
    scored(runs[0])
    again = post(judge, runs[0], scores=marks(0.6)[::-1])
    assert (again.status_code, again.json()["is_same"]) == (200, True)
    assert Judgement.objects.count() == Result.objects.count() == 1


def test_other_numbers_of_the_same_version_are_refused_unless_they_are_to_replace(judge, runs):
    post(judge, runs[0])
    scored(runs[0])
    other = post(judge, runs[0], 0.7)
    assert other.status_code == 409
    assert "COMET 1 has scored this run already, with other numbers." in other.json()["detail"]
    assert Result.objects.get().headline == pytest.approx(0.6, abs=0.01)
    replaced = post(judge, runs[0], 0.7, replace=True)
    assert (replaced.status_code, replaced.json()["has_replaced"]) == (200, True)
    scored(runs[0])
    assert Result.objects.get().headline == pytest.approx(0.7, abs=0.01)
    assert Event.objects.filter(kind="scores replaced").exists()


def test_every_problem_is_told_at_once_with_its_place_and_nothing_is_stored(judge, runs):
    scores = marks(0.5)
    scores[3]["score"] = 1.5  # out of range
    scores[4]["unit"] = "x1"  # unknown, so u4 is missing
    scores[6]["unit"] = "u5"  # twice, so u6 is missing
    answer = post(judge, runs[0], scores=scores)
    assert answer.status_code == 422
    told = {(each["place"], each["message"].partition(" (")[0]) for each in answer.json()["problems"]}
    assert ("scores[3]", "score 1.5 lies outside 0..1") in told
    assert any(place == "scores[4]" and "'x1'" in message for place, message in told)
    assert any(place == "scores[6]" and "'u5'" in message for place, message in told)
    assert any(place == "scores" and message == "2 units are missing: u4, u6" for place, message in told)
    assert not Judgement.objects.exists()
    assert Scoring.objects.filter(awaits_judge=False).count() == 0


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("content", "place", "words"),
    [
        (b"{", "line 1, column 2", "not JSON"),
        (b"[]", "", "An object is needed"),
        (b'{"run": 1, "run": 2}', "", "is there twice"),
        (b'{"scores": [{"unit": "u1", "score": NaN}]}', "", "NaN is not a JSON number"),
        (b'{"scores": [{"unit": "u1", "score": 1e999}]}', "scores[0].score", "A finite number"),
        (b'{"scores": [{"unit": "u1", "score": true}]}', "scores[0].score", "A finite number"),
        (b'{"scores": [{"unit": "u1", "mark": 1}]}', "scores[0].mark", "unknown"),
        (b'{"scores": [{"unit": "u\\n1", "score": 1}]}', "scores[0].unit", "control characters"),
        (b'{"scores": []}', "scores", "A list of objects with unit and score is needed"),
        (b'{"judge": {"name": " COMET", "version": ""}}', "judge.version", "A text"),
        (b'{"run": "me"}', "run", "The ID of a run"),
        (b"\xff", "", "not UTF-8"),
        (b"[" * 100_000, "", "nested too deeply"),
    ],
)
def test_what_is_no_post_is_refused_at_its_place(judge, content, place, words):
    answer = judge.post(f"{API}/scores", content, content_type="application/json")
    assert answer.status_code == 422
    assert any(each["place"] == place and words in each["message"] for each in answer.json()["problems"])


def test_a_new_version_is_a_candidate_that_the_board_shows_only_once_all_is_published(judge, phase, runs):
    for run, quality in zip(runs, (0.7, 0.5), strict=True):
        post(judge, run, quality)
        scored(run)
    before = board_of(phase)
    assert sorted(before.values()) == pytest.approx([0.5, 0.7], abs=0.01)
    assert [run["gold"] for run in listed(judge, "2").json()["runs"]] == [None, None]
    answer = post(judge, runs[0], 0.2, judge=SECOND)
    assert answer.json() | {"run": ""} == {
        "run": "",
        "gold": 2,
        "is_candidate": True,
        "is_same": False,
        "has_replaced": False,
    }
    work_off()
    scored(runs[0])
    work_off()
    assert board_of(phase) == before
    candidate = Gold.objects.get(version=2)
    progress = candidates.progress_of(candidate)
    assert (progress.n_runs, progress.n_ended, progress.n_unjudged) == (2, 1, 1)
    with pytest.raises(candidates.NotReady):
        publish(candidate, by=None)
    assert [run["id"] for run in listed(judge, "2").json()["runs"]] == [str(runs[1].pk)]
    post(judge, runs[1], 0.9, judge=SECOND)
    scored(runs[1])
    publish(candidate, by=None)
    assert sorted(board_of(phase).values()) == pytest.approx([0.2, 0.9], abs=0.01)
    counting = Result.objects.counting().filter(scoring__gold=candidate)
    assert {result.signature.partition("|judge:")[2].partition("|")[0] for result in counting} == {"COMET 2"}


@pytest.mark.thorough
def test_the_preview_counts_a_run_that_only_the_new_judge_has_scored(judge, olga, client, phase, runs):
    post(judge, runs[0], 0.7)
    scored(runs[0])
    post(judge, runs[0], 0.2, judge=SECOND)
    work_off()
    scored(runs[0])
    work_off()
    client.force_login(olga)
    page = client.get(reverse("desk_gold_version", args=["summaries", Gold.objects.get(version=2).pk]))
    assert "COMET 2" in page.content.decode()


def test_a_judge_that_was_replaced_does_not_come_back(judge, phase, runs):
    post(judge, runs[0])
    scored(runs[0])
    post(judge, runs[0], 0.2, judge=SECOND)
    scored(runs[0])
    third = post(judge, runs[0], judge={"name": "COMET", "version": "3"})
    assert third.status_code == 409
    assert "Version 2 of the gold is a candidate, with scores of COMET 2." in third.json()["detail"]
    post(judge, runs[1], 0.3, judge=SECOND)
    scored(runs[1])
    publish(Gold.objects.get(version=2), by=None)
    former = post(judge, runs[1])
    assert former.status_code == 409
    assert "COMET 1 was replaced or discarded here" in former.json()["detail"]
    assert listed(judge).status_code == 409


@pytest.mark.thorough
def test_an_upload_beside_a_candidate_waits_for_both_judges(judge, phase, runs):
    post(judge, runs[0])
    scored(runs[0])
    post(judge, runs[0], 0.2, judge=SECOND)
    late = upload(phase, "Cy")
    assert late.scorings.filter(awaits_judge=True).count() == 2
    post(judge, late, 0.3, judge=SECOND)
    assert late.scorings.get(awaits_judge=True).gold.version == 1


@pytest.mark.thorough
def test_gold_with_other_units_is_judged_anew_by_the_same_judge(judge, scenario, phase, runs):
    post(judge, runs[0])
    scored(runs[0])
    make_gold(phase, scenario, {"units.csv": "unit\n" + "".join(f"u{k}\n" for k in range(N_UNITS + 1))})
    work_off()
    found = listed(judge).json()
    assert (found["golds"], [run["id"] for run in found["runs"]]) == ([1, 2], [str(runs[1].pk)])
    assert [run["id"] for run in listed(judge, gold=2).json()["runs"]] == [str(run.pk) for run in runs]
    more = [*marks(0.6), {"unit": f"u{N_UNITS}", "score": 0.1}]
    answer = post(judge, runs[0], scores=more, gold=2)
    assert answer.json()["gold"] == 2, answer.content


@pytest.mark.thorough
def test_a_run_that_was_withdrawn_before_it_was_scored_is_no_longer_judged(judge, client, runs):
    client.force_login(runs[0].uploader)
    client.post(reverse("submission_cancel", args=[runs[0].pk]))
    assert runs[0].scorings.get().state == "cancelled"
    assert [run["id"] for run in listed(judge).json()["runs"]] == [str(runs[1].pk)]
    assert post(judge, runs[0]).status_code == 409
    assert judge.get(f"{API}/runs/{runs[0].pk}/file").status_code == 404


@pytest.mark.thorough
def test_a_new_engine_scores_what_was_posted_and_asks_no_judge_again(judge, scenario, runs, monkeypatch):
    post(judge, runs[0])
    scored(runs[0])
    gold = Gold.objects.get()
    Gold.objects.filter(pk=gold.pk).update(engine="0.9")
    Scoring.objects.filter(state="scored").update(engine_version="0.9")
    candidates.follow_engine(Gold.objects.get(pk=gold.pk))
    schedule_rescoring(gold)
    work_off()
    assert not runs[0].scorings.filter(awaits_judge=True).exists()


def test_a_token_of_the_task_opens_nothing_else(judge, judging, olga, calling_organiser, runs):
    assert judge.get("/api/v1/me").status_code == 403
    assert judge.get(f"/api/v1/submissions/{runs[0].pk}").status_code == 403
    assert judge.get("/api/v1/judge/another/test/runs", {"scenario": 1, "name": "a", "version": "1"}).status_code == 404
    assert judge.get(f"{API}/gold", {"scenario": 1}).status_code == 403
    reading = judging("judge gold").get(f"{API}/gold", {"scenario": 1})
    assert reading.status_code == 200
    assert b"".join(reading.streaming_content)
    assert listed(calling_organiser).status_code == 403


@pytest.fixture
def calling_organiser(olga):
    _, text = tokens.make(olga, "mine", "read upload organise", None)
    return Client(headers={"Authorization": f"Bearer {text}"})


@pytest.mark.thorough
def test_it_works_as_long_as_its_maker_owns_the_task(judge, olga, scenario, runs):
    olga.organiser_rows.update(role="organiser")
    answer = post(judge, runs[0])
    assert answer.status_code == 403
    assert "no longer owns the task" in answer.json()["detail"]
