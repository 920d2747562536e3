"""What a process keeps for some seconds and cannot put into a cache, or not without taking it apart each time."""

from collections.abc import Hashable
from threading import Lock
from time import time
from typing import Generic, TypeVar

Kept = TypeVar("Kept")


class Shelf(Generic[Kept]):
    """The newest `most` things, by keys. All who take one share it: nobody may change it."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most = most
        self.seconds = seconds
        self._lock = Lock()
        self._kept: dict[Hashable, tuple[float, Kept]] = {}

    def get(self, key: Hashable) -> Kept | None:
        found = self._kept.get(key)
        return found[1] if found and time() < found[0] else None

    def put(self, key: Hashable, thing: Kept) -> None:
        with self._lock:
            self._kept.pop(key, None)
            while len(self._kept) >= self.most:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = (time() + self.seconds, thing)

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
