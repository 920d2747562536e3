"""Authenticates requests to the API by their token; cookies open nothing there."""

from collections.abc import Callable
from http import HTTPStatus

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.functional import Promise
from django.utils.translation import get_language_from_request, gettext_lazy, override
from django.utils.translation import gettext as _

from evalsite.accounts.rates import client_of, seconds_to_wait
from evalsite.api import tokens
from evalsite.api.models import AccessToken
from evalsite.base.error_pages import problem

ROOT = "/api/v1/"
_SCHEME = "Bearer"
_SAFE = ("GET", "HEAD", "OPTIONS")


class TokenMiddleware:
    """Stands behind the session, whose log-in it discards, and before the limits of bodies, which depend on users."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(ROOT):
            return self.get_response(request)
        request.user = AnonymousUser()
        request.access_token = None  # type: ignore[attr-defined]
        header = request.headers.get("Authorization", "")
        if header:
            scheme, _blank, text = header.partition(" ")
            token = tokens.authenticate(text.strip()) if scheme.lower() == _SCHEME.lower() else None
            if token is None:
                return _invalid_token(request)
            request.access_token = token  # type: ignore[attr-defined]
            if not token.may_judge:  # such a token opens its own addresses alone, and nothing of its maker's
                request.user = token.user
        elif request.method not in _SAFE:
            # Before a byte of the body is read.
            return _answer_unauthorized(
                request, gettext_lazy("This needs an access token, as “Authorization: Bearer evs_…”.")
            )
        if wait := _seconds_to_wait(request):
            return _too_many(
                request, wait, gettext_lazy("Too many requests were made with this token or from your address.")
            )
        answer = self.get_response(request)
        if answer.status_code >= 400 and answer.get("Content-Type", "").startswith("text/"):
            # Django's own page about a missing address, or a method that it does not allow.
            methods = answer.get("Allow")
            answer = problem(answer.status_code, _("There is nothing at this address, or not with this method."))
            if methods:
                answer["Allow"] = methods
        # No Access-Control headers are sent, so pages of other origins cannot read it.
        patch_vary_headers(answer, ["Authorization"])
        return answer


def _invalid_token(request: HttpRequest) -> HttpResponse:
    """Refuse an invalid token, and tell a program to stop that goes on with one; nobody guesses one by trying.

    Valid tokens from the same address still work: it may be that of a whole institute.
    """
    if wait := seconds_to_wait("wrong_token", client_of(request)):
        return _too_many(request, wait, gettext_lazy("Too many requests with invalid tokens came from your address."))
    return _answer_unauthorized(
        request, gettext_lazy("This token is unknown, expired or revoked. Make a new one on the page of your account.")
    )


def _seconds_to_wait(request: HttpRequest) -> int:
    """Return how long the client has to wait; limits count by token, so that people behind one address share none."""
    token: AccessToken | None = request.access_token  # type: ignore[attr-defined]
    return seconds_to_wait("api", str(token.pk) if token else client_of(request))


def _too_many(request: HttpRequest, wait: int, words: Promise) -> HttpResponse:
    with override(get_language_from_request(request)):
        answer = problem(HTTPStatus.TOO_MANY_REQUESTS, str(words))
    answer["Retry-After"] = str(wait)
    return answer


def _answer_unauthorized(request: HttpRequest, words: Promise) -> HttpResponse:
    """Answer 401 in the language that the request asks for, as no user's is known yet."""
    with override(get_language_from_request(request)):
        return unauthorized(str(words))


def unauthorized(words: str) -> HttpResponse:
    answer = problem(401, words)
    answer["WWW-Authenticate"] = f'{_SCHEME} realm="API"'
    return answer
