"""The administrators' pages of background jobs, among them mails that are not sent yet."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from evalsite.accounts.plain_admin import PlainAdmin
from evalsite.background.models import Job


@admin.register(Job)
class JobAdmin(PlainAdmin):
    is_work = 5
    hidden = ("lease", "arguments")
    list_display = (
        "kind",
        "task",
        "about",
        "state",
        "progress",
        "attempts",
        "made_by",
        "created",
        "not_before",
        "finished",
    )
    list_filter = ("kind", "state")
    list_select_related = ("task", "made_by")

    @admin.display(description=_("done"))
    def progress(self, job: Job) -> str:
        return f"{job.done:,} / {job.total:,}"

    @admin.display(description=_("subject"))
    def about(self, job: Job) -> str:
        """Return subject and recipients of a mail; its text, such as the link to a new password, is private."""
        if job.kind != Job.MAIL:
            return ""
        return ", ".join([str(job.arguments.get("subject", "")), *(job.arguments.get("to") or [])])
