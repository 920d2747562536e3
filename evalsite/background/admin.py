"""What is done in the background, for administrators to look at: jobs, and mail that is not sent yet."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from evalsite.accounts.panel import PlainAdmin
from evalsite.background.models import Job
from evalsite.letters.models import Letter


@admin.register(Job)
class JobAdmin(PlainAdmin):
    hidden = ("lease", "arguments")
    list_display = ("kind", "task", "state", "progress", "attempts", "made_by", "created", "finished")
    list_filter = ("kind", "state")
    list_select_related = ("task", "made_by")

    @admin.display(description=_("done"))
    def progress(self, job: Job) -> str:
        return f"{job.done:,} / {job.total:,}"


@admin.register(Letter)
class LetterAdmin(PlainAdmin):
    """To whom and how often it was tried; what it says, such as the link to a new password, is its reader's alone."""

    list_display = fields = ("subject", "to", "created", "attempts", "next_attempt")
    ordering = ("-created",)

    @admin.display(description=_("subject"))
    def subject(self, letter: Letter) -> str:
        return str(letter.message.get("subject", ""))

    @admin.display(description=_("to"))
    def to(self, letter: Letter) -> str:
        return ", ".join(letter.message.get("to") or [])
