"""Finds the tracebacks in the logs that no fault explains."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

# What programs say when a server, a disk or another process goes away under them; by the last line of a traceback.
EXPECTED = re.compile(
    r"(django\.db\.utils|psycopg\.errors|psycopg)\."
    r"(OperationalError|InterfaceError|AdminShutdown|CannotConnectNow|CrashShutdown)"
    r"|(redis|kombu|amqp)\.exceptions\.(\w*ConnectionError|OperationalError|TimeoutError|BusyLoadingError)"
    r"|(botocore|boto3|urllib3|s3transfer)\.[\w.]+"
    r"|OSError: \[Errno (28|30)\]|(ConnectionRefused|ConnectionReset|BrokenPipe|Timeout)Error"
    r"|evalsite\.challenges\.storage\.files\.StorageAway|evalsite\.base\.faults\.KnownFault: storage away"
    # Kombu's own, where a broker dies at the wrong moment; the worker begins anew, or ends and is started again.
    r"|AttributeError: 'NoneType' object has no attribute '(hostname|connection_errors)'"
    # A process that was killed, as the one that waited for it tells it; and a beat without its broker.
    r"|billiard\.exceptions\.WorkerLostError|evalsite\.jobs\.sandbox\.(Crashed|Killed): .*SIGKILL"
    # The server of the engine's children was killed: nobody is left who knows what its children ended with.
    r"|evalsite\.jobs\.sandbox\.Killed: The engine ended without an answer"
    r"|evalsite\.jobs\.sandbox\.NotStarted: .*The engine ended before it began"
    # A check of an upload while the stored files are away: it is answered with "not taken".
    r"|evalsite\.jobs\.sandbox\.Crashed: GoldError: .*: no such file or folder"
    # They came back after the check's child had settled what it may open.
    r"|(evalsite\.jobs\.sandbox\.Crashed: )?PermissionError: .*/files/.*sealed-gold/"
    r"|celery\.beat\.SchedulingError: .*(refused|reset|closed|[Tt]imed? ?out|loading|'NoneType' object has)"
    # Only the heading of another traceback.
    r"|billiard\.einfo\.ExceptionWithTraceback"
)


def unexpected_in(folder: Path) -> Counter[str]:
    """Last lines of such tracebacks, each with the program in whose log it stands."""
    return Counter(
        f"{log.stem}: {last[:200]}"
        for log in sorted(folder.glob("*.log"))
        for last in _ends_of_tracebacks(log.read_text(errors="replace"))
        if not EXPECTED.match(last)
    )


def _ends_of_tracebacks(text: str) -> Iterator[str]:
    """The last line of each, be it in a field of JSON or in lines of its own; of a chain the last one's.

    One that breaks off before the next entry of the log, as its process was killed, has none.
    """
    chained = ("The above exception was the direct cause", "During handling of the above exception")
    for part in text.replace("\\n", "\n").split("Traceback (most recent call last)")[1:]:
        lines = (line for line in part.splitlines()[1:] if line and not line.startswith(" "))
        last = next(lines, "")
        if last and not last.startswith('{"') and not any(words in part for words in chained):
            yield last.partition('", "')[0]
