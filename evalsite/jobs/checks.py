"""Tells the operator which limits this system does not enforce: `manage.py check --deploy`."""

from typing import Any

from django.core.checks import CheckMessage, Warning, register

from evalsite.jobs.sandbox import Crashed, LimitBroken, Limits, NotStarted, missing_limits

_WHAT_FOLLOWS = {
    "network": "A defect of the engine, met by a hostile file, could reach the network. Run it on Linux with seccomp.",
    "files": "A defect of the engine, met by a hostile file, could read the site's key. Run it on Linux 5.13 or newer.",
    "memory": "A hostile file can use all memory of the machine. Run it on Linux, or limit the processes from outside.",
}


@register(deploy=True)
def check_limits(**kwargs: Any) -> list[CheckMessage]:
    try:
        missing = missing_limits(Limits(10, 2**28, 2**20))
    except (Crashed, LimitBroken, NotStarted) as error:
        return [Warning(f"The engine's processes do not run: {error}", id="jobs.W002")]
    return [
        Warning(f"The engine's processes have no limit of {name} on this system.", _WHAT_FOLLOWS[name], id="jobs.W001")
        for name in missing
    ]
