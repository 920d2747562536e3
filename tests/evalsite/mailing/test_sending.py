"""Copies of a letter reach a real mail server once each, whatever it answers and whoever is killed."""

import re
import time
from datetime import timedelta
from email import message_from_bytes, policy

import pytest
from django.utils import timezone

from evalsite.accounts.models import User
from evalsite.background import services
from evalsite.background.models import Job
from evalsite.mailing import sending
from evalsite.mailing.models import Delivery, Letter
from evalsite.mailing.services import post
from evalsite.mailing.switches import switch
from tests.factories import make_user
from tests.mail_server import mail_server

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings):
    with mail_server() as server:
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        settings.EMAIL_TIMEOUT = 0.2
        settings.MAIL_TRANSPORT = "django.core.mail.backends.smtp.EmailBackend"
        yield server


@pytest.fixture
def letter(task) -> Letter:
    task.contact = "chairs@example.org"
    task.save()
    return Letter(task=task, subject="The test opens", text="On Monday.", by=None)


def people(n: int) -> list[User]:
    users = [User(email=f"{number}@example.org", name=f"Person {number}") for number in range(n)]
    return User.objects.bulk_create(users)


def work() -> str:
    """Do a step of the job, as a worker does after whatever pause."""
    Job.objects.update(not_before=None)
    Delivery.objects.update(not_before=None)
    return services.work(Job.objects.get().pk)


def readers(server) -> list[str]:
    return sorted(message_from_bytes(mail)["To"] for mail in server.taken)


def states() -> dict[str, str]:
    return dict(Delivery.objects.values_list("email", "state"))


def queued(letter, readers) -> None:
    assert post(letter, readers, lambda reader: (letter.subject, letter.text))


def test_each_reader_gets_one_mail_in_the_own_language_which_names_nobody_else(server, letter, alice):
    eva = make_user("Eva", language="es")
    queued(letter, [alice, eva])
    assert work() == "done"
    assert readers(server) == ["alice@example.org", "eva@example.org"]
    [spanish] = [mail for mail in server.taken if b"eva@example.org" in mail]
    mail = message_from_bytes(spanish, policy=policy.default)
    assert mail["Subject"] == "[Task health] The test opens"
    assert mail["Reply-To"] == "chairs@example.org"
    assert mail.get_content().startswith("On Monday.")
    assert "porque su equipo participa" in mail.get_content()
    assert b"alice" not in spanish
    assert not Delivery.objects.exclude(text="").exists(), "what was sent is its reader's alone"


def test_a_mail_program_switches_the_kind_off_with_one_request(server, letter, alice, client):
    queued(letter, [alice])
    work()
    mail = message_from_bytes(server.taken[0], policy=policy.default)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = re.search("<https?://[^/]+(/mail/[^>]+/)>", mail["List-Unsubscribe"])[1]
    assert "Stop sending me mail of this kind" in client.get(address).content.decode()
    assert not alice.mail_switches.exists(), "scanners of mail follow links"
    client.post(address, {"List-Unsubscribe": "One-Click"})
    assert post(Letter(task=letter.task), [alice], lambda reader: ("", "")) == 0
    client.post(address, {"on": "1"})
    assert post(Letter(task=letter.task), [alice], lambda reader: ("", "")) == 1
    assert client.post(f"{address[:-2]}x/").status_code == 404


def test_a_kind_is_switched_off_for_one_person(letter, alice, bob):
    switch(alice.pk, "opens", is_on=False)
    switch(bob.pk, "letter", is_on=False)
    queued(letter, [alice, bob])
    assert states() == {"alice@example.org": "queued"}


def test_nobody_adds_a_header_or_turns_a_line_round(server, letter, alice):
    letter.task.title = "Task\r\nBcc: all@example.org"
    letter.subject = "Hi\nX-Evil: 1\N{RIGHT-TO-LEFT OVERRIDE}"
    queued(letter, [alice])
    work()
    mail = message_from_bytes(server.taken[0], policy=policy.default)
    assert mail["Bcc"] is mail["X-Evil"] is None
    assert mail["Subject"] == "[Task Bcc: all@example.org] Hi X-Evil: 1"


def test_a_rejected_address_is_noted_and_a_busy_server_asked_again(server, letter):
    queued(letter, people(3))
    answers = {"RCPT TO:<1@example.org>": "550 no such user", "RCPT TO:<2@example.org>": "450 try later"}
    server.answer = answers.get
    work()
    assert states() == {"0@example.org": "sent", "1@example.org": "rejected", "2@example.org": "queued"}
    rested = Delivery.objects.get(email="2@example.org")
    assert rested.not_before > timezone.now() + timedelta(seconds=20)
    assert Job.objects.get().state == "queued"
    assert Delivery.objects.get(email="1@example.org").error == "550 no such user"
    server.answer = {}.get
    assert work() == "done"
    assert readers(server) == ["0@example.org", "2@example.org"]


def test_a_text_that_the_server_refuses_is_no_text_that_it_has(server, letter):
    queued(letter, people(1))
    server.answer = {".": "451 disk full"}.get
    work()
    server.answer = {}.get
    assert work() == "done"
    assert readers(server) == ["0@example.org"]


@pytest.mark.thorough
def test_a_server_that_hangs_before_the_text_is_asked_again_and_after_it_never(server, letter):
    queued(letter, people(1))
    server.answer = lambda line: time.sleep(1) if line.startswith("DATA") else None
    work()
    assert states() == {"0@example.org": "queued"}
    assert "could not be sent yet" in Job.objects.get().error
    server.answer = lambda line: time.sleep(1) if line == "." else None
    work()
    assert states() == {"0@example.org": "unknown"}
    server.answer = {}.get
    assert work() in ("done", "")
    time.sleep(1)
    assert readers(server) == ["0@example.org"], "it had taken the text after all"


def test_a_server_that_hangs_up_after_some_mails_gets_the_others_too(server, letter):
    queued(letter, people(5))
    full = iter([None] * 2 + ["421 enough"] + [None] * 10)
    server.answer = lambda line: next(full) if line.startswith("MAIL") else None
    assert work() == "done"
    assert len(set(readers(server))) == len(server.taken) == 5


class Killed(BaseException):
    """Stands for the end of a process: nothing after it runs."""


def dying(function):
    """Return the function, which does its work once and dies the second time."""
    calls = iter(range(2))

    def once(*args):
        if next(calls):
            raise Killed
        return function(*args)

    return once


@pytest.mark.parametrize(("step", "ends"), [("_message", {"sent"}), ("_end", {"sent", "unknown"})])
def test_who_is_killed_before_or_after_the_text_sends_nothing_twice(server, letter, monkeypatch, step, ends):
    queued(letter, people(6))
    for _ in range(3):
        with monkeypatch.context() as patch:
            patch.setattr(sending, step, dying(getattr(sending, step)))
            with pytest.raises(Killed):
                work()
        Job.objects.update(lease_ends=timezone.now() - timedelta(minutes=1))
        services.reap()
    while Job.objects.get().state == "queued":
        work()
    assert len(set(readers(server))) == len(server.taken) == 6
    assert set(states().values()) == ends


def test_five_hundred_letters_are_queued_in_a_few_queries(letter, django_assert_max_num_queries):
    readers = people(500)
    with django_assert_max_num_queries(15):
        start = time.process_time()
        assert post(letter, readers, lambda reader: ("Subject", "Text " * 200)) == 500
        assert time.process_time() - start < 1
    assert post(Letter(pk=letter.pk, task=letter.task), readers, lambda reader: ("", "")) is None
