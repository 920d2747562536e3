"""Finds which of the formats a file has, told by its name and, where that says nothing, by its content."""

from pathlib import PurePosixPath
from typing import Literal

from scoring.readers.archive.names import lower_name
from scoring.readers.segments import COLUMN_SUFFIXES, JSON_SUFFIXES, split_lines

Format = Literal["lines", "tsv", "kaldi", "trn", "jsonl"]

FORMATS: tuple[Format, ...] = ("lines", "tsv", "kaldi", "trn", "jsonl")
# The usual names of Kaldi's files.
KALDI_TEXT = "text"
KALDI_SPEAKERS = "utt2spk"


def format_of(path: str, text: str, asked: str) -> Format:
    r"""Return the format that is asked for; where that is "auto", the one that name and content tell.

    >>> format_of("run.trn", "", "auto"), format_of("exp/text", "", "auto"), format_of("run.txt", "u1\tyes\n", "auto")
    ('trn', 'kaldi', 'tsv')
    """
    for form in FORMATS:
        if asked == form:
            return form
    return _by_name(path) or ("tsv" if _is_parted(text) else "lines")


def _by_name(path: str) -> Format | None:
    lower = lower_name(path)
    if lower.endswith(COLUMN_SUFFIXES):
        return "tsv"
    if lower.endswith(JSON_SUFFIXES):
        return "jsonl"
    if lower.endswith(".trn"):
        return "trn"
    return "kaldi" if PurePosixPath(path).name == KALDI_TEXT else None


def _is_parted(text: str) -> bool:
    """Return whether there are lines, and all of them that are not blank have a tab."""
    if "\t" not in text:
        return False
    return all("\t" in line for line in split_lines(text) if line and not line.isspace())
