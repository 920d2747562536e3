"""The authentication backend, which loads what every page asks of the account that is logged in."""

from functools import cache
from uuid import UUID

from allauth.account.auth_backends import AuthenticationBackend
from django.db.models import Exists, OuterRef, QuerySet

from evalsite.accounts.models import User


class AccountBackend(AuthenticationBackend):
    def get_user(self, user_id: UUID | str) -> User | None:
        """Load the account with `organises` in one query, as the head of every page links organisers to their tasks."""
        user = _accounts().filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None


@cache  # built once, as each request asks it of another account
def _accounts() -> QuerySet[User]:
    listed = User.objects.filter(pk=OuterRef("pk"), organiser_rows__isnull=False)
    return User.objects.annotate(organises=Exists(listed))  # type: ignore[no-redef]
