"""Limits what a request may bring and how long it may hold the database, and sets headers of answers."""

from collections.abc import Callable
from http import HTTPStatus
from time import monotonic
from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.core.exceptions import BadRequest
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _

from evalsite.accounts.organisers import is_organiser, is_organisers_page
from evalsite.base.contrib import Trait, names_with
from evalsite.base.error_pages import handle_400, problem, unavailable
from evalsite.base.faults import upload_refusal
from evalsite.challenges.models import Phase
from evalsite.challenges.storage.uploads import bound_files, fault_of_files, most_bytes

Next = Callable[[HttpRequest], HttpResponse]
_TAKES_UPLOADS = {"submit", "api:upload", "api:check"}
_TAKES_FILES_OF_ANYBODY = {"open_check"}
_TEXT = ("text/", "application/json", "application/javascript", "image/svg+xml")
ENCODINGS = {"", "utf-8"}  # a browser sends forms in the encoding of their page


class TransactionMiddleware:
    """Ends a transaction of a request that takes too long, as others may wait for its locks.

    It looks at the clock before each statement. One statement that takes long is ended by PostgreSQL itself, as the
    settings ask it to; SQLite does not end it.
    """

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with connection.execute_wrapper(_TransactionLimit(settings.TRANSACTION_SECONDS)):
            return self.get_response(request)


class _TransactionLimit:
    """Raises OperationalError, as a database that is away does, instead of a statement that comes too late."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._transaction: list[Any] = []  # the block that has begun it; empty outside
        self._ends = 0.0

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        transaction = context["connection"].atomic_blocks[:1]
        if transaction != self._transaction:
            self._transaction, self._ends = transaction, monotonic() + self._seconds
        elif transaction and monotonic() > self._ends:
            raise OperationalError(f"a transaction of a request took longer than {self._seconds} seconds")
        return execute(sql, params, many, context)


class HeadersMiddleware:
    """Sets headers that withhold from every answer, files and errors too, the browser features that no page needs."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response["Permissions-Policy"] = settings.PERMISSIONS_POLICY
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


class EmbeddingMiddleware:
    """Lets other sites show the few pictures and pages that are made for it; errors there are pages like all others."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        name = request.resolver_match.view_name if request.resolver_match else ""
        if response.status_code >= HTTPStatus.BAD_REQUEST:
            return response
        if name in names_with(Trait.EMBEDDED):
            response["Cross-Origin-Resource-Policy"] = "cross-origin"
        if name in names_with(Trait.FRAMED):
            response.xframe_options_exempt = True  # type: ignore[attr-defined]
            csp_replace({"frame-ancestors": ["*"]})(lambda _: response)(request)  # the decorator marks the answer
        return response


class CompressionMiddleware(GZipMiddleware):
    """Compresses text as Django does, with some random bytes, so that the length tells no secret (the attack BREACH).

    nginx would compress too, without them. Archives, spreadsheets and fonts are compressed already.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_text = response.get("Content-Type", "").startswith(_TEXT)
        return super().process_response(request, response) if is_text else response  # type: ignore[arg-type, return-value]


class NulMiddleware:
    """Refuses NUL in addresses and cookies, which PostgreSQL accepts in no text, not even in a search.

    It stands before whatever looks something up. BodyMiddleware refuses NUL in forms, once they are parsed.
    """

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        # A cookie may write it in octal, within quotes.
        has_nul = "\0" in request.path_info or "%00" in request.META.get("QUERY_STRING", "")
        if has_nul or any("\0" in value for value in request.COOKIES.values()):
            return handle_400(request, BadRequest("NUL"))
        return self.get_response(request)


