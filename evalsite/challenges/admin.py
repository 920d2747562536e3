"""The administrators' pages of tasks and all that belongs to them, and of what happened; organisers have the desk."""

from typing import Any

from django.contrib import admin
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from evalsite.accounts.plain_admin import PlainAdmin, show
from evalsite.challenges.audit_trail import details, event_in_words, event_words
from evalsite.challenges.models import (
    Agreement,
    Announcement,
    Application,
    Download,
    EntryRules,
    Event,
    FactSheet,
    FormerAddress,
    FormerParticipation,
    Gold,
    Organiser,
    OrganiserInvitation,
    Page,
    Participation,
    Phase,
    Picture,
    Scenario,
    Task,
    TeamNumber,
    WaitingGold,
    record,
)
from evalsite.challenges.taking_part.teams import with_n_submissions, with_n_teams
from evalsite.wording import amount, link

_OF_TASK, _OF_TEAM = ("task__title", "task__slug"), ("team__name",)
show(Scenario, "name", "task", "number", "family", related=("task",), search=("name", *_OF_TASK))
show(
    *(Phase, "name", "task", "opens", "closes", "is_paused", "results_released"),
    related=("task",),
    search=("name", *_OF_TASK),
)
show(Page, "title", "task", "slug", related=("task",), search=("title", "slug", *_OF_TASK))
show(Picture, "name", "task", "created", related=("task",), search=("name", *_OF_TASK))
show(Participation, "team", "task", "number", "created", related=("task", "team"), search=(*_OF_TEAM, *_OF_TASK))
show(
    *(FormerParticipation, "name", "task", "team", "number", "created"),
    related=("task", "team"),
    search=("name", *_OF_TEAM),
)
show(TeamNumber, "team", "phase", "number", related=("phase__task",), search=("phase__name", "=number"))
show(
    *(WaitingGold, "file_name", "phase", "created", "created_by"),
    related=("phase__task", "created_by"),
    hidden=("remarks",),
)


@admin.register(Task)
class TaskAdmin(PlainAdmin):
    """Tasks are changed, published and deleted at their desk, which administrators may use as well."""

    list_display = ("title", "desk", "is_published", "n_teams", "n_submissions", "created")
    list_filter = ("is_published",)
    search_fields = ("title", "slug", "summary")
    ordering = ("title",)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return ["desk", *super().get_fields(request, obj)]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Task]:
        return with_n_submissions(with_n_teams(super().get_queryset(request)))

    @admin.display(description=gettext_lazy("desk"))
    def desk(self, task: Task) -> str:
        return link(reverse("desk", args=[task.slug]), gettext("Organise"))

    @admin.display(description=gettext_lazy("teams"), ordering="n_teams")
    def n_teams(self, task: Task) -> str:
        return amount(task.n_teams)

    @admin.display(description=gettext_lazy("submissions"), ordering="n_submissions")
    def n_submissions(self, task: Task) -> str:
        url = reverse("admin:submissions_submission_changelist")
        return link(f"{url}?phase__task__id__exact={task.pk}", amount(task.n_submissions))


@admin.register(Gold)
class GoldAdmin(PlainAdmin):
    list_display = ("__str__", "state", "units", "note", "created", "created_by")
    list_filter = ("state",)
    list_select_related = ("phase__task", "scenario", "created_by")
    search_fields = ("phase__task__title", "phase__task__slug", "phase__name", "note", "=sha256")
    ordering = ("phase__task", "phase__opens", "scenario__number", "-version")

    @admin.display(description=gettext_lazy("units"), ordering="n_units")
    def units(self, gold: Gold) -> int:
        return gold.n_units

    @admin.display(description=gettext_lazy("stored file"))
    def stored(self, gold: Gold) -> str:  # type: ignore[override]
        return link(reverse("gold", args=[gold.pk]), gold.file_name)


@admin.register(Download)
class DownloadAdmin(PlainAdmin):
    list_display = ("title", "task", "available_from")
    list_select_related = ("task",)
    search_fields = ("title", "task__title", "task__slug")

    @admin.display(description=gettext_lazy("stored file"))
    def stored(self, download: Download) -> str:  # type: ignore[override]
        return link(reverse("download", args=[download.pk]), download.file_name)


@admin.register(Announcement)
class AnnouncementAdmin(PlainAdmin):
    list_display = ("title", "task", "created")
    list_select_related = ("task",)
    search_fields = ("title", "task__title", "task__slug")


@admin.register(EntryRules)
class EntryRulesAdmin(PlainAdmin):
    list_display = ("task", "way", "closes", "terms_version")
    list_filter = ("way",)
    list_select_related = ("task",)
    search_fields = ("task__title", "task__slug")
    hidden = ("secret",)


@admin.register(Application)
class ApplicationAdmin(PlainAdmin):
    list_display = ("team", "task", "state", "created")
    list_filter = ("state",)
    list_select_related = ("team", "task")
    search_fields = ("team__name", "task__title", "task__slug")


