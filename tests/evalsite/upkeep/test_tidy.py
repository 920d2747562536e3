"""What nobody owns any more goes, after a day; and nothing else ever does."""

import os
import tempfile
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings as site
from django.contrib.sessions.models import Session
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.utils import timezone

from evalsite.challenges.models import Download
from evalsite.challenges.storage.durable import UNFINISHED
from evalsite.submissions.models import KeptUpload
from evalsite.upkeep import tidying
from evalsite.upkeep.models import Pulse
from evalsite.upkeep.stored import compare, file_fields, folders
from evalsite.upkeep.tasks import tidy_daily

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_temporary_folder")]


def old(path: Path) -> Path:
    """Make it as if it had been there for two days."""
    two_days_ago = (timezone.now() - timedelta(days=2)).timestamp()
    os.utime(path, (two_days_ago, two_days_ago))
    return path


def old_file(name: str, content: bytes = b"x") -> Path:
    return old(Path(default_storage.path(default_storage.save(name, ContentFile(content)))))


def tidy(*words: str) -> str:
    output = StringIO()
    call_command("tidy", *words, stdout=output)
    return output.getvalue()


def test_all_kinds_of_files_that_rows_have_are_known():
    of_tasks = {"gold", "sealed-gold", "waiting-gold", "downloads", "pictures"}
    assert folders(file_fields()) == {"submissions", "judgements", "results", "kept", "background", *of_tasks}


def test_stored_files_of_before_lose_the_right_to_be_written(scored_submission):
    paths = [path for path in Path(site.MEDIA_ROOT).rglob("*") if path.is_file()]
    for path in paths:
        path.chmod(0o600)
    tidy("--dry-run")
    assert {oct(path.stat().st_mode & 0o777) for path in paths} == {"0o600"}
    tidy()
    assert {oct(path.stat().st_mode & 0o777) for path in paths} == {"0o400"}


def test_an_old_file_without_a_row_goes_and_files_with_rows_stay(scored_submission):
    with_rows = [path for path in Path(site.MEDIA_ROOT).rglob("*") if path.is_file()]
    for path in with_rows:
        old(path)
    lost, empty = old_file("submissions/1/run.zip"), old_file("results/2/evaluation.npz", b"")
    assert tidy().startswith("Removed 2 files without a row")
    assert not lost.exists()
    assert not empty.exists()
    assert all(path.exists() for path in with_rows)
    assert compare().is_clean


def test_a_young_file_stays_as_its_row_may_be_on_its_way():
    name = default_storage.save("submissions/1/run.zip", ContentFile(b"x"))
    assert tidy().startswith("Removed 0 files")
    assert default_storage.exists(name)


def test_a_file_whose_row_comes_at_the_last_moment_stays(monkeypatch, task):
    path = old_file("downloads/late/a.txt")
    compare = tidying.compare

    def compare_and_then_add_the_row():
        found = compare()
        Download.objects.get_or_create(task=task, file="downloads/late/a.txt", title="Late")
        return found

    monkeypatch.setattr(tidying, "compare", compare_and_then_add_the_row)
    tidy()
    assert path.exists()


def test_what_was_being_written_when_its_process_died_goes():
    path = old_file(f"kept/{UNFINISHED}abc")
    tidy()
    assert not path.exists()


def test_other_files_in_the_storage_are_not_looked_at():
    path = old_file("mine/notes.txt")
    tidy()
    assert path.exists()


def test_an_old_empty_folder_goes_and_those_of_the_storage_stay():
    folder = old_file("submissions/1/run.zip").parent
    (folder / "run.zip").unlink()
    old(folder)
    assert "1 empty folder" in tidy()
    assert not folder.exists()
    assert folder.parent.exists()


def test_temporary_files_of_killed_processes_go_and_those_of_others_stay():
    top = Path(tempfile.gettempdir())
    left, young, others = top / "evalsite-1", top / "evalsite-2", top / "tmp3"
    for folder in (left, young, others):
        folder.mkdir()
        (folder / "evaluation.npz").write_bytes(b"x")
    old(left)
    old(others)
    assert "1 temporary file" in tidy()
    assert [path.exists() for path in (left, young, others)] == [False, True, True]
    assert Path(tempfile.mkdtemp()).name.startswith(tidying.TEMPORARY)


def test_expired_sessions_and_kept_uploads_go(alice, phase):
    now = timezone.now()
    for key, ends in (("over", now - timedelta(1)), ("lives", now + timedelta(1))):
        Session.objects.create(session_key=key, session_data="", expire_date=ends)
        KeptUpload.objects.create(user=alice, phase=phase, name=key, size=1, expires=ends)
    assert "1 kept upload and 1 session" in tidy()
    assert [session.session_key for session in Session.objects.all()] == ["lives"]
    assert [kept.name for kept in KeptUpload.objects.all()] == ["lives"]


def test_a_dry_run_says_what_would_go_and_removes_nothing():
    path = old_file("submissions/1/run.zip")
    said = tidy("--dry-run")
    assert "file without a row: submissions/1/run.zip" in said
    assert "Would remove 1 file" in said
    assert path.exists()


def test_nothing_goes_where_most_files_are_unknown_to_the_database(monkeypatch):
    monkeypatch.setattr(tidying, "MAX_STRAY_FILES", 1)
    paths = [old_file(f"submissions/{number}/run.zip") for number in range(3)]
    with pytest.raises(CommandError, match="another site"):
        tidy()
    tidy_daily()
    assert all(path.exists() for path in paths)
    assert "Removed 3 files" in tidy("--even-if-most")


def test_beat_tidies_each_day_and_notes_that_it_did():
    path = old_file("submissions/1/run.zip")
    tidy_daily()
    assert not path.exists()
    assert Pulse.objects.get(name="tidy").detail["files"] == 1
