"""Checks this machine and its settings: versions, keys, room on the disk."""

import os
import platform
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from django.conf import settings
from django.core.checks import ERROR, WARNING, run_checks
from django.core.files.storage import default_storage
from django.db import connection

import scoring as engine
from evalsite.upkeep.findings import Finding, ok, warning, wrong
from evalsite.upkeep.stored import is_local
from evalsite.upkeep.wording import size

PYTHON = (3, 11)  # the oldest that is tried
ALMOST_FULL, FULL = 5 * 1024**3, 512 * 1024**2  # bytes that are left
FEWEST_INODES = 10_000
_PINNED = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([\w.]+)", re.MULTILINE)


def versions() -> Finding:
    """Check that Python and packages are those with which the site was tried."""
    here = {"python": platform.python_version(), "engine": engine.__version__}
    if sys.version_info < PYTHON:
        return wrong(f"Python {here['python']} is too old.", "Install Python 3.11 or newer.", **here)
    others = sorted(_differing_packages())
    if others:
        remedy = "Run pip install --require-hashes -r requirements-production-lock.txt in the site's environment."
        return warning(
            f"Packages differ from those that were tried: {'; '.join(others)}.", remedy, others=others, **here
        )
    return ok(f"Python {here['python']}, engine {here['engine']}, and packages as they were tried.", **here)


def _differing_packages() -> Iterator[str]:
    names = ["requirements.txt"] + (["requirements-production.txt"] if connection.vendor == "postgresql" else [])
    for name in names:
        path = settings.BASE_DIR / name
        for package, wanted in _PINNED.findall(path.read_text() if path.exists() else ""):
            try:
                installed = metadata.version(package)
            except metadata.PackageNotFoundError:
                installed = "missing"
            if installed != wanted:
                yield f"{package} {installed} instead of {wanted}"


def configuration() -> Finding:
    """Check that Django and the site's own checks find nothing wrong with the settings."""
    messages = run_checks(include_deployment_checks=settings.PRODUCTION)
    texts = [
        f"{message.id}: {message.msg}" for message in messages if message.level >= WARNING and not message.is_silenced()
    ]
    remedy = "Run manage.py check --deploy, and see docs/server.md for each variable."
    if any(message.level >= ERROR and not message.is_silenced() for message in messages):
        return wrong(" ".join(texts), remedy, problems=texts)
    if texts:
        return warning(" ".join(texts), remedy, problems=texts)
    mode = "production" if settings.PRODUCTION else "a laptop (EVALSITE_PRODUCTION is off)"
    return ok(f"Set up for {mode}.", production=settings.PRODUCTION)


def secret_key() -> Finding:
    """Check that the key that signs sessions and links is long, and nobody else's to read."""
    remedy = "Make one: python3 -c 'import secrets; print(secrets.token_urlsafe(50))', and set it as SECRET_KEY."
    if len(settings.SECRET_KEY) < 40 or len(set(settings.SECRET_KEY)) < 10:
        return wrong("SECRET_KEY is so short or so plain that it can be guessed.", remedy)
    path = settings.DATA_DIR / "secret_key"
    if path.exists() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        return wrong(f"Others on this machine may read {path}.", f"Run chmod 600 {path}.")
    return ok("There is a secret key, and nobody else may read it.")


def disk() -> Finding:
    """Check that there is room for data, files and what is written for a moment."""
    usages = {str(path): shutil.disk_usage(path) for path in _disks()}
    rooms = {path: usage.free for path, usage in usages.items()}
    words = ", ".join(f"{size(free)} free at {path}" for path, free in rooms.items())
    fewest = min(map(_inodes_left, _disks()))
    remedy = "Make room, or move the folder to a larger disk. manage.py tidy --dry-run says what can go."
    if min(rooms.values()) < FULL or fewest < FEWEST_INODES:
        return wrong(f"A disk is full: {words}.", remedy, free=rooms)
    # A small disk, such as a /tmp in memory, has less room than that even when it is empty.
    if any(usage.free < min(ALMOST_FULL, usage.total / 2) for usage in usages.values()):
        return warning(f"A disk will be full soon: {words}.", remedy, free=rooms)
    return ok(f"{words}.", free=rooms)


def _disks() -> list[Path]:
    folders = [Path(settings.DATA_DIR), Path(tempfile.gettempdir())]
    if is_local():
        folders.append(Path(default_storage.path("")))
    # One of each disk.
    return list({path.stat().st_dev: path for path in reversed(folders) if path.exists()}.values())


def _inodes_left(path: Path) -> float:
    """Return how many files the disk may still have; some file systems have no such limit."""
    usage = os.statvfs(path)
    return usage.f_favail if usage.f_files else float("inf")
