"""The one file of a table: what it is by its name and first bytes, and its content as UTF-8 with plain line ends."""

import codecs
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.archive.names import lower_name
from scoring.readers.problems import not_decoded, only_file

FORMATS = ("csv", "tsv", "jsonl", "lines")
ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".txt": "lines",
}
LARGEST = 256 * 2**20  # bytes
EMPTY = Message("file-empty", "the file is empty")
EXCEL = Message("excel-file-save-sheet-csv", "an Excel file: save the sheet as CSV in UTF-8")
WORD_DOCUMENT = Message("word-document-save-text", "a Word document: save the data as plain text in UTF-8")
_OF_WORD = "word/"  # where a .docx has its text
_SPREADSHEETS = (".xlsx", ".xls", ".ods")
# A program's old binary documents, among them .xls.
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# A member of every .xlsx, which is an archive.
_CONTENT_TYPES = "[Content_Types].xml"
_MARKS_OF_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CHECKED = 2**20  # bytes that are decoded at a time


@dataclass(frozen=True)
class Opened:
    """A file that can be read as text."""

    path: str
    format: str  # one of FORMATS, or "json"
    content: bytes  # valid UTF-8 without byte order mark and NUL; lines end at a line feed alone


def opened(files: Mapping[str, bytes], chosen: str = "auto") -> Opened:
    r"""Open the only file, in the format that was chosen or that its ending tells.

    >>> opened({"run.CSV": b"\xef\xbb\xbfid,label\r\n1,A\r\n"})
    Opened(path='run.CSV', format='csv', content=b'id,label\n1,A\n')

    Raises SubmissionError: several files, another ending, a spreadsheet, another encoding, nothing to read.
    """
    if any(path.rpartition("/")[2] == _CONTENT_TYPES for path in files):
        is_text = any(path.startswith(_OF_WORD) for path in files)
        raise SubmissionError(Finding(WORD_DOCUMENT if is_text else EXCEL))
    path = only_file(files)
    if is_spreadsheet(path):
        raise SubmissionError(Finding(EXCEL, path))
    content = files[path]
    _check_bytes(content, path)
    return Opened(path, _format_of(path) if chosen == "auto" else chosen, _with_plain_lines(content))


def is_spreadsheet(path: str) -> bool:
    """Return whether a file is a spreadsheet by its name."""
    return path.lower().endswith(_SPREADSHEETS)


def _format_of(path: str) -> str:
    ending = lower_name(path).rpartition("/")[2].rpartition(".")[2]
    try:
        return ENDINGS["." + ending]
    except KeyError:
        endings = ", ".join(ENDINGS)
        raise SubmissionError(
            Finding(
                Message("unknown-file-ending-expected", "unknown file ending: expected one of {known}", known=endings),
                path,
            )
        ) from None


def _check_bytes(content: bytes, path: str) -> None:
    """Raise SubmissionError unless it is text in UTF-8, and not too much of it."""
    if len(content) > LARGEST:
        raise SubmissionError(
            Finding(
                Message(
                    "file-too-large-more-than", "file is too large: more than {largest} MB", largest=LARGEST // 2**20
                ),
                path,
            )
        )
    if content.startswith(_COMPOUND_FILE):
        raise SubmissionError(Finding(EXCEL, path))
    if content.startswith(_MARKS_OF_UTF16) or _looks_like_utf16(content):
        raise SubmissionError(Finding(Message("file-utf-16-save", "the file is UTF-16: save it as UTF-8"), path))
    if not content.removeprefix(codecs.BOM_UTF8).strip():
        raise SubmissionError(Finding(EMPTY, path))
    _check_encoding(content, path)
    at = content.find(b"\0")
    if at >= 0:
        line = len((content[:at] + b"x").splitlines())
        raise SubmissionError(
            Finding(Message("nul-character-no-text", "a NUL character: this is no text, or it was damaged"), path, line)
        )


def _looks_like_utf16(content: bytes) -> bool:
    """Return whether every second byte of the beginning is 0, as that of ASCII in UTF-16 is."""
    start = content[:200]
    return any(start[1::2]) != any(start[0::2]) and len(start) > 1


def _check_encoding(content: bytes, path: str) -> None:
    """Check piece by piece, because the text of a large file may take four times its bytes."""
    if content.isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(content), _CHECKED):
            decoder.decode(content[start : start + _CHECKED])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        try:
            content.decode()
        except UnicodeDecodeError as error:
            raise SubmissionError(
                not_decoded(error, path, refusal=Message("not-valid-utf", "not valid UTF-8"))
            ) from None


def _with_plain_lines(content: bytes) -> bytes:
    content = content.removeprefix(codecs.BOM_UTF8)
    return content.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in content else content
