"""Organisers without the second factor that the settings ask for are told so, wherever they miss their rights."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext

from evalsite.accounts.organisers import is_organisers_page, lacks_second_factor

REFUSALS = (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND)


class StaffSecondFactorMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        lacks = SimpleLazyObject(lambda: lacks_second_factor(request.user))
        request.lacks_second_factor = lacks  # type: ignore[attr-defined]  # for the notice on every page
        response = self.get_response(request)
        is_page = not request.path_info.startswith("/api/v1/")  # programs can set up nothing
        if is_page and request.method == "GET" and response.status_code in REFUSALS and lacks:
            # A missing page and a forbidden one look alike; both are worth another try with a second factor.
            return render(request, "accounts/second_factor_missing.html", status=HTTPStatus.FORBIDDEN)
        return response

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if not is_organisers_page(name) or not lacks_second_factor(request.user):
            return None
        messages.warning(request, gettext("Organisers need a second factor here. Set it up, then come back."))
        return redirect("mfa_activate_totp")
