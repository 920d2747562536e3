"""Receipts, and the chain of their digests."""

from django.db import models
from django.utils.translation import gettext_lazy

from evalsite.submissions.models import Submission


class ReceiptChain(models.Model):
    """Holds the end of the chain of receipts, in one row: who adds a link locks it, so that links are in one order."""

    number = models.PositiveBigIntegerField(default=0, help_text=gettext_lazy("Of the last link."))
    head = models.CharField(max_length=64, help_text=gettext_lazy("The last link's."))
    day = models.DateField(null=True, help_text="UTC.")

    class Meta:
        db_table = "submissions_receiptchain"  # as it was called before the app was one of its own

    def __str__(self) -> str:
        return f"{self.number}"


class ReceiptDay(models.Model):
    """The head of the chain at the end of a day, or now of today; a day without an upload has no row."""

    day = models.DateField(primary_key=True, help_text="UTC.")
    number = models.PositiveBigIntegerField(help_text=gettext_lazy("Of the day's last link."))
    head = models.CharField(max_length=64)

    class Meta:
        db_table = "submissions_receiptday"
        ordering = ("-day",)

    def __str__(self) -> str:
        return f"{self.day}: {self.head}"


class ReceiptLink(models.Model):
    """What the chain has of an upload for ever: the digest of its receipt, which says nothing about it."""

    number = models.PositiveBigIntegerField(primary_key=True)
    day = models.DateField(help_text="UTC.")
    digest = models.CharField(max_length=64, help_text=gettext_lazy("SHA-256 of the receipt's text."))
    head = models.CharField(
        max_length=64, help_text=gettext_lazy("SHA-256 of the head of the link before and the digest.")
    )

    class Meta:
        db_table = "submissions_receiptlink"
        indexes = (models.Index(fields=("day", "number"), name="receipt_link_by_day"),)

    def __str__(self) -> str:
        return f"{self.number}: {self.digest}"


class Receipt(models.Model):
    """What the site confirms of an upload; it goes with the upload, and its link in the chain stays."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, primary_key=True, related_name="receipt")
    link = models.OneToOneField(ReceiptLink, on_delete=models.PROTECT, related_name="receipt")
    text = models.TextField(help_text=gettext_lazy("A line of JSON, to the letter as its digest was taken."))

    class Meta:
        db_table = "submissions_receipt"
        verbose_name, verbose_name_plural = gettext_lazy("receipt"), gettext_lazy("receipts")

    def __str__(self) -> str:
        return f"{self.link_id}: {self.submission_id}"
