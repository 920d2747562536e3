"""Pages about the API: its introduction and reference, and one's access tokens."""

from uuid import UUID

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evalsite.api import tokens as keeping
from evalsite.api.forms import TokenForm
from evalsite.api.models import AccessToken
from evalsite.api.reference import groups, operations
from evalsite.challenges import wheel
from evalsite.submissions.access import signed_in


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    site = request.build_absolute_uri("/").rstrip("/")
    return render(
        request, "api/reference.html", {"groups": groups(operations(site)), "address": site, "wheel": wheel.NAME}
    )


@require_safe
@login_required
def tokens(request: HttpRequest) -> HttpResponse:
    return render(request, "api/tokens.html", {"tokens": AccessToken.objects.filter(user=signed_in(request))})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@reauthentication_required
@sensitive_variables("text")
def token_create(request: HttpRequest) -> HttpResponse:
    """Asks for the password first, as the other doors to an account do."""
    form = TokenForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        user, given = signed_in(request), form.cleaned_data
        try:
            token, text = keeping.make(user, given["name"], given["scopes"], given["lifetime"])
        except keeping.TooManyTokens as error:
            form.add_error(None, str(error))
        else:
            get_adapter().send_notification_mail("api/email/token_made", user, {"token": token})
            return render(request, "api/token_made.html", {"token": token, "text": text})
    return render(request, "api/token_form.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@login_required
def token_revoke(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    token = get_object_or_404(AccessToken, pk=pk, user=signed_in(request))
    if keeping.revoke(token, by=signed_in(request)):
        messages.success(request, _("“%(name)s” opens nothing any more.") % {"name": token.name})
    return redirect("tokens")
