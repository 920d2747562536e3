"""Leaves out the tests of apps of contrib that are not installed."""

from pathlib import Path

from django.apps import apps

collect_ignore = [
    folder.name
    for folder in Path(__file__).parent.iterdir()
    if folder.is_dir() and folder.name != "__pycache__" and not apps.is_installed(f"evalsite.contrib.{folder.name}")
]
