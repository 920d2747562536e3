"""The fast parser of JSON, where it is installed.

orjson is some five times as fast as the standard library and takes less: numbers beyond 64 bits, NaN and lone
surrogates are errors to it. It is the fast path of the readers of JSON: what it refuses is parsed again by their
careful path, which says what is wrong and where. Tests run all readers without it too.
"""

from collections.abc import Callable
from typing import Any

# From UTF-8 bytes to the value; ValueError where it refuses them. None where orjson is not installed.
fast_loads: Callable[[bytes | str], Any] | None
try:
    from orjson import loads as fast_loads
except ImportError:
    fast_loads = None
