"""Page and API take uploads by one service: the same rules, the same words."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts import rates
from evalsite.accounts.rates import counted
from evalsite.api import tokens
from evalsite.challenges.models import Phase
from evalsite.challenges.scenarios import open_scenarios
from evalsite.submissions.models import KeptUpload, Submission
from evalsite.submissions.receiving import pipeline
from tests.factories import PARTLY_RIGHT, PHRASES, run_files, zip_upload

pytestmark = pytest.mark.django_db
ODD = run_files(PHRASES.replace("Concept", "concept"))
BROKEN = run_files(PHRASES.replace("\t", " "))


@pytest.fixture
def sending(phase, alice):
    def made(files, **more):
        upload = [zip_upload(files)] if files else []
        given = {"files": upload, "kept": None, "arrived": timezone.now()} | more
        return pipeline.IncomingUpload(phase, alice, open_scenarios(phase), [], **given)

    return made


@pytest.fixture
def said(as_alice, phase, team, alice):
    """Return what page and API say to the same files."""
    _, text = tokens.make(alice, "test", "read upload", None)
    program = Client(headers={"Authorization": f"Bearer {text}"})

    def said(files) -> tuple[str, str]:
        form = {"team": str(team.pk), "method": "Rules"}
        page = as_alice.post(reverse("submit", args=["health", "test"]), form | {"files": zip_upload(files)})
        answer = program.post("/api/v1/tasks/health/test/submissions", form | {"files": zip_upload(files)})
        words = unescape(re.sub(r"<[^>]+>", " ", page.content.decode()))
        return " ".join(words.split()), answer.json()["detail"]

    return said


def test_a_run_is_queued_and_its_files_are_kept_no_longer(sending, team, alice):
    asked = pipeline.receive(sending(ODD), pipeline.Run(team, "Rules"))
    assert asked.is_asked_back
    assert not asked.is_refused
    outcome = pipeline.receive(sending(None, kept=asked.kept), pipeline.Run(team, "Rules", is_sure=True))
    assert outcome.submission == Submission.objects.get()
    assert not KeptUpload.objects.exists()
    assert not counted("refused_upload", alice.pk)


def test_refused_files_are_kept_and_counted_or_counted_alone(sending, team, alice):
    assert pipeline.receive(sending(BROKEN), pipeline.Run(team, "Rules")).kept == KeptUpload.objects.get()
    KeptUpload.objects.all().delete()
    refused = pipeline.receive(sending(BROKEN, keeps_refused=False), pipeline.Run(team, "Rules"))
    assert refused.is_refused
    assert refused.kept is None
    assert counted("refused_upload", alice.pk) == 2


def test_a_check_is_not_counted_and_asks_nothing_back(sending, alice):
    outcome = pipeline.check_only(sending(ODD, keeps_refused=False))
    assert outcome.checked[0].description.oddities
    assert (outcome.is_asked_back, outcome.kept) == (False, None)
    assert not counted("refused_upload", alice.pk)


def test_page_api_and_files_that_look_odd_have_one_limit_of_checks(as_alice, sending, team, alice, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"check": "3/h"}
    program = Client(headers={"Authorization": f"Bearer {tokens.make(alice, 'test', 'read upload', None)[1]}"})
    asked = ["/api/v1/tasks/health/test/check", reverse("submit", args=["health", "test"])]

    def check() -> list[HttpResponse]:
        callers = zip((program, as_alice), asked, strict=True)
        return [caller.post(address, {"check": "only", "files": zip_upload(ODD)}) for caller, address in callers]

    assert [answer.status_code for answer in check()] == [200, 200]
    assert pipeline.receive(sending(ODD), pipeline.Run(team, "Rules")).is_asked_back
    for answer in check():
        assert (answer.status_code, 3000 < int(answer["Retry-After"]) <= 3600) == (429, True)
        assert "checked very many files recently. Try again in 59 minutes" in answer.content.decode()
    with pytest.raises(pipeline.RetryLater):
        pipeline.receive(sending(ODD), pipeline.Run(team, "Rules"))
    assert pipeline.receive(sending(PARTLY_RIGHT), pipeline.Run(team, "Rules")).submission, (
        "uploads have limits of their own"
    )


def test_page_and_api_refuse_in_the_same_words(said, settings):
    Phase.objects.update(is_paused=True)
    page, api = said(PARTLY_RIGHT)
    assert api in page
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"refused_upload": "2/10m"}
    page, api = said(PARTLY_RIGHT)
    assert "of your uploads in the last 10 minutes could not be accepted" in api
    assert api.partition("Try again")[0] in page


@pytest.fixture
def check(as_alice, phase):
    """Return what the page says of these files, in one line, and its status."""

    def send(files, **fields):
        address = reverse("submit", args=[phase.task.slug, phase.slug])
        answer = as_alice.post(address, {"check": "only", "files": zip_upload(files), **fields})
        return answer.status_code, " ".join(unescape(answer.content.decode()).split())

    return send


def test_what_was_read_is_told_and_nothing_is_stored_or_counted(check, team, alice, monkeypatch):
    monkeypatch.setattr(rates, "SECONDS_OF_ONE", 1000)  # however slow this machine is
    status, text = check(run_files(relations="in-place\t4\t5\n"))
    assert status == 200
    assert "No problem found: this is what we read" in text
    assert "5 phrases and 1 relation in 2 of 2 sentences." in text
    assert 'class="oddities"' not in text
    assert not Submission.objects.exists()
    assert not counted("refused_upload", alice.pk)


def test_what_looks_odd_is_told_with_the_guess_that_fits(check, team):
    shifted = "".join(
        f"{number}\t{start + 1} {end + 1}\tconcept\t{text}\n"
        for number, (start, end, text) in enumerate(
            [(4, 8, "vías"), (9, 22, "respiratorias"), (27, 31, "niño"), (36, 41, "frase"), (47, 53, "cáncer")], start=1
        )
    )
    status, text = check(run_files(shifted, ""))
    assert status == 200
    assert "these files can be scored, but look at this first" in text
    assert "are your offsets counted from 1?" in text
    assert "did you mean Concept?" in text


def test_problems_are_told_as_for_an_upload_and_count_as_one_that_was_refused(check, team, alice):
    status, text = check(run_files(PHRASES.replace("\t", " ")))
    assert status == 422
    assert "These files cannot be scored as they are" in text
    assert "blanks where tabs belong" in text
    assert counted("refused_upload", alice.pk)


def test_no_name_of_a_method_is_needed_but_files_are(check, as_alice, phase, team):
    answer = as_alice.post(reverse("submit", args=[phase.task.slug, phase.slug]), {"check": "only"})
    text = unescape(answer.content.decode())
    assert answer.status_code == 422
    assert "Choose the files of your run" in text
    assert "This field is required" not in text


def test_files_are_checked_though_all_places_are_used(check, phase, team):
    Phase.objects.filter(pk=phase.pk).update(total_limit=0)
    assert check(PARTLY_RIGHT)[0] == 200


def test_nothing_is_checked_before_the_phase_has_opened(check, phase, team):
    Phase.objects.filter(pk=phase.pk).update(opens=timezone.now() + timedelta(days=1), closes=None)
    status, text = check(PARTLY_RIGHT)
    assert status == 422
    assert "as soon as it has opened" in text
    assert "we read" not in text


def test_files_that_are_slow_to_check_count_though_nothing_is_wrong_with_them(check, team, alice, monkeypatch):
    monkeypatch.setattr(rates, "SECONDS_OF_ONE", 0.001)
    assert check(PARTLY_RIGHT)[0] == 200
    assert counted("refused_upload", alice.pk)
