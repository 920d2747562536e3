"""Leaves out the tests of apps of contrib that are not installed, and those of all together where one is missing.

The browser of `tests/evalsite/browser` is here, too.
"""

from pathlib import Path

from django.apps import apps

from tests.evalsite.browser.conftest import chromium, visit, window

__all__ = ["chromium", "visit", "window"]

_HERE = Path(__file__).parent
_FOLDERS = [folder.name for folder in _HERE.iterdir() if folder.is_dir() and folder.name != "__pycache__"]
_MISSING = [name for name in _FOLDERS if not apps.is_installed(f"evalsite.contrib.{name}")]
collect_ignore = [*_MISSING, *(path.name for path in _HERE.glob("test_*.py") if _MISSING)]
