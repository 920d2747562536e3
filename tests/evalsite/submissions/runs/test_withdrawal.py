"""A run that organisers withdrew stays withdrawn; after the phase has closed a team leaves its runs as they are."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Event, Phase
from evalsite.submissions.models import Submission
from evalsite.submissions.runs import changing
from tests.factories import make_submission, run_files, scored

REASON = "Trained on the test set."


@pytest.fixture
def withdrawn_by_organisers(scored_submission, olga):
    changing.withdraw([scored_submission], by=olga, side="organisers", reason=REASON)
    return scored_submission


@pytest.fixture
def closed(phase):
    Phase.objects.filter(pk=phase.pk).update(closes=timezone.now())
    return phase


def act(client, action, submission, **fields):
    return client.post(reverse(f"submission_{action}", args=[submission.pk]), fields)


def page_of(client, submission):
    return client.get(submission.get_absolute_url()).content.decode()


def is_withdrawn(submission):
    return Submission.objects.get(pk=submission.pk).withdrawn is not None


def test_a_team_cannot_restore_what_organisers_withdrew(as_alice, withdrawn_by_organisers):
    answer = act(as_alice, "restore", withdrawn_by_organisers)

    assert answer.status_code == 403
    assert "The organisers withdrew this run: only they can restore it." in answer.content.decode()
    assert is_withdrawn(withdrawn_by_organisers)


def test_the_page_of_a_run_says_who_withdrew_it_for_whom_and_why(as_alice, withdrawn_by_organisers):
    html = page_of(as_alice, withdrawn_by_organisers)

    assert "by Olga for the organisers" in " ".join(html.split()).replace('<bdi class="name">', "").replace(
        "</bdi>", ""
    )
    assert REASON in html
    assert reverse("submission_restore", args=[withdrawn_by_organisers.pk]) not in html


@pytest.mark.thorough
def test_who_as_what_and_why_are_stored_until_the_run_is_restored(as_olga, scored_submission, olga):
    act(as_olga, "withdraw", scored_submission, reason=REASON)

    stored = Submission.objects.get()
    assert (stored.withdrawn_by, stored.withdrawn_as, stored.withdrawn_reason) == (olga, "organisers", REASON)
    assert Event.objects.get(kind="withdrawn").detail == {"side": "organisers", "reason": REASON, "is_public": True}

    act(as_olga, "restore", scored_submission)

    stored = Submission.objects.get()
    assert (stored.withdrawn, stored.withdrawn_by, stored.withdrawn_as, stored.withdrawn_reason) == (None, None, "", "")


@pytest.mark.parametrize("reason", ["", "   ", "x" * 501])
def test_organisers_have_to_say_why(as_olga, scored_submission, reason):
    answer = act(as_olga, "withdraw", scored_submission, reason=reason)

    assert answer.status_code == 302
    assert "Not withdrawn." in page_of(as_olga, scored_submission)
    assert not is_withdrawn(scored_submission)


def test_a_team_withdraws_without_a_reason_and_restores(as_alice, scored_submission, alice):
    act(as_alice, "withdraw", scored_submission)
    stored = Submission.objects.get()
    assert (stored.withdrawn_by, stored.withdrawn_as) == (alice, "team")

    assert act(as_alice, "restore", scored_submission).status_code == 302
    assert not is_withdrawn(scored_submission)


@pytest.mark.thorough
def test_a_team_restores_a_run_twice_at_most(as_alice, scored_submission, olga):
    for _ in range(2):
        act(as_alice, "withdraw", scored_submission)
        act(as_alice, "restore", scored_submission)
    act(as_alice, "withdraw", scored_submission)
    assert "It has been restored twice" in page_of(as_alice, scored_submission)
    assert act(as_alice, "restore", scored_submission).status_code == 403
    assert is_withdrawn(scored_submission)
    as_alice.force_login(olga)
    act(as_alice, "restore", scored_submission)
    assert not is_withdrawn(scored_submission)


@pytest.mark.thorough
def test_organisers_can_make_the_withdrawal_by_a_team_their_own(as_alice, scored_submission, olga):
    act(as_alice, "withdraw", scored_submission)
    as_alice.force_login(olga)
    act(as_alice, "withdraw", scored_submission, reason=REASON)

    assert Submission.objects.get().withdrawn_as == "organisers"


@pytest.mark.thorough
def test_a_team_cannot_take_over_the_withdrawal_by_organisers(as_alice, withdrawn_by_organisers):
    act(as_alice, "withdraw", withdrawn_by_organisers)

    assert Submission.objects.get().withdrawn_as == "organisers"


@pytest.mark.parametrize("action", ["withdraw", "cancel"])
def test_after_the_phase_has_closed_a_team_takes_no_run_off_the_board(as_alice, scored_submission, closed, action):
    address = reverse(f"submission_{action}", args=[scored_submission.pk])
    assert address not in page_of(as_alice, scored_submission)

    answer = act(as_alice, action, scored_submission)

    assert answer.status_code == 403
    assert "The phase has closed" in answer.content.decode()
    assert not is_withdrawn(scored_submission)


@pytest.mark.thorough
def test_after_the_phase_has_closed_a_team_does_not_restore(as_alice, scored_submission, closed, alice):
    changing.withdraw([scored_submission], by=alice)
    assert reverse("submission_restore", args=[scored_submission.pk]) not in page_of(as_alice, scored_submission)

    assert act(as_alice, "restore", scored_submission).status_code == 403
    assert is_withdrawn(scored_submission)


def test_after_the_phase_has_closed_organisers_still_do(as_olga, scored_submission, closed):
    act(as_olga, "withdraw", scored_submission, reason=REASON)
    assert is_withdrawn(scored_submission)

    act(as_olga, "restore", scored_submission)
    assert not is_withdrawn(scored_submission)


@pytest.mark.thorough
def test_a_queued_run_is_not_cancelled_by_its_team_after_the_phase_has_closed(as_alice, submission, closed):
    assert reverse("submission_cancel", args=[submission.pk]) not in page_of(as_alice, submission)
    assert act(as_alice, "cancel", submission).status_code == 403
    assert submission.scorings.get().state == "queued"


@pytest.mark.thorough
def test_an_organiser_who_is_of_the_team_acts_as_an_organiser(as_olga, phase, team, olga, closed):
    team.memberships.create(user=olga)
    Phase.objects.update(closes=timezone.now() + timedelta(days=1))
    own = scored(make_submission(phase, team, olga, run_files()))

    act(as_olga, "withdraw", own)
    assert not is_withdrawn(own)
    act(as_olga, "withdraw", own, reason=REASON)
    assert Submission.objects.get(pk=own.pk).withdrawn_as == "organisers"
