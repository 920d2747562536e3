"""The page for whoever wants to organise tasks."""

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_http_methods

from evalsite.accounts import asking
from evalsite.accounts.models import OrganiserRequest
from evalsite.accounts.organisers import may_create_tasks


class PurposeForm(forms.ModelForm):
    class Meta:
        model = OrganiserRequest
        fields = ("purpose",)
        labels = {"purpose": gettext_lazy("What do you want to organise?")}
        widgets = {"purpose": forms.Textarea(attrs={"rows": 5})}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def ask(request: HttpRequest) -> HttpResponse:
    if may_create_tasks(request.user):
        return redirect("organise")
    asked = OrganiserRequest.objects.filter(user=request.user).first()
    form = PurposeForm(request.POST if request.method == "POST" else None)
    if not asked and form.is_valid():
        asking.ask(request.user, form.cleaned_data["purpose"])
        messages.success(request, _done())
        return redirect("organise" if settings.OPEN_ORGANISING else "organise_ask")
    context = {"form": form, "asked": asked, "is_open": settings.OPEN_ORGANISING}
    return render(request, "desk/asking/ask.html", context, status=422 if form.errors else 200)


def _done() -> str:
    if settings.OPEN_ORGANISING:
        return gettext("You can make tasks now. To publish the first one, wait for an answer by mail.")
    return gettext("Your request is on its way to the administrators. You get their answer by mail.")
