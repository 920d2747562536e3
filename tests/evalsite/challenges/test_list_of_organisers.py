"""A task's list of organisers: who is taken off it has no rights there any more."""

import pytest
from django.core import mail
from django.urls import reverse

from evalsite.challenges.access import Role, organised_tasks, role_of, visible_tasks
from evalsite.challenges.models import Gold, Organiser
from evalsite.submissions.lifecycle import transitions
from tests.factories import make_task


@pytest.fixture
def former(client, olga, scored_submission):
    """Olga's browser, after she was taken off the list of her task; she may still create tasks."""
    client.force_login(olga)
    Organiser.objects.all().delete()
    return client


def test_off_the_list_an_organiser_is_a_stranger(former, olga, task):
    assert role_of(olga, task) == Role.STRANGER
    assert not organised_tasks(olga)


def test_off_the_list_gold_and_runs_are_closed(former, scored_submission):
    for address in (
        reverse("gold", args=[Gold.objects.get().pk]),
        reverse("submission", args=[scored_submission.pk]),
        reverse("submission_file", args=[scored_submission.pk]),
        reverse("submission_scores", args=[scored_submission.pk, 1]),
    ):
        assert former.get(address).status_code == 404, address


@pytest.mark.parametrize("name", ["submission_withdraw", "submission_restore", "submission_cancel"])
def test_off_the_list_no_run_is_changed_by_its_address(former, scored_submission, name):
    assert former.post(reverse(name, args=[scored_submission.pk])).status_code == 404
    scored_submission.refresh_from_db()
    assert scored_submission.withdrawn is None


def test_off_the_list_an_unpublished_task_does_not_exist(former, olga):
    hidden = make_task("hidden", is_published=False)
    assert former.get(reverse("task", args=[hidden.slug])).status_code == 404
    assert hidden not in visible_tasks(olga)


@pytest.mark.parametrize(("role", "is_told"), [("owner", True), ("organiser", True), ("viewer", False)])
def test_mails_about_failures_go_to_those_who_can_mend_something(olga, task, submission, role, is_told):
    Organiser.objects.update(role=role)
    claimed = transitions.claim(submission.scorings.get().pk)
    transitions.fail(claimed, "the gold is broken in line 3", final=True)
    assert [address for letter in mail.outbox for address in letter.to] == ([olga.email] if is_told else [])
