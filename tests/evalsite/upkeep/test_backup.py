"""A backup is whole or not there, says so itself, and becomes the same site again."""

import hashlib
import json
import os
import shutil
import subprocess
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings as site
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection

from evalsite.accounts.models import User
from evalsite.challenges.models import Gold
from evalsite.submissions.models import KeptUpload, Result, Scoring, Submission
from evalsite.submissions.receiving import kept_uploads
from evalsite.submissions.uploads import as_upload
from evalsite.upkeep.backup import databases, making
from evalsite.upkeep.backup.manifest import BackupError, read_manifest
from evalsite.upkeep.models import Pulse
from evalsite.upkeep.stored import compare
from tests.factories import PARTLY_RIGHT, make_submission, zip_upload

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _has_programs(transactional_db):
    """PostgreSQL is dumped and loaded by its own programs."""
    missing = [name for name in ("pg_dump", "pg_restore", "psql") if not shutil.which(name)]
    if connection.vendor == "postgresql" and missing:
        pytest.skip(f"this machine has no {', '.join(missing)}")


def manage(*words: str | Path) -> str:
    """Return what the command prints, warnings too."""
    output = StringIO()
    call_command(*map(str, words), stdout=output, stderr=output)
    return output.getvalue()


def empty_the_site() -> None:
    call_command("flush", verbosity=0, interactive=False)
    shutil.rmtree(site.MEDIA_ROOT)


def stored() -> dict[str, bytes]:
    top = Path(site.MEDIA_ROOT)
    return {path.relative_to(top).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}


def test_a_backup_is_private_lists_all_files_with_their_digests_and_has_no_secret_key(scored_submission, tmp_path):
    folder = tmp_path / "backup"
    said = manage("backup", folder)
    assert "and 3 files" in said
    assert "The secret key is not in it" in said
    assert {oct(path.stat().st_mode & 0o777) for path in (folder, *folder.rglob("*"))} == {"0o700", "0o600"}
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        ["manifest.json", "files.sha256", "files", databases.FILE_NAMES[connection.vendor]]
    )
    assert {path.removeprefix("files/") for path in (folder / "files.sha256").read_text().split()[1::2]} == set(
        stored()
    )
    if shutil.which("sha256sum"):
        subprocess.run(["sha256sum", "--check", "--quiet", "files.sha256"], cwd=folder, check=True)
    assert site.SECRET_KEY not in (folder / "manifest.json").read_text()
    assert Pulse.objects.get(name="backup").detail["files"] == 3
    assert manage("restore", folder, "--check").startswith("Whole: of 20")


def test_the_site_is_afterwards_what_it_was(scored_submission, phase, team, alice, tmp_path):
    waiting = make_submission(phase, team, alice, PARTLY_RIGHT | {"n.txt": "2"}).scorings.get()
    Scoring.objects.filter(pk=waiting.pk).update(
        state="running", attempts=3, lease=waiting.pk, lease_ends=waiting.created, enqueued=waiting.created
    )
    files, result = stored(), Result.objects.values().get()
    manage("backup", tmp_path / "backup", "--with-secret-key")
    assert (tmp_path / "backup" / "secret_key").read_text() == site.SECRET_KEY
    empty_the_site()
    said = manage("restore", tmp_path / "backup")
    assert "1 scoring will be done" in said
    assert "SECRET_KEY" not in said
    assert stored() == files
    assert Result.objects.values().get() == result
    # Its worker is no more, and that was no fault of the run: it has its third attempt still.
    waiting.refresh_from_db()
    assert (waiting.state, waiting.attempts, waiting.lease, waiting.enqueued) == ("queued", 2, None, None)
    assert User.objects.get(pk=alice.pk).check_password("a long enough pass phrase")


@pytest.mark.thorough
def test_a_later_backup_links_to_what_an_earlier_one_has(scored_submission, phase, team, alice, tmp_path):
    manage("backup", tmp_path / "first")
    make_submission(phase, team, alice, PARTLY_RIGHT | {"n.txt": "2"})
    assert "and 4 files" in manage("backup", tmp_path / "second", "--base", tmp_path / "first")
    assert read_manifest(tmp_path / "second").files_from_base == 3
    name = scored_submission.file.name
    first, second = (tmp_path / folder / "files" / name for folder in ("first", "second"))
    assert first.stat().st_ino == second.stat().st_ino
    assert first.stat().st_ino != Path(default_storage.path(name)).stat().st_ino
    shutil.rmtree(tmp_path / "first")
    empty_the_site()
    manage("restore", tmp_path / "second")
    assert Submission.objects.count() == 2
    assert compare().is_clean


