"""The engine as a package that participants install: a wheel, made from the very files that the site scores with."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from django.conf import settings

import scoring

NAME = f"evalsite-{scoring.__version__}-py3-none-any.whl"
_PROJECT = ("pyproject.toml", "LICENSE")
_BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
# The time that members of the archive bear: equal sources make equal wheels. (Zip knows no earlier year.)
_EPOCH = "315619200"  # 2 January 1980


@cache
def engine_wheel() -> bytes:
    """The wheel of the running engine, made at the first need and kept in the data folder for other processes."""
    kept = settings.DATA_DIR / "packages" / engine_digest() / NAME
    if not kept.is_file():
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
            # Of two processes that make it at the same time the second replaces the first one's by the same bytes.
            build_wheel(Path(folder)).replace(kept)
    return kept.read_bytes()


def build_wheel(target: Path) -> Path:
    """Build the wheel into the folder with setuptools, without a network; returns its path.

    In a process of its own, since setuptools works in the current folder and changes what it is imported into.
    """
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        for path in _sources():
            place = project / path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(settings.BASE_DIR / path, place)
        environment = {name: value for name, value in os.environ.items() if name in _KEPT}
        subprocess.run(
            [sys.executable, "-c", _BUILD, str(target.resolve())],
            cwd=project,
            env=environment | {"SOURCE_DATE_EPOCH": _EPOCH},
            capture_output=True,
            check=True,
            umask=0o022,
        )
    return target / NAME


_KEPT = ("PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LANG", "LC_ALL", "VIRTUAL_ENV")


def _sources() -> list[Path]:
    """The files of the package, by their paths in the repository."""
    package = Path(scoring.__file__).parent
    found = sorted(path for path in package.rglob("*") if path.is_file() and is_source(path.relative_to(package)))
    return [Path(name) for name in _PROJECT] + [path.relative_to(package.parent) for path in found]


def is_source(path: Path) -> bool:
    """Not what interpreters and other tools leave behind."""
    return not any(part == "__pycache__" or part.startswith(".") for part in path.parts)


@cache
def engine_digest() -> str:
    """Of the sources: a site that was updated makes its wheel anew, also where the version stayed."""
    content = hashlib.sha256()
    for path in _sources():
        content.update(f"{path.as_posix()}\0".encode() + (settings.BASE_DIR / path).read_bytes() + b"\0")
    return content.hexdigest()[:16]
