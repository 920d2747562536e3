"""The engine's limits for an upload, and the problems that say that they were broken.

They are in English, since they are stored; `from_engine` translates them where they are shown.
"""

from django.conf import settings
from django.utils.translation import override

import scoring as engine
from evalsite.jobs.sandbox import LimitKind, Limits
from evalsite.wording import size
from scoring.messages import Message

_ADVICE = Message(
    "run-layout-asks-needs",
    "A run as the layout asks for needs a small part of that. Look for lines, annotations or labels "
    "that were written by the thousand by mistake, for very long lines, and for files that do not "
    "belong to the run; then upload again.",
)


def of_check() -> Limits:
    return Limits(settings.CHECK_SECONDS, settings.CHECK_MEMORY_BYTES, file_bytes=2**20)


def of_scoring() -> Limits:
    return Limits(settings.SCORING_SECONDS, settings.SCORING_MEMORY_BYTES, settings.SCORING_FILE_BYTES)


def of_pair() -> Limits:
    """Return the limits of two runs that are scored while an organiser waits for the page."""
    return Limits(3 * settings.CHECK_SECONDS, settings.SCORING_MEMORY_BYTES, file_bytes=2**20)


def broken_check(kind: LimitKind) -> engine.Finding:
    return engine.Finding(
        Message(
            "checking-these-files-needs",
            "Checking these files needs {wanted}, so it was stopped. {advice}",
            wanted=_wanted(kind, of_check()),
            advice=_ADVICE,
        )
    )


def broken_scoring(kind: LimitKind) -> engine.Finding:
    return engine.Finding(
        Message(
            "scoring-these-files-needs",
            "Scoring these files needs {wanted}, so it was stopped. {advice}",
            wanted=_wanted(kind, of_scoring()),
            advice=_ADVICE,
        )
    )


def broken_pair(kind: LimitKind) -> engine.Finding:
    return engine.Finding(
        Message(
            "scoring-both-runs-needs",
            "Scoring both runs needs {wanted}, so it was stopped. {advice}",
            wanted=_wanted(kind, of_pair()),
            advice=_ADVICE,
        )
    )


def broken_audit(kind: LimitKind) -> Message:
    return Message(
        "comparing-these-systems-needs",
        "Comparing these systems needs {wanted}, so it was stopped. The command evalsite audit has no such limit; or"
        " keep the systems and units that matter.",
        wanted=_wanted(kind, of_check()),
    )


def crashed_check() -> engine.Finding:
    return engine.Finding(
        Message(
            "these-files-could-not",
            "These files could not be checked: the program that reads them ended without an answer, and we "
            "do not know why. Try again; if it happens again, write to the organisers.",
        )
    )


def took_too_long() -> Message:
    """Return the error that organisers read of a scoring."""
    return Message(
        "took-longer-than-seconds", "Took longer than {scoring} seconds.", scoring=settings.TIME_LIMITS.scoring
    )


def worker_died() -> Message:
    """Return the error that organisers read of a scoring."""
    return Message("worker-died-while-scoring", "The worker died while scoring, at each attempt.")


def _wanted(kind: LimitKind, limits: Limits) -> Message:
    with override("en"):
        memory = size(limits.memory)
    match kind:
        case "time":
            return Message(
                "more-time", "more time than it may take ({time})", time=_time(max(1, round(limits.seconds)))
            )
        case "memory":
            return Message("more-memory", "more memory than it may use ({memory})", memory=memory)
        case _:
            return Message("more-room", "more room for what came of them than they may have")


def _time(seconds: int) -> Message:
    if seconds >= 60 and seconds % 60 == 0:
        return Message.counted("minutes", "{n} minute", "{n} minutes", seconds // 60)
    return Message.counted("seconds", "{n} second", "{n} seconds", seconds)
