"""The fact sheet's fields on the upload form and in the API: asked for, checked, and stored with the run."""

import json

import pytest

from evalsite.challenges.models import FactSheet, Task
from evalsite.challenges.taking_part.own_fields import Kind, OwnField, as_row
from evalsite.submissions.models import Submission
from tests.factories import PARTLY_RIGHT, zip_upload

pytestmark = pytest.mark.django_db
PAGE, API = "/tasks/health/test/submit/", "/api/v1/tasks/health/test/submissions"
TRACK = OwnField("track", "Track", Kind.CHOICE, ("open", "closed"), is_required=True)
COST = OwnField("cost", "Cost in EUR", Kind.NUMBER)
OWN_DATA = OwnField("data", "Data of your own?", Kind.YES_NO)


@pytest.fixture
def sheet(phase):
    return FactSheet.objects.create(task=Task.objects.get(), own=[as_row(TRACK), as_row(OWN_DATA)])


def run(**fields):
    return {"files": [zip_upload(PARTLY_RIGHT)], "method": "Rules"} | fields


def test_the_form_asks_for_the_fields_and_stores_the_answers_with_the_run(as_alice, team, sheet):
    assert ">Track" in as_alice.get(PAGE).content.decode()
    answer = as_alice.post(PAGE, run(team=team.pk, **{"own-track": "open", "own-data": "no"}))
    assert answer.status_code == 302
    assert Submission.objects.get().facts == {"track": "open", "data": False}


def test_a_required_answer_that_lacks_is_asked_for_and_the_files_are_kept(as_alice, team, sheet):
    answer = as_alice.post(PAGE, run(team=team.pk))
    assert answer.status_code == 422
    assert "own-track" in answer.context["form"].errors
    assert answer.context["kept"]
    assert not Submission.objects.exists()


def test_files_are_checked_without_any_answer(as_alice, team, sheet):
    assert as_alice.post(PAGE, run(check="only")).status_code == 200


def test_the_api_tells_the_fields_and_takes_answers_by_their_texts(calling, alice, team, sheet):
    facts = calling(alice).get("/api/v1/tasks/health/test").json()["facts"]
    assert [(each["text"], each["kind"], each["is_required"]) for each in facts] == [
        ("Track", "choice", True),
        ("Data of your own?", "yes_no", False),
    ]
    answer = calling(alice).post(API, run(facts=["Track=closed", "Data of your own?=yes"]))
    assert answer.status_code == 201
    assert Submission.objects.get().facts == {"track": "closed", "data": True}


@pytest.mark.parametrize(
    ("facts", "field", "expected"),
    [
        ([], "Track", "required"),
        (["Track=ajar"], "Track", "ajar"),
        (["Trak=open"], "facts", "the fields are: Track, Data of your own?."),
        (["open"], "facts", "Write field=answer"),
    ],
)
def test_wrong_answers_are_refused_by_the_api_with_the_name_of_their_field(
    calling, alice, team, sheet, facts, field, expected
):
    answer = calling(alice).post(API, run(facts=facts))
    assert answer.status_code == 422
    assert expected in json.dumps(answer.json()["errors"][field], ensure_ascii=False)
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("1300000000", 1300000000), ("0.25", 0.25), ("-3", -3), ("1e9", 10**9), ("", None)],
)
def test_a_number_is_stored_as_one(as_alice, team, phase, typed, stored):
    FactSheet.objects.create(task=Task.objects.get(), own=[as_row(COST)])
    assert as_alice.post(PAGE, run(team=team.pk, **{"own-cost": typed})).status_code == 302
    cost = Submission.objects.get().facts["cost"]
    assert (cost, type(cost)) == (stored, type(stored))


@pytest.mark.parametrize("typed", ["cheap", "7B", "nan", "inf", "1e19", "-1e300", "1,5"])
def test_what_is_no_number_is_refused_by_page_and_api(as_alice, calling, alice, team, phase, typed):
    FactSheet.objects.create(task=Task.objects.get(), own=[as_row(COST)])
    assert as_alice.post(PAGE, run(team=team.pk, **{"own-cost": typed})).status_code == 422
    answer = calling(alice).post(API, run(facts=[f"Cost in EUR={typed}"]))
    assert answer.status_code == 422
    assert "Cost in EUR" in answer.json()["errors"]
    assert not Submission.objects.exists()
