"""Checks who may open a page of a task's desk, and who may change something on it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from evalsite.challenges.access import Role, overseen_tasks, role_of
from evalsite.challenges.models import Phase, Task
from evalsite.desk.navigation import Group, groups, section_of, sections
from evalsite.desk.waiting.kinds import by_section

View = Callable[..., HttpResponseBase]
SAFE_METHODS = ("GET", "HEAD")


@dataclass
class Desk:
    """The facts that templates of a desk's pages need, as `request.desk`."""

    task: Task
    role: Role
    here: str  # name of the address that is shown

    @property
    def title(self) -> str:
        """Return the title of the section that is shown; a page below it may have a title of its own."""
        current = section_of(self.here)
        return next((str(section.title) for section in sections() if section.name == current), "")

    @cached_property
    def navigation(self) -> list[Group]:
        """Return the groups of sections, with what waits in each: of no use where a request only changes something."""
        return groups(self.task.slug, self.here, by_section(self.task))

    @property
    def may_change(self) -> bool:
        return self.role >= Role.ORGANISER

    @property
    def is_owner(self) -> bool:
        return self.role >= Role.OWNER


def desk_page(changes: Role = Role.ORGANISER) -> Callable[[View], View]:
    """Return a decorator for a view of (request, task, ...), whose address has the task's slug as `task`.

    Viewers may read; any other request needs the role `changes`. A task that the user may not see answers 404, and
    evalsite.accounts.middleware asks for the second factor. A view that only changes something has `require_POST`
    above this decorator.
    """

    def decorate(view: View) -> View:
        @require_http_methods([*SAFE_METHODS, "POST"])
        @login_required
        @wraps(view)
        def checked(request: HttpRequest, task: str, **rest: Any) -> HttpResponseBase:
            task_row = get_object_or_404(overseen_tasks(request.user), slug=task)
            role = role_of(request.user, task_row)
            if request.method not in SAFE_METHODS and role < changes:
                raise PermissionDenied(_refusal(role))
            here = request.resolver_match.url_name if request.resolver_match else None
            request.desk = Desk(task_row, role, here or "")  # type: ignore[attr-defined]
            return view(request, task_row, **rest)

        return checked

    return decorate


def phase_of(task: Task, slug: str) -> Phase:
    """Return the phase of the task, or raise Http404."""
    phase: Phase = get_object_or_404(task.phases, slug=slug)
    phase.task = task
    return phase


def _refusal(role: Role) -> str:
    if role < Role.ORGANISER:
        return gettext("You are a viewer of this task: you see everything and change nothing.")
    return gettext("Only owners of the task may do this.")
