"""The organiser's flag of the site: without it nothing is left of an organiser's rights."""

import pytest
from django.core import mail
from django.urls import reverse

from evalsite.challenges.access import Role, organised_tasks, role_of, visible_tasks
from evalsite.challenges.models import Gold
from evalsite.submissions import endings, leases
from tests.factories import make_task


@pytest.fixture
def former(client, olga, scored_submission):
    """Olga's browser, after her flag was taken; she still stands on the list of her task."""
    client.force_login(olga)
    olga.is_staff = False
    olga.save()
    return client


def test_without_the_flag_an_organiser_is_a_stranger(former, olga, task):
    assert role_of(olga, task) == Role.STRANGER
    assert not organised_tasks(olga)


def test_without_the_flag_gold_and_runs_are_closed(former, scored_submission):
    for address in (
        reverse("gold", args=[Gold.objects.get().pk]),
        reverse("submission", args=[scored_submission.pk]),
        reverse("submission_file", args=[scored_submission.pk]),
        reverse("submission_scores", args=[scored_submission.pk, 1]),
    ):
        assert former.get(address).status_code == 404, address


@pytest.mark.parametrize("name", ["submission_withdraw", "submission_restore", "submission_cancel"])
def test_without_the_flag_no_run_is_changed_by_its_address(former, scored_submission, name):
    assert former.post(reverse(name, args=[scored_submission.pk])).status_code == 404
    scored_submission.refresh_from_db()
    assert scored_submission.withdrawn is None


def test_without_the_flag_an_unpublished_task_does_not_exist(former, olga):
    hidden = make_task("hidden", olga, is_published=False)
    assert former.get(reverse("task", args=[hidden.slug])).status_code == 404
    assert hidden not in visible_tasks(olga)


@pytest.mark.parametrize("has_flag", [True, False])
def test_mails_about_failures_go_to_those_with_the_flag(olga, submission, has_flag):
    olga.is_staff = has_flag
    olga.save()
    claimed = leases.claim(submission.scorings.get().pk)
    endings.fail(claimed, "the gold is broken in line 3", final=True)
    assert [address for letter in mail.outbox for address in letter.to] == ([olga.email] if has_flag else [])


def test_the_flag_brings_the_rights_back(former, olga, task):
    olga.is_staff = True
    olga.save()
    assert role_of(olga, task) == Role.ORGANISER
    response = former.get(reverse("gold", args=[Gold.objects.get().pk]))
    response.close()
    assert response.status_code == 200
