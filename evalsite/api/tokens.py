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
from evalsite.challenges.models import Event, Task

MARK = "evs_"  # by which people, and scanners of published code, recognise a token
_SHOWN = len(MARK) + 6
_LONGEST = 200  # characters; longer texts are no tokens
_USE_PRECISION = timedelta(minutes=1)  # a write for each request would tell nobody more


class TooManyTokens(Exception):
    """The user has as many active tokens as are allowed."""


def make(
    user: User, name: str, scopes: str, lifetime: timedelta | None, task: Task | None = None
) -> tuple[AccessToken, str]:
    """Return a new token and its text, which is shown once and stored nowhere. Raises TooManyTokens.

    With a task it is a judge's, for this task alone.
    """
    text = MARK + secrets.token_urlsafe(32)
    now = timezone.now()
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if active(user).count() >= settings.MAX_ACCESS_TOKENS:
            raise TooManyTokens(
                _("You have %(n)d tokens, which is the limit for one account. Revoke one that you do not use.")
                % {"n": settings.MAX_ACCESS_TOKENS}
            )
        token = AccessToken.objects.create(
            user=user,
            task=task,
            name=name,
            scopes=scopes,
            digest=_digest(text),
            prefix=text[:_SHOWN],
            created=now,
            expires=None if lifetime is None else now + lifetime,
        )
        _record("access token made", token, user, name=name, scopes=scopes)
    return token, text


def active(user: User) -> QuerySet[AccessToken]:
    """Return the user's tokens that are neither revoked nor expired."""
    return AccessToken.objects.filter(_is_active(), user=user)


def authenticate(text: str) -> AccessToken | None:
    """Return the active token with this text, of an account that is not closed, and record its use.

    Its owner acts as a participant, unless its scopes say otherwise; by a judge's token nobody acts (see middleware).
    """
    if not text.startswith(MARK) or len(text) > _LONGEST:
        return None
    tokens = AccessToken.objects.filter(_is_active(), digest=_digest(text), user__is_active=True)
    token = tokens.select_related("user", "task").first()
    if token is not None:
        now = timezone.now()
        if token.last_used is None or token.last_used < now - _USE_PRECISION:
            AccessToken.objects.filter(pk=token.pk).update(last_used=now)
        token.user.acts_as_participant = not (token.may_organise or token.may_judge)
    return token


def revoke(token: AccessToken, *, by: User) -> bool:
    """Revoke the token; return whether it was active. The row stays, so that its owner sees what there was."""
    with transaction.atomic():
        n_changed = AccessToken.objects.filter(pk=token.pk, revoked=None).update(revoked=timezone.now())
        if n_changed:
            _record("access token revoked", token, by, name=token.name)
    return bool(n_changed)


def _is_active() -> Q:
    return Q(revoked=None) & (Q(expires=None) | Q(expires__gt=timezone.now()))


def _record(kind: str, token: AccessToken, actor: User, **detail: str) -> None:
    """Record the event in the audit trail of no task and no team, as it is about the account; a judge's in its task."""
    Event.objects.create(task=token.task, kind=kind, actor=actor, subject=token.pk, detail=detail)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
