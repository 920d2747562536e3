"""What follows once a transaction is stored: nothing that fails there may say that it was not.

Whoever asked for what is stored would be told that nothing was done, or a job be done once more.
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
    """Call it once the transaction is stored, or now where there is none; of what it raises the log alone is told.

    A function of its own, since Django calls what has failed by its name, which neither a partial function nor each
    callable has, and fails itself where there is none.
    """

    @wraps(do)
    def follow() -> None:
        do(*arguments)

    transaction.on_commit(follow, robust=True)


def delete_after_commit(files: Iterable[FieldFile]) -> None:
    """Files of rows that are gone then; what cannot be deleted stays for `manage.py tidy`."""
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
