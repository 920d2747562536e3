"""Says how much is tested: what a change usually breaks, and with --thorough all that there is.

Without --thorough there are left out

* tests marked `thorough`: they take long, and break seldom or together with a quicker test of the same behaviour;
* of a test that is tried on several cases five sixths of these, but never the first;
* seven of ten generated inputs that --thorough tries, and half of the looks of a page.

A file that the command line names, or a test named by `path::name`, is run whole. --thorough tries a third of the
generated inputs, and a seventh of those that grow (test_doubling.py); with EVERY_INPUT=1 in the environment it tries
all of them, for a night, or for whoever changes a reader.
"""

import os
from collections.abc import Iterable
from zlib import crc32

import pytest
from hypothesis import settings

CASES_FOR_ONE = 6
EVERY_INPUT = "EVERY_INPUT" in os.environ


def is_thorough() -> bool:
    return settings.get_current_profile_name() == "thorough"


def n_inputs(count: int) -> int:
    """Return on how many generated inputs a property is tried: by default a tenth, with --thorough a third."""
    return count if EVERY_INPUT else count // (3 if is_thorough() else 10)


def left_out(items: Iterable[pytest.Item], named: tuple[str, ...]) -> list[pytest.Item]:
    """Return those of the collected tests that are left to --thorough; `named` are the beginnings of ids asked for."""
    left, begun = [], set()
    for item in items:
        test = item.nodeid.partition("[")[0]
        # Not every sixth: where cases are all pairs of two lists, that could always be the same of one list.
        is_repetition = test in begun and crc32(item.nodeid.encode()) % CASES_FOR_ONE > 0
        begun.add(test)
        if (is_repetition or item.get_closest_marker("thorough")) and not item.nodeid.startswith(named):
            left.append(item)
    return left
