"""The upload page: what is taken, what is refused and with which words, and what is counted."""

import threading
from datetime import UTC, datetime, timedelta
from html import unescape
from unittest.mock import Mock

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evalsite.challenges.models import Event, Phase
from evalsite.challenges.storage.files import StorageAway
from evalsite.submissions import quotas
from evalsite.submissions.checking import recognition
from evalsite.submissions.models import KeptUpload, Scoring, Submission
from evalsite.submissions.receiving import admission
from evalsite.submissions.uploads import as_upload
from scoring.readers.archive import open_files
from tests.factories import (
    PARTLY_RIGHT,
    PHRASES,
    make_gold,
    make_phase,
    make_scenario,
    make_submission,
    run_files,
    scored,
    zip_of,
    zip_upload,
)

pytestmark = pytest.mark.django_db
LATIN_1 = "1\t4 8\tConcept\tv\xedas\n".encode("latin-1")
PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture
def page(as_alice, phase, team):
    """Uploads as alice; gives the response."""

    def upload(*files, follow=False, **fields):
        data = {"files": list(files), "team": str(team.pk), "method": "Rules"} | fields
        return as_alice.post(reverse("submit", args=[phase.task.slug, phase.slug]), data, follow=follow)

    return upload


def text_of(response) -> str:
    return unescape(response.content.decode())


def test_a_valid_zip_is_stored_queued_and_shown(page):
    response = page(zip_upload(PARTLY_RIGHT))
    submission = Submission.objects.get()
    assert response.url == submission.get_absolute_url()
    assert submission.scorings.get().state == "queued"
    assert Event.objects.get(kind="submitted").subject == submission.pk


def test_single_files_are_taken_as_well_as_a_zip(page):
    files = [SimpleUploadedFile(name, text.encode()) for name, text in PARTLY_RIGHT.items()]
    assert page(*files).status_code == 302
    assert Submission.objects.get().file_name == "upload.zip"


def test_a_single_file_keeps_its_name(page, phase, team):
    response = page(SimpleUploadedFile("output_a_scenario1.txt", PHRASES.encode()))
    assert "missing file output_b_scenario1.txt" in text_of(response).lower()
    assert "upload.zip" not in text_of(response)
    third = make_scenario(phase.task, 3)
    make_gold(phase, third)
    page(SimpleUploadedFile("output_b_scenario3.txt", b""), scenarios=[str(third.pk)], anyway="yes")
    submission = Submission.objects.get()
    assert (submission.file_name, submission.size) == ("output_b_scenario3.txt", 0)
    assert submission.file.name == f"submissions/{submission.pk}/upload.txt"
    assert scored(submission).scorings.get().state == "scored"


def test_a_single_file_lies_under_a_name_of_ours_and_the_engine_is_told_its_own():
    with as_upload([SimpleUploadedFile("my run (2).txt", b"x")]) as upload:
        assert (upload.name, upload.path.name) == ("my run (2).txt", "upload.txt")
        assert dict(open_files(upload.named)) == {"my run (2).txt": b"x"}


def test_a_large_text_with_an_archive_behind_it_counts_as_large_and_is_left_to_the_worker(page, settings):
    settings.CHECK_AT_ONCE_BYTES = 1000
    settings.CHECK_SECONDS = 0.5
    text = b"no phrase\n" * 500_000 + zip_of({"x": "x"})
    response = page(SimpleUploadedFile("output_a_scenario1.txt", text))
    assert response.status_code == 302
    assert scored(Submission.objects.get()).scorings.get().state == "refused"


def test_files_are_found_in_any_folder_beside_a_readme_and_behind_backslashes_and_marks(page):
    files = {f"my run\\v2\\best\\{name}": f"\ufeff{text}" for name, text in PARTLY_RIGHT.items()}
    assert page(zip_upload(files | {"my run\\README.txt": "About", "__MACOSX\\._x": ""})).status_code == 302
    submission = scored(Submission.objects.get())
    warnings = submission.scorings.get().result.warnings
    assert [warning.partition(": ")[2].partition(":")[0] for warning in warnings if warning.startswith("files: ")] == [
        "left aside, not read",
        "a byte order mark at the beginning was taken away",
        "backslashes in the names of files were read as / between folders",
    ]


