"""Kept uploads: parts of large files as they come, and their removal."""

from http import HTTPStatus
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from evalsite.challenges.access import visible_phase
from evalsite.submissions.access import signed_in
from evalsite.submissions.models import KeptUpload
from evalsite.submissions.receiving import kept_uploads, parts
from evalsite.submissions.receiving.parts import read_part


@require_POST
@login_required
def kept_begin(request: HttpRequest, task: str, phase: str) -> JsonResponse:
    """Begin a large upload, `name`, `size` and `mark`; or answer how much of it is here already."""
    entered = visible_phase(request.user, task, phase)
    size = request.POST.get("size", "")
    if not (size.isascii() and size.isdigit() and len(size) <= 15):
        return _refused(_("Say how many bytes the file has."), HTTPStatus.BAD_REQUEST)
    try:
        kept = parts.begin(
            signed_in(request), entered, request.POST.get("name", ""), int(size), request.POST.get("mark", "")
        )
    except parts.PartRefused as error:
        return _refused(str(error), HTTPStatus.UNPROCESSABLE_ENTITY)
    except kept_uploads.NoRoom as error:
        shown = {"under_way": error.under_way, "phase": entered}
        listed = render_to_string("submissions/_under_way.html", shown, request)
        answer = {"error": str(error), "under_way": listed}
        return JsonResponse(answer, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return JsonResponse(_state(kept), status=HTTPStatus.CREATED)


@require_safe
@login_required
def kept(request: HttpRequest, pk: UUID) -> JsonResponse:
    """Answer how much of it has come."""
    return JsonResponse(_state(_own(request, pk)))


@require_POST
@login_required
def kept_part(request: HttpRequest, pk: UUID) -> JsonResponse:
    """Take the next bytes, the body, with `Content-Range: bytes 0-5242879/188743680`."""
    own = _own(request, pk)
    try:
        first, content = read_part(request, own)
    except parts.PartRefused as error:
        return _refused(str(error), HTTPStatus.BAD_REQUEST)
    try:
        return JsonResponse(_state(parts.append(own, first, content)))
    except parts.WrongOffset as error:
        return JsonResponse({"error": str(error), "received": error.received}, status=HTTPStatus.CONFLICT)
    except (parts.PartRefused, kept_uploads.NoRoom) as error:
        return _refused(str(error), HTTPStatus.UNPROCESSABLE_ENTITY)


@require_POST
@login_required
def kept_remove(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    own = _own(request, pk)
    phase = own.phase
    own.delete()
    messages.info(request, _("Removed. Nothing of it was kept."))
    return redirect("submit", phase.task.slug, phase.slug)


def _own(request: HttpRequest, pk: UUID) -> KeptUpload:
    own = kept_uploads.kept_by(signed_in(request)).select_related("phase__task")
    return get_object_or_404(own, pk=pk)


def _state(kept: KeptUpload) -> dict[str, Any]:
    return {
        "token": str(kept.pk),
        "name": kept.name,
        "size": kept.size,
        "received": kept.received,
        "part_bytes": settings.PART_BYTES,
        "expires": kept.expires.isoformat(),
        "parts": reverse("kept_part", args=[kept.pk]),
    }


def _refused(words: str, status: HTTPStatus) -> JsonResponse:
    return JsonResponse({"error": words}, status=status)
