"""Who does which kind of job. A handler can be called any number of times: what is done it does not do again."""

from collections.abc import Callable

from evalsite.background.models import Job

Note = Callable[[int, int], None]  # how much is done, of how much
# Returns whether the job is done; if not, it waits for others, and is called again a moment later.
Handler = Callable[[Job, Note], bool]
_HANDLERS: dict[str, Handler] = {}


def handles(kind: str) -> Callable[[Handler], Handler]:
    def register(handler: Handler) -> Handler:
        _HANDLERS[kind] = handler
        return handler

    return register


def handler_of(kind: str) -> Handler:
    """KeyError where nobody does this."""
    return _HANDLERS[kind]