def test_a_cause_is_told_once_with_its_line_as_it_is_and_as_it_may_be(page):
    blanks = "".join(f"{number} 4 8 Concept vías\n" for number in range(1, 190))
    response = page(zip_upload(PARTLY_RIGHT | {"output_a_scenario1.txt": blanks}))
    text = text_of(response)
    assert text.count("4 are needed") == 1
    for words in ("lines 1 to 189 (all)", "Line 1 has blanks where tabs belong.", "1⇥4 8⇥Concept⇥vías"):
        assert words in text
    assert len(response.content) < 40_000


def test_files_of_another_phase_are_recognised_with_the_way_there(page, task, phase, scenario):
    other = make_phase(task, "development")
    sentences = "Una frase del desarrollo\nUna más\n"
    run = run_files("1\t0 3\tConcept\tx\n", "", sentences=sentences)
    make_gold(other, scenario, run)
    text = text_of(page(zip_upload(run)))
    assert "These are the sentences of Development, not of Test." in text
    assert f'href="/tasks/health/development/submit/?kept={KeptUpload.objects.get().pk}"' in text
    type(other).objects.filter(pk=other.pk).update(opens=timezone.now() + timedelta(hours=1))
    assert "These are the sentences" not in text_of(page(zip_upload(run)))


def test_files_are_refused_without_the_way_to_their_phase_while_its_gold_cannot_be_had(
    page, task, phase, scenario, monkeypatch
):
    run = run_files("1\t0 3\tConcept\tx\n", "", sentences="Una frase del desarrollo\nUna más\n")
    make_gold(make_phase(task, "development"), scenario, run)
    monkeypatch.setattr(recognition, "named", Mock(side_effect=StorageAway("It does not answer.")))
    response = page(zip_upload(run))
    assert response.status_code == 422
    assert "These are the sentences" not in text_of(response)


def test_files_of_another_scenario_are_recognised(page, task, phase, scenario):
    third, sentences = make_scenario(task, 3), "Una frase del tercero\n"
    phrases = "1\t0 3\tConcept\tx\n2\t4 9\tConcept\tx\n"
    make_gold(phase, third, run_files(phrases, "is-a\t1\t2\n", sentences=sentences, scenarios=(3,)))
    text = text_of(page(zip_upload(run_files("", "", sentences=sentences))))
    assert "These are the sentences of Scenario 3: Scenario 3, not of this scenario." in text


def test_one_upload_fills_every_scenario_whose_files_it_holds(page, task, phase):
    for number in (2, 3):
        make_gold(phase, make_scenario(task, number))
    page(zip_upload(run_files(scenarios=(1, 3))))
    assert list(Submission.objects.get().scorings.values_list("scenario__number", flat=True)) == [1, 3]


def test_a_chosen_scenario_is_the_only_one_entered(page, task, phase):
    third = make_scenario(task, 3)
    make_gold(phase, third)
    page(zip_upload(run_files(scenarios=(1, 3))), scenarios=[str(third.pk)])
    assert Submission.objects.get().scorings.get().scenario == third


def test_problems_are_listed_with_file_and_line_and_nothing_is_stored(page, phase, team):
    response = page(zip_upload(PARTLY_RIGHT | {"output_a_scenario1.txt": PHRASES + "6\t1 2\tConcept\n"}))
    assert response.status_code == 422
    assert "output_a_scenario1.txt" in text_of(response)
    assert "line 6" in text_of(response)
    assert not Submission.objects.exists()
    assert quotas.quota(phase, team, timezone.now()).left is None


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([], "Choose the files of your run"),
        ([SimpleUploadedFile("notes.txt", b"hello")], "No file of scenario 1 was found: the upload has notes.txt"),
        ([SimpleUploadedFile("output_a_scenario1.txt", PNG)], "UTF-8"),
        ([SimpleUploadedFile("run.zip", b"PK\x03\x04 cut")], "zip"),
        ([SimpleUploadedFile("run.zip", b"")], "The file is empty (0 bytes)"),
        ([zip_upload({})], "no file in the archive"),
        ([zip_upload({"../output_a_scenario1.txt": PHRASES})], ".."),
        ([zip_upload({"/output_a_scenario1.txt": PHRASES})], "absolute"),
        ([zip_upload({"inner.zip": zip_of(PARTLY_RIGHT)})], "inner.zip"),
        ([SimpleUploadedFile("run.rar", b"Rar!\x1a\x07 rest")], "is a RAR archive and cannot be read"),
        ([SimpleUploadedFile("run.txt.gz", b"\x1f\x8b rest")], "is compressed by gzip and cannot be read"),
        ([zip_upload({"ouput_a_scenario1.txt": PHRASES})], "names that are nearly right. Rename these files."),
        ([zip_upload(PARTLY_RIGHT | {"output_a_scenario1.txt": LATIN_1})], "UTF-8"),
        (lambda: [zip_upload({f"{n}.txt": bytes(10**7) for n in range(30)})], "zip"),
        (
            [SimpleUploadedFile("a.txt", b"1"), SimpleUploadedFile("a.txt", b"2")],
            "Two files are named a.txt",
        ),
    ],
    ids=[
        "no file", "unknown file", "png", "broken zip", "empty zip file", "zip without members", "dots", "absolute",
        "nested", "rar", "gzip", "slip in the name", "latin-1", "bomb", "equal names",
    ],
)  # fmt: skip
def test_what_cannot_be_scored_is_refused_with_words_that_help(page, files, words):
    response = page(*(files() if callable(files) else files))
    assert response.status_code == 422
    assert words in text_of(response)
    assert not Submission.objects.exists()


