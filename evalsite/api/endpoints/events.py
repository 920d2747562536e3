"""Server-sent events, bounded in time and number: each holds a thread of the web server."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.http import StreamingHttpResponse

# Seconds between two queries: few at first, since most scorings take a second, then ever more.
_FIRST_PAUSE, _LAST_PAUSE, _GROWTH = 0.4, 2.0, 1.3
_RETRY = 2000  # milliseconds after which a client should come back
_slots = threading.Semaphore(settings.EVENTS_AT_ONCE)
EVENT_STREAM = {
    "responses": {
        200: {
            "description": "Server-sent events",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        }
    }
}

Record = dict[str, Any]


def stream(
    read: Callable[[], Record], is_end: Callable[[Record], bool], *, change_key: Callable[[], object]
) -> StreamingHttpResponse:
    """Send the state at once and after each change, until the end or until the time of a stream is over.

    `change_key` costs little, and changes whenever the state does. Where as many streams as may be are open in this
    process, the stream closes after the first state.
    """
    answer = StreamingHttpResponse(_events(read, is_end, change_key), content_type="text/event-stream; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    answer["X-Accel-Buffering"] = "no"  # nginx would buffer the events
    answer["Content-Encoding"] = "identity"  # and so would a compressor
    return answer


def _events(
    read: Callable[[], Record], is_end: Callable[[Record], bool], change_key: Callable[[], object]
) -> Iterator[str]:
    yield f"retry: {_RETRY}\n\n"
    key = change_key()  # before the read: what changes between the two is seen next time
    record = read()
    yield _event("end" if is_end(record) else "state", record)
    if is_end(record) or not _slots.acquire(blocking=False):
        return
    try:
        yield from _changes(record, read, is_end, key, change_key)
    finally:
        _slots.release()


def _changes(
    record: Record,
    read: Callable[[], Record],
    is_end: Callable[[Record], bool],
    key: object,
    change_key: Callable[[], object],
) -> Iterator[str]:
    until, pause = time.monotonic() + settings.EVENTS_SECONDS, _FIRST_PAUSE
    while time.monotonic() < until and not is_end(record):
        time.sleep(pause)
        pause = min(_LAST_PAUSE, pause * _GROWTH)
        before, key = key, change_key()
        now = record if key == before else read()
        if now != record:
            yield _event("end" if is_end(now) else "state", now)
        else:
            yield ": \n\n"  # so that a client that has gone is noticed
        record = now


def _event(kind: str, record: Record) -> str:
    return f"event: {kind}\ndata: {json.dumps(record, ensure_ascii=False)}\n\n"
