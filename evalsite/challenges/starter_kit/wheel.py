"""The engine as a package that participants install: a wheel, made from the very files that the site scores with.

A wheel is a zip of a package's files and of a few that describe it, as the Python Packaging User Guide has it under
"Binary distribution format"; what they say of the engine stands in pyproject.toml.
"""

import hashlib
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

import scoring
from evalsite.challenges.models import Scenario
from evalsite.challenges.storage.files import archive_of

NAME = f"evalsite-{scoring.__version__}-py3-none-any.whl"
_INFO = f"evalsite-{scoring.__version__}.dist-info"
_WHEEL = "Wheel-Version: 1.0\nGenerator: evalsite\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def extras_of(scenarios: Iterable[Scenario]) -> str:
    """Return the extras that scoring these scenarios takes, as pip reads them behind the wheel: "[text]" or ""."""
    extras = sorted({scenario.engine_family.offer.extra for scenario in scenarios} - {""})
    return f"[{','.join(extras)}]" if extras else ""


@cache
def engine_wheel() -> bytes:
    """Return the wheel of the running engine."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    members = engine_files() | dict(_description(project))
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in members.items())
    return archive_of(members | {f"{_INFO}/RECORD": f"{record}{_INFO}/RECORD,,\n".encode()})


def engine_files() -> dict[str, bytes]:
    """Return the engine's sources, by their paths in the repository."""
    root = Path(scoring.__file__).parent.parent
    paths = (path for path in sorted(root.glob("scoring/**/*")) if path.is_file())
    return {name.as_posix(): path.read_bytes() for path in paths if _is_source(name := path.relative_to(root))}


def _is_source(path: Path) -> bool:
    """Return whether it is a source file, and not what interpreters and other tools leave behind."""
    return not any(part == "__pycache__" or part.startswith(".") for part in path.parts)


def _description(project: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Yield the files that say what is in the wheel, what it needs, and which command it brings."""
    [(command, function)] = project["scripts"].items()
    yield f"{_INFO}/licenses/LICENSE", (settings.BASE_DIR / "LICENSE").read_bytes()
    yield f"{_INFO}/METADATA", _metadata(project).encode()
    yield f"{_INFO}/WHEEL", _WHEEL.encode()
    yield f"{_INFO}/entry_points.txt", f"[console_scripts]\n{command} = {function}\n".encode()


def _metadata(project: dict[str, Any]) -> str:
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {project['version']}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
        *(f"Requires-Dist: {package}" for package in project["dependencies"]),
    ]
    for extra, packages in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f'Requires-Dist: {package}; extra == "{extra}"' for package in packages]
    return "\n".join(lines) + "\n\n" + (settings.BASE_DIR / project["readme"]).read_text(encoding="utf-8")


def _digest(content: bytes) -> str:
    return urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")


@cache
def engine_digest() -> str:
    """Return a digest of the wheel: kits of a site that was updated are made anew, also where the version stayed."""
    return hashlib.sha256(engine_wheel()).hexdigest()[:16]
