"""Who is logged in: the account, with what every page asks of it."""

from uuid import UUID

from allauth.account.auth_backends import AuthenticationBackend
from django.db.models import Exists, OuterRef, QuerySet

from evalsite.accounts.models import User
from evalsite.prepared import Prepared


def _with_organises(user: UUID) -> QuerySet[User]:
    listed = User.objects.filter(pk=OuterRef("pk"), organiser_rows__isnull=False)
    return User.objects.annotate(organises=Exists(listed)).filter(pk=user)  # type: ignore[no-redef]


_account = Prepared(_with_organises, user=UUID(int=0))


class AccountBackend(AuthenticationBackend):
    def get_user(self, user_id: UUID | str) -> User | None:
        """With `organises` in the same query, as the head of every page leads organisers to their tasks."""
        user = _account.first(user=User._meta.pk.to_python(user_id))
        return user if user and self.user_can_authenticate(user) else None
