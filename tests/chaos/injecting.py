"""Faults as a plan has them: when each happens, and what became of it. The faults themselves are in `faults/`.

A fault takes the site and its own chances, and returns, when the machine is well again, what it did in some words. It
raises Impossible where this machine cannot have it.
"""

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import psycopg
import redis

from tests.chaos.client import Journal
from tests.chaos.site import Site

FIRST_AFTER = 8.0  # seconds, in which the first uploads come
DONE, MISSED, IMPOSSIBLE, WENT_WRONG = "done", "missed", "not possible", "went wrong"  # what became of a fault
Act = Callable[[Site, random.Random], str]


class Impossible(Exception):
    """This machine, or this site, cannot have the fault; the message says why."""


@dataclass(frozen=True)
class Fault:
    name: str
    act: Act
    breaks: str  # faults that break the same thing come one after the other
    seconds: float  # about so long it lasts
    storage: str = ""  # of the site that can have it; "" for both


FAULTS: list[Fault] = []


def fault(name: str, *, breaks: str, seconds: float = 1, storage: str = "") -> Callable[[Act], Act]:
    def enter(act: Act) -> Act:
        FAULTS.append(Fault(name, act, breaks, seconds, storage))
        return act

    return enter


@dataclass(frozen=True)
class Planned:
    fault: Fault
    at: float  # seconds after the beginning
    seed: str


def plan(storage: str, seconds: float, gap: float, seed: int, only: Sequence[str] = ()) -> list[Planned]:
    """One fault about every `gap` seconds, in whose order each comes once before any comes again.

    None begins so late that it would last beyond the end. `only`: words of which the names of the faults must have one.
    """
    rng = random.Random(seed)
    found: list[Planned] = []
    deck: list[Fault] = []
    at = FIRST_AFTER
    while at < seconds:
        if not deck:
            deck = [each for each in FAULTS if each.storage in ("", storage) and _is_named(each, only)]
            rng.shuffle(deck)
        fitting = [each for each in deck if at + each.seconds <= seconds]
        if fitting:
            deck.remove(fitting[0])
            found.append(Planned(fitting[0], at, f"{seed} {len(found)}"))
        at += rng.uniform(0.5, 1.5) * gap
    return found


def _is_named(fault: Fault, only: Sequence[str]) -> bool:
    return not only or any(words in fault.name for words in only)


class Injector:
    """Lets the planned faults happen, each in a thread of its own, and notes when each began and ended."""

    def __init__(self, site: Site, journal: Journal) -> None:
        self._site, self._journal = site, journal
        self._locks = {each.breaks: threading.Lock() for each in FAULTS}

    def run(self, planned: list[Planned], say: Callable[[str], None]) -> None:
        """Returns when the last one is over."""
        began = time.monotonic()
        threads = []
        for each in planned:
            time.sleep(max(0.0, began + each.at - time.monotonic()))
            thread = threading.Thread(target=self._happen, args=(each, say), daemon=True)
            thread.start()
            threads.append(thread)
        for thread in threads:
            thread.join()

    def _happen(self, planned: Planned, say: Callable[[str], None]) -> None:
        fault = planned.fault
        with self._locks[fault.breaks]:
            began = time.time()
            try:
                words, outcome = fault.act(self._site, random.Random(planned.seed)), DONE
            except Impossible as error:
                words, outcome = str(error), IMPOSSIBLE
            except (ProcessLookupError, IndexError, redis.RedisError, psycopg.Error) as error:
                # What it was to break was away already, by another fault.
                words, outcome = f"{type(error).__name__}: {error}", MISSED
            except Exception as error:
                words, outcome = f"{type(error).__name__}: {error}", WENT_WRONG
            facts = {"fault": fault.name, "breaks": fault.breaks, "outcome": outcome, "words": words}
            self._journal.write(**facts, began=round(began, 2), ended=round(time.time(), 2))
            say(f"{fault.name}: {words}" if outcome == DONE else f"{fault.name}: {outcome} ({words})")
