"""Far more text than there should be: comparing two texts word by word costs as much as both are long, multiplied."""

from collections.abc import Iterable

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message

_TIMES = 10
_ALWAYS = 200_000  # characters, however short the gold is


def refuse_flood(gold: Iterable[str], system: Iterable[str | None], file: str) -> None:
    """Raise SubmissionError where the system's texts together are more than ten times as long as the gold's.

    All texts count together, so that nobody is told how long one of the gold is.

    >>> refuse_flood(["mind the gap"], ["mind the gap " * 500], "run.txt")
    """
    n = sum(len(text) for text in system if text)
    if n > _ALWAYS and n > _TIMES * sum(map(len, gold)):
        message = Message(
            "characters-more-than-ten",
            "{n} characters, more than ten times as many as the gold has, cannot be compared word by word",
            n=n,
        )
        raise SubmissionError(Finding(message, file))
