"""The organisers' admin of tasks, with their scenarios, phases and downloads, and of what happened in them."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import AdminForm
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Model, QuerySet
from django.db.models.fields.files import FieldFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html

from evalsite.challenges.competing import with_competing, with_n_teams
from evalsite.challenges.forms import DownloadForm, GoldForm, ScenarioForm, TaskForm
from evalsite.challenges.models import Download, Event, Gold, Participation, Phase, Scenario, Task, record
from evalsite.challenges.permissions import Organised, OrganisedAdmin, ReadOnly
from evalsite.challenges.readiness import readiness_of
from evalsite.challenges.uploads import is_too_large
from evalsite.wording import link


class NamedTimes:
    """For an inline: the two inputs of a time say what they are to those who cannot see where they stand."""

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        field: forms.Field | None = super().formfield_for_dbfield(db_field, request, **kwargs)  # type: ignore[misc]
        if isinstance(field, forms.SplitDateTimeField):
            for widget, part in zip(field.widget.widgets, ("date", "time"), strict=True):
                widget.attrs["aria-label"] = f"{field.label}: {part}"
        return field


class ScenarioInline(Organised, admin.StackedInline):
    model = Scenario
    form = ScenarioForm
    extra = 0
    fieldsets = ((None, {"fields": (("number", "name"), "description", "family", "options", "shown_scores")}),)


class PhaseInline(Organised, NamedTimes, admin.StackedInline):
    model = Phase
    extra = 0
    prepopulated_fields = {"slug": ("name",)}
    fieldsets = (
        (None, {"fields": (("name", "slug"), "description")}),
        ("Times, in UTC", {"fields": ("opens", "closes", "is_paused")}),
        ("Limits per team", {"fields": ("window_limit", "window", "total_limit")}),
        (
            "Who sees what",
            {"fields": ("board_audience", "is_anonymous", "shows_scores", "gold_released", "results_released")},
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Phase]:
        return super().get_queryset(request).select_related("task")  # for their names

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        if db_field.name == "description":
            kwargs["widget"] = forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"})
        return super().formfield_for_dbfield(db_field, request, **kwargs)


class DownloadInline(Organised, NamedTimes, admin.StackedInline):
    model = Download
    form = DownloadForm
    extra = 0
    fields = ("title", "description", "file", "stored", "available_from")
    readonly_fields = ("stored",)

    @admin.display(description="stored file")
    def stored(self, download: Download) -> str:
        if download._state.adding:
            return "none yet"
        return link(reverse("download", args=[download.pk]), _file_name(download.file))


@admin.register(Task)
class TaskAdmin(OrganisedAdmin):
    task_path = "pk"
    form = TaskForm
    inlines = (ScenarioInline, PhaseInline, DownloadInline)
    prepopulated_fields = {"slug": ("title",)}
    list_display = ("title", "is_published", "n_teams", "n_submissions", "created")
    list_filter = ("is_published",)
    search_fields = ("title", "slug", "summary")
    ordering = ("title",)
    save_on_top = True
    fieldsets = (
        (None, {"fields": ("title", "slug", "summary", "description")}),
        ("People", {"fields": ("contact", "organisers")}),
        ("Publication", {"fields": ("is_published",)}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Task]:
        return with_n_teams(super().get_queryset(request)).annotate(n_submissions=Count("phases__submissions"))

    @admin.display(description="teams", ordering="n_teams")
    def n_teams(self, task: Task) -> str:
        """Without those of references, as on the task's page."""
        url = reverse("admin:challenges_participation_changelist")
        return link(f"{url}?task__id__exact={task.pk}", str(task.n_teams))

    @admin.display(description="submissions", ordering="n_submissions")
    def n_submissions(self, task: Task) -> str:
        url = reverse("admin:submissions_submission_changelist")
        return link(f"{url}?phase__task__id__exact={task.pk}", str(task.n_submissions))

    def view_on_site(self, task: Task) -> str:
        return task.get_absolute_url()

    def get_form(self, request: HttpRequest, obj: Task | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        form.is_too_large = _is_too_large(request)
        return form

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        task = self.get_object(request, object_id)
        shown = {"readiness": readiness_of(task)} if task else {}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **shown})

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        task = form.instance
        if not change:
            task.organisers.add(request.user)
            record(task, "task created", actor=request.user, subject=task.pk)
        elif form.changed_data:
            _record_change(request, task, task, form.changed_data)
        for formset in formsets:
            _record_changes(request, task, formset)
        if task.is_published and (missing := readiness_of(task).missing):
            self.message_user(
                request, f"The task is published, but still needs: {'; '.join(missing)}.", messages.WARNING
            )

    def response_add(self, request: HttpRequest, obj: Task, post_url_continue: str | None = None) -> HttpResponse:
        """Stay with the new task, whose page says what is missing."""
        if "_addanother" not in request.POST:
            request.POST = request.POST.copy()
            request.POST["_continue"] = "1"
        return super().response_add(request, obj, post_url_continue)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, set[str], list[Any]]:
        """A task without gold and submissions may go, and its audit trail with it."""
        objects, counts, needed, protected = super().get_deleted_objects(objs, request)
        return objects, counts, needed - {Event._meta.verbose_name, Participation._meta.verbose_name}, protected


def _is_too_large(request: HttpRequest) -> bool:
    # Asking for POST has the files parsed.
    return bool(request.POST) and is_too_large(request)


def _record_changes(request: HttpRequest, task: Task, formset: Any) -> None:
    for obj in formset.new_objects:
        record(task, f"{obj._meta.model_name} added", actor=request.user, subject=obj.pk, name=str(obj))
    for obj, names in formset.changed_objects:
        _record_change(request, task, obj, names)
    for obj in formset.deleted_objects:
        record(task, f"{obj._meta.model_name} deleted", actor=request.user, name=str(obj))


