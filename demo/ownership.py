"""Whether the demo may fill a database: it makes a superuser whose password everybody can read."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError
from django.db import connection

from demo.accounts import ORGANISER
from evalsite.accounts.models import User


def require_own_database() -> None:
    """Raise CommandError unless the database is a file of the demo's own, before anything is written to it."""
    if settings.PRODUCTION:
        raise CommandError(
            "EVALSITE_PRODUCTION is set, and the demo makes accounts with published passwords. "
            "Unset it to try the demo; for a server see docs/server.md."
        )
    name = str(settings.DATABASES["default"]["NAME"])
    if connection.vendor != "sqlite" or Path(name).resolve().parent != settings.DATA_DIR:
        raise CommandError(
            "DATABASE_URL is set, and the demo fills no other database than the file in its own folder, "
            f"{settings.DATA_DIR}. Unset DATABASE_URL."
        )
    if strangers := _accounts_of_others():
        raise CommandError(
            f"The database in {settings.DATA_DIR} has {strangers} accounts and was not made by the demo, which would "
            "add one with every right and a published password. For another folder: --data-dir"
        )


def _accounts_of_others() -> int:
    """How many accounts there are in a database that the demo has not made; in its own, people may have signed up."""
    if User._meta.db_table not in connection.introspection.table_names():
        return 0
    if User.objects.filter(email=ORGANISER).exists():
        return 0
    return User.objects.count()
