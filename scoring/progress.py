"""A bar for long work: on stderr, and on a terminal alone, so that nothing that a program reads changes."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import get_terminal_size

_WIDTH = 24  # characters of the bar itself


class Bar:
    """A line that is written anew: what is done, and how far."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._is_shown = sys.stderr.isatty()

    def at(self, share: float, note: str = "") -> None:
        """`share` of the work is done, from 0 to 1."""
        if not self._is_shown:
            return
        n_full = round(_WIDTH * min(max(share, 0), 1))
        text = f"{self.what} {'━' * n_full}{'·' * (_WIDTH - n_full)} {note}".rstrip()
        self._write(text[: get_terminal_size().columns - 1])

    def end(self) -> None:
        if self._is_shown:
            self._write("")

    def _write(self, text: str) -> None:
        sys.stderr.write(f"\r\033[K{text}")
        sys.stderr.flush()


@contextmanager
def bar(what: str) -> Iterator[Bar]:
    """The bar goes when the work has ended, however it has."""
    shown = Bar(what)
    try:
        yield shown
    finally:
        shown.end()
