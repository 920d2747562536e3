"""Lets visitors without an account have files looked at, without keeping the site from those who have one."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http import HTTPStatus
from time import monotonic

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext as _

from evalsite.accounts.rates import charge, client_of, seconds_to_wait
from evalsite.base import moment
from evalsite.jobs.slots import Busy, slot
from evalsite.wording import relative


class Refused(Exception):
    """The visitor has to wait for so many seconds; `words` say why."""

    def __init__(self, words: str, status: HTTPStatus, wait: int) -> None:
        super().__init__(words)
        self.words, self.status, self.wait = words, status, wait


@contextmanager
def as_guest(request: HttpRequest) -> Iterator[None]:
    """Limit the rate: one check of an address at a time, so many in ten minutes, and never all slots for checks.

    Raise Refused.
    """
    client = client_of(request)
    if wait := seconds_to_wait("open_check", client):
        words = _(
            "Many files were checked from your address in the last ten minutes. Try again %(relative)s, log in, or "
            "check files on your own machine."
        )
        again = relative(moment.now() + timedelta(seconds=wait))
        raise Refused(words % {"relative": again}, HTTPStatus.TOO_MANY_REQUESTS, wait)
    try:
        with slot(f"address-{client}", is_guest=True):
            began = monotonic()
            yield
            took = monotonic() - began
    except Busy as busy:
        words = _(
            "More files are arriving than can be checked at the moment. Try again in %(seconds)s seconds, log in, or "
            "check files on your own machine."
        )
        words %= {"seconds": settings.CHECK_SECONDS}
        raise Refused(words, HTTPStatus.SERVICE_UNAVAILABLE, settings.CHECK_SECONDS) from busy
    charge("open_check", client, took)
