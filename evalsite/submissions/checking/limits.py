"""The engine's limits for an upload, and the problems that say that they were broken.

They are in English, since they are stored; `from_engine` translates them where they are shown.
"""

from django.conf import settings
from django.utils.translation import override

import scoring as engine
from evalsite.jobs.sandbox import LimitKind, Limits
from evalsite.wording import counted, size

_EXCESS = {
    "time": "more time than it may take ({time})",
    "memory": "more memory than it may use ({memory})",
    "size": "more room for what came of them than they may have",
}
_ADVICE = (
    "A run as the layout asks for needs a small part of that. Look for lines, annotations or labels that were written "
    "by the thousand by mistake, for very long lines, and for files that do not belong to the run; then upload again."
)


def of_check() -> Limits:
    return Limits(settings.CHECK_SECONDS, settings.CHECK_MEMORY_BYTES, file_bytes=2**20)


def of_scoring() -> Limits:
    return Limits(settings.SCORING_SECONDS, settings.SCORING_MEMORY_BYTES, settings.SCORING_FILE_BYTES)


def of_pair() -> Limits:
    """Return the limits of two runs that are scored while an organiser waits for the page."""
    return Limits(3 * settings.CHECK_SECONDS, settings.SCORING_MEMORY_BYTES, file_bytes=2**20)


def broken_check(kind: LimitKind) -> engine.Problem:
    return _broken("Checking these files", kind, of_check())


def broken_scoring(kind: LimitKind) -> engine.Problem:
    return _broken("Scoring these files", kind, of_scoring())


def broken_pair(kind: LimitKind) -> engine.Problem:
    return _broken("Scoring both runs", kind, of_pair())


def _broken(what: str, kind: LimitKind, limits: Limits) -> engine.Problem:
    with override("en"):
        excess = _EXCESS[kind].format(time=_time(max(1, round(limits.seconds))), memory=size(limits.memory))
    return engine.Problem(f"{what} needs {excess}, so it was stopped. {_ADVICE}")


def crashed_check() -> engine.Problem:
    return engine.Problem(
        Message(
            "these-files-could-not",
            "These files could not be checked: the program that reads them ended without an answer, and we "
            "cannot tell why. Try again; if it happens once more, write to the organisers.",
        )
    )


def took_too_long() -> str:
    """Return the error that organisers read of a scoring."""
    return f"Took longer than {settings.TIME_LIMITS.scoring} seconds."


def worker_died() -> str:
    """Return the error that organisers read of a scoring."""
    return "The worker died while scoring, at each attempt."


def _time(seconds: int) -> str:
    return counted(seconds // 60, "minute") if seconds >= 60 and seconds % 60 == 0 else counted(seconds, "second")
