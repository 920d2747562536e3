"""The demo is made on the site's test database, with files and broker kept apart as in the site's tests."""

from tests.evalsite.conftest import (
    _no_foreign_broker,
    _no_heart_in_a_transaction,
    _private_files,
    django_db_modify_db_settings,
    django_db_setup,
)
from tests.workers import broker_process

__all__ = [
    "_no_foreign_broker",
    "_no_heart_in_a_transaction",
    "_private_files",
    "broker_process",
    "django_db_modify_db_settings",
    "django_db_setup",
]
