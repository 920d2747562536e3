"""The text of a QAC file: one file, of a declared encoding, in lines."""

import unicodedata
from collections.abc import Mapping

from scoring.errors import Problem, SubmissionError

ENCODINGS = ("utf-8", "euc-jp", "shift_jis")
ID = "[A-Za-z0-9]++-[0-9]++-[0-9]++"

_LARGEST = 64 * 2**20
_LISTED = 100
_NAMED = 5


class Problems:
    """What is wrong with one file. A broken file has millions of lines: beyond a hundred they are counted."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._listed: list[Problem] = []
        self._more = 0

    def add(self, message: str, line: int | None = None, column: int | None = None) -> None:
        if len(self._listed) < _LISTED:
            self._listed.append(Problem(message, self._file, line, column))
        else:
            self._more += 1

    @property
    def found(self) -> bool:
        return bool(self._listed)

    def raise_any(self) -> None:
        """SubmissionError with all of them, if there are any, in the order of the lines."""
        if self.found:
            self._listed.sort(key=lambda problem: problem.line or 0)
            more = [Problem(f"and {self._more} more problems", self._file)] if self._more else []
            raise SubmissionError(self._listed + more)


def only_file(files: Mapping[str, bytes]) -> str:
    """The path of the one file; SubmissionError if there are several."""
    paths = list(files)
    if len(paths) != 1:
        named = ", ".join(paths[:_NAMED]) + (", …" if len(paths) > _NAMED else "")
        raise SubmissionError(f"expected exactly one file, found {len(paths)}: {named}")
    return paths[0]


def read_text(files: Mapping[str, bytes], path: str, encoding: str) -> str:
    """The decoded file without byte order mark; its lines end at LF, which stands for CRLF and CR too."""
    content = files[path]
    if len(content) > _LARGEST:
        raise SubmissionError(Problem(f"is larger than {_LARGEST // 2**20} MiB", path))
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        before = _with_plain_ends(content[: error.start].decode(encoding))
        byte = f"0x{content[error.start]:02x}"
        raise SubmissionError(
            Problem(f"not valid {encoding}: the byte {byte} cannot be read", path, before.count("\n") + 1)
        ) from None
    return _with_plain_ends(text.removeprefix("\ufeff"))


def is_skipped(line: str) -> bool:
    """A comment, or a line of nothing but blanks."""
    start = line.lstrip()
    return not start or start[0] == "#"


def key(answer: str) -> str:
    """What two equal answers have in common: composed characters, and one space for every run of blanks."""
    return " ".join((answer if answer.isascii() else unicodedata.normalize("NFC", answer)).split())


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
