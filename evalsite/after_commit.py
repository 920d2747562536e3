"""What follows once a transaction is stored: nothing that fails there may say that it was not.

Whoever asked for what is stored would be told that nothing was done, or a job be done once more.
"""

from collections.abc import Callable, Iterable
from functools import wraps

from django.db import transaction
from django.db.models.fields.files import FieldFile


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
        after_commit(file.storage.delete, file.name or "")
