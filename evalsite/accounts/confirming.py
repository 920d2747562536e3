"""Whether who is logged in has proved lately who they are, at the log-in or after it."""

from time import time

from allauth.account import app_settings
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from django.http import HttpRequest


def gave_lately(request: HttpRequest, *methods: str) -> bool:
    """Return whether one of `methods`, such as password or mfa, was given lately, be it at the log-in."""
    since = time() - app_settings.REAUTHENTICATION_TIMEOUT
    records = get_authentication_records(request, request.user)
    return any(record["method"] in methods and record["at"] > since for record in records)


def _asks_again(request: HttpRequest) -> bool:
    return not gave_lately(request, "password", "mfa")


# Ask for the password, or the second factor, once more, but not right after the log-in.
confirmed_lately = reauthentication_required(enabled=_asks_again)
