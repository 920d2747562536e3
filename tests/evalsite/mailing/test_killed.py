"""Workers that are killed again and again while a letter goes out: each reader gets it once."""

import os
import signal
import time
from collections import Counter
from email import message_from_bytes

import pytest

from evalsite.accounts.models import User
from evalsite.mailing.models import Delivery, Letter
from evalsite.mailing.services import post
from tests.mail_server import mail_server
from tests.workers import wait_for

pytestmark = pytest.mark.thorough
N_READERS, N_KILLED = 240, 10


@pytest.mark.django_db(transaction=True)
def test_workers_are_killed_ten_times_and_nobody_gets_a_letter_twice_or_not_at_all(celery, task):
    readers = [User(email=f"{number}@example.org", name=f"Person {number}") for number in range(N_READERS)]
    User.objects.bulk_create(readers)
    waiting = Delivery.objects.filter(state="queued")
    with mail_server() as server, celery("beat"):
        server.answer = lambda line: time.sleep(0.01) if line.startswith("RCPT") else None  # as over a network
        assert post(Letter(task=task, subject="Hello"), readers, lambda reader: ("Hello", "Text")) == N_READERS
        for n_killed in range(1, N_KILLED + 1):
            with celery("worker", "--concurrency", "1", EMAIL_URL=server.url) as worker:
                at_least = n_killed * N_READERS // (N_KILLED + 2)
                wait_for(lambda least=at_least: len(server.taken) >= least)
                os.killpg(worker.pid, signal.SIGKILL)
                worker.wait(10)
        with celery("worker", "--concurrency", "2", EMAIL_URL=server.url):
            wait_for(lambda: not waiting.exists())
    taken = Counter(message_from_bytes(mail)["To"] for mail in server.taken)
    assert set(taken.values()) == {1}, "nobody gets it twice, whatever is killed when"
    # Who died between the mark and the text has sent nothing; the organisers see whose copy it was.
    missing = {reader.email for reader in readers} - set(taken)
    assert missing <= set(Delivery.objects.filter(state="unknown").values_list("email", flat=True))
    assert len(missing) <= 1
