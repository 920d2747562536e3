"""Which kinds of mail somebody gets, and the signed link by which anybody who holds a letter switches its kind off."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

from evalsite.accounts.models import User
from evalsite.mailing.models import OFF_AT_FIRST, Kind, Switch

_SIGNER = Signer(salt="evalsite.mail-switch")


def willing(kind: str, users: Iterable[User]) -> list[User]:
    """Return those of the people who get mail of this kind."""
    people = list(users)
    chosen = dict(Switch.objects.filter(kind=kind, user__in=people).values_list("user", "is_on"))
    return [user for user in people if chosen.get(user.pk, kind not in OFF_AT_FIRST)]


def kinds_on(user: User) -> list[str]:
    chosen = dict(Switch.objects.filter(user=user).values_list("kind", "is_on"))
    return [kind for kind in Kind.values if chosen.get(kind, kind not in OFF_AT_FIRST)]


def switch(user: UUID, kind: str, *, is_on: bool) -> None:
    Switch.objects.update_or_create(user_id=user, kind=kind, defaults={"is_on": is_on})


def switch_all(user: User, kinds: Collection[str]) -> None:
    """Switch these kinds on and all others off."""
    for kind in set(kinds_on(user)) ^ set(kinds):
        switch(user.pk, kind, is_on=kind in kinds)


def switch_address(user: UUID, kind: str) -> str:
    """Return the whole address that switches the kind off; it is valid as long as the site's key is."""
    return settings.SITE_URL + reverse("mail_switch", args=[_SIGNER.sign(f"{user.hex}.{kind}")])


def read_token(token: str) -> tuple[User, Kind] | None:
    """Return whose switch of which kind the address is about; None where nobody has signed it."""
    try:
        user, _, kind = _SIGNER.unsign(token).partition(".")
    except BadSignature:
        return None
    reader = User.objects.filter(pk=UUID(user), is_active=True).first()
    return (reader, Kind(kind)) if reader and kind in Kind.values else None
