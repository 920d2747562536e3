"""Who may do what in the admin: organisers everything that its pages offer, on their own tasks only.

Nobody is given Django's model permissions; membership in Task.organisers is the one thing that counts.
"""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from evalsite.accounts.organisers import may_organise
from evalsite.accounts.panel import NamedList
from evalsite.challenges.access import Role, organised_tasks, organises_all, role_of
from evalsite.challenges.models import Task


class Organised:
    """For a ModelAdmin or an inline; `task_path` leads from the model to its task, "pk" for the task itself.

    Asked without an object, a right says whether there may be any; `get_queryset` says which. An inline is
    asked about the object whose page it stands on.
    """

    task_path = "task"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: QuerySet[Any] = super().get_queryset(request)  # type: ignore[misc]
        if organises_all(request.user):
            return rows
        return rows.filter(**{f"{self.task_path}__in": organised_tasks(request.user)})

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may_organise(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if not self.has_module_permission(request):
            return False
        return obj is None or _organises(request, task_of(obj))

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_view_permission(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_view_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_view_permission(request, obj)


def _organises(request: HttpRequest, task: Task) -> bool:
    """Looked up once where nothing is changed: for a page with inlines Django asks for rights dozens of times."""
    if request.method not in ("GET", "HEAD"):
        return role_of(request.user, task) == Role.ORGANISER
    known: dict[UUID, bool] = vars(request).setdefault("organised_tasks", {})
    if task.pk not in known:
        known[task.pk] = role_of(request.user, task) == Role.ORGANISER
    return known[task.pk]


class OrganisedAdmin(NamedList, Organised, admin.ModelAdmin):
    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> LogEntry | None:  # type: ignore[override]
        """Nothing where nothing was changed; Django does nothing with what comes back."""
        return super().log_change(request, obj, message) if message else None

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Without Django's deletion of any number of rows at once."""
        return {name: action for name, action in super().get_actions(request).items() if name != "delete_selected"}


class ReadOnly:
    """In front of Organised: what there is may be seen, and neither added to, changed nor deleted."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


def task_of(obj: Any) -> Task:
    """The task to which a phase, a submission, ... belongs."""
    if isinstance(obj, Task):
        return obj
    return obj.task if hasattr(obj, "task") else task_of(obj.phase)
