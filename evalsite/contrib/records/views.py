"""The record of an entry, and what the head of a task's page tells search engines for data."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.template import Context
from django.utils import translation
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from evalsite.board_pages.board.access import access_to_phase
from evalsite.contrib.records.dataset import dataset_script
from evalsite.contrib.records.every_eval_ever import entry_as_every_eval_ever, places_of


def task_panel(context: Context) -> dict[str, Any]:
    site = context["request"].build_absolute_uri("/")
    return {"dataset": dataset_script(context["task"], context["overview"].downloads, site)}


@require_safe
def entry_record(request: HttpRequest, task: str, phase: str, pk: UUID) -> HttpResponse:
    """Download an entry as a record for Every Eval Ever, once the results are released."""
    access = access_to_phase(request, task, phase)
    if not access.phase.is_released:
        raise Http404
    with translation.override(None):  # programs read it
        places = places_of(access, pk)
        if not places:
            raise Http404
        answer = HttpResponse(entry_as_every_eval_ever(places), content_type="application/json")
    name = f"{access.phase.task.slug}-{access.phase.slug}-{str(pk)[:8]}.json"
    answer["Content-Disposition"] = content_disposition_header(True, name)
    return answer
