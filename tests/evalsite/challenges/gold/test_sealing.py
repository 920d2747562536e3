"""Gold is moved to where web processes cannot write; they take it in, publish and delete it all the same."""

import ctypes
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.core.files.storage import default_storage
from django.db import OperationalError, connections
from django.db.models import QuerySet
from django.test import Client
from django.urls import reverse

from evalsite.challenges import receivers
from evalsite.challenges.gold.sealing import seal_all
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold
from evalsite.challenges.tasks import seal_gold
from evalsite.submissions.lifecycle.candidates import publish
from evalsite.submissions.models import Submission
from evalsite.upkeep.tidying import tidy
from tests.factories import PARTLY_RIGHT, make_gold, make_phase, run_files, scored, work_off, zip_upload
from tests.forms import filled

pytestmark = pytest.mark.django_db
Call = Callable[..., Any]


def below(folder: str) -> list[Path]:
    return [path for path in Path(site.MEDIA_ROOT, folder).rglob("*") if path.is_file()]


def aged(*paths: Path) -> None:
    for path in paths:
        os.utime(path, (0, 0))


def test_gold_is_copied_whole_and_read_only_and_its_old_file_stays_for_readers_until_it_is_tidied(phase):
    gold = phase.golds.get()
    before = Path(gold.file.path)
    for _ in range(2):
        seal_all()
    gold.refresh_from_db()
    assert gold.file.name == f"sealed-gold/{gold.pk}/gold.zip"
    (sealed,) = below("sealed-gold")
    assert sealed.read_bytes() == before.read_bytes()
    assert oct(sealed.stat().st_mode & 0o777) == "0o400"
    aged(before, sealed)
    tidy()
    assert (before.exists(), sealed.exists()) == (False, True)


def test_gold_that_is_not_what_was_stored_is_not_sealed_and_an_error_is_logged(phase, scenario, caplog):
    other = make_gold(make_phase(phase.task, "other"), scenario)
    gold = phase.golds.get()
    Path(gold.file.path).chmod(0o600)
    Path(gold.file.path).write_bytes(b"other")
    seal_all()
    assert [each.levelname for each in caplog.records if str(gold.pk) in each.getMessage()] == ["ERROR"]
    assert list(Gold.objects.filter(file__startswith="sealed-gold/")) == [other]
    assert len(below("sealed-gold")) == 1


def test_gold_whose_file_is_missing_keeps_no_other_gold_from_being_sealed(phase, scenario):
    other = make_gold(make_phase(phase.task, "other"), scenario)
    for path in below(f"gold/{phase.golds.get().pk}"):
        path.unlink()
    seal_all()
    assert list(Gold.objects.filter(file__startswith="sealed-gold/")) == [other]


def test_two_workers_at_once_end_in_one_file(phase, monkeypatch):
    save, others = default_storage.save, [seal_all]

    def slowly(*arguments, **named):
        while others:
            others.pop()()
        return save(*arguments, **named)

    monkeypatch.setattr(default_storage, "save", slowly)
    seal_all()
    assert below("sealed-gold") == [Path(phase.golds.get().file.path)]


def test_a_worker_that_was_killed_leaves_what_is_sealed_again_and_tidied(phase, monkeypatch):
    def fail(*arguments, **named):
        raise OperationalError

    with monkeypatch.context() as killed:
        killed.setattr(QuerySet, "update", fail)
        with pytest.raises(OperationalError):
            seal_all()
    assert phase.golds.get().file.name.startswith("gold/")
    seal_all()
    aged(*below("sealed-gold"))
    tidy()
    assert below("sealed-gold") == [Path(phase.golds.get().file.path)]


def test_of_gold_that_is_deleted_meanwhile_nothing_stays(phase, monkeypatch):
    save = default_storage.save

    def slowly(*arguments, **named):
        phase.golds.all().delete()
        return save(*arguments, **named)

    monkeypatch.setattr(default_storage, "save", slowly)
    seal_all()
    assert below("sealed-gold") == []


