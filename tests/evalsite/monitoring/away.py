"""A storage that does not answer."""

from django.core.files.storage import FileSystemStorage


class AwayStorage(FileSystemStorage):
    def exists(self, name: str) -> bool:
        raise OSError("no route to host")
