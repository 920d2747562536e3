"""Runs are collected before there is gold, wait for it, are scored on it at once, and are mended where they have to."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models import Q
from django.utils import timezone

import scoring
from evalsite.accounts.models import User
from evalsite.challenges.gold.inputs import read_input, store_input
from evalsite.challenges.gold.services import add_gold, discard_gold
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Event, Gold, Phase
from evalsite.leaderboard.models import BestRun, Board
from evalsite.mailing.models import Delivery
from evalsite.submissions.checking.quick_check import check, is_in_order
from evalsite.submissions.lifecycle import scorer
from evalsite.submissions.lifecycle.candidates import follow_engine, publish
from evalsite.submissions.lifecycle.collecting import tell_unscorable
from evalsite.submissions.lifecycle.waiting import reap
from evalsite.submissions.models import Choice, Result, Scoring, Submission
from evalsite.submissions.precedence import ON_PUBLISHED_GOLD
from evalsite.submissions.quotas import quota
from evalsite.submissions.receiving.admission import Rejection
from evalsite.submissions.uploads import as_upload
from scoring.readers.archive import Named
from tests.factories import (
    make_phase,
    make_scenario,
    make_submission,
    make_task,
    make_team,
    make_user,
    scored,
    work_off,
    zip_upload,
)

pytestmark = pytest.mark.django_db
INPUT = {"input.csv": "id,text\n" + "".join(f"t{k},text {k}\n" for k in range(12))}
ON_PUBLISHED_SCORED = Q(scoring__gold__state=Gold.State.PUBLISHED)


def run_of(labels: str) -> dict[str, str]:
    return {"run.csv": "id,label\n" + "".join(f"t{k},{labels[k % len(labels)]}\n" for k in range(12))}


RIGHT, HALF = run_of(["pos", "neg"]), run_of(["pos"])
UNKNOWN = run_of(["pos", "neg", "positive"])


def named(tmp_path, files: dict[str, str], name: str = "input.csv") -> Named:
    path = tmp_path / name
    path.write_text(next(iter(files.values())))
    return Named(str(path), name)


@pytest.fixture
def phase(olga, tmp_path) -> Phase:
    task = make_task("opinions", olga)
    phase = make_phase(task, total_limit=3)
    scenario = make_scenario(task, family="labels", options={})
    store_input(phase, scenario, read_input(scenario, named(tmp_path, INPUT)), by=olga)
    return phase


@pytest.fixture
def scenario(phase):
    return phase.task.scenarios.get()


def upload(phase: Phase, name: str, files, method: str = "Rules") -> Submission:
    user = User.objects.filter(name=name).first() or make_user(name)
    team = user.teams.first() or make_team(f"Team {name}", user)
    return make_submission(phase, team, user, files, method=method)


def gold_comes(phase, scenario, tmp_path, files=RIGHT) -> Gold:
    path = Path(named(tmp_path, files, "gold.csv").path)
    gold = add_gold(phase, scenario, path, "gold.csv", by=None)
    while True:
        work_off()
        waiting = list(Scoring.objects.waiting())
        if not waiting:
            return gold
        for one in waiting:
            scorer.score(one.pk)


def visible(run: Submission) -> list[str]:
    """The states that its team sees."""
    return [one.state for one in run.scorings.filter(ON_PUBLISHED_GOLD).order_by("-gold__version")]


def subjects() -> list[str]:
    return list(Delivery.objects.values_list("subject", flat=True))


def close(phase: Phase) -> None:
    Phase.objects.filter(pk=phase.pk).update(closes=timezone.now() - timedelta(minutes=1))
    phase.refresh_from_db()


def test_a_run_waits_for_gold_and_no_worker_takes_it(phase):
    run = upload(phase, "Ada", HALF)
    [waiting] = run.scorings.all()
    assert (waiting.state, waiting.awaits_gold) == ("queued", True)
    assert (scorer.score(waiting.pk), reap(), run.queued) == ("", [], [])
    assert follow_engine(waiting.gold) is None
    assert quota(phase, run.team, timezone.now()).left == 2


def test_a_run_is_checked_beside_the_input_and_not_by_labels(phase, scenario):
    def problems(files):
        with as_upload([zip_upload(files)]) as sent:
            return check(phase, sent, [scenario], [scenario], describes=True)

    assert is_in_order(problems(UNKNOWN))
    assert not problems(UNKNOWN)[0].description.oddities
    [part] = problems({"run.csv": "id,label\nother,pos\n"})
    assert part.problems


def test_an_input_that_is_none_is_refused_and_one_beside_which_runs_wait_stays(phase, scenario, olga, tmp_path):
    with pytest.raises(scoring.GoldError, match="empty"):
        store_input(phase, scenario, read_input(scenario, named(tmp_path, {"input.csv": "\n"})), by=olga)
    again = store_input(phase, scenario, read_input(scenario, named(tmp_path, INPUT)), by=olga)
    assert Gold.objects.get() == again
    assert (again.version, again.n_units, again.digest) == (0, 12, "")
    upload(phase, "Ada", HALF)
    with pytest.raises(scoring.GoldError, match="Runs that were checked against its input are already waiting"):
        store_input(phase, scenario, read_input(scenario, named(tmp_path, INPUT)), by=olga)


def test_the_gold_comes_as_a_candidate_scores_all_runs_and_tells_nobody(phase, scenario, tmp_path):
    runs = [upload(phase, "Ada", HALF), upload(phase, "Bo", RIGHT)]
    gold = gold_comes(phase, scenario, tmp_path)
    assert (gold.state, gold.version) == (Gold.State.CANDIDATE, 1)
    assert Result.objects.filter(scoring__gold=gold).count() == 2
    assert [visible(run) for run in runs] == [["queued"], ["queued"]]
    assert not Delivery.objects.exists()
    assert not Result.objects.filter(ON_PUBLISHED_SCORED).exists()


def test_publishing_ends_the_waiting_and_makes_the_board(phase, scenario, olga, tmp_path):
    runs = [upload(phase, "Ada", HALF), upload(phase, "Bo", RIGHT)]
    gold = gold_comes(phase, scenario, tmp_path)
    publish(gold, by=olga)
    work_off()
    assert gold_in_force(phase, scenario) == gold
    assert [visible(run) for run in runs] == [["scored"], ["scored"]]
    assert Board.objects.filter(phase=phase, scenario=scenario).exists()
    assert subjects() == ["[Task opinions] The gold of Test was added"] * 2
    late = upload(phase, "Cy", HALF)
    assert not late.scorings.get().awaits_judge


def test_a_run_that_cannot_be_scored_is_told_when_the_organiser_says_so(phase, scenario, olga, tmp_path):
    run = upload(phase, "Ada", UNKNOWN)
    upload(phase, "Bo", HALF)
    gold = gold_comes(phase, scenario, tmp_path)
    assert visible(run) == ["queued"]
    assert tell_unscorable(gold, by=olga) == 1
    assert tell_unscorable(gold, by=olga) == 0
    assert visible(run) == ["refused"]
    assert run.scorings.get(gold__is_input=True).problems[0]["line"] == 4
    letter = Delivery.objects.get()
    assert letter.user == run.uploader
    assert "You may correct it once" in letter.text
    assert Event.objects.get(kind="unscorable runs told").detail["n"] == 1
    assert quota(phase, run.team, timezone.now()).left == 3


def test_it_is_told_at_the_latest_when_the_gold_is_published(phase, scenario, olga, tmp_path):
    run = upload(phase, "Ada", UNKNOWN)
    upload(phase, "Bo", HALF)
    publish(gold_comes(phase, scenario, tmp_path), by=olga)
    work_off()
    assert visible(run) == ["refused", "refused"]
    assert "[Task opinions] Rules cannot be scored" in subjects()


def test_it_is_mended_once_after_the_phase_has_closed_and_stands_in_its_place(phase, scenario, olga, tmp_path):
    Phase.objects.filter(pk=phase.pk).update(counts=Phase.Counts.CHOSEN)
    run = upload(phase, "Ada", UNKNOWN)
    upload(phase, "Ada", HALF, method="Other")
    Choice.objects.create(phase=phase, scenario=scenario, team=run.team, submission=run)
    close(phase)
    gold = gold_comes(phase, scenario, tmp_path)
    with pytest.raises(Rejection, match="closed"):
        upload(phase, "Ada", RIGHT)
    tell_unscorable(gold, by=olga)
    with pytest.raises(Rejection, match="closed"):
        upload(phase, "Bo", RIGHT)
    mended = upload(phase, "Ada", RIGHT)
    assert (mended.mends, mended.is_late, mended.method) == (run, False, "Rules")
    assert Choice.objects.get().submission == mended
    with pytest.raises(Rejection, match="closed"):
        upload(phase, "Ada", run_of(["neg"]))
    scored(mended)
    work_off()
    publish(gold, by=olga)
    assert visible(mended) == ["scored"]


def test_no_run_is_mended_after_its_time_or_once_the_gold_is_open(phase, scenario, olga, tmp_path):
    run = upload(phase, "Ada", UNKNOWN)
    upload(phase, "Bo", HALF)
    close(phase)
    tell_unscorable(gold_comes(phase, scenario, tmp_path), by=olga)
    Phase.objects.filter(pk=phase.pk).update(gold_released=True)
    with pytest.raises(Rejection, match="closed"):
        upload(phase, "Ada", RIGHT)
    Phase.objects.filter(pk=phase.pk).update(gold_released=False)
    Scoring.objects.filter(submission=run, gold__is_input=True).update(finished=timezone.now() - timedelta(days=8))
    with pytest.raises(Rejection, match="closed"):
        upload(phase, "Ada", RIGHT)
    Phase.objects.filter(pk=phase.pk).update(mend_days=9)
    assert upload(phase, "Ada", RIGHT).mends == run


def test_a_candidate_that_is_discarded_lets_runs_wait_again(phase, scenario, olga, tmp_path):
    run = upload(phase, "Ada", UNKNOWN)
    gold = gold_comes(phase, scenario, tmp_path)
    tell_unscorable(gold, by=olga)
    discard_gold(gold, by=olga)
    work_off()
    assert visible(run) == ["queued"]
    better = gold_comes(phase, scenario, tmp_path, UNKNOWN)
    publish(better, by=olga)
    assert visible(run) == ["scored"]


def test_a_mended_run_counts_as_the_last_one_only_where_the_other_was(phase, scenario, olga, tmp_path):
    Phase.objects.filter(pk=phase.pk).update(counts=Phase.Counts.LAST)
    run = upload(phase, "Ada", UNKNOWN)
    last = upload(phase, "Ada", HALF, method="Other")
    close(phase)
    gold = gold_comes(phase, scenario, tmp_path)
    tell_unscorable(gold, by=olga)
    assert upload(phase, "Ada", RIGHT).mends == run
    for one in Scoring.objects.waiting():
        scorer.score(one.pk)
    publish(gold, by=olga)
    assert BestRun.objects.get(gold=gold).result.scoring.submission == last
