"""Files are checked without being uploaded: what is wrong with them, or what was read."""

from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from evalsite.accounts import rates
from evalsite.challenges.models import Phase
from evalsite.submissions.models import Submission
from tests.factories import PARTLY_RIGHT, PHRASES, run_files, zip_upload

pytestmark = pytest.mark.django_db


@pytest.fixture
def check(client, phase, alice):
    """What the page says of these files, in one line, and its status."""

    def send(files, **fields):
        client.force_login(alice)
        address = reverse("submit", args=[phase.task.slug, phase.slug])
        answer = client.post(address, {"check": "only", "files": zip_upload(files), **fields})
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
    assert not rates.counted("refused_upload", alice.pk)


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
    assert rates.counted("refused_upload", alice.pk)


def test_no_name_of_a_method_is_needed_but_files_are(check, client, phase, team, alice):
    client.force_login(alice)
    answer = client.post(reverse("submit", args=[phase.task.slug, phase.slug]), {"check": "only"})
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
    assert rates.counted("refused_upload", alice.pk)
