"""Tells the operator where the site could change what it runs or serves: at each start, and `manage.py check --deploy`.

Who finds a way to write a file through the site should find nothing there but data. So code and static files belong to
somebody else: to root, or to who deploys.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import structlog
from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.template import engines

log = structlog.get_logger()
_ROOT = 0
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


@register(deploy=True)
def check_writable(**kwargs: Any) -> list[CheckMessage]:
    """Return an error for code and for static files that whoever asks may write, or that lie in the data folder.

    Root may write everything, so where root asks, all of them have to be root's own.
    """
    if os.geteuid() == _ROOT:
        return list(_errors(_is_not_of_root, "somebody else than root"))
    return list(_errors(_may_write, _this_user()))


def log_at_start() -> None:
    """Log the same for the process that serves pages, whose user may not be that of `check --deploy`."""
    if os.geteuid() == _ROOT:
        log.error(
            "the site's pages are served by root, who may change all of its code", mend="Give it a user of its own."
        )
        return
    for error in _errors(_may_write, _this_user()):
        log.error(error.msg, mend=error.hint)


def _this_user() -> str:
    return f"the user of number {os.geteuid()}"


def _errors(is_writable: Callable[[Path], bool], by: str) -> Iterator[Error]:
    static = Path(settings.STATIC_ROOT).resolve()
    if static.is_relative_to(settings.DATA_DIR):
        yield Error(
            f"STATIC_ROOT, {static}, lies in the data folder, which the site writes.",
            "Name a folder outside EVALSITE_DATA_DIR, or leave STATIC_ROOT out, and run deploy/manage collectstatic.",
            id="evalsite.E001",
        )
    elif path := _first(is_writable, {static, *static.parents, *static.rglob("*")}):
        yield Error(
            f"Static files can be changed by {by}: {path}",
            f"{_REMEDY} chown -R root: {static} && chmod -R go-w {static}",
            id="evalsite.E002",
        )
    if path := _first(is_writable, _code()):
        yield Error(
            f"The site's code can be changed by {by}: {path}",
            f"{_REMEDY} chown -R root: {settings.BASE_DIR} && chmod -R go-w {settings.BASE_DIR}",
            id="evalsite.E003",
        )


_REMEDY = "Ask as the site's user or as root (deploy/manage check --deploy); if it is so for them, as root:"


def _code() -> set[Path]:
    """Return the files that were loaded as code, the templates, and the folders in which they are."""
    files = {Path(name) for module in list(sys.modules.values()) if (name := getattr(module, "__file__", None))}
    folders = {Path(folder) for engine in engines.all() for folder in engine.template_dirs}
    files.update(file for folder in folders for file in folder.rglob("*"))
    return {settings.BASE_DIR, *settings.BASE_DIR.parents, *files, *(file.parent for file in files)}


def _first(is_writable: Callable[[Path], bool], paths: Iterable[Path]) -> Path | None:
    return next((path for path in sorted(paths) if not _is_shared(path) and is_writable(path)), None)


def _is_shared(path: Path) -> bool:
    """Return whether all may write into the folder, as into /tmp, but move or remove only what is their own."""
    return path.is_dir() and bool(path.stat().st_mode & stat.S_ISVTX)


def _may_write(path: Path) -> bool:
    return os.access(path, os.W_OK)


def _is_not_of_root(path: Path) -> bool:
    """Return whether its owner or mode lets anybody but root write it; nobody can write what is not there."""
    if not path.exists():
        return False
    status = path.stat()
    return status.st_uid != _ROOT or bool(status.st_mode & _BY_OTHERS)