def test_a_team_s_files_are_bounded_in_a_phase_without_a_limit_too(page, settings):
    settings.MAX_STORED_BYTES = 1_000
    assert page(zip_upload(PARTLY_RIGHT)).status_code == 302
    refused = page(zip_upload(PARTLY_RIGHT | {"README.txt": "again"}))
    assert refused.status_code == 422
    assert "the limit for a team is 1,000 bytes" in text_of(refused)
    assert Submission.objects.count() == 1


def test_empty_output_files_are_a_run_that_found_nothing(page):
    page(zip_upload(run_files("", "")), anyway="yes")
    assert Submission.objects.count() == 1


def test_an_upload_over_the_bound_is_read_to_its_end_and_answered(page, settings):
    settings.MAX_UPLOAD_BYTES = 1024**2
    response = page(SimpleUploadedFile("run.zip", bytes(3 * 1024**2)))
    assert response.status_code == 413
    assert "larger than 1 MB" in text_of(response)


def test_nothing_typed_is_lost_by_an_upload_over_the_bound_and_no_other_field_is_blamed(page, settings):
    settings.MAX_UPLOAD_BYTES = 1024**2
    typed = {"method": "CRF, 3rd try", "description": "With a gazetteer.", "link": "https://example.org/paper"}
    response = page(SimpleUploadedFile("run.zip", bytes(3 * 1024**2)), **typed)
    text = text_of(response)
    assert response.status_code == 413
    for words in typed.values():
        assert words in text
    assert "required" not in text.split("This upload was not accepted")[1].split("</ul>")[0]
    assert list(response.context["form"].errors) == ["files"]


def test_files_that_go_over_the_bound_together_are_too_large_too(page, settings):
    settings.MAX_UPLOAD_BYTES = 1024**2
    files = [SimpleUploadedFile(f"{number}.txt", bytes(400 * 1024)) for number in range(4)]
    response = page(*files)
    assert response.status_code == 413
    assert list(response.context["form"].errors) == ["files"]
    assert response.context["form"]["method"].value() == "Rules"


