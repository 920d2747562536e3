"""What is done in the background, for administrators to look at: jobs, among them mail that is not sent yet."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from evalsite.accounts.plain_admin import PlainAdmin
from evalsite.background.models import Job


@admin.register(Job)
class JobAdmin(PlainAdmin):
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
        """Of a mail: what else it says, such as the link to a new password, is its reader's alone."""
        if job.kind != Job.MAIL:
            return ""
        return ", ".join([str(job.arguments.get("subject", "")), *(job.arguments.get("to") or [])])
