"""The name of a run's method, whichever way it comes in."""

import pytest
from django.urls import reverse

from evalsite.submissions.models import Submission
from evalsite.submissions.runs import changing
from tests.factories import PARTLY_RIGHT, make_submission, zip_upload

pytestmark = pytest.mark.django_db
HIDING = "Rules\N{RIGHT-TO-LEFT OVERRIDE}\n\N{HANGUL FILLER}\N{ZERO WIDTH JOINER} 2"


def upload(client, phase, team, method, **fields):
    data = {"files": [zip_upload(PARTLY_RIGHT)], "team": str(team.pk), "method": method} | fields
    return client.post(reverse("submit", args=[phase.task.slug, phase.slug]), data)


def test_what_hides_or_reorders_its_surroundings_is_taken_out_at_upload(as_alice, phase, team):
    assert upload(as_alice, phase, team, HIDING).status_code == 302
    assert Submission.objects.get().method == "Rules 2"


def test_it_is_taken_out_where_an_organiser_renames_a_run_too(as_olga, submission):
    page = reverse("desk_runs_change", args=[submission.phase.task.slug, submission.pk])
    assert as_olga.post(page, {"method": HIDING}).status_code == 302
    submission.refresh_from_db()
    assert submission.method == "Rules 2"


def test_it_is_taken_out_of_what_no_form_has_seen(phase, team, alice):
    made = make_submission(phase, team, alice, method=HIDING)
    assert made.method == "Rules 2"
    changing.rename(made, f"{HIDING}3", by=alice)
    made.refresh_from_db()
    assert made.method == "Rules 23"


@pytest.mark.parametrize("method", ["\N{HANGUL FILLER}", "---", "M" * 101, "a" + "\u0316" * 4])
def test_a_method_that_could_not_be_read_on_a_board_is_refused(as_alice, phase, team, method):
    assert upload(as_alice, phase, team, method).status_code == 422
    assert not Submission.objects.exists()


def test_a_description_is_no_book(as_alice, phase, team):
    assert upload(as_alice, phase, team, "Rules", description="x" * 5_001).status_code == 422
    assert upload(as_alice, phase, team, "Rules", description="x" * 5_000).status_code == 302
