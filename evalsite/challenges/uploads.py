"""The bytes of a request's files, bounded while they arrive."""

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, SkipFile
from django.http import HttpRequest

from evalsite.challenges.models import Phase


class BoundedUploadHandler(FileUploadHandler):
    """Counts the bytes of a request's files and stops storing them at MAX_UPLOAD_BYTES.

    The rest is read and dropped, so that the browser gets an answer instead of a broken connection, and the fields
    that follow the files arrive.
    """

    chunk_size = 64 * 1024
    received = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.received += len(raw_data)
        if self.received > settings.MAX_UPLOAD_BYTES:
            if self.request is not None:
                self.request.META["evalsite.upload_too_large"] = True
            raise SkipFile
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


def is_too_large(request: HttpRequest) -> bool:
    """Whether the request's files, which have to be parsed by now, went over the bound."""
    return "evalsite.upload_too_large" in request.META


def most_bytes(phase: Phase) -> int:
    """What an upload to the phase may have; more than MAX_UPLOAD_BYTES come in parts, not in one request."""
    return settings.MAX_UPLOAD_BYTES if phase.upload_megabytes is None else phase.upload_megabytes * 1024**2
