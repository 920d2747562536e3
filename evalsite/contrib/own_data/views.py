"""The pages on which people get what the site keeps of them, and delete their account."""

from collections.abc import Callable
from functools import wraps
from time import time
from typing import Any

from allauth.account import app_settings
from allauth.account.authentication import get_authentication_records
from allauth.account.decorators import reauthentication_required
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_safe

from evalsite.contrib.own_data.deleting import CannotDelete, delete_account, outcome_of
from evalsite.contrib.own_data.export import archive
from evalsite.contrib.own_data.forms import DeleteForm
from evalsite.submissions.access import signed_in

View = Callable[..., HttpResponseBase]


def _confirmed_lately(view: View) -> View:
    """Ask for the password, or the second factor, once more; who has neither logs in at the provider again."""
    by_password = reauthentication_required(view)

    @login_required
    @wraps(view)
    def asking(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = signed_in(request)
        if user.has_usable_password() or is_mfa_enabled(user):
            return by_password(request, *args, **kwargs)
        since = time() - app_settings.REAUTHENTICATION_TIMEOUT
        if any(record["at"] > since for record in get_authentication_records(request, user)):
            return view(request, *args, **kwargs)
        return render(request, "contrib/own_data/again.html", status=403)

    return asking


@require_safe
@login_required
def own_data(request: HttpRequest) -> HttpResponse:
    return render(request, "contrib/own_data/own_data.html")


@require_safe
@_confirmed_lately
def download(request: HttpRequest) -> HttpResponseBase:
    answer = StreamingHttpResponse(archive(signed_in(request)), content_type="application/zip")
    answer["Content-Disposition"] = content_disposition_header(True, "own-data.zip") or ""
    answer["Cache-Control"] = "private, no-store"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@_confirmed_lately
def delete(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    form = DeleteForm(request.POST if request.method == "POST" else None, user=user)
    if form.is_valid():
        try:
            delete_account(user)
        except CannotDelete as error:
            form.add_error(None, str(error))
        else:
            logout(request)
            messages.success(request, gettext("Your account is deleted. A last mail says so."))
            return redirect("home")
    context = {"form": form, "outcome": outcome_of(user)}
    return render(request, "contrib/own_data/delete.html", context, status=422 if form.errors else 200)
