"""Faults: why something could not be done, with advice; those of the machine use up no attempt.

A fault of the machine (a full disk, a database that does not answer, a missing file) passes or is mended, and what it
has stopped is done later. Anything else may be a defect of the engine.
"""

import errno
import sqlite3

from django.db import InterfaceError, InternalError, OperationalError, models
from django.http import UnreadablePostError
from django.utils.translation import gettext, gettext_lazy
from kombu.exceptions import OperationalError as BrokerError

RETRY_AFTER = 60  # seconds


class Fault(models.TextChoices):
    """A reason why something could not be done, through no fault of the person who asked for it."""

    DISK_FULL = "disk full", gettext_lazy("disk full")
    STORAGE_AWAY = "storage away", gettext_lazy("storage away")
    FILE_MISSING = "file missing", gettext_lazy("file missing")
    FILE_CHANGED = "file changed", gettext_lazy("file changed")
    DATABASE_AWAY = "database away", gettext_lazy("database away")
    BROKER_AWAY = "broker away", gettext_lazy("broker away")
    MACHINE = "machine", gettext_lazy("machine")
    # These use up attempts, as a retry may well end in the same way.
    ENGINE_CRASHED = "engine crashed", gettext_lazy("engine crashed")
    TOOK_TOO_LONG = "took too long", gettext_lazy("took too long")
    WORKER_DIED = "worker died", gettext_lazy("worker died")
    FAMILY_MISSING = "family missing", gettext_lazy("family missing")
    GOLD_BROKEN = "gold broken", gettext_lazy("gold broken")


FILE_FAULTS = (Fault.FILE_MISSING, Fault.FILE_CHANGED)

# What is wrong and what to do about it, for those who run the site.
ADVICE = {
    Fault.DISK_FULL: gettext_lazy(
        "A disk is full: the one with the data folder, the temporary files, or the database. Free some space on it."
    ),
    Fault.STORAGE_AWAY: gettext_lazy(
        "The file storage is not responding. Check that it is running, mounted, and reachable from the workers."
    ),
    Fault.FILE_MISSING: gettext_lazy(
        "A run's or a gold's file is not where it was stored. Check that every worker has access "
        "to the site's data folder or storage; restore a lost file from the backup."
    ),
    Fault.FILE_CHANGED: gettext_lazy(
        "A run's or a gold's file has other bytes than when it was stored. Restore it from the "
        "backup, and find out who changed it."
    ),
    Fault.DATABASE_AWAY: gettext_lazy("The database does not respond, or not in time. Check that it is running."),
    Fault.BROKER_AWAY: gettext_lazy("Redis does not respond. Check that it is running and reachable."),
    Fault.MACHINE: gettext_lazy(
        "The operating system refused something: memory, processes, open files, or access to a "
        "folder. The error says which."
    ),
    Fault.ENGINE_CRASHED: gettext_lazy(
        "The engine ended without an answer. The error and the worker's log say where: this is a fault in the code."
    ),
    Fault.TOOK_TOO_LONG: gettext_lazy(
        "The worker waited for something longer than its time limit. Check what else is running on its machine."
    ),
    Fault.WORKER_DIED: gettext_lazy(
        "The worker was killed while scoring, at every attempt; most often for lack of memory. See the system's log."
    ),
    Fault.FAMILY_MISSING: gettext_lazy(
        "The package that brings a scenario's family is not installed or cannot be used. Install "
        "it in the environment of every machine that serves or scores, and restart the services; "
        "manage.py doctor says why it cannot be used."
    ),
    Fault.GOLD_BROKEN: gettext_lazy(
        "The gold cannot be read, or does not fit the options of its scenario. Correct one of them."
    ),
}

_FULL = {errno.ENOSPC, errno.EDQUOT}
_AWAY = {errno.EIO, errno.ESTALE, errno.ENXIO, errno.ENODEV, errno.ENOTCONN, errno.EROFS, errno.ETIMEDOUT}
_NO_MORE = {errno.EMFILE, errno.ENFILE}  # open files
_POSTGRES_IS_FULL = "53100"
# It is read-only, or has ended a transaction that it found to stand still or to take too long.
_POSTGRES_REFUSES = {"25006", "25P03", "25P04"}
# By the names of their modules, since few processes load them.
_BROKER = ("redis.",)
_OBJECT_STORES = ("botocore", "boto3", "s3transfer")
_NOT_FOUND = 404


class KnownFault(Exception):
    """An operation failed by this fault; `words` tell more to those who run the site."""

    def __init__(self, fault: Fault, words: str) -> None:
        super().__init__(f"{fault}: {words}")
        self.fault = fault


class FaultyFile(KnownFault):
    """A stored file is missing, or has not the bytes that were stored; the words are its name."""


def fault_of(error: BaseException) -> Fault | None:
    """Return the fault of the machine behind the exception; None where the program may be to blame."""
    if isinstance(error, KnownFault):
        return error.fault
    if isinstance(error, UnreadablePostError):
        return None  # an OSError too, but it was the client who went away
    if isinstance(error, OperationalError | InterfaceError | InternalError):
        return _of_database(error)
    if isinstance(error, BrokerError) or _is_of(_BROKER, error):
        return Fault.BROKER_AWAY
    if _is_of(_OBJECT_STORES, error):
        return Fault.FILE_MISSING if _status(error) == _NOT_FOUND else Fault.STORAGE_AWAY
    return _of_system(error)


def _is_of(packages: tuple[str, ...], error: BaseException) -> bool:
    return any(kind.__module__.startswith(packages) for kind in type(error).__mro__)


def _of_database(error: Exception) -> Fault | None:
    """Return the database's fault; SQLite raises OperationalError for mistakes in a statement too, so those are
    excluded.
    """
    cause = error.__cause__
    code, state = getattr(cause, "sqlite_errorcode", None), getattr(cause, "sqlstate", None)
    if code == sqlite3.SQLITE_ERROR or (isinstance(error, InternalError) and state not in _POSTGRES_REFUSES):
        return None
    is_full = code == sqlite3.SQLITE_FULL or state == _POSTGRES_IS_FULL
    return Fault.DISK_FULL if is_full else Fault.DATABASE_AWAY


def _status(error: BaseException) -> int | None:
    """Return the status that an object store has answered, if it has."""
    response = getattr(error, "response", None) or {}
    status: int | None = response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return status


def _of_system(error: BaseException) -> Fault | None:
    """Return the system's fault by the number of the error, which a crashed child of the engine carries too."""
    number = getattr(error, "errno", None)
    if number in _FULL:
        return Fault.DISK_FULL
    if number in _AWAY or isinstance(error, ConnectionError | TimeoutError):
        return Fault.STORAGE_AWAY
    return Fault.MACHINE if number in _NO_MORE or isinstance(error, OSError) else None


def upload_refusal(fault: Fault) -> str:
    """Return what a participant reads whose upload has met the fault."""
    messages = {
        Fault.DISK_FULL: gettext(
            "This upload was not accepted: the disk of this site is full. It was not counted, "
            "and the people who run the site have been told. Send it again in a minute."
        ),
        Fault.DATABASE_AWAY: gettext(
            "This upload was not accepted: the database of this site is not responding. It was "
            "not counted. Send it again in a minute."
        ),
        Fault.STORAGE_AWAY: gettext(
            "This upload was not accepted: the place where this site stores files is not "
            "responding. It was not counted. Send it again in a minute."
        ),
    }
    return messages.get(fault) or gettext(
        "This upload was not accepted: something broke on our side. It was not counted. Send it again in a minute."
    )
