"""The children of the engine that check uploads: a new one costs more than most checks.

In a web server's process a child then waits for the next upload of its phase. Requests that come at the same moment
have a child each; the files of one upload alone are where it can open them, and it forgets what it has read of one
before the next.
"""

import threading
from collections.abc import Hashable, Mapping, Set
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.conf import settings

from evalsite.challenges.checked_files import require_temporary
from evalsite.challenges.files import named
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.faults import Fault, KnownFault
from evalsite.jobs import limited
from evalsite.submissions import given, limits, work
from evalsite.submissions.uploads import Upload
from scoring.readers.archive import Named

_PATIENCE = 60  # seconds that a child waits for the next upload
_MOST_WAITING = 4  # in a process: phases that close at the same time, or requests of one


def checked(phase: Phase, golds: Mapping[Scenario, Gold], upload: Upload, arguments: dict[str, Any]) -> dict[str, Any]:
    """What `work.check` answers to the arguments; `upload`, and the `gold` of each of the scenarios, are added here.

    A scenario's `key` tells its gold in `golds`, all of the phase that are in force. Raises LimitBroken, Crashed,
    or KnownFault where somebody has deleted the file that the child had, which is no fault of the upload.
    """
    asked = {each["key"] for each in arguments["scenarios"]}
    child = _waiting.goes(phase, golds, asked) or _Child(phase, golds, asked)
    try:
        found = child.check(upload, arguments)
        # Whatever is in a file that is refused, no other one meets it.
        if any(part["problems"] or part["gold_error"] for part in found["parts"]):
            child.require_file(upload)
            child.end()
        elif not _waiting.comes(child):
            child.end()
    except limited.LimitBroken as error:
        child.end()
        if error.kind == "memory" and child.n_before:  # some of which uploads before this one may have left taken
            return checked(phase, golds, upload, arguments)
        raise
    except limited.Crashed as error:
        try:
            if not isinstance(error, limited.Killed):
                child.require_file(upload)
        finally:
            child.end()
        raise
    except BaseException:
        child.end()
        raise
    return found


class _Child:
    """It can open the golds of a phase, and a folder in which one upload lies at a time."""

    def __init__(self, phase: Phase, golds: Mapping[Scenario, Gold], asked: Set[str]) -> None:
        self.phase = phase.pk
        self.n_before = 0  # uploads before the one that it has now
        self.made_for = _what_for(golds)
        self.lacks: set[str] = set()  # scenarios whose gold cannot be had now
        self._golds: dict[str, Named] = {}
        self._place = Path()  # of the upload that it has now
        with ExitStack() as files:
            self._given = Path(files.enter_context(TemporaryDirectory()))
            for scenario, gold in golds.items():
                key = str(scenario.pk)
                try:
                    self._golds[key] = files.enter_context(named(gold.file))
                except OSError:
                    if key in asked:
                        raise
                    self.lacks.add(key)
            self._ask = files.enter_context(
                limited.child(
                    work.check,
                    limits.of_check(),
                    parts=settings.UPLOADS_OF_A_CHILD,
                    patience=_PATIENCE,
                    reads=[str(self._given), *(gold.path for gold in self._golds.values())],
                )
            )
            self._files = files.pop_all()

    @property
    def waits(self) -> bool:
        """Whether it does, and nobody has deleted its files.

        Some machines do with temporary ones that get old, and where gold lay before it was sealed is tidied up one day.
        """
        has_golds = all(Path(gold.path).exists() for gold in self._golds.values())
        return self._ask.waits and self._given.is_dir() and has_golds

    def check(self, upload: Upload, arguments: dict[str, Any]) -> dict[str, Any]:
        scenarios = [each | {"gold": self._golds.get(each["key"])} for each in arguments["scenarios"]]
        try:
            self._place = given.put(upload.path, self._given)
        except FileNotFoundError as error:
            raise KnownFault(Fault.MACHINE, f"a temporary file was deleted: {error}") from error
        file = Named(str(self._place), upload.name)
        found: dict[str, Any] = self._ask(arguments | {"upload": file, "scenarios": scenarios})
        return found

    def require_file(self, upload: Upload) -> None:
        """Raise KnownFault unless what it read has the bytes of the upload."""
        require_temporary(self._place, upload.sha256, upload.name)

    def take_away(self) -> None:
        """What it was given of an upload."""
        given.clear(self._given)
        self.n_before += 1

    def end(self) -> None:
        self._files.close()


def _what_for(golds: Mapping[Scenario, Gold]) -> Hashable:
    return limits.of_check(), frozenset((gold.pk, gold.sha256) for gold in golds.values())


class _Waiting:
    """The children of this process that wait for an upload; those that came last stand last."""

    def __init__(self) -> None:
        self.most = 0
        self._children: list[_Child] = []
        self._lock = threading.Lock()

    def goes(self, phase: Phase, golds: Mapping[Scenario, Gold], asked: Set[str]) -> _Child | None:
        """One for these scenarios, by their keys; who gets it lets it come again, or ends it.

        Those of the phase that are of no use any more, as after a new gold, end.
        """
        made_for = _what_for(golds)
        with self._lock:
            of_phase = [each for each in self._children if each.phase == phase.pk]
            useless = [each for each in of_phase if each.made_for != made_for or not each.waits]
            ready = [each for each in of_phase if each not in useless and not asked & each.lacks]
            gone = useless + ready[-1:]
            self._children = [each for each in self._children if each not in gone]
        for each in useless:
            each.end()
        return ready[-1] if ready else None

    def comes(self, child: _Child) -> bool:
        """Whether it is kept from now on, without its upload."""
        if not self.most or not child.waits:
            return False
        try:
            child.take_away()
        except OSError:  # its folder is gone, or cannot be written to
            return False
        with self._lock:
            self._children.append(child)
            too_many = self._children[: -self.most]
            del self._children[: -self.most]
        for each in too_many:
            each.end()
        return True

    def end(self) -> None:
        with self._lock:
            all_of_them, self._children = self._children, []
        for each in all_of_them:
            each.end()


_waiting = _Waiting()


def keep_children() -> None:
    """From now on children outlive their uploads in this process, until `end_children`."""
    _waiting.most = _MOST_WAITING


def end_children() -> None:
    _waiting.most = 0
    _waiting.end()
