"""What becomes of somebody whom a provider has let in: whose account it is, or which one is made."""

from typing import Any

import structlog
from allauth.account.utils import filter_users_by_email
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.forms import NameField
from evalsite.accounts.models import User
from evalsite.accounts.services import create_personal_team

log = structlog.get_logger()
_NAMES = NameField(max_length=150, required=False)


class SignInAdapter(DefaultSocialAccountAdapter):
    """An account is found by what the provider calls the person, never by an address; whoever has one connects it."""

    error_messages = DefaultSocialAccountAdapter.error_messages | {
        "email_taken": gettext_lazy(
            "There is an account with this address. Log in with its password, then connect your %s account."
        ),
        "no_password": gettext_lazy("This is the only way into your account. Set a password first."),
        "no_verified_email": gettext_lazy("Confirm your e-mail address first. Otherwise you could no longer log in."),
    }

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Leave a new person one address, if it is confirmed, and send its owner to the log-in if it has an account."""
        confirmed = [address for address in sociallogin.email_addresses if address.verified]
        sociallogin.email_addresses = confirmed[:1]
        is_login = sociallogin.state.get("process") == AuthProcess.LOGIN
        if not is_login or sociallogin.is_existing or not confirmed or not filter_users_by_email(confirmed[0].email):
            return
        words = gettext(
            "There is an account with the address %(email)s. Log in with its password, or reset that, then connect "
            "%(provider)s here."
        )
        messages.warning(request, words % {"email": confirmed[0].email, "provider": sociallogin.provider.name})
        # Whoever was logged in in this browser is not asked whose account it is.
        connections = reverse("socialaccount_connections")
        there = connections if request.user.is_authenticated else f"{reverse('account_login')}?next={connections}"
        raise ImmediateHttpResponse(redirect(there))

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        user = sociallogin.user
        assert isinstance(user, User)
        confirmed = [address.email for address in sociallogin.email_addresses if address.verified]
        user.email = (confirmed[0] if confirmed else str(data.get("email") or "")).lower()
        user.name = _name(data)
        return user

    def is_auto_signup_allowed(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Ask for what is missing: an address that is confirmed, or a name."""
        assert isinstance(sociallogin.user, User)
        return bool(sociallogin.email_addresses and sociallogin.user.name)

    def get_signup_form_initial_data(self, sociallogin: SocialLogin) -> dict[str, str]:
        assert isinstance(sociallogin.user, User)
        return {"email": sociallogin.user.email, "name": sociallogin.user.name}

    @transaction.atomic
    def save_user(self, request: HttpRequest, sociallogin: SocialLogin, form: Any = None) -> User:
        """Save the person, with a team of one; an address that was typed instead is confirmed by mail."""
        if form:
            typed = form.cleaned_data["email"]
            sociallogin.email_addresses = [address for address in sociallogin.email_addresses if address.email == typed]
        user = super().save_user(request, sociallogin, form)
        if not form:  # the form's adapter has made one
            create_personal_team(user)
        return user

    def on_authentication_error(
        self, request: HttpRequest, provider: Any, error: Any = None, exception: Any = None, extra_context: Any = None
    ) -> None:
        log.warning(
            "a log-in through a provider failed", provider=provider.id, error=str(error), why=str(exception)[:200]
        )


def _name(data: dict[str, Any]) -> str:
    """Return the name that the provider tells, or "" where it is none that could be typed here."""
    parts = (data.get("first_name"), data.get("last_name"))
    full_name = data.get("name") or " ".join(str(part) for part in parts if part)
    try:
        return _NAMES.clean(str(full_name)[:150])
    except ValidationError:
        return ""
