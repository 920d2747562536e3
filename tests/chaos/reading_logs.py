"""Which tracebacks in the logs no fault explains."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

TRACEBACK = "Traceback (most recent call last)"
# What programs say when a server, a disk or another process goes away under them; by the last line of a traceback.
EXPECTED = re.compile(
    r"(django\.db\.utils|psycopg\.errors|psycopg)\."
    r"(OperationalError|InterfaceError|AdminShutdown|CannotConnectNow|CrashShutdown)"
    r"|(redis|kombu|amqp)\.exceptions\.(\w*ConnectionError|OperationalError|TimeoutError|BusyLoadingError)"
    r"|(botocore|boto3|urllib3|s3transfer)\.[\w.]+"
    r"|OSError: \[Errno (28|30)\]|(ConnectionRefused|ConnectionReset|BrokenPipe|Timeout)Error|smtplib\.\w+"
    r"|evalsite\.challenges\.files\.StorageAway"
    # Kombu's own, where a broker dies at the wrong moment; the worker begins anew, or ends and is started again.
    r"|AttributeError: 'NoneType' object has no attribute '(hostname|connection_errors)'"
    # A process that was killed, as the one that waited for it tells it; and a beat without its broker.
    r"|billiard\.exceptions\.WorkerLostError|evalsite\.jobs\.limited\.(Crashed|Killed): .*SIGKILL"
    # A check of an upload while the stored files are away: it is answered with "not taken".
    r"|evalsite\.jobs\.limited\.Crashed: GoldError: .*: no such file or folder"
    r"|celery\.beat\.SchedulingError: .*(refused|reset|closed|[Tt]imed? ?out|loading|'NoneType' object has)"
    # Only the heading of another traceback.
    r"|billiard\.einfo\.ExceptionWithTraceback"
)


def unexpected_in(folder: Path) -> Counter[str]:
    """Last lines of such tracebacks, each with the program in whose log it stands."""
    found: Counter[str] = Counter()
    for log in sorted(folder.glob("*.log")):
        for last in _ends_of_tracebacks(log):
            if not EXPECTED.match(last):
                found[f"{log.stem}: {last[:200]}"] += 1
    return found


def _ends_of_tracebacks(log: Path) -> Iterator[str]:
    """The last line of each; of a chain the last one's."""
    plain: list[str] = []
    for line in log.read_text(errors="replace").splitlines():
        if line.startswith("{"):
            yield from _in_event(line)
        else:
            plain.append(line)
    yield from _ends_in("\n".join(plain))


def _in_event(line: str) -> Iterator[str]:
    try:
        event = json.loads(line)
    except ValueError:
        return
    yield from _ends_in(f"{event.get('exception', '')}\n{event.get('event', '')}")


def _ends_in(text: str) -> Iterator[str]:
    chained = ("The above exception was the direct cause", "During handling of the above exception")
    for part in text.split(TRACEBACK)[1:]:
        lines = [line for line in part.splitlines()[1:] if line and not line.startswith(" ")]
        if lines and not any(words in part for words in chained):
            yield lines[0]
