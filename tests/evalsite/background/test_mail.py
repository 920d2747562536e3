"""Mail goes by the database and a worker: nobody waits for a mail server, and no mail is lost with one."""

from contextlib import contextmanager
from datetime import timedelta
from smtplib import SMTPRecipientsRefused, SMTPServerDisconnected
from unittest.mock import Mock

import pytest
import time_machine
from django.core import mail
from django.core.mail import EmailMessage, EmailMultiAlternatives, send_mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from evalsite.background import outbox, services, tasks
from evalsite.background.models import Job

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _mail_by_outbox(settings):
    settings.EMAIL_BACKEND = "evalsite.background.outbox.Outbox"
    settings.MAIL_TRANSPORT = "django.core.mail.backends.locmem.EmailBackend"


@pytest.fixture
def told(monkeypatch):
    """The mails that a worker was told of."""
    found: list[str] = []
    monkeypatch.setattr(tasks.send, "apply_async", lambda arguments, countdown: found.extend(arguments))
    return found


@pytest.fixture
def broker_away(monkeypatch):
    def fail(arguments, countdown):
        raise OperationalError("the broker is away")

    monkeypatch.setattr(tasks.send, "apply_async", fail)


@pytest.fixture
def server_says(monkeypatch):
    """Lets the mail server answer with this error."""

    @contextmanager
    def say(error):
        with monkeypatch.context() as patch:
            patch.setattr(EmailBackend, "send_messages", Mock(side_effect=error))
            yield

    return say


def written(subject="Subject") -> Job:
    """A mail of which no worker was told."""
    EmailMessage(subject, "Text", None, ["a@example.org"]).send()
    return Job.objects.order_by("-created").first()


def rested() -> None:
    """Make it as if all had rested long enough, and their messages were lost."""
    Job.objects.update(not_before=timezone.now() - MINUTE, enqueued=None)


def deliver_due() -> None:
    """Do what the reaper finds, as a worker would."""
    for pk in services.reap():
        tasks.send(str(pk))


@pytest.mark.django_db(transaction=True)
def test_a_mail_is_sent_by_a_worker_as_it_was_written(told):
    written = EmailMultiAlternatives("Año", "Text", "from@example.org", ["a@example.org"], bcc=["b@example.org"])
    written.attach_alternative("<p>Text</p>", "text/html")
    written.extra_headers["X-Kind"] = "test"
    written.send()
    assert not mail.outbox
    tasks.send(*told)
    (sent,) = mail.outbox
    for name in ("subject", "body", "from_email", "to", "bcc", "extra_headers"):
        assert getattr(sent, name) == getattr(written, name)
    assert sent.recipients() == ["a@example.org", "b@example.org"]
    assert sent.alternatives[0].content == "<p>Text</p>"
    assert not Job.objects.exists(), "what it says is its reader's alone"


@pytest.mark.django_db(transaction=True)
def test_a_mail_is_sent_if_what_it_tells_of_is_stored(told):
    with transaction.atomic():
        send_mail("Subject", "Text", None, ["a@example.org"])
        transaction.set_rollback(True)
    assert not told
    assert not Job.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_link_for_a_new_password_comes_also_without_a_broker(alice, client, broker_away):
    client.post(reverse("account_reset_password"), {"email": alice.email})
    assert "/accounts/password/reset/key/" in mail.outbox[0].body


@pytest.mark.django_db(transaction=True)
def test_it_comes_also_when_neither_broker_nor_mail_server_answered(alice, client, broker_away, server_says):
    with server_says(ConnectionRefusedError()):
        assert client.post(reverse("account_reset_password"), {"email": alice.email}).status_code == 302
    assert services.reap() == [], "it rests"
    rested()
    deliver_due()
    assert "/accounts/password/reset/key/" in mail.outbox[0].body
    assert not Job.objects.exists()


@pytest.mark.django_db
def test_pauses_get_longer_and_end_after_two_days(server_says):
    pk, pauses = written().pk, []
    with server_says(SMTPServerDisconnected("gone")):
        for _ in range(outbox.MOST_TRIES - 1):
            rested()
            now = timezone.now()
            assert services.work(pk) == "queued"
            pauses.append(round((Job.objects.get().not_before - now) / timedelta(seconds=30)))
        assert pauses[:6] == [1, 4, 16, 64, 120, 120]
        assert timedelta(days=1.8) < sum(pauses) * timedelta(seconds=30) < timedelta(days=2.2)
        rested()
        services.work(pk)
    assert not Job.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(("code", "is_kept"), [(450, True), (550, False)])
def test_an_address_that_does_not_exist_is_not_tried_again(server_says, code, is_kept):
    with server_says(SMTPRecipientsRefused({"a@example.org": (code, b"no")})):
        services.work(written().pk)
    assert Job.objects.exists() == is_kept


@pytest.mark.django_db
def test_a_mail_that_nobody_can_write_holds_up_no_other_one():
    for subject in ("two\nlines", "one line"):
        written(subject)
    deliver_due()
    assert [sent.subject for sent in mail.outbox] == ["one line"]
    assert not Job.objects.exists()


@pytest.mark.django_db
def test_one_process_sends_a_mail_and_another_one_when_it_has_died():
    pk = written().pk
    assert services.claim(pk)
    assert services.work(pk) == "", "a second process has it too"
    assert services.reap() == []
    Job.objects.update(lease_ends=timezone.now() - MINUTE)
    assert services.reap() == [pk]


@pytest.mark.django_db
def test_a_mail_goes_by_the_clock_of_the_database():
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        pk = written().pk
    services.work(pk)
    assert mail.outbox, "whose clock is an hour behind that of who wrote it"