@admin.register(FactSheet)
class FactSheetAdmin(PlainAdmin):
    list_display = ("task", "edited_until")
    list_select_related = ("task",)
    search_fields = ("task__title", "task__slug")


@admin.register(Agreement)
class AgreementAdmin(PlainAdmin):
    list_display = ("team", "task", "version", "user", "created")
    list_select_related = ("team", "task", "user")
    search_fields = ("team__name", "task__title", "task__slug")


@admin.register(FormerAddress)
class FormerAddressAdmin(PlainAdmin):
    """A former address may be deleted, so that it no longer redirects."""

    may_delete = True
    list_display = ("slug", "task", *FormerAddress.PARTS)
    list_select_related = ("task", "phase__task", "page", "scenario__task")
    search_fields = ("slug", "task__title", "task__slug")


@admin.register(Organiser)
class OrganiserAdmin(PlainAdmin):
    """Administrators give, change and end any role here, when a task's owners cannot."""

    is_work = 4
    may_add = may_change = may_delete = True
    list_display = ("task", "user", "role", "added", "added_by")
    list_filter = ("role",)
    list_select_related = ("task", "user", "added_by")
    search_fields = ("task__title", "task__slug", "user__email", "user__name")
    fields = ("task", "user", "role", "added", "added_by")
    raw_id_fields = ("task", "user")
    readonly_fields = ("added", "added_by")

    def save_model(self, request: HttpRequest, obj: Organiser, form: Any, change: bool) -> None:
        if not change:
            obj.added_by = request.user
        super().save_model(request, obj, form, change)
        kind = "organiser's role changed" if change else "organiser joined"
        record(obj.task, kind, actor=request.user, subject=obj.user_id, person=str(obj.user), role=obj.role)

    def delete_model(self, request: HttpRequest, obj: Organiser) -> None:
        super().delete_model(request, obj)
        who, role = str(obj.user), obj.role
        record(obj.task, "organiser removed", actor=request.user, subject=obj.user_id, person=who, role=role)


@admin.register(OrganiserInvitation)
class InvitationAdmin(PlainAdmin):
    may_delete = True
    list_display = ("email", "task", "role", "sent", "sent_by")
    list_select_related = ("task", "sent_by")
    search_fields = ("email", "task__title", "task__slug")
    hidden = ("secret",)


class KindFilter(admin.SimpleListFilter):
    """A filter by all kinds of event that there are, so that the list itself is not read for them."""

    title = gettext_lazy("kind")
    parameter_name = "kind"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, event_in_words(kind)) for kind in sorted(event_words(), key=event_in_words)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Event]) -> QuerySet[Event]:
        return queryset.filter(kind=self.value()) if self.value() else queryset


@admin.register(Event)
class EventAdmin(PlainAdmin):
    """Events of all tasks and teams; those of accounts are private."""

    list_display = ("created", "about", "who", "happened", "what", "said")
    list_display_links = None
    list_filter = (KindFilter,)
    list_select_related = ("task", "team", "actor")
    search_fields = ("task__title", "task__slug", "team__name", "actor__name", "actor__email")
    fields = ("created", "task", "team", "actor", "happened", "subject", "detail")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        of_deleted = Q(kind="task deleted")
        return Event.objects.filter(Q(task__isnull=False) | Q(team__isnull=False) | of_deleted)

    @admin.display(description=gettext_lazy("task or team"), ordering="task")
    def about(self, event: Event) -> str:
        return str(event.task or event.team or "")

    @admin.display(description=pgettext_lazy("column of events", "who"), ordering="actor")
    def who(self, event: Event) -> str:
        return str(event.actor) if event.actor else gettext("the site")

    @admin.display(description=gettext_lazy("kind"), ordering="kind")
    def happened(self, event: Event) -> str:
        return event_in_words(event.kind)

    @admin.display(description=pgettext_lazy("column of events", "what"))
    def what(self, event: Event) -> str:
        if event.subject is None:
            return ""
        short = str(event.subject)[:8]
        page = _PAGES.get(event.kind)
        return link(reverse(page, args=[event.subject]), short) if page else short

    @admin.display(description=gettext_lazy("detail"))
    def said(self, event: Event) -> str:
        return ", ".join(f"{name}: {value}" for name, value in details(event))


# Kinds of events whose subject has a page in the administration.
_SUBMISSION, _GOLD = "admin:submissions_submission_change", "admin:challenges_gold_change"
_ABOUT_SUBMISSIONS = (
    *("submitted", "queued again", "cancelled"),
    *("withdrawn", "restored", "reference set", "method renamed"),
)
_PAGES = {kind: _SUBMISSION for kind in _ABOUT_SUBMISSIONS} | dict.fromkeys(
    ("gold added", "gold adopted", "gold published", "gold discarded", "gold split", "gold joined", "engine published"),
    _GOLD,
)
