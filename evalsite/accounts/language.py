"""Languages of visitors: the account's choice, else the browser's cookie, else what the browser asks for.

Mail is in the language of the account that receives it, whoever causes it.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from itertools import groupby

from allauth.account.signals import user_signed_up
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers

from evalsite.accounts.models import User


class LanguageMiddleware(LocaleMiddleware):
    """Activates the language of the account; so it runs after the log-in's middleware."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        chosen = getattr(request.user, "language", "")
        if is_available(chosen):
            translation.activate(chosen)
            request.LANGUAGE_CODE = translation.get_language()  # type: ignore[attr-defined]

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        answer = super().process_response(request, response)
        patch_vary_headers(answer, ["Cookie"])
        return answer


def is_available(language: str) -> bool:
    """Return whether the site has this language."""
    return any(language == code for code, _ in settings.LANGUAGES)


def store_choice(user: User, language: str) -> None:
    """Store the language with the account, so that mail comes in it and other devices show it."""
    User.objects.filter(pk=user.pk).update(language=language)
    user.language = language


def set_language_cookie(response: HttpResponse, language: str) -> None:
    """Store the language in the browser, for those who are not logged in."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        samesite="Lax",
    )


def in_language_of(user: object) -> AbstractContextManager[None]:
    """Activate the account's language around a text for it; without one the active language stays."""
    chosen = getattr(user, "language", "")
    return translation.override(chosen if is_available(chosen) else translation.get_language())


def by_language(users: Iterable[User]) -> list[tuple[str, list[User]]]:
    """Group people who receive one text by the language in which each of them reads it."""
    ordered = sorted(users, key=_language_of)
    return [(language, list(group)) for language, group in groupby(ordered, key=_language_of)]


def _language_of(user: User) -> str:
    return user.language if is_available(user.language) else settings.LANGUAGE_CODE


@receiver(user_signed_up, dispatch_uid="language-of-new-account")
@receiver(user_logged_in, dispatch_uid="language-of-account")
def store_language_of_login(request: HttpRequest | None, user: object, **signal: object) -> None:
    """Store the language in which an account without one signs up or logs in, if it was chosen here."""
    language = translation.get_language() or ""
    if isinstance(user, User) and not user.language and request is not None and _has_chosen(request, language):
        store_choice(user, language)


def _has_chosen(request: HttpRequest, language: str) -> bool:
    return request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) == language or language != settings.LANGUAGE_CODE
