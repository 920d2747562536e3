"""The administrators' pages of runs, their scorings and results; changes are made at the tasks' desks."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.plain_admin import LONGEST_SEARCH, Administered, PlainAdmin, show
from evalsite.submissions.models import (
    Allowance,
    Choice,
    Judgement,
    KeptUpload,
    RefusedUploads,
    Result,
    Scoring,
    Submission,
)
from evalsite.submissions.runs.search import search
from evalsite.translating.engine import from_engine
from evalsite.wording import link

show(
    *(Allowance, "team", "phase", "uploads", "until", "reason", "by"),
    related=("team", "phase__task", "by"),
    search=("team__name", "phase__name"),
)
show(
    *(Choice, "team", "phase", "scenario", "submission", "made"),
    related=("team", "phase__task", "scenario__task", "submission__team"),
    search=("team__name", "phase__name"),
)
show(
    *(Judgement, "submission", "gold", "posted", "by"),
    related=("submission__team", "gold__phase__task", "gold__scenario", "by"),
    search=("submission__team__name", "gold__judge_name"),
)
show(
    *(RefusedUploads, "team", "phase", "n", "last", "file_name"),
    related=("team", "phase__task"),
    search=("team__name", "phase__name"),
)
show(
    *(KeptUpload, "name", "user", "phase", "size", "expires"),
    related=("user", "phase__task"),
    hidden=("names",),
)


class ScoringInline(Administered, admin.TabularInline):
    model = Scoring
    extra = 0
    fields = readonly_fields = ("code", "scenario", "gold", "engine_version", "state", "attempts", "finished")
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Scoring]:
        related = ("submission__team", "scenario__task", "gold__phase__task", "gold__scenario")
        return super().get_queryset(request).select_related(*related)


@admin.register(Submission)
class SubmissionAdmin(PlainAdmin):
    """Lists every run of the site, found by method, team or code."""

    list_display = ("method", "team", "where", "standing", "created")
    list_filter = ("reference", "is_late", "is_beyond_limit", ("withdrawn", admin.EmptyFieldListFilter))
    list_select_related = ("team", "phase__task")
    list_per_page = 50
    search_fields = ("method", "team__name")
    ordering = ("-created",)
    inlines = (ScoringInline,)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return ["desk", *super().get_fields(request, obj)]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Submission], search_term: str
    ) -> tuple[QuerySet[Submission], bool]:
        return search(queryset, search_term[:LONGEST_SEARCH]), False

    @admin.display(description=gettext_lazy("desk"))
    def desk(self, submission: Submission) -> str:
        runs = reverse("desk_runs", args=[submission.phase.task.slug])
        return link(f"{runs}?phase={submission.phase.slug}", gettext("Runs of its phase"))

    @admin.display(description=gettext_lazy("phase"), ordering="phase")
    def where(self, submission: Submission) -> str:
        return format_html('{}<div class="help">{}</div>', submission.phase.name, submission.phase.task)

    @admin.display(description=gettext_lazy("stands as"), ordering="withdrawn")
    def standing(self, submission: Submission) -> str:
        return gettext("withdrawn") if submission.withdrawn else submission.get_reference_display()

    @admin.display(description=gettext_lazy("stored file"))
    def stored(self, submission: Submission) -> str:  # type: ignore[override]
        return link(reverse("submission_file", args=[submission.pk]), submission.file_name)


@admin.register(Scoring)
class ScoringAdmin(PlainAdmin):
    """Finds a scoring by the code on a page or in a mail, and shows why it failed."""

    hidden = ("lease", "problems", "causes", "error")
    list_display = ("code", "state", "fault", "submission", "scenario", "created", "finished")
    list_filter = ("state", "fault")
    list_select_related = ("submission__team", "scenario__task")
    search_fields = ("=pk",)
    ordering = ("-created",)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return [*super().get_fields(request, obj), "listed_problems", "what_failed"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Scoring], search_term: str
    ) -> tuple[QuerySet[Scoring], bool]:
        """Search by the code of a scoring, or by the words of its run."""
        if not search_term:
            return queryset, False
        runs = search(Submission.objects.all(), search_term[:LONGEST_SEARCH])
        return queryset.filter(submission__in=runs.values("pk")), False

    @admin.display(description=gettext_lazy("problems"))
    def listed_problems(self, scoring: Scoring) -> str:
        return format_html_join("", "<div>{}</div>", ((_in_words(problem),) for problem in scoring.problems))

    @admin.display(description=gettext_lazy("error"))
    def what_failed(self, scoring: Scoring) -> str:
        return from_engine(scoring.error)


def _in_words(problem: dict[str, Any]) -> str:
    place = ":".join(str(problem[part]) for part in ("file", "line", "column") if problem.get(part) is not None)
    message = from_engine(problem["message"])
    return f"{place}: {message}" if place else message


@admin.register(Result)
class ResultAdmin(PlainAdmin):
    """Shows headline and signature of a result; its own page has all numbers."""

    hidden = ("scores", "intervals", "interval_methods", "counts", "distribution", "warnings")
    list_display = ("scoring", "headline", "n_units", "created")
    list_select_related = ("scoring__submission__team", "scoring__scenario__task")
    search_fields = ("scoring__submission__method", "scoring__submission__team__name", "gold_digest")
    ordering = ("-created",)
