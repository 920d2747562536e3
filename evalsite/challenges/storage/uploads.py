"""Upload handlers that bound the bytes of a request's files while they arrive."""

from contextlib import suppress
from typing import Any

import structlog
from django.conf import settings
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.core.files.uploadhandler import FileUploadHandler, SkipFile, TemporaryFileUploadHandler
from django.http import HttpRequest

from evalsite.base.faults import Fault, fault_of
from evalsite.challenges.models import Phase

log = structlog.get_logger()
_BOUND = "evalsite.upload_bound"


class BoundedUploadHandler(FileUploadHandler):
    """Counts the bytes of a request's files and stops storing them at the request's bound, by default MAX_UPLOAD_BYTES.

    The rest is read and dropped, so that the browser gets an answer instead of a broken connection, and the fields that
    follow the files arrive.
    """

    chunk_size = 64 * 1024
    received = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.received += len(raw_data)
        meta = {} if self.request is None else self.request.META
        if self.received > meta.get(_BOUND, settings.MAX_UPLOAD_BYTES):
            meta["evalsite.upload_too_large"] = True
            raise SkipFile
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


class SparingUploadHandler(TemporaryFileUploadHandler):
    """Stores a request's files while they arrive; if the disk is full they are read and dropped.

    So the fields of the form arrive, and whoever has filled it in gets it back instead of an error.
    """

    def new_file(self, *about: Any, **more: Any) -> None:
        FileUploadHandler.new_file(self, *about, **more)
        try:
            # Django's own handler takes the end of the file's path from the sender's name.
            self.file = TemporaryUploadedFile("upload", self.content_type, 0, self.charset, self.content_type_extra)
            self.file.name = self.file_name
        except OSError as error:
            self._skip(error)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        try:
            super().receive_data_chunk(raw_data, start)
        except OSError as error:
            self._skip(error)

    def file_complete(self, file_size: int) -> Any:
        try:
            return super().file_complete(file_size)  # what was still in memory is written now
        except OSError as error:
            self._note(error)
            return None

    def _skip(self, error: OSError) -> None:
        self._note(error)
        raise SkipFile from error

    def _note(self, error: OSError) -> None:
        fault = fault_of(error)
        if fault is None or self.request is None:
            raise error
        log.error("the files of a request could not be stored", fault=fault, error=str(error))
        self.request.META["evalsite.upload_fault"] = (fault, str(error))
        if hasattr(self, "file"):
            with suppress(OSError):  # it would be written once more
                self.file.close()


def fault_of_files(request: HttpRequest) -> tuple[Fault, str] | None:
    """Return the fault that kept the request's parsed files from being stored, with the system's words."""
    return request.META.get("evalsite.upload_fault")


def is_too_large(request: HttpRequest) -> bool:
    """Return whether the request's parsed files went over the bound."""
    return "evalsite.upload_too_large" in request.META


def bound_files(request: HttpRequest, most: int) -> None:
    """Set how many bytes the files of a request that is not parsed yet may have together."""
    request.META[_BOUND] = most


def most_bytes(phase: Phase) -> int:
    """Return the bytes that an upload to the phase may have; organisers may allow up to MAX_LARGE_UPLOAD_BYTES."""
    return settings.MAX_UPLOAD_BYTES if phase.upload_megabytes is None else phase.upload_megabytes * 1024**2
