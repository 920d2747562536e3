"""Explains problems to people: each cause once, with its locations and the first wrong line."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message, kinds_of
from scoring.readers.archive.names import base_name
from scoring.readers.causes import MOST_MESSAGES, Form, causes_of, form_of
from scoring.readers.hints import Hint, hint_of

_RUNS_NAMED = 5
_LONGEST_QUOTE = 160  # characters of a line
_QUOTED_BYTES = 8 * 1024**2  # of a file; larger ones are not quoted
# How the template of a message begins that is said of its file.
_NO_SUBJECT = re.compile(r"(?:is|has|occurs|shares|belongs|ends|cannot be read)\b")
# Kinds of messages that say themselves that a file is empty.
SAY_EMPTY = frozenset({"empty-run", "file-empty", "file-empty-bytes", "line-empty-columns-needed", "run-empty"})
TAB = "\N{RIGHTWARDS ARROW TO BAR}"


@dataclass(frozen=True)
class Location:
    """The lines of a cause in one file."""

    file: str | None  # None for the upload as a whole
    lines: str  # in words; empty for the file as a whole


@dataclass(frozen=True)
class Explanation:
    """A cause in English words, as pages and the command tell it."""

    message: str  # behind whose first line may be the script
    further: str  # how many more problems are of this kind; empty if there are none
    script: str = ""  # what may be copied to mend it
    places: list[Location] = field(default_factory=list)
    quote: str = ""  # the first wrong line, with visible tabs
    number: int | None = None  # of the quoted line
    hint: str = ""  # a sentence on what the line or the file may be
    mended: str = ""  # the line as it might be, with visible tabs


def explain(
    problems: Iterable[Finding], files: Mapping[str, bytes] | None = None, most_apart: int = MOST_MESSAGES
) -> list[Explanation]:
    """Return the causes of the problems in the order in which they first occur; `files` are those of the upload, if
    open.

    More than `most_apart` messages that differ in words or numbers alone are explained as one.
    """
    texts = FileLines(files or {})
    by_form: dict[Form, list[Finding]] = {}
    for cause in causes_of(problems, most_apart):
        by_form.setdefault(form_of(cause.message), []).append(cause)
    return [one for causes in by_form.values() for one in _explain_same_form(causes, texts, most_apart)]


def _explain_same_form(causes: list[Finding], texts: "FileLines", most_apart: int) -> Iterable[Explanation]:
    by_message: dict[str, list[Finding]] = {}
    for cause in causes:
        by_message.setdefault(cause.message, []).append(cause)
    if len(by_message) > most_apart or any(cause.is_mixed for cause in causes):
        return [_explain_group(causes, texts, n_further=sum(cause.n for cause in causes) - 1)]
    return [_explain_group(same, texts, n_further=0) for same in by_message.values()]


def _explain_group(causes: list[Finding], texts: "FileLines", n_further: int) -> Explanation:
    first = causes[0]
    line = texts.line(first)
    hint = hint_of(line, first.line, first.message, first.file) if line and first.line else None
    hint = hint.diagnosis if hint and first.is_refuted else hint
    _, _, script = first.message.partition("\n")
    return Explanation(
        message=_with_subject(first.message) if first.file is not None else first.message,
        script=script,
        further=Message("further", "and {n:,} more of this kind", n=n_further) if n_further else "",
        places=[Location(cause.file, _lines(cause, texts)) for cause in causes if cause.file],
        quote=_shown(line) if line else "",
        number=first.line,
        hint=_hint(first, hint, texts),
        mended=_shown(hint.mended) if hint and hint.mended else "",
    )


def _hint(first: Finding, hint: Hint | None, texts: "FileLines") -> str:
    if hint:
        return Message("line-hint", "Line {line} {hint}.", line=first.line, hint=hint.words)
    if texts.is_empty(first.file) and SAY_EMPTY.isdisjoint(kinds_of(first.message)):
        return Message("file-of-no-bytes", "The file is empty (0 bytes).")
    return ""


def _with_subject(message: str) -> str:
    """Give a message its file as subject where it begins with a verb."""
    if isinstance(message, Message) and _NO_SUBJECT.match(message.template):
        return Message("the-file", "The file {problem}", problem=message)
    return message


def _lines(cause: Finding, texts: "FileLines") -> str:
    if not cause.lines:
        return ""
    first, last = cause.lines[0]
    if len(cause.lines) == 1 and first == last:
        column = cause.column
        if column:
            return Message("line-column", "line {line}, column {column}", line=first, column=column)
        return Message("line", "line {line}", line=first)
    if cause.lines == ((1, texts.n_lines(cause.file)),):
        return Message("all-lines", "lines 1 to {last} (all)", last=last)
    runs = [str(a) if a == b else Message("range", "{first} to {last}", first=a, last=b) for a, b in cause.lines]
    if len(runs) <= _RUNS_NAMED:
        return Message("lines", "lines {runs}", runs=Message.listed(runs))
    n_more = max(cause.n - sum(b - a + 1 for a, b in cause.lines[:_RUNS_NAMED]), 1)
    return Message(
        "lines-and-more",
        "lines {runs} and {n_more} more",
        runs=Message.joined(runs[:_RUNS_NAMED]),
        n_more=n_more,
    )


class FileLines:
    """The lines of an upload's files; of a large one there are none."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files
        self._lines = lru_cache(maxsize=4)(self._read)

    def n_lines(self, file: str | None) -> int:
        return len(self._lines(file))

    def line(self, problem: Finding) -> str:
        lines = self._lines(problem.file)
        return lines[problem.line - 1] if problem.line and problem.line <= len(lines) else ""

    def is_empty(self, file: str | None) -> bool:
        return self._content(file) == b""

    def _read(self, file: str | None) -> list[str]:
        content = self._content(file)
        if not content or len(content) > _QUOTED_BYTES:
            return []
        lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").decode(errors="replace").split("\n")
        return lines if lines[-1] else lines[:-1]

    def path(self, file: str | None) -> str | None:
        """Return where a file is that some families call by its base name; None if the upload has no such file."""
        if file is None or file in self._files:
            return file
        named = [path for path in self._files if base_name(path) == file]
        return named[0] if len(named) == 1 else None

    def _content(self, file: str | None) -> bytes | None:
        """Return None if the upload has no such file, or it cannot be read."""
        path = self.path(file)
        if path is None:
            return None
        try:
            return self._files[path]
        except SubmissionError:
            return None


def _shown(line: str) -> str:
    visible = line.replace("\t", TAB)
    return visible if len(visible) <= _LONGEST_QUOTE else visible[:_LONGEST_QUOTE] + "…"
