"""The organisers' admin of tasks, with their scenarios, phases and downloads, and of what happened in them."""

import re
from os.path import commonprefix
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import AdminForm
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Model, Prefetch, Q, QuerySet
from django.db.models.fields.files import FieldFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext, gettext_lazy, ngettext, override, pgettext, pgettext_lazy

from evalsite.challenges.access import organised_tasks, organises_all
from evalsite.challenges.competing import with_competing, with_n_submissions, with_n_teams
from evalsite.challenges.editing import CarefulForm, CarefulFormSet
from evalsite.challenges.files import at_path
from evalsite.challenges.filters import KindFilter, OwnFilter
from evalsite.challenges.forms import DownloadForm, GoldForm, PhaseForm, ScenarioForm, TaskForm
from evalsite.challenges.gold_report import Report, about_phase, remarks_of, report_on, store_all
from evalsite.challenges.markdown import images
from evalsite.challenges.models import (
    Download,
    Event,
    Gold,
    Participation,
    Phase,
    Scenario,
    Task,
    WaitingGold,
    record,
)
from evalsite.challenges.permissions import Organised, OrganisedAdmin, ReadOnly
from evalsite.challenges.readiness import readiness_of
from evalsite.challenges.services import delete_gold, delete_task, has_uploads, is_used, stop_waiting
from evalsite.challenges.uploads import is_too_large
from evalsite.challenges.wording import detail_in_words, event_in_words
from evalsite.translating.engine import from_engine
from evalsite.wording import amount, link

SHOWN = 90  # characters of a value in the list of events


class NamedTimes:
    """For an inline: the two inputs of a time say what they are to those who cannot see where they stand."""

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> forms.Field | None:
        field: forms.Field | None = super().formfield_for_dbfield(db_field, request, **kwargs)  # type: ignore[misc]
        if isinstance(field, forms.SplitDateTimeField):
            parts = (gettext_lazy("%(label)s: date"), gettext_lazy("%(label)s: time"))
            for widget, part in zip(field.widget.widgets, parts, strict=True):
                widget.attrs["aria-label"] = part % {"label": field.label}
        return field


class CarefulInline(Organised, admin.StackedInline):
    """Its form carries what its page has shown, in the hidden field `seen`."""

    formset = CarefulFormSet
    extra = 0


class ScenarioInline(CarefulInline):
    model = Scenario
    form = ScenarioForm
    fieldsets = ((None, {"fields": (("number", "name"), "description", "family", "options", "shown_scores", "seen")}),)


