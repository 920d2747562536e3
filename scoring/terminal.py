"""What all commands do in the same way: exit statuses, notes on stderr, output as bytes."""

import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from scoring.errors import ConfigurationError, ScoringError, SiteError, SubmissionError

# Exit statuses: REFUSED is the participant's to mend, WRONG the caller's or organiser's, LATER is worth another try.
DONE, REFUSED, WRONG, LATER = 0, 1, 2, 3


def exit_status(action: Callable[[], None]) -> int:
    """DONE, or the status of the error that the action raises, whose problems are written to stderr, one a line."""
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


def note(message: object) -> None:
    """A line on stderr, so that what is written to stdout stays readable for programs."""
    print(message, file=sys.stderr)


def warn(message: object) -> None:
    """A note on something odd that keeps nothing from being scored."""
    note(f"warning: {message}")


def write(text: str, warnings: Iterable[str], output: Path | None) -> None:
    """The text to the terminal, or to a file that is only touched now that all went well."""
    for warning in warnings:
        warn(warning)
    if output is None:
        print(text, end="")
        return
    save(text, output)


def save(text: str, output: Path) -> None:
    """The text as a file; ConfigurationError where it cannot be written."""
    try:
        # newline="": the text brings its own line ends.
        output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise ConfigurationError(f"{output}: {error.strerror}") from None


def write_bytes(text: str) -> None:
    """UTF-8 on stdout whatever the terminal's encoding; the name of a file may hold bytes that are no text."""
    # What was printed as text before has to come first.
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.buffer.flush()
