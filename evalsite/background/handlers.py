"""Who does which kind of job. A handler can be called any number of times: what is done it does not do again."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from evalsite.background.models import Job

Note = Callable[[int, int], None]  # how much is done, of how much
# Returns whether the job is done; if not, it waits for others, and is called again a moment later.
Handler = Callable[[Job, Note], bool]
_HANDLERS: dict[str, Handler] = {}


class TryLater(Exception):
    """Raised by a handler that waits for somebody else, such as a server that is away: no attempt is used up."""

    def __init__(self, why: str, rests: timedelta, result: dict[str, Any]) -> None:
        super().__init__(why)
        self.rests = rests
        self.result = result  # the job's, for the next try


def handles(kind: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        _HANDLERS[kind] = handler
        return handler

    return register


def handler_of(kind: str) -> Handler:
    """KeyError where nobody does this."""
    return _HANDLERS[kind]
