"""Opens a page of a task's desk to those whom it is for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from evalsite.challenges.access import Role, overseen_tasks, role_of
from evalsite.challenges.models import Task
from evalsite.desk.navigation import Entry, entries

View = Callable[..., HttpResponseBase]
LOOKING = ("GET", "HEAD")


@dataclass(frozen=True)
class Desk:
    """What the templates of a desk's pages know, as `request.desk`."""

    task: Task
    role: Role
    navigation: list[Entry]

    @property
    def title(self) -> str:
        """Of the section that is shown; a page below it may have a title of its own."""
        return next((str(entry.title) for entry in self.navigation if entry.is_current), "")

    @property
    def may_change(self) -> bool:
        return self.role >= Role.ORGANISER

    @property
    def is_owner(self) -> bool:
        return self.role >= Role.OWNER


def desk_page(changes: Role = Role.ORGANISER) -> Callable[[View], View]:
    """For a view of (request, task, ...), whose address has the task's slug as `task`.

    Viewers look; whatever else a request wants, `changes` is needed for. A task that one may not look at does not
    exist, and the second factor is asked for by evalsite.accounts.middleware. Of a view that only changes something
    `require_POST` stands above.
    """

    def opened_by(view: View) -> View:
        @require_http_methods([*LOOKING, "POST"])
        @login_required
        @wraps(view)
        def opened(request: HttpRequest, task: str, **rest: Any) -> HttpResponseBase:
            found = get_object_or_404(overseen_tasks(request.user), slug=task)
            role = role_of(request.user, found)
            if request.method not in LOOKING and role < changes:
                raise PermissionDenied(_refusal(role))
            here = request.resolver_match.url_name if request.resolver_match else None
            request.desk = Desk(found, role, entries(task, here or ""))  # type: ignore[attr-defined]
            return view(request, found, **rest)

        return opened

    return opened_by


def _refusal(role: Role) -> str:
    if role < Role.ORGANISER:
        return gettext("You are a viewer of this task: you see everything and change nothing.")
    return gettext("Only owners of the task may do this.")