def test_a_phase_that_takes_more_gets_it_in_one_request(page, phase, settings):
    settings.MAX_UPLOAD_BYTES = 100
    run = zip_upload(PARTLY_RIGHT)
    assert page(run).status_code == 413
    Phase.objects.filter(pk=phase.pk).update(upload_megabytes=1)
    assert page(zip_upload(PARTLY_RIGHT)).status_code == 302
    assert Submission.objects.get().size == run.size > 100
    large = page(SimpleUploadedFile("run.zip", bytes(3 * 1024**2 // 2)))
    assert large.status_code == 413
    assert "larger than 1 MB" in text_of(large)


def test_the_bound_is_said_in_one_unit_with_its_meaning(page, as_alice, settings, phase):
    settings.MAX_UPLOAD_BYTES = 3 * 1024**2 // 2
    shown = text_of(as_alice.get(reverse("submit", args=[phase.task.slug, phase.slug])))
    assert "At most 1.5 MB in all, where 1 MB is 1,024 kB of 1,024 bytes." in shown
    assert "larger than 1.5 MB" in text_of(page(SimpleUploadedFile("run.zip", bytes(2 * 1024**2))))


def test_a_line_of_many_megabytes_is_no_crash(page, settings):
    long_line = "1\t4 8\tConcept\t" + "x" * (settings.MAX_UPLOAD_BYTES + 1)
    assert page(SimpleUploadedFile("output_a_scenario1.txt", long_line.encode())).status_code == 413


def test_the_same_bytes_again_lead_to_the_first_submission(page):
    page(zip_upload(PARTLY_RIGHT))
    response = page(zip_upload(PARTLY_RIGHT), follow=True)
    assert Submission.objects.count() == 1
    assert "already uploaded exactly these files" in text_of(response)


def test_a_sixth_upload_is_refused_where_five_are_allowed(page, phase):
    phase.window_limit = 5
    phase.save()
    for number in range(5):
        assert page(zip_upload(PARTLY_RIGHT | {"note.txt": str(number)})).status_code == 302
    response = page(zip_upload(PARTLY_RIGHT | {"note.txt": "5"}))
    assert response.status_code == 422
    assert "has used its 5 uploads. The next one is possible on" in text_of(response)
    assert Submission.objects.count() == 5


def test_refused_failed_and_cancelled_uploads_cost_nothing(phase, team, alice):
    phase.window_limit = phase.total_limit = 3
    for number, state in enumerate(("refused", "failed", "cancelled")):
        make_submission(phase, team, alice, PARTLY_RIGHT | {"note.txt": str(number)})
        Scoring.objects.filter(state="queued").update(state=state)
    assert quotas.quota(phase, team, timezone.now()).left == 3


def test_an_upload_counts_only_while_it_is_in_the_window(phase, team, alice):
    phase.window_limit, phase.total_limit = 1, 3
    made = make_submission(phase, team, alice)
    now = timezone.now()
    quota = quotas.quota(phase, team, now)
    assert (quota.left, quota.next_possible) == (0, made.created + phase.window)
    assert quotas.quota(phase, team, now + phase.window + timedelta(seconds=1)).left == 1


@pytest.mark.parametrize(
    ("year", "again"),
    [("calendar", datetime(2027, 1, 1, tzinfo=UTC)), ("rolling", datetime(2027, 3, 2, 9, tzinfo=UTC))],
)
def test_a_budget_by_year_is_full_again_with_the_year(phase, team, alice, year, again):
    phase.opens, phase.closes, phase.year_limit, phase.year = datetime(2025, 1, 1, tzinfo=UTC), None, 1, year
    phase.window_limit = 3
    phase.save()
    make_submission(phase, team, alice, arrived=datetime(2026, 3, 2, 9, tzinfo=UTC))
    assert quotas.quota(phase, team, again - timedelta(minutes=1)) == quotas.Quota(0, again, most=1)
    with pytest.raises(admission.Rejection, match="has used its 1 upload. The next one is possible on"):
        make_submission(phase, team, alice, run_files(), arrived=again - timedelta(minutes=1))
    assert quotas.quota(phase, team, again + timedelta(minutes=1)).left == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"closes": timezone.now() - timedelta(hours=1)}, "This phase closed on"),
        ({"opens": timezone.now() + timedelta(hours=1)}, "This phase opens on"),
        ({"is_paused": True}, "paused"),
    ],
)
def test_an_upload_outside_the_phase_is_refused(page, phase, change, words):
    type(phase).objects.filter(pk=phase.pk).update(**change)
    response = page(zip_upload(PARTLY_RIGHT))
    assert response.status_code == 422
    assert words in text_of(response)
    assert not Submission.objects.exists()


BROKEN = b"PK\x03\x04 cut"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"closes": timezone.now() - timedelta(hours=1)}, "This phase closed on"),
        ({"opens": timezone.now() + timedelta(hours=1)}, "This phase opens on"),
        ({"is_paused": True}, "paused"),
        ({"total_limit": 0}, "has used all uploads of this phase"),
    ],
)
def test_what_the_site_knows_is_said_before_a_file_is_looked_at(page, phase, change, words):
    type(phase).objects.filter(pk=phase.pk).update(**change)
    response = page(SimpleUploadedFile("run.zip", BROKEN))
    assert response.status_code == 422
    assert words in text_of(response)
    assert "These files cannot be scored" not in text_of(response)


def test_bytes_that_are_known_lead_to_their_submission_even_when_no_upload_is_left(page, phase):
    phase.total_limit = 1
    phase.save()
    page(zip_upload(PARTLY_RIGHT))
    assert page(zip_upload(PARTLY_RIGHT)).url == Submission.objects.get().get_absolute_url()


