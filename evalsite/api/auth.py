"""Requires a token, and its scopes, of a request; the middleware has found whose it is."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja.security import HttpBearer

from evalsite.accounts.models import User


class Reading(HttpBearer):
    """Requires a token of a person, of whatever scopes."""

    def __call__(self, request: HttpRequest) -> Any:
        token = getattr(request, "access_token", None)
        if token is not None and not token.may_read:
            raise PermissionDenied(_("This token only scores runs of its task."))
        return token

    def authenticate(self, request: HttpRequest, token: str) -> Any:
        return getattr(request, "access_token", None)


class Uploading(Reading):
    """Requires a token with the scope upload."""

    def __call__(self, request: HttpRequest) -> Any:
        token = super().__call__(request)
        if token is not None and not token.may_upload:
            raise PermissionDenied(_("This token can only read. Make one with the scope “upload”."))
        return token


class Judging(Reading):
    """Requires a token that scores runs of one task."""

    def __call__(self, request: HttpRequest) -> Any:
        token = getattr(request, "access_token", None)
        if token is not None and not token.may_judge:
            raise PermissionDenied(_("This needs a judge’s token, which an owner of the task makes on its desk."))
        return token


def owner(request: HttpRequest) -> User:
    """Return the token's owner, at an endpoint that requires one."""
    assert isinstance(request.user, User)
    return request.user
