"""Runs checks so that none of them can hold up the others, and says what each has found."""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from django.db import connections


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"  # it works, but not for long, or not for everything
    WRONG = "wrong"
    UNKNOWN = "unknown"  # it was not checked, since something else is wrong


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    state: State
    said: str  # in plain words
    remedy: str = ""  # what to do, "" where nothing is to be done
    facts: dict[str, Any] = field(default_factory=dict)  # the same for programs, ready for JSON
    check: str = ""  # its name, once it has been run
    seconds: float = 0.0  # that it took

    @property
    def is_bad(self) -> bool:
        return self.state in (State.WRONG, State.UNKNOWN)


@dataclass(frozen=True)
class Check:
    """A check of one part of the site."""

    name: str
    look: Callable[[], Finding]  # may be called from any process
    needs: Sequence[str] = ()  # checks that must be well before
    seconds: float = 15  # after which it counts as hanging


def ok(text: str, **facts: Any) -> Finding:
    return Finding(State.OK, text, facts=facts)


def warning(text: str, remedy: str, **facts: Any) -> Finding:
    return Finding(State.WARNING, text, remedy, facts)


def wrong(text: str, remedy: str, **facts: Any) -> Finding:
    return Finding(State.WRONG, text, remedy, facts)


def run(checks: Sequence[Check]) -> list[Finding]:
    """Return one finding for each check, in their order; checks that need nothing from each other run at once."""
    findings: dict[str, Finding] = {}
    names = {check.name for check in checks}
    while waiting := [check for check in checks if check.name not in findings]:
        ready = [check for check in waiting if names.intersection(check.needs) <= findings.keys()]
        broken = {
            check.name: [name for name in check.needs if name in findings and findings[name].is_bad] for check in ready
        }
        threads = [_Thread(check) for check in ready if not broken[check.name]]
        for thread in threads:
            thread.start()
        findings |= {thread.check.name: thread.finding() for thread in threads}
        findings |= {name: _not_checked(name, causes) for name, causes in broken.items() if causes}
    return [findings[check.name] for check in checks]


def _not_checked(name: str, causes: Sequence[str]) -> Finding:
    return Finding(State.UNKNOWN, f"Not looked at, because of: {', '.join(causes)}.", "Mend that first.", check=name)


class _Thread(threading.Thread):
    """The thread of one check; a check that hangs is left behind, and ends with the process."""

    def __init__(self, check: Check) -> None:
        super().__init__(name=f"check {check.name}", daemon=True)
        self.check = check
        self.began = time.monotonic()
        self.found: Finding | None = None

    def run(self) -> None:
        try:
            finding = self.check.look()
        except Exception as error:
            text = f"It could not be looked at: {type(error).__name__}: {error}"
            finding = wrong(text, "See docs/server.md for how this part is set up.", error=type(error).__name__)
        finally:
            connections.close_all()
        self.found = replace(finding, check=self.check.name, seconds=round(time.monotonic() - self.began, 3))

    def finding(self) -> Finding:
        self.join(max(0.0, self.began + self.check.seconds - time.monotonic()))
        if self.found:
            return self.found
        text = f"No answer in {self.check.seconds:.0f} seconds."
        remedy = "It hangs: see whether its server is overloaded or unreachable, and its own log."
        return replace(wrong(text, remedy), check=self.check.name, seconds=self.check.seconds)
