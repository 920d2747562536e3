"""What the terminal says of files: why they are refused, by causes, and what was odd in those that were scored."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from scoring import lazy
from scoring.display.causes import causes_text
from scoring.errors import SubmissionError
from scoring.messages import Message, some_of
from scoring.readers.archive import Files, open_files

_SCORES_NAMED = 3


@contextmanager
def explained(system: Path) -> Iterator[None]:
    """Raise SubmissionError with each cause once, and the first line that it is about, instead of all problems."""
    try:
        yield
    except SubmissionError as error:
        causes = lazy.load("scoring.readers.explanations", "explain")(error.problems, _files(system))
        raise SubmissionError(causes_text(map(asdict, causes))) from None


def _files(system: Path) -> Files | None:
    try:
        return open_files(system, drop_marks=True)
    except SubmissionError:
        return None


def folded(warnings: Iterable[str], titles: Mapping[str, str]) -> list[str]:
    """Return the warnings, with one for all scores that have no interval for the same reason.

    >>> why = Message("agree", "all resamples agree")
    >>> folded([Message("score-without-interval", "{score}: …", score=each, reason=why) for each in "abcde"], {})
    ['no interval: all resamples agree (a, b, c and 2 more)']
    """
    titles_by_text: dict[str, list[str]] = {}  # titles of scores, by the reason; none for any other warning
    for warning in warnings:
        if isinstance(warning, Message) and warning.kind == "score-without-interval":
            score, reason = warning.values["score"], warning.values["reason"]
            titles_by_text.setdefault(f"no interval: {reason}", []).append(titles.get(score, score))
        else:
            titles_by_text.setdefault(warning, [])
    return [f"{text} ({some_of(named, _SCORES_NAMED)})" if named else text for text, named in titles_by_text.items()]