def test_a_worker_is_told_when_new_gold_is_stored_and_beat_looks_for_what_it_was_not_told_of(
    phase, monkeypatch, settings, django_capture_on_commit_callbacks
):
    told = []
    monkeypatch.setattr(receivers, "send_message", told.append)
    with django_capture_on_commit_callbacks(execute=True):
        gold = make_gold(make_phase(phase.task, "other"), phase.task.scenarios.get())
        assert told == []
    with django_capture_on_commit_callbacks(execute=True):
        gold.save()
    assert told == [seal_gold]
    assert seal_gold.name in {job["task"] for job in settings.CELERY_BEAT_SCHEDULE.values()}


@pytest.fixture
def in_web():
    """Calls something in a thread that sees the folder of sealed gold as a web process does: read-only."""
    folder = Path(site.MEDIA_ROOT, "sealed-gold")
    folder.mkdir(parents=True)
    with ThreadPoolExecutor(1) as thread:
        if thread.submit(see_read_only, folder).result():
            pytest.skip("this user may not mount a folder")

        def call(do: Call, *arguments: object) -> Any:
            return thread.submit(do, *arguments).result()

        yield call
        call(connections.close_all)


def see_read_only(folder: Path) -> int:
    """Mount the folder read-only for this thread alone; the number of the error, 0 if there was none."""
    library = ctypes.CDLL(None, use_errno=True)
    bind, read_only, remount, private_below = 4096, 1, 32, 1 << 18 | 1 << 14
    own = os.fsencode(folder)
    is_done = (
        library.unshare(0x20000) == 0  # a thread's own mounts
        and library.mount(None, b"/", None, private_below, None) == 0
        and library.mount(own, own, None, bind, None) == 0
        and library.mount(None, own, None, bind | remount | read_only, None) == 0
    )
    return 0 if is_done else ctypes.get_errno()


@pytest.mark.django_db(transaction=True)
def test_a_web_process_cannot_write_sealed_gold(in_web, phase):
    seal_all()
    sealed, other = Path(phase.golds.get().file.path), Path(site.MEDIA_ROOT, "sealed-gold", "other")
    for do, *arguments in (
        (sealed.write_bytes, b"x"),
        (sealed.chmod, 0o600),
        (sealed.unlink,),
        (os.replace, sealed, other),
        (other.write_bytes, b"x"),
        (other.mkdir,),
    ):
        with pytest.raises(OSError, match="Read-only"):
            in_web(do, *arguments)


@pytest.mark.django_db(transaction=True)
def test_web_processes_take_publish_and_delete_gold_that_is_sealed_and_check_uploads_with_it(
    in_web, task, scenario, team, alice, olga, caplog
):
    desk, page, phase = Client(), Client(), make_phase(task)
    in_web(desk.force_login, olga)
    in_web(page.force_login, alice)

    def send_gold(**files: str) -> Gold:
        add = reverse("desk_gold_add", args=[task.slug, phase.slug])
        fields = filled(in_web(desk.get, add), "gold_form", file=zip_upload(run_files(**files)))
        answer = in_web(desk.post, add, fields)
        if "waiting" in answer.url:
            assert in_web(desk.post, answer.url, {"take": ""}).status_code == 302
        seal_all()
        return phase.golds.latest("version")

    first = send_gold()
    upload = {"team": str(team.pk), "method": "Rules", "files": zip_upload(PARTLY_RIGHT)}
    assert in_web(page.post, reverse("submit", args=[task.slug, phase.slug]), upload).status_code == 302
    assert scored(Submission.objects.get()).scorings.get().gold == first
    second = send_gold(relations="")
    assert second.is_candidate
    work_off()
    in_web(partial(publish, second, by=olga))
    assert gold_in_force(phase, scenario) == second
    unused = make_gold(make_phase(task, "later"), scenario)
    seal_all()
    assert in_web(desk.post, reverse("desk_gold_delete", args=[task.slug, unused.pk])).status_code == 302
    assert not Gold.objects.filter(pk=unused.pk).exists()
    assert not [each for each in caplog.records if each.levelname == "ERROR"]
    aged(*below("sealed-gold"))
    assert len(below("sealed-gold")) == 3
    tidy()
    assert set(below("sealed-gold")) == {Path(each.file.path) for each in phase.golds.all()}
