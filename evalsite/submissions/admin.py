"""The organisers' admin of submissions: what came in, how its scoring goes, and what can be done about it."""

from functools import partial
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html_join

from evalsite.challenges.permissions import Organised, OrganisedAdmin, ReadOnly
from evalsite.submissions import intake
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.tasks import enqueue
from evalsite.wording import counted, link


class StateFilter(admin.SimpleListFilter):
    title = "state of a scoring"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return Scoring.State.choices

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.value() is None:
            return queryset
        return queryset.filter(Exists(Scoring.objects.filter(submission=OuterRef("pk"), state=self.value())))


class WithdrawnFilter(admin.SimpleListFilter):
    title = "place on the boards"
    parameter_name = "withdrawn"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("no", "standing"), ("yes", "withdrawn")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Submission]) -> QuerySet[Submission]:
        if self.value() is None:
            return queryset
        return queryset.filter(withdrawn__isnull=self.value() != "yes")


class ScoringInline(ReadOnly, Organised, admin.StackedInline):
    task_path = "submission__phase__task"
    model = Scoring
    extra = 0
    readonly_fields = (
        *("state", "step", "attempts", "scenario", "gold_version", "engine_version"),
        *("created", "started", "finished", "listed_problems", "error"),
    )
    fields = (
        ("state", "step", "attempts"),
        ("scenario", "gold_version", "engine_version"),
        ("created", "started", "finished"),
        "listed_problems",
        "error",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Scoring]:
        related = ("submission__team", "scenario", "gold")
        return super().get_queryset(request).select_related(*related)

    @admin.display(description="gold")
    def gold_version(self, scoring: Scoring) -> str:
        return link(reverse("admin:challenges_gold_change", args=[scoring.gold_id]), f"version {scoring.gold.version}")

    @admin.display(description="problems")
    def listed_problems(self, scoring: Scoring) -> str:
        return format_html_join("", "<div>{}</div>", ((_in_words(problem),) for problem in scoring.problems))


def _in_words(problem: dict[str, Any]) -> str:
    place = ":".join(str(problem[part]) for part in ("file", "line", "column") if problem.get(part) is not None)
    return f"{place}: {problem['message']}" if place else problem["message"]


@admin.register(Submission)
class SubmissionAdmin(OrganisedAdmin):
    task_path = "phase__task"
    list_display = ("method", "scenario_states", "team", "phase", "created", "reference", "withdrawn")
    list_filter = (
        StateFilter,
        ("phase__task", admin.RelatedOnlyFieldListFilter),
        ("phase", admin.RelatedOnlyFieldListFilter),
        "reference",
        WithdrawnFilter,
    )
    list_select_related = ("team", "phase__task")
    list_per_page = 50
    search_fields = ("method", "team__name", "^scorings__id")
    ordering = ("-created",)
    actions = ("score_again", "cancel", "withdraw", "restore")
    inlines = (ScoringInline,)
    fields = (
        "method",
        "reference",
        ("team", "uploaded_by", "phase"),
        "description",
        "link",
        ("file_link", "size", "sha256"),
        ("created", "withdrawn"),
    )
    readonly_fields = (
        *("team", "uploaded_by", "phase", "description", "link"),
        *("file_link", "size", "sha256", "created", "withdrawn"),
    )

    def has_add_permission(self, request: HttpRequest, obj: Submission | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Submission | None = None) -> bool:
        """A submission is withdrawn; its numbers stay."""
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Submission]:
        scorings = Scoring.objects.select_related("scenario").only(
            "state", "submission_id", "created", "scenario__number", "scenario__name"
        )
        return super().get_queryset(request).prefetch_related(Prefetch("scorings", scorings))

    @admin.display(description="scenarios")
    def scenario_states(self, submission: Submission) -> str:
        """Of each scenario the newest scoring."""
        newest = {scoring.scenario.number: scoring.state for scoring in reversed(submission.scorings.all())}
        badges = ((state, number, state) for number, state in sorted(newest.items()))
        return format_html_join(" ", '<span class="state state-{}">{} {}</span>', badges)

    @admin.display(description="uploader")
    def uploaded_by(self, submission: Submission) -> str:
        return str(submission.uploader or "")  # without a link: accounts are the administrators' affair

    @admin.display(description="file")
    def file_link(self, submission: Submission) -> str:
        return link(reverse("submission_file", args=[submission.pk]), submission.file_name)

    def view_on_site(self, submission: Submission) -> str:
        return submission.get_absolute_url()

    def save_model(self, request: HttpRequest, obj: Submission, form: Any, change: bool) -> None:
        """Through the intake, which tells the boards."""
        if "method" in form.changed_data:
            intake.rename(obj, obj.method, by=request.user)
        if "reference" in form.changed_data:
            intake.set_reference(obj, obj.reference, by=request.user)

    @admin.action(description="Score again", permissions=["change"])
    def score_again(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        queued: list[UUID] = []
        for submission in queryset:
            try:
                queued += [scoring.pk for scoring in intake.score_again(submission, by=request.user)]
            except intake.Rejection as rejection:
                self.message_user(request, f"{submission}: {rejection}", messages.ERROR)
        transaction.on_commit(partial(enqueue, queued))
        said = f"{counted(len(queued), 'scoring')} queued. What the newest gold and engine have scored stays as it is."
        self.message_user(request, said, messages.SUCCESS if queued else messages.INFO)

    @admin.action(description="Cancel what has not begun", permissions=["change"])
    def cancel(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        cancelled = sum(intake.cancel(submission, by=request.user) for submission in queryset)
        self.message_user(request, f"{counted(cancelled, 'scoring')} cancelled.")

    @admin.action(description="Withdraw from the boards …", permissions=["change"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Submission]) -> HttpResponse | None:
        standing = list(queryset.filter(withdrawn=None))
        if standing and "confirmed" not in request.POST:
            context = {
                **self.admin_site.each_context(request),
                "title": "Withdraw from the boards?",
                "opts": self.opts,
                "submissions": standing,
                "action_checkbox_name": ACTION_CHECKBOX_NAME,
            }
            return TemplateResponse(request, "admin/submissions/submission/withdraw.html", context)
        for submission in standing:
            intake.withdraw(submission, by=request.user)
        self.message_user(request, f"{counted(len(standing), 'submission')} withdrawn; “Restore” brings them back.")
        return None

    @admin.action(description="Restore to the boards", permissions=["change"])
    def restore(self, request: HttpRequest, queryset: QuerySet[Submission]) -> None:
        withdrawn = list(queryset.filter(withdrawn__isnull=False))
        for submission in withdrawn:
            intake.restore(submission, by=request.user)
        self.message_user(request, f"{counted(len(withdrawn), 'submission')} restored.")
