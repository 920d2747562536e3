"""The text of a QAC file: one file, of a declared encoding, in lines; and when two of its strings are equal."""

from collections.abc import Mapping

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import not_decoded, only_file
from scoring.spelling.strings import composed

# Declared by the organiser and never guessed: the same bytes may be text in more than one of them.
ENCODINGS = ("utf-8", "euc-jp", "shift_jis")
# Three parts, as in QAC3-12-02: task, series and branch. The signs `++` and `*+` (possessive) give no character back,
# here and in all patterns of this package: a line of a million blanks must not be tried in a million ways.
ID = "[A-Za-z0-9]++-[0-9]++-[0-9]++"

_LARGEST = 64 * 2**20


def read_text(files: Mapping[str, bytes], encoding: str) -> tuple[str, str]:
    """Read the only file: its path, and its text without byte order mark; SubmissionError if it cannot be read.

    Lines of the text end at LF alone, which stands for CRLF and CR too.
    """
    path = only_file(files)
    content = files[path]
    if len(content) > _LARGEST:
        raise SubmissionError(
            Finding(Message("larger-than-mb", "is larger than {largest} MB", largest=_LARGEST // 2**20), path)
        )
    try:
        text = content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        # Names the encoding as the option does.
        raise SubmissionError(
            not_decoded(error, path, encoding, refusal=Message("not-valid", "not valid {encoding}", encoding=encoding))
        ) from None
    return path, text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def is_skipped(line: str) -> bool:
    """Return whether it is a comment, or a line of nothing but blanks."""
    start = line.lstrip()
    return not start or start[0] == "#"


def key(answer: str) -> str:
    r"""Return what two equal answers have in common: composed characters, and one space for every run of blanks.

    NFC and not NFKC (ours; the README does not say when strings are equal): it never makes different characters
    equal, so that case, width and punctuation count.

    >>> key(" Tsu \u3000 City"), key("1998") == key("\uff11\uff19\uff19\uff18")
    ('Tsu City', False)
    """
    return " ".join((answer if answer.isascii() else composed(answer)).split())


def series_of(question: str) -> str:
    """Return the ID without its last part.

    >>> series_of("QAC3-12-02")
    'QAC3-12'
    """
    return question.rpartition("-")[0]