@pytest.mark.thorough
def test_a_backup_that_cannot_be_written_leaves_nothing_and_so_does_one_that_was_killed(
    submission, monkeypatch, tmp_path
):
    left = tmp_path / "backups" / ".backup.killed.unfinished"
    left.mkdir(parents=True)

    def refuse(*arguments):
        raise OSError("No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(making.shutil, "copyfileobj", refuse)
        with pytest.raises(CommandError, match="No space left on device"):
            manage("backup", left.parent / "backup")
    assert list(left.parent.iterdir()) == []


@pytest.mark.thorough
def test_a_backup_takes_nobodys_place(submission, tmp_path):
    (tmp_path / "notes.txt").write_text("x")
    with pytest.raises(CommandError, match="a folder of its own"):
        manage("backup", tmp_path)
    with pytest.raises(CommandError, match="within the site's files"):
        manage("backup", Path(site.MEDIA_ROOT, "backup"))
    with pytest.raises(CommandError, match="is no backup"):
        manage("backup", tmp_path / "backup", "--base", tmp_path)


def test_files_that_are_not_there_or_not_what_they_were_are_named(scored_submission, tmp_path):
    Path(Result.objects.get().evaluation.path).unlink()
    Path(Gold.objects.get().file.path).unlink()
    Path(Gold.objects.get().file.path).write_bytes(b"other")
    said = manage("backup", tmp_path / "backup")
    assert f"A file was not there: {Result.objects.get().evaluation.name}" in said
    assert f"A file is not what its row knows: {Gold.objects.get().file.name}" in said
    empty_the_site()
    said = manage("restore", tmp_path / "backup")
    assert f"A row without its file: result {Result.objects.get().pk}" in said


@pytest.mark.thorough
def test_uploads_that_waited_and_are_gone_are_let_go(alice, phase, tmp_path):
    with as_upload([zip_upload(PARTLY_RIGHT)]) as upload:
        kept = kept_uploads.keep(alice, phase, upload)
    Path(kept.file.path).unlink()
    assert "not there" not in manage("backup", tmp_path / "backup")
    empty_the_site()
    assert "without its file" not in manage("restore", tmp_path / "backup")
    assert not KeptUpload.objects.exists()


def test_a_site_that_is_not_empty_is_replaced_only_where_that_is_said(scored_submission, phase, team, alice, tmp_path):
    manage("backup", tmp_path / "backup")
    later = make_submission(phase, team, alice, PARTLY_RIGHT | {"n.txt": "2"})
    Path(scored_submission.file.path).unlink()
    Path(scored_submission.file.path).write_bytes(b"other")
    with pytest.raises(CommandError, match="not empty"):
        manage("restore", tmp_path / "backup")
    assert Submission.objects.count() == 2
    assert "1 were not there" in manage("restore", tmp_path / "backup", "--replace")
    assert not Submission.objects.filter(pk=later.pk).exists()
    assert Path(scored_submission.file.path).read_bytes() != b"other"


def test_a_damaged_backup_is_refused_before_anything_is_changed(scored_submission, tmp_path):
    folder = tmp_path / "backup"
    manage("backup", folder)
    name = scored_submission.file.name
    (folder / "files" / name).write_bytes(b"other")
    empty_the_site()
    for words in ([], ["--check"]):
        with pytest.raises(CommandError, match=f"{name} is not what was backed up"):
            manage("restore", folder, *words)
    (folder / "files" / name).unlink()
    with pytest.raises(CommandError, match=f"{name} cannot be read"):
        manage("restore", folder)
    (folder / "files.sha256").write_text(f"{64 * '0'}  files/../../../etc/passwd\n")
    with pytest.raises(CommandError, match=r"files.sha256 is not what was backed up"):
        manage("restore", folder)
    assert not User.objects.exists()
    assert not Path(site.MEDIA_ROOT).exists()


@pytest.mark.thorough
def test_a_list_of_files_elsewhere_on_the_machine_is_refused(submission, tmp_path):
    folder = tmp_path / "backup"
    manage("backup", folder)
    (folder / "files.sha256").write_text(f"{64 * '0'}  files/../../../etc/passwd\n")
    manifest = read_manifest(folder)
    manifest.list_sha256 = making.digest_of(folder / "files.sha256")
    manifest.write(folder)
    empty_the_site()
    with pytest.raises(CommandError, match="no file of a backup"):
        manage("restore", folder)


@pytest.mark.thorough
def test_a_backup_from_before_the_version_that_upgrades_begin_from_is_refused(submission, tmp_path):
    folder = tmp_path / "backup"
    manage("backup", folder)
    manifest = read_manifest(folder)
    manifest.migrations = ["challenges.0001_initial", "challenges.0002_shown_scores_help"]
    manifest.write(folder)
    with pytest.raises(CommandError, match=r"before 1\.2\.0"):
        manage("restore", folder, "--replace")
    assert Submission.objects.get() == submission


@pytest.mark.thorough
def test_a_backup_of_newer_code_or_of_another_kind_of_database_is_refused(submission, tmp_path):
    folder = tmp_path / "backup"
    manage("backup", folder)
    manifest = read_manifest(folder)
    manifest.migrations.append("submissions.0999_later")
    manifest.write(folder)
    with pytest.raises(CommandError, match=r"has no submissions\.0999_later"):
        manage("restore", folder, "--replace")
    manifest.vendor = "oracle"
    manifest.write(folder)
    with pytest.raises(CommandError, match="DATABASE_URL"):
        manage("restore", folder, "--replace")


@pytest.mark.thorough
def test_a_database_is_as_it_was_where_the_dump_breaks_off_in_its_middle(scored_submission, tmp_path):
    manage("backup", tmp_path / "backup")
    dump = tmp_path / "backup" / databases.FILE_NAMES[connection.vendor]
    content = dump.read_bytes()
    dump.write_bytes(content[: len(content) * 9 // 10])
    with pytest.raises(BackupError):
        databases.load(dump)
    assert Submission.objects.get() == scored_submission
    assert Result.objects.exists()


@pytest.mark.thorough
def test_another_secret_key_is_told(submission, tmp_path, settings):
    manage("backup", tmp_path / "backup")
    settings.SECRET_KEY = "another key"
    assert "The site had another SECRET_KEY (it is not in the backup)" in manage(
        "restore", tmp_path / "backup", "--replace"
    )


def test_single_files_that_were_lost_are_put_back(scored_submission, tmp_path):
    manage("backup", tmp_path / "backup")
    files = stored()
    Path(Result.objects.get().evaluation.path).unlink()
    assert "Put back 1 file." in manage("restore", tmp_path / "backup", "--missing")
    assert stored() == files


@pytest.mark.thorough
def test_postgresqls_programs_are_told_the_password_by_their_environment_alone(monkeypatch, tmp_path):
    """Replace commands by programs of these names that note what they are told."""
    told = {"HOST": "db", "PORT": 5433, "USER": "site", "PASSWORD": "hunter2", "NAME": "evalsite"}
    told["OPTIONS"] = {"sslmode": "require", "options": "-c search_path=own"}
    monkeypatch.setattr(databases, "connection", SimpleNamespace(settings_dict=told))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (tmp_path / "pg_dump").write_text('#!/bin/sh\necho "$*" $PGPASSWORD $PGSSLMODE $PGOPTIONS >&2\nexit 1\n')
    (tmp_path / "pg_dump").chmod(0o700)
    with pytest.raises(BackupError) as raised:
        databases._run("pg_dump", ["--format=custom"])
    words = "-U site -h db -p 5433 --no-password --format=custom evalsite"
    assert str(raised.value) == f"pg_dump failed: {words} hunter2 require -c search_path=own"
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BackupError, match="There is no pg_dump on PATH"):
        databases._run("pg_dump", [])


@pytest.mark.thorough
def test_a_backup_of_version_1_1_is_restored_and_linked_to(scored_submission, tmp_path):
    """It has the same files; its manifest and its list are written out here as that version wrote them."""
    folder, files = tmp_path / "former", stored()
    manage("backup", folder)
    names = sorted(files)
    lines = [f"{hashlib.sha256(files[name]).hexdigest()}  files/{name}\n" for name in names]
    (folder / "files.sha256").write_text("".join(lines))
    now = read_manifest(folder)
    former = {
        "made": "2026-11-20T02:17:00+00:00",
        "engine": "1.1.0",
        "vendor": connection.vendor,
        "database": now.database,
        "database_sha256": now.database_sha256,
        "database_bytes": now.database_bytes,
        "migrations": now.migrations,
        "rows": {"challenges_gold": 1, "submissions_result": 1, "submissions_submission": 1},
        "files": 3,
        "files_bytes": sum(map(len, files.values())),
        "files_from_base": 0,
        "list_sha256": hashlib.sha256("".join(lines).encode()).hexdigest(),
        "missing": [],
        "altered": [],
        "key": now.key,
        "has_secret_key": False,
        "format": 1,
    }
    (folder / "manifest.json").write_text(json.dumps(former, indent=1))
    manage("backup", tmp_path / "later", "--base", folder)
    assert read_manifest(tmp_path / "later").files_from_base == 3
    empty_the_site()
    assert manage("restore", folder).startswith("Restored the site of 2026-11-20")
    assert stored() == files
    assert compare().is_clean


@pytest.mark.thorough
def test_what_was_linked_takes_no_room(submission, tmp_path):
    manage("backup", tmp_path / "backup", "--link")
    copy = tmp_path / "backup" / "files" / submission.file.name
    assert os.path.samefile(copy, submission.file.path)
    assert manage("restore", tmp_path / "backup", "--check").startswith("Whole")
