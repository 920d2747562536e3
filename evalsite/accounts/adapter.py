"""Adapters of allauth: what a new account gets, how guesses are limited, and how refusals are worded."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.signals import password_reset
from allauth.core import context as allauth_context
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.dispatch import receiver
from django.forms import Form
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.language import in_language_of
from evalsite.accounts.models import User
from evalsite.accounts.rates import client_of, refund, reset, seconds_to_wait
from evalsite.accounts.services import create_personal_team

LONGEST_ADDRESS = 2_000  # characters of the page that one comes to next


def _site() -> dict[str, str]:
    """Return what texts of mails ask of a request for their links, from the settings."""
    address = urlsplit(settings.SITE_URL)
    return {"scheme": address.scheme, "get_host": address.netloc}


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": gettext_lazy(
            "This account has been closed. Write to the organisers if you did not expect this."
        ),
        "duplicate_email": gettext_lazy("This is your e-mail address already."),
        "email_password_mismatch": gettext_lazy("The e-mail address and the password do not match. Try again."),
        "enter_current_password": gettext_lazy("This is not your current password."),
        "incorrect_password": gettext_lazy("This is not your password."),
        "rate_limited": gettext_lazy("Too many attempts. Wait a few minutes and try again."),
        "too_many_login_attempts": gettext_lazy("Too many attempts. Wait a few minutes, or reset the password."),
    }

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the mail in the language that its account has chosen; a worker, too, who has no request."""
        with in_language_of(context.get("user")):
            if allauth_context.request is None:
                self.render_mail(template_prefix, email, {"request": _site(), **context}).send()
            else:
                super().send_mail(template_prefix, email, context)

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        super().send_notification_mail(template_prefix, user, {**(context or {}), "user": user}, email)

    def clean_email(self, email: str) -> str:
        if len(email) > User._meta.get_field("email").max_length:
            raise ValidationError(gettext("This address is too long."))
        return email

    def is_safe_url(self, url: str | None) -> bool:
        """Refuse long addresses before they are parsed: that normalises the host's name in quadratic time."""
        return len(url or "") <= LONGEST_ADDRESS and super().is_safe_url(url)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Limit log-ins by client, and failed ones by client and by address and client together.

        So whoever guesses at an address does not keep its owner out in another place. Each is counted as failed before
        it is tried, since many may come at once.
        """
        limits = [("login", client_of(request)), *_limits_of_guesses(request, credentials.get("email", ""))]
        if any(seconds_to_wait(action, who) for action, who in limits):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Count a log-in as failed only where it did, and not through a fault of ours."""
        try:
            user = super().authenticate(request, **credentials)
        except ValidationError:
            raise
        except Exception:
            _forgive(request, credentials)
            raise
        if user is not None:
            _forgive(request, credentials)
        return user

    @transaction.atomic
    def save_user(self, request: HttpRequest, user: User, form: Form, commit: bool = True) -> User:
        user.name = form.cleaned_data["name"]
        user.affiliation = form.cleaned_data["affiliation"]
        user = super().save_user(request, user, form, commit=commit)
        create_personal_team(user)
        return user

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("profile")


def _limits_of_guesses(request: HttpRequest, email: str) -> list[tuple[str, str]]:
    client = client_of(request)
    return [("login_failed", client), ("login_failed_for_address", f"{email.lower()} {client}")]


def _forgive(request: HttpRequest, credentials: Mapping[str, Any]) -> None:
    for action, who in _limits_of_guesses(request, credentials.get("email", "")):
        refund(action, who)


@receiver(password_reset, dispatch_uid="guesses-before-a-reset")
def forget_guesses(request: HttpRequest, user: User, **signal: Any) -> None:
    """Let people in with a new password who had forgotten the old one."""
    _client, of_address = _limits_of_guesses(request, user.email)
    reset(*of_address)


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages: dict[str, Any] = DefaultMFAAdapter.error_messages | {
        "add_email_blocked": gettext_lazy(
            "Turn the second factor off before you change your address, and turn it on again afterwards."
        ),
        "incorrect_code": gettext_lazy("This code is wrong or has expired. Wait for the next one."),
        "unverified_email": gettext_lazy("Confirm your e-mail address first, with the link that we sent to it."),
    }
