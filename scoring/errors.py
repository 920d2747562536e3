"""Errors: what can be wrong with the input, and who can put it right."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from scoring.findings import PLACED, Finding
from scoring.messages import Message, kind_of

ABOUT = "about"  # the kind of a warning that is marked by what it tells of


class ScoringError(Exception):
    """Everything that the engine raises on purpose. Whatever else escapes is a defect of the engine."""

    @property
    def message(self) -> str:
        """Return what it says."""
        return explain_error(self)


class _ProblemsError(ScoringError):
    """Carries all problems that were found; a single text stands for one problem without a place."""

    def __init__(self, problems: str | Finding | Iterable[Finding]) -> None:
        if isinstance(problems, str):
            problems = Finding(problems)
        self.problems = [problems] if isinstance(problems, Finding) else list(problems)
        super().__init__(self.problems)

    @property
    def message(self) -> str:
        """Return all problems, a line each."""
        return Message.joined((problem.placed for problem in self.problems), "\n")

    def __str__(self) -> str:
        return str(self.message)


class SubmissionError(_ProblemsError):
    """The participant can fix it."""


class GoldError(_ProblemsError):
    """The organiser can fix it."""


class ConfigurationError(ScoringError):
    """The caller can fix it: an unknown family, option or value."""


class SiteError(ScoringError):
    """The site cannot be reached, or does not answer as it should: trying again later may help."""


def side_of(warning: str) -> tuple[str, str]:
    """Return what `about` has marked a warning with, "" where it has not, and the warning without it."""
    if kind_of(warning) == ABOUT:
        assert isinstance(warning, Message)
        return str(warning.values["what"]), warning.values["said"]
    return "", warning


def kind_of_warning(warning: str) -> str:
    """Return the kind of what a warning says, whichever side and place it tells of; empty for a text without one.

    >>> [kind_of_warning(each) for each in about("gold", [Finding(Message("no-text", "no text"), "a.txt")])]
    ['no-text']
    """
    words = side_of(warning)[1]
    if isinstance(words, Message) and words.kind == PLACED:
        words = words.values["problem"]
    return kind_of(words)


def explain_error(error: Exception) -> str:
    """Return what an error says: a message as such."""
    words = error.args[0] if error.args else ""
    return words if isinstance(words, Message) else str(error)


_SIDES = Message.words({"gold": "gold", "system": "system", "files": "files"})


def about(what: str, warnings: Iterable[object]) -> list[Message]:
    """Mark each warning by what it tells of: "gold", "system", or the "files" of an upload.

    >>> about("gold", [Finding("no text", "a.txt")])
    ['gold: a.txt: no text']
    """
    texts = (warning.placed if isinstance(warning, Finding) else warning for warning in warnings)
    return [Message(ABOUT, "{what}: {said}", what=_SIDES[what], said=warning) for warning in texts]


@contextmanager
def problems_of_gold() -> Iterator[None]:
    """Turn SubmissionError into GoldError: readers do not know whose files they read, and refuse both alike.

    >>> with problems_of_gold():
    ...     raise SubmissionError("no file")
    Traceback (most recent call last):
    scoring.errors.GoldError: no file
    """
    try:
        yield
    except SubmissionError as error:
        raise GoldError(error.problems) from None
