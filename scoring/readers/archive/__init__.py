"""An upload opened safely: a folder, a zip archive or a single file.

All three are a mapping of relative paths to contents (`Files`), so that no reader needs to know which it was. Contents
are read one at a time when they are asked for, in memory; nothing is written to disk.
"""

from pathlib import Path

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive.files import Files, Folder, Made, Named, SingleFile
from scoring.readers.archive.zipped import (
    BROKEN,
    LIMITS,
    MAGIC_BYTES,
    Limits,
    ZipArchive,
    check_directory,
    is_zip,
    member_path,
    refused_kind,
)
from scoring.readers.problems import unreadable

__all__ = [
    "BROKEN",
    "LIMITS",
    "MAGIC_BYTES",
    "Files",
    "Limits",
    "Made",
    "Named",
    "SingleFile",
    "Source",
    "ZipArchive",
    "check_directory",
    "is_zip",
    "member_path",
    "open_files",
]

Source = str | Path | Named | Files


def open_files(source: Source, limits: Limits = LIMITS, *, drop_marks: bool = False) -> Files:
    """Open the files of a folder, of a zip archive or a single file; what is open already is given back as it is.

    With `drop_marks`, byte order marks are taken away where a reader might refuse them.

    Raises SubmissionError with all that is wrong with the names and members.
    """
    if isinstance(source, Files):
        return source
    path = Path(source)
    given = source.name if isinstance(source, Named) else None
    name = given or path.name
    try:
        if path.is_dir():
            return Folder(path, drop_marks=drop_marks)
        if not path.is_file():
            raise SubmissionError(Finding(Message("no-such-file-folder", "no such file or folder"), name))
        with path.open("rb") as file:
            # The first bytes tell what a file is more surely than its name does.
            start = file.read(MAGIC_BYTES)
            if message := refused_kind(name, start):
                raise SubmissionError(Finding(message, name))
            if is_zip(name, start):
                # No more than there is: room is made for all that is asked for.
                rest = file.read(min(limits.archive_bytes, path.stat().st_size))
                return ZipArchive(name, start + rest, limits, drop_marks=drop_marks)
    except OSError as error:
        raise unreadable(name, error) from None
    return SingleFile(path, name=given, drop_marks=drop_marks)