def test_an_upload_that_is_left_alone_by_a_used_limit_reads_in_the_singular(page, phase):
    phase.window_limit = 1
    phase.save()
    page(zip_upload(PARTLY_RIGHT))
    assert "has used its 1 upload. The next one" in text_of(page(zip_upload(PARTLY_RIGHT | {"note.txt": "2"})))


def test_nobody_uploads_for_a_team_of_others(page, strangers):
    response = page(zip_upload(PARTLY_RIGHT), team=str(strangers.pk))
    assert response.status_code == 422
    assert not Submission.objects.exists()


def test_visitors_are_asked_to_log_in(client, phase):
    response = client.get(reverse("submit", args=[phase.task.slug, phase.slug]))
    assert response.url.startswith(reverse("account_login"))


@pytest.mark.django_db(transaction=True)
def test_two_uploads_at_once_cannot_both_take_the_last_place(phase, team, alice, bob):
    phase.total_limit = 1
    phase.save()
    start, statuses = threading.Barrier(2), []

    def upload(user, note):
        client = Client()
        client.force_login(user)
        files = zip_upload(PARTLY_RIGHT | {"note.txt": note})
        start.wait()
        data = {"files": [files], "team": str(team.pk), "method": "Rules"}
        statuses.append(client.post(reverse("submit", args=[phase.task.slug, phase.slug]), data).status_code)
        connection.close()

    threads = [threading.Thread(target=upload, args=pair) for pair in ((alice, "a"), (bob, "b"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [302, 422]
    assert Submission.objects.count() == 1


@pytest.fixture
def of_labels(phase, scenario):
    """Two scenarios of labels, whose columns differ or not, in the place of the usual one."""

    def make(*columns):
        phase.golds.all().delete()
        scenario.delete()
        rows = "".join(f"d{number:03},{label},{label}\n" for number, label in enumerate("AB" * 4))
        for number, column in enumerate(columns, start=1):
            made = make_scenario(phase.task, number, family="labels", options={"label": column})
            make_gold(phase, made, {"gold.csv": f"id,intent,topic\n{rows}"})

    return make


def numbers_entered() -> list[int]:
    return list(Submission.objects.get().scorings.order_by("scenario").values_list("scenario__number", flat=True))


def table(heading: str, first: str = "A") -> SimpleUploadedFile:
    rows = "".join(f"d{number:03},{label}\n" for number, label in enumerate(first + "BAABABB"))
    return SimpleUploadedFile("run.csv", f"{heading}\n{rows}".encode())


def test_a_table_tells_by_its_heading_which_scenario_it_is_for(page, of_labels):
    of_labels("intent", "topic")
    assert page(table("id,topic")).status_code == 302
    assert numbers_entered() == [2]


def test_a_table_of_no_scenario_is_refused_in_all(page, of_labels):
    of_labels("intent", "topic")
    text = text_of(page(table("id,wish")))
    assert "did you mean 'wish'? Rename it to 'intent'" in text
    assert "did you mean 'wish'? Rename it to 'topic'" in text


def test_scenarios_that_read_the_same_file_are_ticked_beforehand(as_alice, page, phase, team, of_labels):
    of_labels("intent", "intent")
    shown = as_alice.get(reverse("submit", args=[phase.task.slug, phase.slug]))
    assert len(shown.context["form"]["scenarios"].initial) == 2
    page(table("id,intent"))
    assert numbers_entered() == [1, 2]


def test_where_columns_tell_the_scenario_none_is_ticked_beforehand(as_alice, phase, team, of_labels):
    of_labels("intent", "topic")
    shown = as_alice.get(reverse("submit", args=[phase.task.slug, phase.slug]))
    assert shown.context["form"]["scenarios"].initial == []


def test_the_scenarios_without_problems_are_offered_alone(page, task, phase):
    for number in (2, 3):
        make_gold(phase, make_scenario(task, number))
    broken = run_files(scenarios=(1, 2, 3)) | {"output_a_scenario2.txt": "1\t4 8\tConcept\n"}
    refused = page(zip_upload(broken))
    assert refused.status_code == 422
    assert "Upload only the 2 scenarios that have no problems" in text_of(refused)
    ticked = [str(value) for value in refused.context["form"]["scenarios"].value()]
    page(kept=str(KeptUpload.objects.get().pk), scenarios=ticked, anyway="1")
    assert numbers_entered() == [1, 3]
