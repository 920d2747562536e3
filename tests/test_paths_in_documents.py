"""Every path that the documents name exists, so that a move of files is followed by the documents."""

import re
from fnmatch import fnmatch
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOPS = (".ci", "benchmarks", "demo", "deploy", "docs", "evalsite", "scoring", "static", "templates", "tests")
ROOMS = {path.name for top in ("evalsite", "scoring") for path in (ROOT / top).iterdir() if path.is_dir()}
DOCUMENTS = sorted(
    chain(
        [ROOT / "README.md", ROOT / "demo/README.md", ROOT / "scoring/README.md"],
        (
            path for path in (ROOT / "docs").rglob("*.md") if path.name != "design-notes.md"
        ),  # which tell of former paths
    )
)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)]*)?\)")
PATH = re.compile(r"[\w.<>@*/-]+")
_NAMING_FILES = {"architecture.md", "README.md"}  # that name files of the project without their folders
MADE_BY_READERS = {"deploy/.env", "evalsite/locale/pt/LC_MESSAGES"}


@cache
def existing() -> list[str]:
    """Return all files, and all folders with a slash at their end, from the project's own folder on."""
    inside = (path for top in TOPS for path in [ROOT / top, *(ROOT / top).rglob("*")])
    paths = [*inside, *(path for path in ROOT.iterdir() if path.is_file())]
    return [f"/{path.relative_to(ROOT)}{'/' if path.is_dir() else ''}" for path in paths]


def named_paths(document: Path) -> set[str]:
    """Return what is a path of the project: documents also name addresses, and files of other programs."""
    if document.name == "own-families.md":  # whose files are those of a family that a reader makes
        return set()
    words = {word for word in CODE.findall(document.read_text()) if PATH.fullmatch(word)} - MADE_BY_READERS
    inside = {word for word in words if "/" in word and word.partition("/")[0] in TOPS}
    files = {word for word in words if word.endswith((".py", ".html", ".js", ".css", ".md"))}
    return inside | {word for word in files if word.partition("/")[0] in ROOMS or document.name in _NAMING_FILES}


def is_there(name: str) -> bool:
    """Return whether a file or folder has this path, or one that ends so, such as `models.py`."""
    pattern = re.sub(r"<[^>]*>", "*", name)
    patterns = (f"*/{pattern}", f"*/{pattern}/") if not pattern.endswith("/") else (f"*/{pattern}",)
    return any(fnmatch(path, each) for each in patterns for path in existing())


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_path_that_a_document_names_exists(document):
    text = document.read_text()
    links = {link for link in LINK.findall(text) if "://" not in link and not link.startswith(("mailto:", "/"))}
    assert [link for link in sorted(links) if not (document.parent / link).exists()] == []
    assert [name for name in sorted(named_paths(document)) if not is_there(name)] == []
