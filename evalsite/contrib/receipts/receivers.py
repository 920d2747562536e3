"""Writes the receipt of each upload in the upload's own transaction."""

from typing import Any

from django.dispatch import receiver

from evalsite.contrib.receipts.chain import write_receipt
from evalsite.submissions.models import Submission
from evalsite.submissions.receiving.admission import submission_stored


@receiver(submission_stored)
def write_the_receipt(submission: Submission, **kwargs: Any) -> None:
    write_receipt(submission)
