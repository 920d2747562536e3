"""Calls after a transaction is stored: their errors are logged and reach nobody.

Otherwise the caller would report that nothing was stored, or a job would be done once more.
"""

import errno
from collections.abc import Callable, Iterable
from functools import wraps

import structlog
from django.core.files.storage import Storage
from django.db import transaction
from django.db.models.fields.files import FieldFile

log = structlog.get_logger()


def after_commit(do: Callable[..., object], *arguments: object) -> None:
    """Call the function once the transaction is stored, or now where there is none; its errors are only logged.

    It is wrapped in a named function, since Django logs a failed callback by its name, which a partial function lacks.
    """

    @wraps(do)
    def follow() -> None:
        do(*arguments)

    transaction.on_commit(follow, robust=True)


def delete_after_commit(files: Iterable[FieldFile]) -> None:
    """Delete the files of deleted rows once that is stored; `manage.py tidy` removes what cannot be deleted now."""
    for file in files:
        after_commit(_delete, file.storage, file.name or "")


def _delete(storage: Storage, name: str) -> None:
    try:
        storage.delete(name)
    except OSError as error:
        if error.errno != errno.EROFS:
            raise
        # Web processes cannot write where sealed gold lies: nothing is wrong.
        log.info("a file is left to be tidied away", file=name)
