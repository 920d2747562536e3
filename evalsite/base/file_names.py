"""Names of files that people send: they are shown and passed to the engine, and are never paths.

A file is stored under a name of ours, `stored_name`; its sender's name for it, `plain_name`, is kept in a column.
"""

import re
import unicodedata
from pathlib import PurePosixPath

from django.core.exceptions import ValidationError
from django.utils.translation import gettext

LONGEST_NAME = 200  # bytes; archives and the file systems of those who download take 255
_LONGEST_ENDING = 20  # bytes, with the dot
_SLASHES = re.compile(r"[/\\]+")  # of Windows too
# Controls, formats such as those that turn the direction of a text, halves of signs, ends of lines and paragraphs.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"  # which the spelling of some languages needs
_SUFFIXES = {
    *(".ann", ".bio", ".conll", ".conllu", ".csv", ".iob", ".json", ".jsonl", ".ndjson", ".qrels", ".run", ".tab"),
    *(".trn", ".tsv", ".txt", ".xml", ".zip", ".bz2", ".gz", ".md", ".pdf", ".tar", ".jpg", ".png", ".webp"),
}


def plain_name(name: str | None) -> str:
    r"""Return the last part of a name, without hidden characters, in LONGEST_NAME bytes and no character cut in two.

    >>> plain_name("../../static/theme.js"), plain_name("C:\\runs\\my run.zip"), plain_name("..\0/")
    ('theme.js', 'my run.zip', 'upload')
    >>> plain_name("\N{HIRAGANA LETTER A}" * 150 + ".zip") == "\N{HIRAGANA LETTER A}" * 65 + ".zip"
    True
    """
    seen = "".join(char for char in name or "" if char in _JOINERS or unicodedata.category(char) not in _HIDDEN)
    parts = [part for piece in _SLASHES.split(seen) if (part := piece.strip(". "))]
    return _cut(parts[-1]) if parts else "upload"


def _cut(name: str) -> str:
    """Return the beginning and the ending of the name, in LONGEST_NAME bytes."""
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending.encode()) >= _LONGEST_ENDING:
        stem, dot, ending = name, "", ""
    room = LONGEST_NAME - len(f"{dot}{ending}".encode())
    return (stem.encode()[:room].decode(errors="ignore") + dot + ending).strip(". ")


def stored_name(stem: str, name: str | None) -> str:
    """Return our name for a stored file: the stem, with the suffix of its sender's name if it is a known one.

    >>> stored_name("gold", "Gold of 2026.ZIP"), stored_name("upload", "x.php"), stored_name("upload", "a.csv/../b")
    ('gold.zip', 'upload', 'upload')
    """
    return stem + suffix_of(name)


def suffix_of(name: str | None) -> str:
    """Return the suffix in lower case if it is a known one, else ""."""
    suffix = PurePosixPath(plain_name(name)).suffix.lower()
    return suffix if suffix in _SUFFIXES else ""


def require_plain_name(name: str) -> None:
    """Raise ValidationError unless the name is plain; a validator of columns."""
    if name != plain_name(name):
        raise ValidationError(gettext("A file's name may not contain folders or control characters."))
