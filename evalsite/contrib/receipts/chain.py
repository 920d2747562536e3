"""Writes the receipt of an upload, in the upload's own transaction, as the next link of the site's chain.

The chain is public and says nothing about anybody: a link has the digest of a receipt, and each receipt has a salt of
its own, so that no digest can be guessed from what one knows of an upload. What the receipt says goes with the upload.
"""

import json
import secrets
from collections.abc import Iterator
from datetime import date
from typing import Any

from evalsite.contrib.receipts.models import Receipt, ReceiptChain, ReceiptDay, ReceiptLink
from evalsite.submissions.models import Submission
from scoring.receipts import FIRST_HEAD, digest_of, head_after

FORMAT = 1  # of the text


def write_receipt(submission: Submission) -> Receipt:
    """Add the receipt of a submission that was just saved, as the last thing that its transaction does.

    Uploads wait here for one another until the end of the transaction, so nothing that takes time may come after it.
    """
    chain, _ = ReceiptChain.objects.select_for_update().get_or_create(pk=1, defaults={"head": FIRST_HEAD})
    today = submission.created.date()
    # Neither a clock that was put back nor an upload that arrived before midnight begins a former day again.
    day = max(today, chain.day or today)
    text = _text(submission, chain.number + 1)
    digest = digest_of(text)
    link = ReceiptLink.objects.create(
        number=chain.number + 1, day=day, digest=digest, head=head_after(chain.head, digest)
    )
    ReceiptDay.objects.bulk_create(
        [ReceiptDay(day=day, number=link.number, head=link.head)],
        update_conflicts=True,
        unique_fields=("day",),
        update_fields=("number", "head"),
    )
    ReceiptChain.objects.filter(pk=chain.pk).update(number=link.number, head=link.head, day=day)
    return Receipt.objects.create(submission=submission, link=link, text=text)


def _text(submission: Submission, number: int) -> str:
    facts = {
        "format": FORMAT,
        "number": number,
        "arrived": submission.created.isoformat(),
        "task": submission.phase.task.slug,
        "phase": submission.phase.slug,
        "run": str(submission.pk),
        "bytes": submission.size,
        "sha256": submission.sha256,
        "salt": secrets.token_hex(16),
    }
    return json.dumps(facts, ensure_ascii=True, separators=(",", ":"))


def receipt_of(submission: Submission) -> Receipt | None:
    """Return its receipt; uploads from before there were receipts have none."""
    return getattr(submission, "receipt", None)


def as_file(receipt: Receipt) -> dict[str, Any]:
    """Return what a participant keeps: the text, and its place in the chain."""
    link = receipt.link
    return {
        "receipt": receipt.text,
        "digest": link.digest,
        "number": link.number,
        "day": link.day.isoformat(),
        "before": _head_before(link),
        "head": link.head,
    }


def _head_before(link: ReceiptLink) -> str:
    before = ReceiptLink.objects.filter(number=link.number - 1).values_list("head", flat=True).first()
    return before or FIRST_HEAD


def recent_heads() -> list[ReceiptDay]:
    """Return the heads of the last two days that had uploads, the later first."""
    return list(ReceiptDay.objects.all()[:2])


def links_as_text(day: date) -> Iterator[str]:
    """Yield the links of a day, a line each: its number, the digest of the receipt, and the head after it."""
    links = ReceiptLink.objects.filter(day=day).order_by("number").values_list("number", "digest", "head")
    for number, digest, head in links.iterator(chunk_size=2000):
        yield f"{number} {digest} {head}\n"
