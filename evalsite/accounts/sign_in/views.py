"""The addresses of providers, which are there where the server has keys."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount, SocialApp
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView, OAuth2LoginView
from allauth.socialaccount.views import connections as connections_page
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse

from evalsite.accounts.sign_in.providers import GitHubAdapter, OpenIdAdapter, OrcidAdapter

View = Callable[..., HttpResponse]


def _with_keys(view: View) -> View:
    @login_not_required
    @wraps(view)
    def with_keys(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except SocialApp.DoesNotExist:
            raise Http404 from None

    return with_keys


orcid_login, orcid_callback, github_login, github_callback = (
    _with_keys(page.adapter_view(adapter))
    for adapter in (OrcidAdapter, GitHubAdapter)
    for page in (OAuth2LoginView, OAuth2CallbackView)
)


@_with_keys
def openid_callback(request: HttpRequest, provider_id: str) -> HttpResponse:
    return OAuth2CallbackView.adapter_view(OpenIdAdapter(request, provider_id))(request)


def connections(request: HttpRequest) -> HttpResponse:
    """Show what is connected, and what could be; nothing where there never was a provider."""
    is_connected = request.user.is_authenticated and SocialAccount.objects.filter(user=request.user).exists()
    if request.user.is_authenticated and not is_connected and not get_adapter().list_apps(request):
        raise Http404
    return connections_page(request)
