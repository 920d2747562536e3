"""Reads what mail servers report of letters that they had taken and cannot deliver (RFC 3464).

A report is believed by the key of the copy, which stands in the `Message-ID` of the mail that it returns, and which
nobody but its reader has been sent: whoever knows an address alone can have nothing said of it.
"""

import re
from email import message_from_bytes, message_from_string
from email.message import Message
from uuid import UUID

from evalsite.mailing.models import Delivery

State = Delivery.State
MOST_RECIPIENTS = 10  # of a report; a copy has one
_KEY = re.compile(r"<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@")


def reject_bounced(mail: bytes) -> Delivery | None:
    """Mark the copy that a report returns as rejected; return it, or None where the mail is no such report.

    Reports of a delay, or of a mail that has arrived, change nothing, nor does one that comes twice.
    """
    try:
        report = message_from_bytes(mail)
        reason, key = _failure(report), _key(report)
    except RecursionError:  # parts within parts, as no mail server writes them
        return None
    if not reason or not key:
        return None
    taken = Delivery.objects.filter(pk=key, state__in=(State.SENT, State.UNKNOWN))
    if not taken.update(state=State.REJECTED, error=reason, text=""):
        return None
    return Delivery.objects.select_related("letter__task").get(pk=key)


def _failure(report: Message) -> str:
    """Return why the mail is not delivered, in the server's words, or "" where the report says nothing of the kind."""
    if report.get_content_type() != "multipart/report":
        return ""
    for part in report.walk():
        if part.get_content_type() == "message/delivery-status":
            for fields in _messages(part)[1 : MOST_RECIPIENTS + 1]:  # the first is about the server
                if str(fields.get("Action", "")).strip().lower() == "failed":
                    words = str(fields.get("Diagnostic-Code", "")).partition(";")[2] or str(fields.get("Status", ""))
                    return " ".join(words.replace("\0", "").split())[:500] or "failed"
    return ""


def _key(report: Message) -> UUID | None:
    """Return the key of the copy out of the mail, or its headers, that the report returns."""
    for part in report.walk():
        kind, returned = part.get_content_type(), _messages(part)
        if kind == "text/rfc822-headers":
            returned = [message_from_string(_text(part))]
        elif kind not in ("message/rfc822", "message/global"):
            continue
        match = _KEY.search(str(returned[0].get("Message-ID", "")).lower()) if returned else None
        if match:
            return UUID(match[1])
    return None


def _messages(part: Message) -> list[Message]:
    """Return what the part holds: a mail, or of a delivery status its groups of fields, which are read like mails."""
    content = part.get_payload()
    return [part for part in content if isinstance(part, Message)] if isinstance(content, list) else []


def _text(part: Message) -> str:
    content = part.get_payload(decode=True)
    return content.decode(errors="replace") if isinstance(content, bytes) else ""
