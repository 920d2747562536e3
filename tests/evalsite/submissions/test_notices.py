"""Those who take part are told what happens to their phases and runs, each once and if they want it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from evalsite.background.models import Job
from evalsite.challenges import services
from evalsite.mailing.models import Delivery, Kind, Letter
from evalsite.mailing.switches import switch
from evalsite.submissions.lifecycle import candidates
from evalsite.submissions.models import Scoring
from evalsite.submissions.notices import _WORDS, RETENTION, post_due
from evalsite.submissions.runs.changing import Side, withdraw
from evalsite.wording import utc
from tests.factories import (
    PARTLY_RIGHT_PHRASES,
    make_gold,
    make_run,
    make_submission,
    run_files,
    scored,
    work_off,
)
from tests.forgotten import assert_all_are_listed

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)
NOT_BY_THE_CLOCK = {Kind.LETTER, Kind.GOLD, Kind.SCORED, Kind.REFUSED, Kind.WITHDRAWN, Kind.WAITING}


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def entered(phase, scenario, team, strangers, now):
    """A phase of last week, in which alice and bob have a run and charlie has entered without any."""
    make_run(phase, team)
    phase.task.participations.create(team=strangers, number=2)
    phase.opens, phase.closes = now - timedelta(days=7), now + timedelta(days=7)
    phase.save()
    phase.former_closings = []
    type(phase).objects.update(former_closings=[])
    Letter.objects.all().delete()
    return phase


def readers(kind: str) -> list[str]:
    addresses = Delivery.objects.filter(letter__kind=kind).values_list("email", flat=True)
    return sorted(address.partition("@")[0] for address in addresses)


def kinds() -> set[str]:
    return set(Letter.objects.values_list("kind", flat=True))


def text_for(user) -> str:
    copy = Delivery.objects.get(user=user)
    return f"{copy.subject}\n{copy.text}"


def changed(phase, **values):
    for name, value in values.items():
        setattr(phase, name, value)
    phase.save()


def test_each_kind_that_the_clock_brings_has_words():
    where = (
        "say what it says in _WORDS of evalsite/submissions/notices.py, or add it to NOT_BY_THE_CLOCK; and tell of it "
        "in docs/guides/participants.md"
    )
    assert_all_are_listed({*Kind} - NOT_BY_THE_CLOCK, _WORDS, where)


def test_nothing_is_posted_while_nothing_happens(entered):
    post_due()
    assert not Letter.objects.exists()


def test_a_phase_that_opens_is_told_once_to_all_who_take_part(entered, now):
    changed(entered, opens=now - HOUR)
    for _ in range(2):
        post_due()
    assert readers("opens") == ["alice", "bob", "charlie"]


@pytest.mark.thorough
def test_who_has_nothing_in_a_phase_is_told_that_it_closes(entered, now, charlie):
    type(entered).objects.update(closes=now + HOUR)
    for _ in range(2):
        post_due()
    assert readers("closes") == ["charlie"]
    assert "none of your teams has a run in it yet" in text_for(charlie)


def test_a_deadline_that_moves_either_way_is_told_with_both_times(entered, now, alice):
    before = entered.closes
    for closes in (before + timedelta(days=2), before - timedelta(days=1)):
        Letter.objects.all().delete()
        changed(entered, closes=closes)
        for _ in range(2):
            post_due()
        assert readers("moved") == ["alice", "bob", "charlie"]
    assert f"It was: {utc(before + timedelta(days=2))}\nIt is:  {utc(before - timedelta(days=1))}" in text_for(alice)


@pytest.mark.thorough
def test_results_that_are_out_are_told_and_drafts_tell_nothing(entered, now, olga):
    services.release_results(entered, now - HOUR, by=olga)
    entered.task.is_published = False
    entered.task.save()
    post_due()
    assert kinds() == set()
    entered.task.is_published = True
    entered.task.save()
    post_due()
    assert readers("results") == ["alice", "bob", "charlie"]


def test_a_kind_that_is_switched_off_does_not_come(entered, now, bob):
    switch(bob.pk, "opens", is_on=False)
    changed(entered, opens=now - HOUR)
    post_due()
    assert readers("opens") == ["alice", "charlie"]


def test_a_scored_run_is_told_to_who_has_asked_for_it(entered, team, alice):
    assert kinds() == set()
    switch(alice.pk, "scored", is_on=True)
    run = make_run(entered, team, run_files(), method="BERT")
    assert readers("scored") == ["alice"]
    assert "Your run BERT in Test is scored." in text_for(alice)
    assert str(run.pk) in text_for(alice)


@pytest.mark.thorough
def test_a_run_that_is_refused_in_the_queue_is_told(entered, team, alice):
    broken = make_submission(entered, team, alice, run_files("1\t4 8\tConcept\tvías\n9\t999 1000\tConcept\tx\n"))
    scored(broken)
    assert Scoring.objects.get(submission=broken).state == "refused"
    assert readers("refused") == ["alice"]


def test_a_withdrawal_by_the_organisers_is_told_with_the_reason(entered, team, olga, alice, bob):
    runs = list(team.submissions.all())
    withdraw(runs, by=alice)
    assert kinds() == set()
    withdraw(runs, by=olga, side=Side.ORGANISERS, reason="Trained on the test")
    withdraw(runs, by=olga, side=Side.ORGANISERS, reason="Trained on the test")
    assert readers("withdrawn") == ["alice", "bob"]
    assert "The reason: Trained on the test" in text_for(bob)


@pytest.mark.thorough
@pytest.mark.parametrize("shows_scores", [True, False])
def test_changed_gold_is_told_with_the_scores_before_and_after_where_teams_see_theirs(
    entered, scenario, team, olga, alice, shows_scores
):
    changed(entered, shows_scores=shows_scores)
    candidate = make_gold(entered, scenario, run_files(PARTLY_RIGHT_PHRASES, ""))
    for scoring in Scoring.objects.filter(gold=candidate):
        scored(scoring.submission)
    work_off()
    for scoring in Scoring.objects.filter(gold=candidate, state="queued"):
        scored(scoring.submission)
    candidates.publish(candidate, by=olga, note="Sentence 2 was wrong.")
    assert readers("gold") == ["alice", "bob"]
    assert "Sentence 2 was wrong." in text_for(alice)
    assert ("Rules: 0." in text_for(alice)) == shows_scores


@pytest.mark.thorough
def test_notices_are_forgotten_and_letters_whose_job_has_failed_go_on(entered, now):
    changed(entered, opens=now - HOUR)
    post_due()
    Job.objects.update(state="failed")
    post_due()
    assert Job.objects.filter(kind="letter", state="queued").count() == 1
    Letter.objects.update(created=now - RETENTION - HOUR)
    changed(entered, opens=now - timedelta(days=40))
    post_due()
    assert not Letter.objects.exists()
