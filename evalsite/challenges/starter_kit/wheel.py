"""The engine as a package that participants install: a wheel, made from the very files that the site scores with.

A wheel is a zip of a package's files and of a few that describe it, as the Python Packaging User Guide has it under
"Binary distribution format"; what they say of the engine stands in pyproject.toml.
"""

import hashlib
import io
import tomllib
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

import scoring

NAME = f"evalsite-{scoring.__version__}-py3-none-any.whl"
_INFO = f"evalsite-{scoring.__version__}.dist-info"
_WHEEL = "Wheel-Version: 1.0\nGenerator: evalsite\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
# The time that members of the archive bear: equal sources make equal wheels. (Zip knows no earlier one.)
_EPOCH = (1980, 1, 1, 0, 0, 0)
_RIGHTS = 0o100644 << 16  # of an ordinary file that everybody may read


@cache
def engine_wheel() -> bytes:
    """Return the wheel of the running engine."""
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    members = [*_package(), *_description(project)]
    record = "".join(f"{name},sha256={_digest(content)},{len(content)}\n" for name, content in members)
    members.append((f"{_INFO}/RECORD", f"{record}{_INFO}/RECORD,,\n".encode()))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            member = zipfile.ZipInfo(name, _EPOCH)
            member.external_attr = _RIGHTS
            archive.writestr(member, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _package() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the engine, by their paths in the repository."""
    package = Path(scoring.__file__).parent
    for path in sorted(package.rglob("*")):
        if path.is_file() and is_source(path.relative_to(package)):
            yield path.relative_to(package.parent).as_posix(), path.read_bytes()


def is_source(path: Path) -> bool:
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
