"""The habits of all commands: exit statuses, notes on stderr, output as bytes, a bar for long work.

Whatever is written for people goes through here: names and answers of others do not steer the terminal.
"""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import get_terminal_size

from scoring.display.printable import one_line, printable
from scoring.errors import ConfigurationError, ScoringError, SiteError, SubmissionError

# Exit statuses: REFUSED is the participant's to mend, WRONG the caller's or organiser's, LATER is worth another try.
DONE, REFUSED, WRONG, LATER = 0, 1, 2, 3


def exit_status(action: Callable[[], None]) -> int:
    """Return DONE, or the status of the error that the action raises; its problems go to stderr, one a line."""
    try:
        action()
    except ScoringError as error:
        # An error that says nothing was not to be told.
        if str(error):
            note(error)
        if isinstance(error, SiteError):
            return LATER
        return REFUSED if isinstance(error, SubmissionError) else WRONG
    return DONE


def usage_status(argv: Sequence[str], usage: str, fits: bool) -> int | None:
    """Return the exit status where the usage is printed, as it is asked for or the arguments do not fit; else None.

    For commands that start too fast to wait for argparse, whose scripts end with 1 for wrong usage.
    """
    if argv in (["-h"], ["--help"]):
        print(usage, end="")
        return DONE
    if not fits:
        print(usage, end="", file=sys.stderr)
        return REFUSED
    return None


def say(message: object) -> None:
    """Print a line on stdout."""
    print(printable(str(message)), flush=True)


def note(message: object, end: str = "\n") -> None:
    """Print a line on stderr, so that what is written to stdout stays readable for programs."""
    print(printable(str(message)), end=end, file=sys.stderr, flush=True)


def warn(message: object) -> None:
    """Print a note on something odd that keeps nothing from being scored."""
    note(f"warning: {one_line(str(message))}")


def write(text: str, warnings: Iterable[str] = (), output: Path | None = None) -> None:
    """Write the text to the terminal, or to the letter to a file, which is only touched now that all went well."""
    for warning in warnings:
        warn(warning)
    if output is None:
        print(printable(text), end="")
        return
    save(text, output)


def save(text: str, output: Path) -> None:
    """Write the text as a file; ConfigurationError where it cannot be written."""
    try:
        # newline="": the text brings its own line ends. JSON may hold halves of characters, which UTF-8 has not.
        output.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
    except OSError as error:
        raise ConfigurationError(f"{output}: {error.strerror}") from None


def write_bytes(text: str) -> None:
    """Write UTF-8 on stdout whatever the terminal's encoding; the name of a file may hold bytes that are no text.

    Programs that read it get what a reproduced command writes, byte for byte; a terminal gets what it can show.
    """
    if sys.stdout.isatty():
        text = printable(text)
    # What was printed as text before has to come first.
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()


_WIDTH = 24  # characters of the bar itself


class Bar:
    """A line on stderr that is written anew: what is done, and how far.

    It is written on a terminal alone, so that nothing that a program reads changes.
    """

    def __init__(self, what: str) -> None:
        self.what = what
        self._is_terminal = sys.stderr.isatty()

    def at(self, share: float, note: str = "") -> None:
        """Show that `share` of the work is done, from 0 to 1."""
        if not self._is_terminal:
            return
        n_full = round(_WIDTH * min(max(share, 0), 1))
        text = f"{self.what} {'━' * n_full}{'·' * (_WIDTH - n_full)} {one_line(note)}".rstrip()
        self._write(text[: get_terminal_size().columns - 1])

    def end(self) -> None:
        if self._is_terminal:
            self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()


@contextmanager
def bar(what: str) -> Iterator[Bar]:
    """Yield a bar, which goes when the work has ended, however it has."""
    shown = Bar(what)
    try:
        yield shown
    finally:
        shown.end()
