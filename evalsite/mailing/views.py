"""The pages on which people switch kinds of mail: all of them with an account, one by the link in a letter."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from evalsite.accounts.models import User
from evalsite.mailing.forms import SwitchesForm
from evalsite.mailing.switches import kinds_on, read_token, switch, switch_all


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def switches(request: HttpRequest) -> HttpResponse:
    assert isinstance(request.user, User)
    form = SwitchesForm(request.POST or None, initial={"kinds": kinds_on(request.user)})
    if request.method == "POST":
        form = SwitchesForm(request.POST)
        if form.is_valid():
            switch_all(request.user, form.cleaned_data["kinds"])
            messages.success(request, gettext("Saved."))
            return redirect("mail_switches")
    return render(request, "mailing/switches.html", {"form": form}, status=422 if form.errors else 200)


@csrf_exempt  # mail programs send it (RFC 8058), without a cookie; the signed address is the permission
@require_http_methods(["GET", "HEAD", "POST"])
def switch_one(request: HttpRequest, token: str) -> HttpResponse:
    """Ask by GET, as scanners of mail follow links; switch the kind off by POST, or on again."""
    pair = read_token(token)
    if pair is None:
        raise Http404
    user, kind = pair
    if request.method == "POST":
        switch(user.pk, kind, is_on="on" in request.POST)
    context = {"kind": kind.label, "is_on": kind in kinds_on(user), "was_switched": request.method == "POST"}
    return render(request, "mailing/switch.html", context)
