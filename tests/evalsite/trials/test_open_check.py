"""Files are checked without an account, and scored where the gold is open; nothing is stored."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Event, Phase
from evalsite.jobs.slots import slot
from evalsite.leaderboard.making.entries import refresh
from evalsite.leaderboard.models import Board
from evalsite.submissions.models import KeptUpload, Submission
from tests.factories import (
    PARTLY_RIGHT,
    PHRASES,
    long_run,
    make_gold,
    make_scenario,
    make_submission,
    make_task,
    run_files,
    scored,
    zip_upload,
)
from tests.own_pieces import seen

pytestmark = pytest.mark.django_db

ODD = run_files(PHRASES.replace("Concept", "concept"))
BROKEN = run_files(PHRASES.replace("\t", " "))


@pytest.fixture
def board(phase, scored_submission):
    """The board has the run of Alice and Bob on it."""
    refresh(Board.objects.select_related("phase", "scenario").get())


@pytest.fixture
def open_gold(phase):
    Phase.objects.filter(pk=phase.pk).update(gold_released=True)


@pytest.fixture
def send(client, phase):
    def send(files, **fields):
        address = reverse("open_check", args=[phase.task.slug, phase.slug])
        values = {"files": zip_upload(files) if isinstance(files, dict) else files} | fields
        return client.post(address, values)

    return send


def text_of(response) -> str:
    text = " ".join(re.sub(r"<[^>]+>", " ", unescape(response.content.decode())).split())
    return re.sub(r" ([.,;:)])", r"\1", text).replace("( ", "(")


def test_open_gold_gives_a_stranger_the_score_and_the_place(send, board, open_gold):
    text = text_of(send(run_files(relations="")))
    assert "5 phrases and 0 relations in 2 of 2 sentences." in text
    assert re.search(r"F1 0\.\d{3}", text)
    assert "Would be first, ahead of Alice and Bob (0.500)." in text
    assert "2 sentences are too few to tell systems apart." in text
    assert "No significant difference" not in text
    assert "Largest possible gain: part-of (Relations by label)." in text or "in-place" in text
    assert "Log in to put it on the board" in text
    assert "/accounts/login/?next=/tasks/health/test/submit/" in send(PARTLY_RIGHT).content.decode()


LABELS = "id,label\n1,wolf\n2,deer\n3,wolf\n"


@pytest.mark.parametrize("gold", [LABELS, LABELS.replace("deer", "zebra")])
def test_a_stranger_is_not_told_which_labels_hidden_gold_has_and_a_team_is(client, phase, team, alice, gold):
    Phase.objects.filter(pk=phase.pk).update(members_only=False)
    scenario = make_scenario(phase.task, 7, family="labels", options={})
    make_gold(phase, scenario, {"gold.csv": gold})
    run = SimpleUploadedFile("run.csv", LABELS.replace("deer", "zebra").replace("wolf", "zebra").encode())
    fields = {"scenarios": [scenario.pk], "files": run}
    names = [phase.task.slug, phase.slug]
    stranger = text_of(client.post(reverse("open_check", args=names), fields))
    assert "3 labels to 3 of 3 items." in stranger
    assert "nknown label" not in stranger
    client.force_login(alice)
    run.seek(0)
    member = text_of(client.post(reverse("submit", args=names), fields | {"check": "only", "method": "m"}))
    assert ("nknown label 'zebra'" in member) == ("zebra" not in gold)
    Phase.objects.filter(pk=phase.pk).update(gold_released=True)
    run.seek(0)
    assert ("nknown label" in text_of(client.post(reverse("open_check", args=names), fields))) == ("zebra" not in gold)


@pytest.mark.thorough
def test_who_stands_above_is_told_with_the_difference_to_the_leader(send, board, open_gold):
    text = text_of(send(run_files("3\t32 36\tReference\tOtra\n", "")))
    assert "Would be last, behind Alice and Bob (0.500)." in text
    assert re.search(r"To the leader, Alice and Bob \(0\.500\): −0\.\d{3}", text)


def test_hidden_gold_gives_what_was_read_and_no_score(send, board):
    text = text_of(send(run_files(relations="")))
    assert "5 phrases and 0 relations in 2 of 2 sentences." in text
    assert "F1" not in text
    assert "to be gained" not in text
    assert "Alice and Bob" not in text


@pytest.mark.thorough
def test_hidden_gold_gives_no_score_to_participants_or_organisers_either(client, send, board, alice, olga):
    for user in (alice, olga):
        client.force_login(user)
        assert "F1" not in text_of(send(PARTLY_RIGHT))


def test_a_board_that_is_not_shown_gives_no_place(send, board, open_gold, phase):
    Phase.objects.filter(pk=phase.pk).update(board_audience="organisers")
    text = text_of(send(PARTLY_RIGHT))
    assert "F1 0.500" in text
    assert "Alice and Bob" not in text


@pytest.mark.thorough
def test_an_anonymous_board_gives_no_name(send, board, open_gold, phase):
    Phase.objects.filter(pk=phase.pk).update(is_anonymous=True)
    text = text_of(send(PARTLY_RIGHT))
    assert "Alice and Bob" not in text
    assert re.search(r"Team \d+", text)


def test_nothing_is_stored(send, board, open_gold):
    before = Submission.objects.count(), Event.objects.count()
    for files in (PARTLY_RIGHT, ODD, BROKEN):
        send(files)
    assert (Submission.objects.count(), Event.objects.count()) == before
    assert not KeptUpload.objects.exists()


def test_problems_and_oddities_are_told_as_for_an_upload(send, phase):
    response = send(BROKEN)
    assert response.status_code == 422
    assert "blanks where tabs belong" in text_of(response)
    assert "did you mean Concept?" in text_of(send(ODD))


@pytest.mark.thorough
def test_a_scenario_with_problems_does_not_withhold_the_score_of_another(send, board, phase, open_gold):
    make_gold(phase, make_scenario(phase.task, 3))
    response = send(run_files(relations="") | run_files(PHRASES.replace("\t", " "), scenarios=(3,)))
    assert response.status_code == 422
    text = text_of(response)
    assert "blanks where tabs belong" in text
    assert "Would be first, ahead of Alice and Bob (0.500)." in text


@pytest.mark.thorough
def test_a_form_without_files_says_so(client, phase):
    response = client.post(reverse("open_check", args=[phase.task.slug, phase.slug]))
    assert response.status_code == 422
    assert "Choose the files of your run" in text_of(response)


@pytest.mark.thorough
def test_the_scenario_may_be_chosen(send, phase, open_gold):
    make_scenario(phase.task, 3)
    response = send(PARTLY_RIGHT, scenarios=[str(phase.task.scenarios.get(number=1).pk)])
    assert response.status_code == 200


@pytest.mark.thorough
def test_nothing_is_checked_before_the_phase_opens_or_of_a_task_that_is_not_published(client, send, phase, olga):
    Phase.objects.filter(pk=phase.pk).update(opens=timezone.now() + timedelta(days=1), closes=None)
    response = send(PARTLY_RIGHT)
    assert response.status_code == 422
    assert "as soon as it has opened" in text_of(response)
    hidden = make_task("hidden", olga, is_published=False)
    assert client.post(reverse("open_check", args=[hidden.slug, phase.slug])).status_code == 404


@pytest.mark.thorough
def test_a_stranger_s_form_is_protected_against_other_sites(phase):
    client = Client(enforce_csrf_checks=True)
    address = reverse("open_check", args=[phase.task.slug, phase.slug])
    assert client.post(address, {"files": zip_upload(PARTLY_RIGHT)}).status_code == 403
    task = seen(client, phase.task.get_absolute_url())
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', task).group(1)
    sent = client.post(address, {"files": zip_upload(PARTLY_RIGHT), "csrfmiddlewaretoken": token})
    assert sent.status_code == 200


def test_after_some_checks_an_address_has_to_wait(send, phase, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"open_check": "2/10m/ip"}
    answers = [send(BROKEN) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [422, 422, 429]
    assert 500 < int(answers[-1]["Retry-After"]) <= 600
    assert "Try again in 9 minutes" in text_of(answers[-1]) or "Try again in 10 minutes" in text_of(answers[-1])


@pytest.mark.thorough
def test_one_address_has_one_file_checked_at_a_time_and_guests_leave_a_place(send, phase, settings):
    settings.JOBS_AT_ONCE, settings.JOBS_WAITING, settings.GUEST_SECONDS = 2, 2, 0.2
    with slot("address-127.0.0.1", is_guest=True):
        assert send(PARTLY_RIGHT).status_code == 503
    with slot("address-another", is_guest=True):
        assert send(PARTLY_RIGHT).status_code == 503
        with slot("somebody-with-an-account"):
            pass
    assert send(PARTLY_RIGHT).status_code == 200


@pytest.mark.thorough
def test_larger_files_than_are_checked_here_are_not_read(send, settings):
    settings.MAX_OPEN_CHECK_BYTES = 1024
    response = send(SimpleUploadedFile("run.zip", bytes(2048)))
    assert response.status_code == 413
    assert "larger than 1 kB" in text_of(response)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1024
    assert "more than the form accepts" in text_of(send(SimpleUploadedFile("run.zip", bytes(4096))))


@pytest.mark.thorough
def test_a_run_that_takes_too_long_to_score_is_told_so(send, phase, open_gold, settings):
    files = long_run(5_000)
    make_gold(phase, phase.task.scenarios.get(), files)
    settings.N_RESAMPLES_OF_TRIALS, settings.CHECK_SECONDS = 1_000_000, 1
    assert "takes longer than you can wait for here" in text_of(send(files))


@pytest.mark.thorough
def test_it_costs_a_constant_number_of_queries(
    send, phase, board, open_gold, django_assert_max_num_queries, team, alice
):
    make_submission(phase, team, alice, run_files(relations=""), method="Second")
    for submission in Submission.objects.all():
        scored(submission)
    refresh(Board.objects.select_related("phase", "scenario").get())
    with django_assert_max_num_queries(30):
        send(PARTLY_RIGHT)


@pytest.mark.thorough
def test_the_task_s_page_offers_it_for_each_phase_that_has_opened(client, phase):
    page = client.get(phase.task.get_absolute_url()).content.decode()
    assert f'action="{reverse("open_check", args=[phase.task.slug, phase.slug])}"' in page
    Phase.objects.filter(pk=phase.pk).update(opens=timezone.now() + timedelta(days=1), closes=None)
    assert "open-check" not in client.get(phase.task.get_absolute_url()).content.decode()