class PhaseInline(NamedTimes, CarefulInline):
    model = Phase
    form = PhaseForm
    ordering = ("created",)  # a phase stays where it was when its times change
    prepopulated_fields = {"slug": ("name",)}
    fieldsets = (
        (None, {"fields": (("name", "slug"), "description", "seen")}),
        (gettext_lazy("Times, in UTC"), {"fields": ("opens", "closes", "is_paused")}),
        (gettext_lazy("Limits per team"), {"fields": ("window_limit", "window", "total_limit", "upload_megabytes")}),
        (
            gettext_lazy("Who sees what"),
            {"fields": ("board_audience", "is_anonymous", "shows_scores", "gold_released", "results_released")},
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Phase]:
        return super().get_queryset(request).select_related("task")  # for their names


class DownloadInline(NamedTimes, CarefulInline):
    model = Download
    form = DownloadForm
    fields = ("title", "description", "file", "stored", "available_from", "seen")
    readonly_fields = ("stored",)

    @admin.display(description=gettext_lazy("stored file"))
    def stored(self, download: Download) -> str:
        if download._state.adding:
            return pgettext("file", "none yet")
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
        (None, {"fields": ("title", "slug", "summary", "description", ("language", "data_language"), "seen")}),
        (gettext_lazy("People"), {"fields": ("contact", "organisers")}),
        (gettext_lazy("Publication"), {"fields": ("is_published",)}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Task]:
        """With the numbers that the list shows, which no other page waits for."""
        tasks = super().get_queryset(request)
        is_list = request.resolver_match and request.resolver_match.url_name == "challenges_task_changelist"
        return with_n_submissions(with_n_teams(tasks)) if is_list else tasks

    @admin.display(description=gettext_lazy("teams"), ordering="n_teams")
    def n_teams(self, task: Task) -> str:
        """Without those of references, as on the task's page."""
        url = reverse("admin:challenges_participation_changelist")
        return link(f"{url}?task__id__exact={task.pk}", amount(task.n_teams))

    @admin.display(description=gettext_lazy("submissions"), ordering="n_submissions")
    def n_submissions(self, task: Task) -> str:
        url = reverse("admin:submissions_submission_changelist")
        return link(f"{url}?phase__task__id__exact={task.pk}", amount(task.n_submissions))

    def view_on_site(self, task: Task) -> str:
        return task.get_absolute_url()

    def get_form(self, request: HttpRequest, obj: Task | None = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        form.is_too_large = _is_too_large(request)
        return form

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        with transaction.atomic():
            if request.method == "POST":
                # Of two who save at once the second compares with what the first has saved.
                self._lock(request, object_id)
            task = self.get_object(request, object_id)
            if task and (gone := _deleted_since(request, task)):
                self.message_user(request, gone, messages.ERROR)
                return redirect(request.get_full_path())
            shown = {"readiness": readiness_of(task)} if task else {}
            return super().change_view(request, object_id, form_url, {**(extra_context or {}), **shown})

    def _lock(self, request: HttpRequest, object_id: str) -> None:
        if task := self.get_object(request, object_id):
            Task.objects.select_for_update().get(pk=task.pk)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        formsets = [inline.formset for inline in context["inline_admin_formsets"]]
        careful = [context["adminform"].form, *(form for formset in formsets for form in formset.forms)]
        context["troubles"] = [trouble for form in careful if (trouble := form.trouble)]
        return super().render_change_form(request, context, *args, **kwargs)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        super().save_related(request, form, formsets, change)
        task = form.instance
        if not change:
            task.organisers.add(request.user)
            record(task, "task created", actor=request.user, subject=task.pk)
        elif form.changed_data:
            _record_change(request, task, form)
        for formset in formsets:
            _record_changes(request, task, formset)
        if pictures := _images_of(task):
            said = gettext(
                "Images are not shown, because foreign servers would learn who reads the page. In the place of "
                "%(pictures)s readers see a link. Say in words what matters, or offer the file for download."
            )
            self.message_user(request, said % {"pictures": ", ".join(pictures)}, messages.WARNING)
        if task.is_published and (missing := readiness_of(task).missing):
            said = gettext("The task is published, but still needs: %(missing)s.")
            self.message_user(request, said % {"missing": "; ".join(missing)}, messages.WARNING)

    def response_add(self, request: HttpRequest, obj: Task, post_url_continue: str | None = None) -> HttpResponse:
        """Stay with the new task, whose page says what is missing."""
        if "_addanother" not in request.POST:
            request.POST = request.POST.copy()
            request.POST["_continue"] = "1"
        return super().response_add(request, obj, post_url_continue)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, set[str], list[Any]]:
        """A task without uploads may go, and its gold and audit trail with it."""
        objects, counts, needed, protected = super().get_deleted_objects(objs, request)
        [task] = objs
        golds = list(Gold.objects.filter(phase__task=task).select_related("phase__task", "scenario"))
        if golds and not has_uploads(task):  # then its gold alone stands in the way
            objects = [*objects, *map(str, golds)]
            counts, protected = counts | {Gold._meta.verbose_name_plural: len(golds)}, []
        return objects, counts, needed - {Event._meta.verbose_name, Participation._meta.verbose_name}, protected

    def delete_model(self, request: HttpRequest, obj: Task) -> None:
        delete_task(obj)


def _images_of(task: Task) -> list[str]:
    """The images in all Markdown of the task, by their words."""
    texts = [task.description, *task.scenarios.values_list("description", flat=True)]
    texts += task.phases.values_list("description", flat=True)
    return [gettext("“%(text)s”") % {"text": name} for text in texts for name in images(text)]


def _is_too_large(request: HttpRequest) -> bool:
    # Asking for POST has the files parsed.
    return bool(request.POST) and is_too_large(request)


def _deleted_since(request: HttpRequest, task: Task) -> str:
    """What a colleague has deleted since the page was opened: Django could neither save nor show a form of it."""
    for related in (task.scenarios, task.phases, task.downloads):
        prefix = related.field.remote_field.get_accessor_name()
        there = {str(key) for key in related.values_list("pk", flat=True)}
        sent = [key for name, key in request.POST.items() if re.fullmatch(rf"{prefix}-\d+-id", name) and key]
        if any(key not in there for key in sent):
            return str(_GONE[related.model])
    return ""


_GONE = {
    Scenario: gettext_lazy(
        "Nothing was saved: a scenario of your page is not there any more. This is the task as it is now."
    ),
    Phase: gettext_lazy(
        "Nothing was saved: a phase of your page is not there any more. This is the task as it is now."
    ),
    Download: gettext_lazy(
        "Nothing was saved: a download of your page is not there any more. This is the task as it is now."
    ),
}


def _record_changes(request: HttpRequest, task: Task, formset: Any) -> None:
    for obj in formset.new_objects:
        record(task, f"{obj._meta.model_name} added", actor=request.user, subject=obj.pk, name=_in_english(obj))
    changed = {obj.pk for obj, _ in formset.changed_objects}
    for form in formset.initial_forms:
        if form.instance.pk in changed:
            _record_change(request, task, form)
    for obj in formset.deleted_objects:
        record(task, f"{obj._meta.model_name} deleted", actor=request.user, name=_in_english(obj))


def _record_change(request: HttpRequest, task: Task, form: CarefulForm) -> None:
    """With old and new values, so that one can tell later when a phase was to close."""
    obj = form.instance
    kind = f"{obj._meta.model_name} changed"
    record(task, kind, actor=request.user, subject=obj.pk, changes=form.changes, name=_in_english(obj))


def _in_english(obj: Model) -> str:
    """As the audit trail keeps it, whoever reads it later."""
    with override("en"):
        return str(obj)


@admin.register(Gold)
class GoldAdmin(OrganisedAdmin):
    """Gold is only ever added to: a mistake is mended by the next version. What nothing was scored with may go."""

    task_path = "phase__task"
    list_display = ("__str__", "units", "stored", "note", "created", "created_by")
    list_filter = (("phase__task", OwnFilter), ("phase", OwnFilter))
    list_select_related = ("phase__task", "scenario", "created_by")
    ordering = ("phase__task", "phase__opens", "scenario__number", "-version")
    fields = ("phase", "scenario", "version", "n_units", "stored", "sha256", "note", "created", "created_by")

    def has_change_permission(self, request: HttpRequest, obj: Gold | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Gold | None = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not is_used(obj))

    def delete_model(self, request: HttpRequest, obj: Gold) -> None:
        delete_gold(obj, by=request.user)

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.waiting_view)
        return [path("waiting/<uuid:pk>/", view, name="challenges_gold_waiting"), *super().get_urls()]

    @admin.display(description=gettext_lazy("units"), ordering="n_units")
    def units(self, gold: Gold) -> int:
        return gold.n_units

    @admin.display(description=gettext_lazy("file"))
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
            if form.remarks:
                return redirect("admin:challenges_gold_waiting", form.keep_waiting().pk)
            return self._added(request, form.cleaned_data["phase"], form.reports, form.save())
        if not sent and not form.known_phase:
            return self._choice_of_phase(request)
        fieldsets = [(None, {"fields": list(form.fields)})]
        context = {
            **self._context(request, gettext("Add gold")),
            "phase": form.known_phase,
            "public": about_phase(form.known_phase) if form.known_phase else [],
            "adminform": AdminForm(form, fieldsets, {}, model_admin=self),
            "errors": form.errors,
            "media": self.media + form.media,
        }
        return TemplateResponse(
            request, "admin/challenges/gold/add_form.html", context, status=422 if form.errors else 200
        )

    def _choice_of_phase(self, request: HttpRequest) -> HttpResponse:
        """First, since the form depends on the scenarios of the phase's task."""
        tasks = organised_tasks(request.user).prefetch_related(Prefetch("phases", Phase.objects.order_by("created")))
        context = {**self._context(request, gettext("Add gold")), "tasks": tasks}
        return TemplateResponse(request, "admin/challenges/gold/choose_phase.html", context)

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "opts": self.opts, "title": title}

    def waiting_view(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """An upload in which something looks odd: an organiser takes it all the same, or drops it."""
        own = WaitingGold.objects.filter(phase__task__in=organised_tasks(request.user)).select_related("phase__task")
        waiting = get_object_or_404(own, pk=pk)
        if not self.has_add_permission(request):
            raise PermissionDenied
        if "drop" in request.POST:
            stop_waiting(waiting)
            self.message_user(request, gettext("%(file)s was not taken.") % {"file": waiting.file_name})
            return redirect(f"{reverse('admin:challenges_gold_add')}?phase={waiting.phase_id}")
        if "take" in request.POST and (taken := self._taken(request, waiting)):
            return taken
        context = {**self._context(request, gettext("Take this gold?")), "waiting": waiting}
        return TemplateResponse(request, "admin/challenges/gold/waiting.html", context)

    def _taken(self, request: HttpRequest, waiting: WaitingGold) -> HttpResponse | None:
        """None where it looks otherwise than the organiser has read."""
        phase = waiting.phase
        with waiting.file.open() as file, at_path(file, waiting.file_name) as gold_path:
            reports = [report_on(phase, scenario, gold_path, request.user) for scenario in waiting.scenarios.all()]
            remarks = remarks_of(phase, reports)
            if problems := [problem for report in reports for problem in report.problems]:
                said = gettext("It cannot be taken any more: %(problem)s") % {"problem": from_engine(problems[0])}
                self.message_user(request, said, messages.ERROR)
                return None
            if remarks != waiting.remarks:
                WaitingGold.objects.filter(pk=waiting.pk).update(remarks=remarks)
                waiting.remarks = remarks
                said = gettext("This has changed since you read it. Look again.")
                self.message_user(request, said, messages.WARNING)
                return None
            golds = store_all(phase, reports, gold_path, by=request.user, note=waiting.note)
        stop_waiting(waiting)
        return self._added(request, phase, reports, golds)

    def _added(self, request: HttpRequest, phase: Phase, reports: list[Report], golds: list[Gold]) -> HttpResponse:
        for report in reports:
            if same := report.same_as:
                said = gettext("Scenario %(number)s: its gold has not changed; version %(version)s stays.")
                self.message_user(request, said % {"number": report.scenario.number, "version": same.version})
        for gold in golds:
            self.log_addition(request, gold, [{"added": {}}])
            said = ngettext(
                "Scenario %(number)s: version %(version)s with %(units)s unit was added. "
                "Scored against itself it is perfect.",
                "Scenario %(number)s: version %(version)s with %(units)s units was added. "
                "Scored against itself it is perfect.",
                gold.n_units,
            )
            values = {"number": gold.scenario.number, "version": gold.version, "units": amount(gold.n_units)}
            self.message_user(request, said % values, messages.SUCCESS)
        if any(gold.version > 1 for gold in golds) and (n_submissions := phase.submissions.count()):
            self.message_user(request, _score_again(phase, n_submissions), messages.WARNING)
        return redirect("admin:challenges_task_change", phase.task_id)


def _score_again(phase: Phase, n_submissions: int) -> str:
    page = reverse("admin:submissions_submission_changelist")
    said = gettext(
        "The board ranks by the gold before until all its runs have been scored on this one, then goes over to it. "
        'To score them, choose “Score again” in the <a href="{page}">list of submissions ({n})</a>.'
    )
    page = format_html("{}?phase__id__exact={}&newest_gold=missing", page, phase.pk)
    return format_html(said, page=page, n=amount(n_submissions))


@admin.register(Event)
class EventAdmin(ReadOnly, OrganisedAdmin):
    """Of the own tasks, and of the teams that have entered them."""

    list_display = ("created", "about", "who", "happened", "what", "said")
    list_display_links = None
    list_filter = (("task", OwnFilter), ("kind", KindFilter))
    list_select_related = ("task", "team", "actor")
    fields = ("created", "task", "team", "actor", "happened", "subject", "detail")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        tasks = organised_tasks(request.user)
        of_tasks = Q(task__isnull=False) if organises_all(request.user) else Q(task__in=tasks)
        teams = Participation.objects.filter(task__in=tasks).values("team")
        return Event.objects.filter(of_tasks | Q(team__in=teams))

    def has_view_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        if not super().has_view_permission(request):
            return False
        return obj is None or self.get_queryset(request).filter(pk=obj.pk).exists()

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
        return ", ".join(f"{detail_in_words(name)}: {_flat(name, value)}" for name, value in event.detail.items())


# Kinds of events whose subject has a page in the admin.
_SUBMISSION, _GOLD = "admin:submissions_submission_change", "admin:challenges_gold_change"
_ABOUT_SUBMISSIONS = (
    *("submitted", "queued again", "cancelled"),
    *("withdrawn", "restored", "reference set", "method renamed"),
)
_PAGES = {kind: _SUBMISSION for kind in _ABOUT_SUBMISSIONS} | {"gold added": _GOLD, "gold adopted": _GOLD}


def _flat(name: str, value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)[:12] if name == "sha256" else str(value)
    return "; ".join(f"{detail_in_words(name)} {_old_and_new(part)}" for name, part in value.items())


def _old_and_new(value: Any) -> str:
    """Of long texts the part that differs. Events of before have the new value alone."""
    if not isinstance(value, list):
        return f"= {value}"
    shared = len(commonprefix(value))
    old, new = (_part(text, shared - SHOWN // 3 if max(map(len, value)) > SHOWN else 0) for text in value)
    return gettext("from %(old)s to %(new)s") % {"old": old, "new": new}


def _in_utc(text: str) -> str:
    """A stored time as people write it."""
    return re.sub(r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\+00:00$", r"\1 UTC", text)


def _part(text: str, start: int) -> str:
    start, text = max(0, start), _in_utc(text)
    cut = f"{'…' * (start > 0)}{text[start : start + SHOWN]}{'…' * (len(text) > start + SHOWN)}"
    return gettext("“%(text)s”") % {"text": cut} if text else pgettext("a value", "nothing")


@admin.register(Participation)
class ParticipationAdmin(ReadOnly, OrganisedAdmin):
    list_display = ("team", "task", "number", "competes", "created")
    list_display_links = None
    list_filter = (("task", OwnFilter),)
    list_select_related = ("task", "team")
    search_fields = ("team__name",)
    fields = ("team", "task", "number", "created")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Participation]:
        return with_competing(super().get_queryset(request))

    @admin.display(description=gettext_lazy("competes"), boolean=True, ordering="competes")
    def competes(self, participation: Participation) -> bool:
        """A team whose runs are all references, such as a baseline, is not counted among the teams."""
        return participation.competes


def _file_name(file: FieldFile) -> str:
    return (file.name or "").rsplit("/", 1)[-1]
