"""Plans when each fault happens, and notes what became of it."""

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

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
    storage: str  # of the site that can have it; "" for both


@dataclass(frozen=True)
class Planned:
    fault: Fault
    at: float  # seconds after the beginning
    seed: str


FAULTS: list[Fault] = []


def fault(name: str, *, breaks: str, seconds: float = 1, storage: str = "") -> Callable[[Act], Act]:
    def enter(act: Act) -> Act:
        FAULTS.append(Fault(name, act, breaks, seconds, storage))
        return act

    return enter


def plan(storage: str, seconds: float, gap: float, seed: int, only: Sequence[str] = ()) -> list[Planned]:
    """One fault about every `gap` seconds, in whose order each comes once before any comes again.

    None begins so late that it would last beyond the end. `only`: words of which the names of the faults must have one.
    """
    rng = random.Random(seed)
    possible = [each for each in FAULTS if each.storage in ("", storage)]
    possible = [each for each in possible if not only or any(words in each.name for words in only)]
    planned: list[Planned] = []
    deck: list[Fault] = []
    at = FIRST_AFTER
    while at < seconds:
        deck = deck or rng.sample(possible, len(possible))
        fitting = [each for each in deck if at + each.seconds <= seconds]
        if fitting:
            deck.remove(fitting[0])
            planned.append(Planned(fitting[0], at, f"{seed} {len(planned)}"))
        at += rng.uniform(0.5, 1.5) * gap
    return planned


def carry_out(planned: list[Planned], site: Site, journal: Journal, say: Callable[[str], None]) -> None:
    """Let each happen in a thread of its own, and note when it began and ended; return when the last one is over."""
    locks = {each.breaks: threading.Lock() for each in FAULTS}

    def happen(fault: Fault, seed: str) -> None:
        with locks[fault.breaks]:
            began = time.time()
            outcome, words = _outcome(fault, site, random.Random(seed))
            facts = {"fault": fault.name, "breaks": fault.breaks, "outcome": outcome, "words": words}
            journal.write(**facts, began=round(began, 2), ended=round(time.time(), 2))
            say(f"{fault.name}: {words}" if outcome == DONE else f"{fault.name}: {outcome} ({words})")

    began = time.monotonic()
    threads = []
    for each in planned:
        time.sleep(max(0.0, began + each.at - time.monotonic()))
        threads.append(threading.Thread(target=happen, args=(each.fault, each.seed), daemon=True))
        threads[-1].start()
    for thread in threads:
        thread.join()


def _outcome(fault: Fault, site: Site, rng: random.Random) -> tuple[str, str]:
    try:
        return DONE, fault.act(site, rng)
    except Impossible as error:
        return IMPOSSIBLE, str(error)
    except Exception as error:
        # These say that what it was to break was away already, by another fault.
        is_missed = isinstance(error, (ProcessLookupError, redis.RedisError))
        return MISSED if is_missed else WENT_WRONG, f"{type(error).__name__}: {error}"
