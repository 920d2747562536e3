"""Organisers need a second factor before they enter the admin pages, where the settings say so."""

from collections.abc import Callable
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


class StaffSecondFactorMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: Any) -> HttpResponse | None:
        is_admin = request.resolver_match is not None and request.resolver_match.app_name == "admin"
        if not (settings.REQUIRE_STAFF_MFA and is_admin and request.user.is_staff) or is_mfa_enabled(request.user):
            return None
        messages.warning(request, "Organisers need a second factor here. Set it up, then come back.")
        return redirect("mfa_activate_totp")
