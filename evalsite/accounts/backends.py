"""The authentication backend, which loads what every page asks of the account that is logged in."""

from uuid import UUID

from allauth.account.auth_backends import AuthenticationBackend
from django.db.models import Exists, OuterRef

from evalsite.accounts.models import User


class AccountBackend(AuthenticationBackend):
    def get_user(self, user_id: UUID | str) -> User | None:
        """Load the account with `organises` in one query, as the head of every page links organisers to their tasks."""
        listed = User.objects.filter(pk=OuterRef("pk"), organiser_rows__isnull=False)
        user = User.objects.annotate(organises=Exists(listed)).filter(pk=user_id).first()  # type: ignore[no-redef]
        return user if user and self.user_can_authenticate(user) else None
