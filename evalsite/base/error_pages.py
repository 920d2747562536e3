"""The pages for errors, which name the cause where it is a fault of the machine.

They use no database, no session and no cache, since one of these may be what is broken.
"""

import json
import sys
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.sessions.exceptions import SessionInterrupted
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve
from django.utils.translation import get_language_from_request, gettext, override
from django.views.defaults import bad_request, server_error

from evalsite.base.contrib import Trait, names_with
from evalsite.base.faults import RETRY_AFTER, Fault, fault_of, upload_refusal

_API = "/api/v1/"
_UPLOADS = {"submit", "api:upload", "open_check", "api:check"}
_FIELDS = ("team", "method", "description", "link", "scenarios", "kept", "anyway")  # of the form, but for its files


def handle_500(request: HttpRequest) -> HttpResponse:
    """Answer 503 for a fault that passes, and 500 for a defect of the code; the site's handler500."""
    error = sys.exc_info()[1]
    fault = fault_of(error) if error else None
    with override(get_language_from_request(request)):
        if words := _of_fault(request, fault):
            return unavailable(request, words)
        if request.path_info.startswith(_API):
            return problem(
                500, gettext("Something broke on our side. We have a record of it. Try again in a few minutes.")
            )
        return server_error(request)


def handle_400(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400, or 503 where Django takes a session that could not be stored for a deleted one; the site's
    handler400.
    """
    fault = _first_fault(exception) if isinstance(exception, SessionInterrupted) else None
    with override(get_language_from_request(request)):
        # An upload may have been taken before its session was stored, so the page does not mention it.
        if words := _passing(fault):
            return unavailable(request, words)
        if request.path_info.startswith(_API):
            return problem(HTTPStatus.BAD_REQUEST, gettext("This request was not understood."))
        return bad_request(request, exception)


def unavailable(request: HttpRequest, words: str) -> HttpResponse:
    """Answer 503 with these words, and with what was typed if that was an upload's form."""
    if request.path_info.startswith(_API):
        answer = problem(HTTPStatus.SERVICE_UNAVAILABLE, words)
    else:
        context = {
            "words": words,
            "path": request.path,
            "typed": _typed(request),
            "csrf_token": get_token(request),
        }
        answer = HttpResponse(render_to_string("503.html", context), status=HTTPStatus.SERVICE_UNAVAILABLE)
    answer["Retry-After"] = str(RETRY_AFTER)
    return answer


def _of_fault(request: HttpRequest, fault: Fault | None) -> str:
    """Return the fault in words; "" where it does not pass by itself."""
    if fault is not None and request.method == "POST" and _name(request) in _UPLOADS | names_with(Trait.TAKES_FILES):
        return upload_refusal(fault)
    return _passing(fault)


def _passing(fault: Fault | None) -> str:
    messages = {
        Fault.DISK_FULL: gettext("The disk of this site is full."),
        Fault.DATABASE_AWAY: gettext("The database of this site is not responding."),
        Fault.STORAGE_AWAY: gettext("The place where this site stores files is not responding."),
        Fault.BROKER_AWAY: gettext("A part of this site is not responding."),
        Fault.FAMILY_MISSING: gettext("The program that scores this task is not installed on this site at the moment."),
    }
    return messages.get(fault, "") if fault else ""


def _first_fault(error: BaseException | None) -> Fault | None:
    """Return the first fault in the chain of exceptions that ends with this one; None if none of them was a fault."""
    while error is not None:
        if fault := fault_of(error):
            return fault
        error = error.__context__
    return None


def _name(request: HttpRequest) -> str:
    """Return the name of the view; "" for an address without one."""
    try:
        return resolve(request.path_info).view_name or ""
    except Resolver404:
        return ""


def _typed(request: HttpRequest) -> list[tuple[str, str]]:
    """Return the fields of an upload's form as they were sent; none of a form that is too long to be one."""
    if request.method != "POST" or _name(request) != "submit" or not _may_be_read(request):
        return []
    try:
        return [(name, value) for name in _FIELDS for value in request.POST.getlist(name)]
    except Exception:  # whatever is wrong with the form: there is an answer to be given
        return []


def _may_be_read(request: HttpRequest) -> bool:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return length.isdigit() and int(length) <= settings.MAX_UPLOAD_BYTES + settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def problem(status: int, detail: str, **more: Any) -> HttpResponse:
    """Return an error as programs read it: RFC 9457, `application/problem+json`, with `more` members."""
    members = {"title": HTTPStatus(status).phrase, "status": int(status), "detail": str(detail)} | more
    content = json.dumps(members, ensure_ascii=False, default=str)
    return HttpResponse(content, status=status, content_type="application/problem+json")
