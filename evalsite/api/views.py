"""Pages about the API: its introduction and reference, and the user's access tokens."""

from urllib.parse import urlencode
from uuid import UUID

from allauth.account.adapter import get_adapter
from allauth.mfa.utils import is_mfa_enabled
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from evalsite.accounts.confirming import confirmed_lately, gave_lately
from evalsite.accounts.organisers import may_organise
from evalsite.api.forms import TokenForm
from evalsite.api.models import AccessToken
from evalsite.api.tokens import TooManyTokens, make, revoke
from evalsite.challenges.starter_kit import wheel
from evalsite.submissions.access import signed_in


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    site = request.build_absolute_uri("/").rstrip("/")
    # With it comes the whole API, which no other page needs.
    groups_of_site = import_string("evalsite.api.reference.groups_of_site")
    return render(request, "api/reference.html", {"groups": groups_of_site(site), "address": site, "wheel": wheel.NAME})


@require_safe
@login_required
def tokens(request: HttpRequest) -> HttpResponse:
    user = signed_in(request)
    context = {"tokens": AccessToken.objects.filter(user=user).select_related("task"), "organises": may_organise(user)}
    return render(request, "api/tokens.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@confirmed_lately
@sensitive_variables("text")
def token_create(request: HttpRequest) -> HttpResponse:
    """Create a token, once password and, for an organiser's, second factor (if there is one) were given lately."""
    user = signed_in(request)
    data = request.POST if request.method == "POST" else None
    organises = may_organise(user)
    form = TokenForm(data, initial=request.GET.dict(), organises=organises)
    if form.is_valid():
        cleaned = form.cleaned_data
        if "organise" in cleaned["scopes"] and is_mfa_enabled(user) and not gave_lately(request, "mfa"):
            return _ask_for_second_factor(request, form)
        try:
            token, text = make(user, cleaned["name"], cleaned["scopes"], cleaned["lifetime"])
        except TooManyTokens as error:
            form.add_error(None, str(error))
        else:
            get_adapter().send_notification_mail("api/email/token_made", user, {"token": token})
            return render(request, "api/token_made.html", {"token": token, "text": text})
    context = {"form": form, "organises": organises}
    return render(request, "api/token_form.html", context, status=422 if form.errors else 200)


def _ask_for_second_factor(request: HttpRequest, form: TokenForm) -> HttpResponseRedirect:
    """Redirect to the second factor, and from there back to the form as it was."""
    typed = urlencode({name: form[name].value() for name in form.fields})
    back = urlencode({REDIRECT_FIELD_NAME: f"{request.path}?{typed}"})
    return redirect(f"{reverse('mfa_reauthenticate')}?{back}")


@require_POST
@login_required
def token_revoke(request: HttpRequest, pk: UUID) -> HttpResponseRedirect:
    token = get_object_or_404(AccessToken, pk=pk, user=signed_in(request))
    if revoke(token, by=signed_in(request)):
        messages.success(request, _("The token “%(name)s” no longer works.") % {"name": token.name})
    return redirect("tokens")
