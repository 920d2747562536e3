"""What a process makes once and shows to many: one request makes it, the others get the one before, or wait for it.

Under a crowd everything else follows from this: a board that each of a hundred readers made anew whenever a result came
would leave no time for reading.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from threading import Event, Lock
from time import time
from typing import Generic, TypeVar

Kept = TypeVar("Kept")
SHORTEST, LONGEST = 2.0, 8.0  # seconds for which a thing is shown although there is news; see `Showcase.put`
SHARE = 100  # at most one part in so many of a processor makes one thing again and again
PATIENCE = 10.0  # seconds for which others wait for the one who makes it


@dataclass(frozen=True)
class Facts:
    """What a thing is made from: it is never shown once `firm` has changed, and for some seconds while `news` has."""

    firm: Hashable
    news: Hashable


@dataclass
class _Place(Generic[Kept]):
    facts: Facts
    began: float = 0.0  # when somebody began to make it; 0 where nobody does
    is_done: Event = field(default_factory=Event)
    thing: Kept | None = None
    made: float = 0.0
    stays: float = 0.0  # seconds
    is_unfit: bool = False  # whether it was tried in vain: nobody waits for another


class Showcase(Generic[Kept]):
    """The newest `most` things, by keys, for some seconds. All who take one share it: nobody may change it."""

    def __init__(self, most: int, seconds: float) -> None:
        self.most = most
        self.seconds = seconds
        self._lock = Lock()
        self._places: dict[Hashable, _Place[Kept]] = {}

    def take(self, key: Hashable, facts: Facts) -> Kept | None:
        """The thing; None for whoever is to make it, and then to `put` it or to `leave` the place empty."""
        for is_last_try in (False, True):
            with self._lock:
                place = self._place(key, facts)
                if (thing := self._fit(place, facts)) is not None:
                    return thing
                if is_last_try or place.is_unfit or not self._is_being_made(place):
                    place.began, place.is_done = time(), Event()
                    return None
            place.is_done.wait(PATIENCE)
        raise AssertionError

    def put(self, key: Hashable, facts: Facts, thing: Kept) -> None:
        """It stays for a hundred times as long as it took to make, within bounds, whatever the news."""
        with self._lock:
            place, now = self._place(key, facts), time()
            took = now - place.began if place.began else 0
            place.thing, place.facts, place.made, place.began = thing, facts, now, 0.0
            place.stays = min(LONGEST, max(SHORTEST, SHARE * took))
            place.is_unfit = False
            place.is_done.set()

    def leave(self, key: Hashable) -> None:
        with self._lock:
            if place := self._places.get(key):
                place.began, place.is_unfit = 0.0, True
                place.is_done.set()

    def clear(self) -> None:
        with self._lock:
            self._places.clear()

    def _place(self, key: Hashable, facts: Facts) -> _Place[Kept]:
        """The one of this key, an empty one where what was shown there must not be shown any more."""
        place = self._places.get(key)
        if place is None or place.facts.firm != facts.firm:
            if place is not None:
                place.is_done.set()  # whoever waits for it asks anew
                del self._places[key]
            while len(self._places) >= self.most:
                del self._places[next(iter(self._places))]
            place = self._places[key] = _Place(facts)
        return place

    def _fit(self, place: _Place[Kept], facts: Facts) -> Kept | None:
        """What may be shown now: old things only as long as somebody makes a new one."""
        age = time() - place.made
        stays = self.seconds if place.facts.news == facts.news else min(self.seconds, place.stays)
        if self._is_being_made(place):
            stays += PATIENCE
        return place.thing if age < stays else None

    @staticmethod
    def _is_being_made(place: _Place[Kept]) -> bool:
        return 0 < place.began <= time() < place.began + PATIENCE
