"""Python's search for cycles, put off while a reader makes many small objects."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collector() -> Iterator[None]:
    """Parsed documents have no cycles: looking for some among them costs half as much as parsing them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
