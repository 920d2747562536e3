"""Shows a task's pages as a stranger or a participant sees them at a chosen time, below a bar that says so."""

from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from evalsite.challenges.forms.zones import MomentField, in_zone
from evalsite.challenges.models import Task
from evalsite.desk.access import desk_page
from evalsite.desk.preview.rendering import As, answer_for, inside_preview

_PEOPLE = [
    (As.STRANGER, pgettext_lazy("who looks", "a stranger")),
    (As.PARTICIPANT, pgettext_lazy("who looks", "a participant")),
]


class PreviewForm(forms.Form):
    at = MomentField(label=gettext_lazy("At"))
    field_order = ("as", "at")

    def __init__(self, data: Any, *, task: Task, now: datetime) -> None:
        super().__init__(data or None, initial={"as": As.STRANGER, "at": now})
        self.fields["as"] = forms.ChoiceField(label=gettext_lazy("As"), choices=_PEOPLE)
        self.order_fields(self.field_order)
        self.fields["at"].set_zone(task.zone)  # type: ignore[attr-defined]


@require_safe
@desk_page()
def preview(request: HttpRequest, task: Task, rest: str = "") -> HttpResponse:
    now = timezone.now().replace(second=0, microsecond=0)
    form = PreviewForm(request.GET if "as" in request.GET else None, task=task, now=now)
    if not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
        return render(request, "desk/preview/choose.html", {"form": form}, status=status)
    who, at = As(form.cleaned_data["as"]), form.cleaned_data["at"]
    context = {
        "form": form,
        "who": dict(form.fields["as"].choices)[who],  # type: ignore[attr-defined]
        "when": in_zone(at, task.zone),
        "is_draft": not task.is_public,
    }
    try:
        answer = answer_for(request, task, task.get_absolute_url() + rest, who, at)
    except (Http404, PermissionDenied) as error:
        text = gettext("At this time there is no page here for them.")
        refusal = str(error) if isinstance(error, PermissionDenied) and str(error) else text
        return render(request, "desk/preview/refused.html", context | {"reason": refusal})
    if answer.status_code in (HTTPStatus.FOUND, HTTPStatus.MOVED_PERMANENTLY):
        text = gettext("From here they are redirected to another page, such as the log-in.")
        return render(request, "desk/preview/refused.html", context | {"reason": text})
    base = reverse("desk_preview", args=[task.slug])
    query = urlencode({name: request.GET.get(name, "") for name in ("as", "at_0", "at_1")})
    page = inside_preview(answer.content.decode(), task, base, query)
    bar = render_to_string("desk/preview/_bar.html", context | {"task": task}, request)
    return HttpResponse(page.replace("<body>", f"<body>{bar}", 1))
