"""Packages with families of their own, written and installed as an author and an administrator do."""

import re
import subprocess
import sys
from pathlib import Path

from scoring import skeleton

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "own-families.md"


def written_by_the_guide(folder: Path) -> Path:
    """The skeleton with the files of the guide in their places."""
    skeleton.write("segmentation", folder)
    blocks = re.findall(r"`((?:evalsite_|tests/)[\w/.]+)`:\n\n```\w+\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    for path, text in blocks:
        assert (folder / path).is_file(), f"the guide replaces {path}, which the skeleton does not have"
        (folder / path).write_text(text, encoding="utf-8")
    assert len(blocks) == 5
    return folder


def installed(package: Path, folder: Path) -> Path:
    """A folder with the package and its metadata, which makes its entry points known where it is on Python's path."""
    options = ["--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", folder, package], check=True)
    return folder