def _record_change(request: HttpRequest, task: Task, obj: Model, names: list[str]) -> None:
    """With the new values, so that one can tell later when a phase was to close."""
    kind = f"{obj._meta.model_name} changed"
    changed = {name: _as_text(getattr(obj, name)) for name in names}
    record(task, kind, actor=request.user, subject=obj.pk, name=str(obj), changed=changed)


def _as_text(value: Any) -> str:
    return ", ".join(map(str, value.all())) if hasattr(value, "all") else str(value)[:200]


@admin.register(Gold)
class GoldAdmin(OrganisedAdmin):
    """Gold is only ever added to: a mistake is mended by the next version."""

    task_path = "phase__task"
    list_display = ("__str__", "units", "stored", "note", "created", "created_by")
    list_filter = (("phase__task", admin.RelatedOnlyFieldListFilter), ("phase", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("phase__task", "scenario", "created_by")
    ordering = ("phase__task", "phase__opens", "scenario__number", "-version")
    fields = ("phase", "scenario", "version", "n_units", "stored", "sha256", "note", "created", "created_by")

    def has_change_permission(self, request: HttpRequest, obj: Gold | None = None) -> bool:
        return False

    has_delete_permission = has_change_permission

    @admin.display(description="units", ordering="n_units")
    def units(self, gold: Gold) -> int:
        return gold.n_units

    @admin.display(description="file")
    def stored(self, gold: Gold) -> str:
        return link(reverse("gold", args=[gold.pk]), _file_name(gold.file))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """In place of Django's own, which would keep the database locked while the engine scores."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        sent = (request.POST, request.FILES) if request.method == "POST" else ()
        form = GoldForm(*sent, user=request.user, is_too_large=_is_too_large(request), initial=request.GET.dict())
        if sent and form.is_valid():
            return self._added(request, form.save())
        fieldsets = [(None, {"fields": list(form.fields)})]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Add gold",
            "adminform": AdminForm(form, fieldsets, {}, model_admin=self),
            "errors": form.errors,
            "media": self.media + form.media,
        }
        return TemplateResponse(
            request, "admin/challenges/gold/add_form.html", context, status=422 if form.errors else 200
        )

    def _added(self, request: HttpRequest, golds: list[Gold]) -> HttpResponse:
        for gold in golds:
            self.log_addition(request, gold, [{"added": {}}])
            self.message_user(
                request,
                f"Scenario {gold.scenario.number}: version {gold.version} with {gold.n_units} units was added. "
                "Scored against itself it is perfect.",
                messages.SUCCESS,
            )
        phase = golds[0].phase
        if any(gold.version > 1 for gold in golds) and (n_submissions := phase.submissions.count()):
            self.message_user(request, _score_again(phase, n_submissions), messages.WARNING)
        return redirect("admin:challenges_task_change", phase.task_id)


def _score_again(phase: Phase, n_submissions: int) -> str:
    return format_html(
        "The board ranks by the gold before until all its runs have been scored on this one, then goes over to it. "
        "To score them, choose “Score again” in the "
        '<a href="{}?phase__id__exact={}&newest_gold=missing">list of submissions ({})</a>.',
        reverse("admin:submissions_submission_changelist"),
        phase.pk,
        n_submissions,
    )


@admin.register(Event)
class EventAdmin(ReadOnly, OrganisedAdmin):
    list_display = ("created", "task", "who", "kind", "what", "said")
    list_display_links = None
    list_filter = (("task", admin.RelatedOnlyFieldListFilter), "kind")
    list_select_related = ("task", "actor")
    fields = ("created", "task", "actor", "kind", "subject", "detail")

    @admin.display(description="who", ordering="actor")
    def who(self, event: Event) -> str:
        return str(event.actor) if event.actor else "the site"

    @admin.display(description="what")
    def what(self, event: Event) -> str:
        if event.subject is None:
            return ""
        short = str(event.subject)[:8]
        page = _PAGES.get(event.kind)
        return link(reverse(page, args=[event.subject]), short) if page else short

    @admin.display(description="detail")
    def said(self, event: Event) -> str:
        return ", ".join(f"{name}: {_flat(value)}" for name, value in event.detail.items())


# Kinds of events whose subject has a page in the admin.
_SUBMISSION, _GOLD = "admin:submissions_submission_change", "admin:challenges_gold_change"
_ABOUT_SUBMISSIONS = (
    *("submitted", "queued again", "cancelled"),
    *("withdrawn", "restored", "reference set", "method renamed"),
)
_PAGES = {kind: _SUBMISSION for kind in _ABOUT_SUBMISSIONS} | {"gold added": _GOLD, "gold adopted": _GOLD}


def _flat(value: Any) -> str:
    return "; ".join(f"{name} = {part}" for name, part in value.items()) if isinstance(value, dict) else str(value)


@admin.register(Participation)
class ParticipationAdmin(ReadOnly, OrganisedAdmin):
    list_display = ("team", "task", "number", "competes", "created")
    list_display_links = None
    list_filter = (("task", admin.RelatedOnlyFieldListFilter),)
    list_select_related = ("task", "team")
    search_fields = ("team__name",)
    fields = ("team", "task", "number", "created")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Participation]:
        return with_competing(super().get_queryset(request))

    @admin.display(description="competes", boolean=True, ordering="competes")
    def competes(self, participation: Participation) -> bool:
        """A team whose runs are all references, such as a baseline, is not counted among the teams."""
        return participation.competes


def _file_name(file: FieldFile) -> str:
    return (file.name or "").rsplit("/", 1)[-1]
