"""Names of uploaded files, in any script and of any length."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from evalsite.base.file_names import plain_name
from evalsite.challenges.models import Download, Gold
from evalsite.submissions.models import Submission
from tests.factories import PARTLY_RIGHT, run_files, zip_of, zip_upload

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("administering")]

NAMES = [
    "あ" * 150 + ".zip",
    "\N{PILE OF POO}" * 200,
    "\N{PILE OF POO}" * 200 + ".zip",
    "e\u0301" * 120 + ".ZIP",
    "नमस्ते " * 30 + ".zip",
    "a" * 300 + ".zip",
    "a." + "b" * 300,
    ".zip",
    "...",
    " ",
    "run (final) #2 & 100%?.zip",
    "a\\b:c*|<>.zip",
    "CON.zip",
    "-rf.zip",
    "\N{RIGHT-TO-LEFT OVERRIDE}piz.nur.zip",
    'quote".zip',
]


@pytest.mark.parametrize("name", NAMES)
def test_an_archive_of_any_name_is_taken_and_given_back(as_alice, phase, team, name):
    data = {"files": [zip_upload(PARTLY_RIGHT, name)], "team": str(team.pk), "method": "Rules"}
    page = reverse("submit", args=[phase.task.slug, phase.slug])
    assert as_alice.post(page, data).status_code == 302
    made = Submission.objects.get()
    assert as_alice.get(made.get_absolute_url()).status_code == 200
    answer = as_alice.get(reverse("submission_file", args=[made.pk]))
    content = b"".join(answer.streaming_content)
    assert zipfile.ZipFile(io.BytesIO(content)).namelist() == list(PARTLY_RIGHT)


@pytest.mark.parametrize("name", ["あ" * 150 + ".txt", "\N{PILE OF POO}" * 200, "a" * 300 + ".txt"])
def test_loose_files_of_any_name_are_answered_with_what_is_wrong(as_alice, phase, team, name):
    for files in ([name], [name, "input_scenario1.txt"]):
        sent = [SimpleUploadedFile(each, b"x") for each in files]
        data = {"files": sent, "team": str(team.pk), "method": "Rules"}
        assert as_alice.post(reverse("submit", args=[phase.task.slug, phase.slug]), data).status_code == 422


@pytest.mark.parametrize("name", ["あ" * 150 + ".zip", "\N{PILE OF POO}" * 200])
def test_gold_and_downloads_of_any_name_are_taken_too(as_olga, task, phase, scenario, name):
    gold = zip_of(run_files(scenarios=(1,), relations="is-a\t1\t2\n"))
    data = {"file": SimpleUploadedFile(name, gold), "note": ""}
    assert as_olga.post(reverse("desk_gold_add", args=[task.slug, phase.slug]), data).status_code == 302
    download = Download(task=task, title="Input")
    download.file.save(name, SimpleUploadedFile(name, b"x"))
    assert len(Gold.objects.first().file.name) <= 100


def test_a_name_is_cut_between_characters_and_keeps_its_ending():
    for name in NAMES:
        cut = plain_name(name)
        assert len(cut.encode()) <= 200
        assert name.lower().endswith(".zip") <= cut.lower().endswith("zip")
    assert plain_name("\N{PILE OF POO}" * 200 + ".zip") == "\N{PILE OF POO}" * 49 + ".zip"
