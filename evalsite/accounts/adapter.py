"""Where the site takes part in allauth's steps: what a new account gets, and how refusals are worded."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest
from django.urls import reverse

from evalsite.accounts.models import User
from evalsite.accounts.services import create_personal_team


class AccountAdapter(DefaultAccountAdapter):
    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": "This account has been closed. Write to the organisers if that surprises you.",
        "duplicate_email": "This is your e-mail address already.",
        "email_password_mismatch": "This e-mail address and password do not belong together. Try again.",
        "enter_current_password": "This is not your current password.",
        "incorrect_password": "This is not your password.",
        "rate_limited": "Too many attempts. Wait a few minutes and try again.",
        "too_many_login_attempts": "Too many attempts. Wait a few minutes, or reset the password.",
    }

    def clean_email(self, email: str) -> str:
        if len(email) > User._meta.get_field("email").max_length:
            raise ValidationError("This address is too long to be one.")
        return email

    @transaction.atomic
    def save_user(self, request: HttpRequest, user: User, form: Form, commit: bool = True) -> User:
        user.name = form.cleaned_data["name"]
        user.affiliation = form.cleaned_data["affiliation"]
        user = super().save_user(request, user, form, commit=commit)
        create_personal_team(user)
        return user

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("profile")


class SecondFactorAdapter(DefaultMFAAdapter):
    error_messages: dict[str, Any] = DefaultMFAAdapter.error_messages | {
        "add_email_blocked": "Turn the second factor off before you change your address, and on again afterwards.",
        "incorrect_code": "This code is not right, or no longer. Wait for the next one.",
        "unverified_email": "Confirm your e-mail address first, by the link that we sent to it.",
    }
