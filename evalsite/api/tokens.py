"""Makes, recognises and revokes access tokens."""

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from evalsite.accounts.models import User
from evalsite.api.models import AccessToken
from evalsite.challenges.models import Event

SIGN = "evs_"  # by which scanners of published code, and people, know one
_SHOWN = len(SIGN) + 6
_LONGEST = 200  # characters of what is looked up at all
_USED_ANEW = timedelta(minutes=1)  # a write for each request would tell nobody more


class TooManyTokens(Exception):
    """The person has as many living tokens as may be."""


def make(user: User, name: str, scopes: str, lifetime: timedelta | None) -> tuple[AccessToken, str]:
    """A new token and its text, which is told once and stored nowhere. Raises TooManyTokens."""
    text = SIGN + secrets.token_urlsafe(32)
    now = timezone.now()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if living(user).count() >= settings.MAX_ACCESS_TOKENS:
            raise TooManyTokens(
                _("You have %(n)d tokens, and nobody may have more. Revoke one that is not used.")
                % {"n": settings.MAX_ACCESS_TOKENS}
            )
        token = AccessToken.objects.create(
            user=user,
            name=name,
            scopes=scopes,
            digest=_digest(text),
            prefix=text[:_SHOWN],
            created=now,
            expires=None if lifetime is None else now + lifetime,
        )
        _record("access token made", token, user, name=name, scopes=scopes)
    return token, text


def living(user: User) -> QuerySet[AccessToken]:
    """Those that open something: neither revoked nor expired."""
    return AccessToken.objects.filter(_is_living(), user=user)


def found(text: str) -> AccessToken | None:
    """The living token with this text, of an account that is not closed; its use is noted.

    Its owner acts as a participant, where it does not say otherwise.
    """
    if not text.startswith(SIGN) or len(text) > _LONGEST:
        return None
    tokens = AccessToken.objects.filter(_is_living(), digest=_digest(text), user__is_active=True)
    token = tokens.select_related("user").first()
    if token is not None:
        now = timezone.now()
        if token.last_used is None or token.last_used < now - _USED_ANEW:
            AccessToken.objects.filter(pk=token.pk).update(last_used=now)
        token.user.acts_as_participant = not token.may_organise
    return token


def revoke(token: AccessToken, *, by: User) -> bool:
    """Whether it was living until now. The row stays, so that its owner sees what there was."""
    with transaction.atomic():
        n_changed = AccessToken.objects.filter(pk=token.pk, revoked=None).update(revoked=timezone.now())
        if n_changed:
            _record("access token revoked", token, by, name=token.name)
    return bool(n_changed)


def _is_living() -> Q:
    return Q(revoked=None) & (Q(expires=None) | Q(expires__gt=timezone.now()))


def _record(kind: str, token: AccessToken, actor: User, **detail: str) -> None:
    """In the audit trail of no task and no team: it is about the account."""
    Event.objects.create(kind=kind, actor=actor, subject=token.pk, detail=detail)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
