"""Reports of mail servers that a letter was not delivered after all show its address as rejected; nothing else does."""

import io
import sys
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from evalsite.mailing.models import Delivery, Letter

pytestmark = pytest.mark.django_db
REASON = "550 5.1.1 <alice@example.org>: there is no such mailbox"


@pytest.fixture
def copy(task, alice) -> Delivery:
    letter = Letter.objects.create(task=task, subject="The test opens", text="On Monday.")
    return Delivery.objects.create(letter=letter, user=alice, email=alice.email, subject="x", state="sent")


def report(key: object, *, action: str = "failed", as_headers: bool = False, kind: str = "report") -> bytes:
    """Return a report as Postfix writes it, about the copy with this key."""
    returned = "text/rfc822-headers" if as_headers else "message/rfc822"
    return f"""\
From: MAILER-DAEMON@mx.example
Subject: Undelivered Mail Returned to Sender
Content-Type: multipart/{kind}; report-type=delivery-status; boundary="=="

--==
Content-Type: text/plain; charset=us-ascii

Your message could not be delivered.
--==
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; alice@example.org
Action: {action}
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 <alice@example.org>:
    there is no such mailbox
--==
Content-Type: {returned}

Subject: The test opens
Message-ID: <{key}@evalsite.example>

On Monday.
--==--
""".encode()


def piped(monkeypatch, content: bytes) -> str:
    said = io.StringIO()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    call_command("readbounces", stdout=said)
    return said.getvalue()


@pytest.mark.parametrize("as_headers", [False, True])
def test_a_letter_that_comes_back_later_is_rejected_with_the_reason(monkeypatch, copy, as_headers):
    assert f"health: “The test opens” to alice@example.org: {REASON}" in piped(
        monkeypatch, report(copy.pk, as_headers=as_headers)
    )
    copy.refresh_from_db()
    assert (copy.state, copy.error) == ("rejected", REASON)
    assert "newly rejected: 0" in piped(monkeypatch, report(copy.pk))


@pytest.mark.parametrize(
    "mail",
    [
        lambda key: report(key, action="delayed"),
        lambda key: report(key, action="delivered"),
        lambda key: report(key, kind="mixed"),
        lambda key: report(uuid4()),
        lambda key: report("alice"),
        lambda key: b"",
        lambda key: b"\x00\xff: \x00\n\n\xff",
        lambda key: b"Content-Type: message/rfc822\n\n" * 5000,
        lambda key: b"From: alice@example.org\nSubject: Re: The test opens\n\nI am away.\n",
    ],
)
def test_any_other_mail_changes_nothing(monkeypatch, copy, mail):
    assert piped(monkeypatch, mail(copy.pk)) == "Mails read: 1. Addresses newly rejected: 0.\n"
    copy.refresh_from_db()
    assert copy.state == "sent"


def test_a_copy_that_still_waits_is_no_bounce(monkeypatch, copy):
    Delivery.objects.update(state="queued")
    piped(monkeypatch, report(copy.pk))
    copy.refresh_from_db()
    assert copy.state == "queued"


def test_new_mails_of_a_maildir_are_read_once_and_stay(tmp_path, copy):
    for name in ("cur", "new", "tmp"):
        (tmp_path / name).mkdir()
    (tmp_path / "new" / "1.mx").write_bytes(b"Subject: hello\n\nhello\n")
    (tmp_path / "new" / "2.mx").write_bytes(report(copy.pk))
    said = io.StringIO()
    call_command("readbounces", str(tmp_path), stdout=said)
    call_command("readbounces", str(tmp_path), stdout=said)
    first, second, third = said.getvalue().splitlines()
    assert first.endswith(REASON)
    assert [second, third] == [
        "Mails read: 2. Addresses newly rejected: 1.",
        "Mails read: 0. Addresses newly rejected: 0.",
    ]
    assert sorted(path.name for path in (tmp_path / "cur").iterdir()) == ["1.mx:2,S", "2.mx:2,S"]


def test_a_folder_that_is_no_maildir_is_named_with_what_it_lacks(tmp_path):
    (tmp_path / "new").mkdir()
    with pytest.raises(CommandError, match="is no maildir: it has no folder cur and no folder tmp"):
        call_command("readbounces", str(tmp_path))
