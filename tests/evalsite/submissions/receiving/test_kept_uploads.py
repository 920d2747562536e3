"""Files that were not taken are kept for an hour, for their owner alone; odd ones are asked back about."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from django.conf import settings as site
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Phase
from evalsite.submissions.models import KeptUpload, Submission
from evalsite.submissions.receiving import kept_uploads
from evalsite.submissions.tasks import drop_expired
from evalsite.submissions.uploads import as_upload
from tests.factories import (
    PARTLY_RIGHT,
    PHRASES,
    make_gold,
    make_phase,
    make_scenario,
    make_user,
    run_files,
    zip_upload,
)

pytestmark = pytest.mark.django_db

BROKEN = run_files(PHRASES.replace("\t", " "))
ODD = run_files(PHRASES.replace("Concept", "concept"))


@pytest.fixture
def send(as_alice, phase, team):
    """The answer to the upload form, sent by alice with these files or with what is kept."""

    def send(files=None, to: Phase = phase, by=as_alice, **fields):
        values = {"team": str(team.pk), "method": "Rules"} | fields
        if files is not None:
            values["files"] = zip_upload(files)
        return by.post(reverse("submit", args=[to.task.slug, to.slug]), values)

    return send


def text_of(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", unescape(response.content.decode())).split())


def files_kept() -> list[Path]:
    return [path for path in Path(site.MEDIA_ROOT, "kept").rglob("*") if path.is_file()]


def stored() -> bytes:
    return Path(Submission.objects.get().file.path).read_bytes()


def token() -> str:
    return str(KeptUpload.objects.get().pk)


def test_nothing_is_queued_where_something_looks_odd_and_the_page_asks_back(send, phase):
    Phase.objects.filter(pk=phase.pk).update(total_limit=5)
    response = send(ODD)
    assert response.status_code == 200
    assert "did you mean Concept?" in text_of(response)
    assert "Score it anyway (uses 1 of 5)" in text_of(response)
    assert "Choose other files" in text_of(response)
    assert not Submission.objects.exists()


@pytest.mark.thorough
@pytest.mark.parametrize("is_open", [True, False])
def test_rows_that_slipped_are_asked_about_where_everybody_may_read_the_gold(send, phase, scenario, is_open):
    Phase.objects.filter(pk=phase.pk).update(gold_released=is_open)
    phase.golds.all().delete()
    scenario.delete()
    labels = "AABABBBABAABBABAAABBABABBBAABABA"
    heading, rows = "id,label", [f"d{number:02},{label}" for number, label in enumerate(labels)]
    made = make_scenario(phase.task, family="labels", options={})
    make_gold(phase, made, {"gold.csv": "\n".join([heading, *rows])})
    slipped = [f"d{number:02},{label}" for number, label in enumerate(labels[-1] + labels[:-1])]
    response = send({"run.csv": "\n".join([heading, *slipped])})
    assert ("if all stands 1 item earlier" in text_of(response)) == is_open
    assert Submission.objects.exists() != is_open


def test_what_was_asked_about_is_scored_anyway_without_being_sent_again(send, django_capture_on_commit_callbacks):
    send(ODD)
    assert len(files_kept()) == 1
    with django_capture_on_commit_callbacks(execute=True):
        response = send(kept=token(), anyway="yes")
    assert response.status_code == 302
    submission = Submission.objects.get()
    assert submission.file_name == "run.zip"
    assert stored() == zip_upload(ODD).read()
    assert not KeptUpload.objects.exists()
    assert files_kept() == []


def test_where_nothing_is_odd_the_page_goes_straight_on_and_keeps_nothing(send):
    assert send(PARTLY_RIGHT).status_code == 302
    assert not KeptUpload.objects.exists()


@pytest.mark.thorough
def test_other_files_take_the_place_of_those_that_were_asked_about(send):
    send(ODD)
    assert send(PARTLY_RIGHT, kept=token()).status_code == 302
    assert stored() == zip_upload(PARTLY_RIGHT).read()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("files", "fields", "mended"),
    [
        (PARTLY_RIGHT, {"method": ""}, {}),
        (PARTLY_RIGHT, {"team": ""}, {}),
        (PARTLY_RIGHT, {"check": "only"}, {}),
        (ODD, {}, {"anyway": "yes"}),
    ],
    ids=["no name", "no team", "only checked", "odd"],
)
def test_files_need_not_be_chosen_again(send, files, fields, mended):
    response = send(files, **fields)
    assert "already here, and kept until" in text_of(response)
    assert f'name="kept" value="{token()}"' in response.content.decode()
    assert send(kept=token(), **mended).status_code == 302


def test_refused_files_are_kept_with_their_names(as_alice, send, phase, team, alice):
    response = as_alice.post(
        reverse("submit", args=[phase.task.slug, phase.slug]),
        {"team": str(team.pk), "method": "Rules", "files": [zip_upload(BROKEN, "a.zip"), zip_upload(BROKEN, "b.zip")]},
    )
    assert response.status_code == 422
    assert "a.zip and 1 more file , " in text_of(response)


@pytest.mark.thorough
def test_files_of_another_phase_go_there_by_one_link(as_alice, send, phase, task, scenario):
    other = make_phase(task, "development")
    make_gold(other, scenario)
    send(BROKEN)
    page = as_alice.get(reverse("submit", args=[task.slug, other.slug]), {"kept": token()})
    assert f'name="kept" value="{token()}"' in page.content.decode()


def test_nobody_else_can_use_what_is_kept(as_charlie, send, phase, strangers):
    send(ODD)
    response = send(by=as_charlie, kept=token(), team=str(strangers.pk), anyway="yes")
    assert response.status_code == 422
    assert "have expired: choose them again" in text_of(response)
    assert not Submission.objects.exists()


def test_after_an_hour_it_is_gone_from_page_and_disk(send, django_capture_on_commit_callbacks):
    send(ODD)
    named = token()
    KeptUpload.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert "have expired: choose them again" in text_of(send(kept=named, anyway="yes"))
    with django_capture_on_commit_callbacks(execute=True):
        drop_expired()
    assert not KeptUpload.objects.exists()
    assert files_kept() == []


@pytest.mark.thorough
def test_what_is_kept_of_a_person_is_bounded_and_the_oldest_goes_first(phase, alice, settings):
    settings.MAX_KEPT_BYTES = 3 * zip_upload(PARTLY_RIGHT).size
    for number in range(5):
        with as_upload([zip_upload({"a.txt": str(number) * 50}, f"{number}.zip")]) as upload:
            assert kept_uploads.keep(alice, phase, upload)
    names = [kept.name for kept in KeptUpload.objects.order_by("expires")]
    assert names[-1] == "4.zip"
    assert sum(kept.size for kept in KeptUpload.objects.all()) <= settings.MAX_KEPT_BYTES


@pytest.mark.thorough
def test_nothing_is_kept_where_the_disk_would_get_too_full_and_the_form_works_all_the_same(send, settings):
    settings.MAX_KEPT_IN_ALL_BYTES = 10
    response = send(ODD)
    assert response.status_code == 200
    assert "did you mean Concept?" in text_of(response)
    assert "Score it anyway" not in text_of(response)
    assert not KeptUpload.objects.exists()


@pytest.mark.thorough
def test_the_same_files_are_kept_once(send):
    send(BROKEN)
    send(BROKEN)
    assert KeptUpload.objects.count() == 1


@pytest.mark.thorough
def test_with_an_account_its_files_go(phase, django_capture_on_commit_callbacks):
    gone = make_user("Gone")
    with as_upload([zip_upload(ODD)]) as upload:
        kept_uploads.keep(gone, phase, upload)
    with django_capture_on_commit_callbacks(execute=True):
        gone.delete()
    assert files_kept() == []
