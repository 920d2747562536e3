"""Measures how the cost of a piece of work grows with its input: CPU time and memory, and whether that is about linear.

Inputs grow by a factor of four from one size to the next. What is linear then takes about four times as long, sorting a
little more, and what is quadratic sixteen times. Times below `SHORTEST` say nothing, so that sizes are tried upwards
until one takes longer; a quadratic piece of work is found where it takes tenths of a second, not minutes.
"""

import gc
import time
import tracemalloc
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass

PER_DOUBLING = 2.6
_STEP = 4  # two doublings
_MOST = PER_DOUBLING**2
SHORTEST = 0.06  # seconds of CPU; what takes less is lost among what every input takes
_LEAST_MEMORY = 8 * 2**20  # bytes
_TRIES = 3  # what else the machine does makes a piece of work longer, never shorter


@dataclass(frozen=True)
class Growth:
    """These are the costs of an input, and of one four times as long, as they were measured last."""

    what: str  # "CPU time" or "memory"
    size: int  # of the longer input
    shorter: float  # seconds or bytes
    longer: float

    @property
    def per_doubling(self) -> float:
        return (self.longer / self.shorter) ** 0.5

    @property
    def is_linear(self) -> bool:
        return self.longer <= _MOST * self.shorter

    def __str__(self) -> str:
        factor = f"{self.what} grows {self.per_doubling:.1f} times per doubling"
        return f"{factor}: {self.shorter:.3g}, then {self.longer:.3g} at {self.size}"


def growth_of_time(work: Callable[[int], Callable[[], object]], sizes: list[int]) -> Growth:
    """The growth at the first size where it is too steep, else at the last; `work` prepares an input of a size.

    Preparing is not measured. `sizes` are ascending, each four times the one before.
    """
    growth = Growth("CPU time", 0, 1.0, 1.0)
    before = _seconds(work(sizes[0]))
    for size in sizes[1:]:
        now = _seconds(work(size))
        growth = Growth("CPU time", size, before, now)
        if now > SHORTEST and not growth.is_linear:
            # Something may have disturbed one of the two.
            before = max(before, *(_seconds(work(size // _STEP)) for _ in range(_TRIES)))
            tried = work(size)
            growth = Growth("CPU time", size, before, min(now, *(_seconds(tried) for _ in range(_TRIES - 1))))
            if not growth.is_linear:
                return growth
        before = now
    return growth if growth.longer > SHORTEST else Growth("CPU time", sizes[-1], 1.0, 1.0)


def growth_of_memory(work: Callable[[int], Callable[[], object]], size: int) -> Growth:
    """The growth of the highest use of memory from a quarter of this size to it."""
    shorter, longer = (_bytes(work(each)) for each in (size // _STEP, size))
    return Growth("memory", size, max(shorter, _LEAST_MEMORY), longer)


def _seconds(job: Callable[[], object]) -> float:
    with _without_collector():
        before = time.process_time()
        job()
        return time.process_time() - before


def _bytes(job: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        job()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@contextmanager
def _without_collector():
    """Searching for cycles takes time by all objects of the process, which other tests have made."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
