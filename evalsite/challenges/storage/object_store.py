"""Files in an object store that speaks S3: private objects under the names that they have in a local folder.

Errors are those of files: FileNotFoundError for a missing object, StorageAway for a store that does not answer, answers
too slowly or refuses. Nobody waits long: 3 s for a connection, 10 s for the next bytes, twice, and a minute in all for
the bytes of one object to come.
"""

import errno
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import IO, Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from botocore.handlers import add_expect_header
from django.core.files.base import File
from storages.backends.s3 import S3Storage

from evalsite.challenges.storage.files import StorageAway

SECONDS_TO_CONNECT = 3
SECONDS_BETWEEN_BYTES = 10
ATTEMPTS = 2
SECONDS_OF_AN_OBJECT = 60
LINK_SECONDS = 60
_IN_MEMORY = 4 * 1024**2  # bytes of an object that is read; what is larger is put on disk meanwhile
_COPIED = 256 * 1024  # bytes at a time


class ObjectStore(S3Storage):
    """A bucket; nothing in it is overwritten, and no object may be read without a key or a signed link."""

    def get_default_settings(self) -> dict[str, Any]:
        config = Config(
            connect_timeout=SECONDS_TO_CONNECT,
            read_timeout=SECONDS_BETWEEN_BYTES,
            retries={"mode": "standard", "total_max_attempts": ATTEMPTS},
            signature_version="s3v4",
            # Stores of other makers refuse the checksums that newer clients add by themselves.
            request_checksum_calculation="when_required",
            response_checksum_validation="when_required",
        )
        changed = {"file_overwrite": False, "querystring_expire": LINK_SECONDS, "client_config": config}
        return {**super().get_default_settings(), **changed}

    def __init__(self, **options: Any) -> None:
        addressing = options.get("addressing_style")
        super().__init__(**options)
        self.client_config: Config = self.client_config.merge(Config(s3={"addressing_style": addressing}))

    @property
    def connection(self) -> Any:
        """Return the thread's own connection."""
        connection = super().connection
        # Objects are sent without asking first: where the connection ends in the middle of a store's word that they may
        # come, botocore waits for the rest without end.
        connection.meta.client.meta.events.unregister("before-call.s3", add_expect_header)
        return connection

    def _open(self, name: str, mode: str = "rb") -> File:
        """Return a whole copy of the object, so that a store which goes away later breaks no reader in the middle."""
        if mode != "rb":
            raise ValueError(f"objects are opened for reading only, not with {mode}")
        copy = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115 - its reader closes it
        try:
            with _errors_of_files(name):
                self._fetch(name, copy)
        except BaseException:
            copy.close()
            raise
        copy.seek(0)
        return File(copy, name)

    def _fetch(self, name: str, target: IO[bytes]) -> None:
        began = time.monotonic()
        body = self._client.get_object(**self._place(name))["Body"]
        with body:
            for chunk in body.iter_chunks(_COPIED):
                target.write(chunk)
                if time.monotonic() - began > SECONDS_OF_AN_OBJECT:
                    raise StorageAway(errno.ETIMEDOUT, "the object store sends too slowly", name)

    def _save(self, name: str, content: File) -> str:
        """Store the object in one request: it is there whole or not at all, whenever this process is killed."""
        with _errors_of_files(name):
            content.seek(0)
            self._client.put_object(**self._place(name), Body=content.file, ContentType="application/octet-stream")
        return name

    def delete(self, name: str) -> None:
        with _errors_of_files(name):
            super().delete(name)

    def exists(self, name: str) -> bool:
        with _errors_of_files(name):
            return bool(super().exists(name))

    def size(self, name: str) -> int:
        with _errors_of_files(name):
            return int(super().size(name))

    def get_modified_time(self, name: str) -> datetime:
        with _errors_of_files(name):
            modified: datetime | None = super().get_modified_time(name)
            if modified is None:
                raise StorageAway(errno.EIO, "the object store does not say when it was stored", name)
            return modified

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        with _errors_of_files(path):
            folders, files = super().listdir(path)
        return folders, files

    def link(self, name: str, file_name_header: str) -> str:
        """Return an address that gives the object, as a file to be saved, to whoever has it for LINK_SECONDS."""
        shown = {"ResponseContentDisposition": file_name_header, "ResponseContentType": "application/octet-stream"}
        with _errors_of_files(name):
            return str(super().url(name, parameters={**shown, "ResponseCacheControl": "private, no-store"}))

    @property
    def _client(self) -> Any:
        return self.connection.meta.client

    def _place(self, name: str) -> dict[str, str]:
        return {"Bucket": self.bucket_name, "Key": self._normalize_name(name)}


@contextmanager
def _errors_of_files(name: str) -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        if _is_missing(error.response):
            raise FileNotFoundError(errno.ENOENT, "no such object", name) from error
        raise StorageAway(errno.EIO, f"the object store refuses: {error}", name) from error
    except BotoCoreError as error:
        raise StorageAway(errno.EIO, f"the object store does not answer: {error}", name) from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:  # of the client's, where a head is cut off
        raise StorageAway(errno.EIO, f"the object store's answer has no sense: {error}", name) from error


def _is_missing(answer: Mapping[str, Any]) -> bool:
    return answer["ResponseMetadata"]["HTTPStatusCode"] == 404 and answer.get("Error", {}).get("Code") != "NoSuchBucket"
