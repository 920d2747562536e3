"""What the API says of a run's receipt."""

from datetime import date
from typing import Any

from django.utils.translation import gettext_noop as _
from ninja import Field, Schema

from evalsite.base.contrib import RunField
from evalsite.contrib.receipts.chain import as_file, receipt_of
from evalsite.submissions.models import Submission


class ReceiptDescribed(Schema):
    receipt: str = Field(description=_("A line of JSON, to the letter as its digest was taken."))
    digest: str = Field(description=_("SHA-256 of the line."))
    number: int = Field(description=_("Its place in the chain of all receipts of the site."))
    day: date
    before: str = Field(description=_("The head of the chain before it."))
    head: str = Field(description=_("The head after it: SHA-256 of the head before and the digest."))


def describe(submission: Submission) -> dict[str, Any] | None:
    receipt = receipt_of(submission)
    return as_file(receipt) if receipt else None


RECEIPT = RunField(ReceiptDescribed | None, _("What proves the upload; none for the oldest."), describe)
