"""Tests the receipts of uploads: one for each, in one order, provable by the public chain, silent about people."""

import hashlib
import json
import threading

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.urls import reverse

from evalsite.contrib.receipts.models import Receipt, ReceiptChain, ReceiptDay, ReceiptLink
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.changing import delete_task, withdraw
from tests.factories import PARTLY_RIGHT, make_submission, make_team, make_user

pytestmark = pytest.mark.django_db


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def make_uploads(phase, team, user, n: int, first: int = 0) -> list[Submission]:
    return [
        make_submission(phase, team, user, PARTLY_RIGHT | {"n.txt": f"{user} {number}"})
        for number in range(first, first + n)
    ]


def test_a_receipt_says_what_was_uploaded_when_and_to_what(as_alice, submission):
    kept = json.loads(as_alice.get(reverse("submission_receipt", args=[submission.pk])).content)
    said = json.loads(kept["receipt"])
    with submission.file.open() as file:
        assert said["sha256"] == hashlib.sha256(file.read()).hexdigest()
    assert said["arrived"] == submission.created.isoformat()
    assert (said["task"], said["phase"], said["run"]) == ("health", "test", str(submission.pk))
    assert kept["digest"] == sha256(kept["receipt"])
    assert kept["head"] == sha256(kept["before"] + kept["digest"])
    page = as_alice.get(reverse("submission", args=[submission.pk])).content.decode()
    assert reverse("submission_receipt", args=[submission.pk]) in page


def test_anybody_computes_the_head_of_a_day_from_its_links_and_the_head_before(client, phase, team, alice):
    with time_machine.travel(phase.opens, tick=False):
        make_uploads(phase, team, alice, 2)
    make_uploads(phase, team, alice, 3, first=2)
    today, before = ReceiptDay.objects.all()
    assert (before.number, today.number) == (2, 5)
    head = before.head
    lines = b"".join(client.get(reverse("receipts_of_day", args=[today.day])).streaming_content).decode().splitlines()
    assert len(lines) == 3
    for line in lines:
        _, digest, after = line.split()
        head = sha256(head + digest)
        assert head == after
    assert head == today.head
    cache.clear()
    for address in ("/status/", reverse("receipts")):
        page = client.get(address).content.decode()
        assert today.head in page
        assert before.head in page


def test_the_chain_tells_strangers_nothing_about_an_upload(client, submission):
    day = ReceiptDay.objects.get().day
    public = b"".join(client.get(reverse("receipts_of_day", args=[day])).streaming_content).decode()
    public += client.get(reverse("receipts")).content.decode()
    assert submission.sha256 not in public
    assert str(submission.pk) not in public
    assert '"salt":' in submission.receipt.text, "or a digest could be guessed from what is known"


def test_days_that_had_no_upload_and_no_days_are_not_found(client, submission):
    for day in ("2001-01-01", "today", "2026-13-40"):
        assert client.get(f"/receipts/{day}.txt").status_code == 404


def test_a_clock_that_was_put_back_begins_no_former_day_again(phase, team, alice):
    make_uploads(phase, team, alice, 1)
    latest = ReceiptDay.objects.get().day
    with time_machine.travel(phase.opens, tick=False):
        make_uploads(phase, team, alice, 1, first=1)
    assert ReceiptDay.objects.get().day == latest
    assert ReceiptDay.objects.get().number == 2


def test_the_receipt_of_a_withdrawn_run_stays(submission, alice):
    withdraw([submission], by=alice, side=Submission.Side.TEAM)
    assert Receipt.objects.filter(submission=submission).exists()


def test_of_a_deleted_run_the_link_stays_and_what_its_receipt_says_goes(phase, task, team, olga):
    make_submission(phase, team, olga, reference="baseline")
    before = list(ReceiptLink.objects.values())
    assert delete_task(task, by=olga)
    assert not Receipt.objects.exists()
    assert list(ReceiptLink.objects.values()) == before


def test_an_upload_that_is_not_admitted_has_no_receipt_and_leaves_no_gap(phase, team, alice, monkeypatch):
    make_uploads(phase, team, alice, 1)
    with monkeypatch.context() as patch:
        patch.setattr(Receipt.objects, "create", _fails)
        with pytest.raises(ConnectionError):
            make_uploads(phase, team, alice, 1, first=1)
    make_uploads(phase, team, alice, 1, first=2)
    assert list(ReceiptLink.objects.order_by("number").values_list("number", flat=True)) == [1, 2]


def _fails(**values):
    raise ConnectionError


@pytest.mark.django_db(transaction=True)
def test_uploads_at_the_same_moment_stand_in_one_chain_without_gap_or_double(phase):
    people = [make_user(f"Person{number}") for number in range(5)]
    teams = [make_team(f"Team {number}", person) for number, person in enumerate(people)]
    start, failures = threading.Barrier(len(people)), []

    def upload(team, person):
        start.wait()
        try:
            make_uploads(phase, team, person, 4)
        except Exception as error:  # noqa: BLE001 - a thread's failure is the test's
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=upload, args=pair) for pair in zip(teams, people, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    links = list(ReceiptLink.objects.order_by("number"))
    assert [link.number for link in links] == list(range(1, 21))
    head = "0" * 64
    for link in links:
        assert link.digest == sha256(link.receipt.text)
        head = sha256(head + link.digest)
        assert link.head == head
    assert ReceiptChain.objects.get().head == head