class BodyMiddleware:
    """Refuses bodies that no form of the address could send, before a byte of them is parsed.

    It stands behind the log-in, whose visitor may upload, and before all that reads the form.
    """

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._refusal(request) or self.get_response(request)

    def _refusal(self, request: HttpRequest) -> HttpResponse | None:
        if (request.content_params or {}).get("charset", "").lower() not in ENCODINGS:
            return _refused(request, HTTPStatus.BAD_REQUEST)
        if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
            return _refused(request, HTTPStatus.LENGTH_REQUIRED)
        if (length := _length(request)) and length > _most(request):
            return _refused(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        if request.method != "POST":
            return None
        try:
            typed = [name + value for name, values in request.POST.lists() for value in values]
            n_bytes = sum(len(text.encode()) for text in typed)
        except (LookupError, ValueError, UnreadablePostError):
            # A part of the form has an unknown encoding, or the connection broke.
            return _refused(request, HTTPStatus.BAD_REQUEST)
        if any("\0" in text for text in typed):
            return _refused(request, HTTPStatus.BAD_REQUEST)
        if n_bytes > settings.MAX_FORM_BYTES and not is_organisers_page(_view_name(request)):
            return _refused(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        fault = fault_of_files(request)
        if fault and _view_name(request) not in _TAKES_UPLOADS:  # these say so in their own form
            return unavailable(request, upload_refusal(fault[0]))
        return None


def _most(request: HttpRequest) -> int:
    """Return how many bytes the body may have."""
    if _view_name(request) in names_with(Trait.TAKES_SCORES) and getattr(request, "access_token", None):
        return settings.MAX_UPLOAD_BYTES
    if _view_name(request) in _TAKES_FILES_OF_ANYBODY | names_with(Trait.TAKES_FILES):
        return settings.MAX_OPEN_CHECK_BYTES + settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if _view_name(request).startswith("admin:") and is_organiser(request.user):
        return settings.DATA_UPLOAD_MAX_MEMORY_SIZE  # many ticked rows, and no files
    return _most_with_files(request) if _takes_files(request) else settings.MAX_FORM_BYTES


def _takes_files(request: HttpRequest) -> bool:
    """Return True if the visitor may send files to the address; organisers do on many of their pages."""
    if is_organisers_page(_view_name(request)) or _view_name(request) in names_with(Trait.TAKES_RUNS):
        return is_organiser(request.user)
    return _view_name(request) in _TAKES_UPLOADS and request.user.is_authenticated


def _view_name(request: HttpRequest) -> str:
    """Return the view's name, looked up once for a request, since that takes a fifth of a millisecond."""
    name: str | None = getattr(request, "view_name", None)
    if name is None:
        name = request.view_name = _found_view_name(request.path_info)  # type: ignore[attr-defined]
    return name


def _found_view_name(path: str) -> str:
    try:
        return resolve(path).view_name or ""
    except Resolver404:
        return ""


def _length(request: HttpRequest) -> int:
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0  # as Django takes it


def _most_with_files(request: HttpRequest) -> int:
    """Return three times an upload, so that one which is a little too large gets its form back with what was typed.

    Where a phase takes more than MAX_UPLOAD_BYTES, so may the body.
    """
    most = 3 * settings.MAX_UPLOAD_BYTES
    if _length(request) > settings.MAX_UPLOAD_BYTES and (large := _most_of_phase(request)) > settings.MAX_UPLOAD_BYTES:
        bound_files(request, large)
        most = max(most, large)
    return most + settings.DATA_UPLOAD_MAX_MEMORY_SIZE


def _most_of_phase(request: HttpRequest) -> int:
    """Return the bytes that the phase of the address takes; 0 where the address takes no uploads to a phase."""
    if _view_name(request) not in _TAKES_UPLOADS:
        return 0
    names = resolve(request.path_info).kwargs
    phase = Phase.objects.filter(task__slug=names["task"], slug=names["phase"]).first()
    return most_bytes(phase) if phase else 0


def _refused(request: HttpRequest, status: HTTPStatus) -> HttpResponse:
    if _view_name(request).startswith("api:"):
        return problem(status, _("The body of this request is too long or malformed for its address."))
    return render(request, "refused_body.html", {"status": status.value}, status=status)


class PrivateAnswersMiddleware:
    """Forbids proxies, and browsers after logging out, to keep pages of somebody who is logged in."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.user.is_authenticated:
            response["Cache-Control"] = "private, no-store"
        return response


class NotAllowedMiddleware:
    """Shows a page to whoever opens an address that only takes a form, where Django's answer is empty."""

    def __init__(self, get_response: Next) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        is_empty = answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not answer.streaming and not answer.content
        if not is_empty or request.method not in ("GET", "HEAD") or request.path_info.startswith("/api/"):
            return answer
        page = render(request, "405.html", {"above": page_above(request.path_info)}, status=answer.status_code)
        page["Allow"] = answer["Allow"]
        return page


def page_above(path: str) -> str:
    """Return the nearest address above a path that leads somewhere, if only to the front page."""
    parts = path.strip("/").split("/")
    for n in range(len(parts) - 1, 0, -1):
        above = f"/{'/'.join(parts[:n])}/"
        try:
            resolve(above)
        except Resolver404:
            continue
        return above
    return "/"
