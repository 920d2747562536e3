"""Finds what pages and mails tell their readers to type or to open, and whether a test types it."""

import ast
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator
from html import unescape
from pathlib import Path

PROGRAMS = ("evalsite", "python", "python3", "pip", "curl", "export", "install", "gunicorn", "celery", "manage.py")
_BLOCK = re.compile(r"<(?P<tag>pre|code)\b[^>]*>(?P<text>.*?)</(?P=tag)>", re.DOTALL)
_UNSEEN = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_ADDRESS = re.compile(r"https?://[^\s<>\"“”{}…()\[\]]+")  # in Markdown brackets stand around it
_PATH = re.compile(r"(?:\./)?(?:[\w.]+/)+(?:bin/\w+|manage)")  # such as .venv/bin/pip


def commands_of(page: str) -> list[str]:
    """Return the blocks and the inline code of a page of HTML that begin with a program and go on."""
    texts = [unescape(_TAG.sub("", block["text"])).strip() for block in _BLOCK.finditer(page)]
    return [text for text in texts if is_command(text)]


def is_command(text: str) -> bool:
    program, _, more = text.partition(" ")
    return bool(more) and (program in PROGRAMS or _PATH.fullmatch(program) is not None)


def addresses_of(page: str) -> list[str]:
    """Return the addresses that a page of HTML shows; those that it only leads to are links, which others follow."""
    return addresses_in(unescape(_TAG.sub(" ", _UNSEEN.sub("", page))))


def addresses_in(text: str) -> list[str]:
    """Return the addresses in a plain text, without the stop of the sentence in which one stands."""
    return [address.rstrip(".,;:)'") for address in _ADDRESS.findall(text)]


def unnamed_words(command: str, test: str) -> list[str]:
    """Return the words of a command that are not in the source of the test, "path::name", which is to type it.

    A test of what a template prints, whose path stands for the command, reads its commands.
    """
    source = _source_of(test)
    return [word for word in _words_of(command) if word not in source]


def _words_of(command: str) -> list[str]:
    if command.endswith(".html"):
        return ["command"]
    words = [word.rpartition("bin/")[2] for word in shlex.split(command)]
    return [word for word in words if word not in ("python", "python3", "evalsite", "-m")]  # how Python is called


def _source_of(test: str) -> str:
    """Return the source of the test and of what it uses of its module and of the conftest.py beside; "" of none."""
    path, _, name = test.partition("::")
    parts = defaultdict[str, list[str]](list)  # by name; what is imported of conftest.py has two
    for file in (Path(path), Path(path).with_name("conftest.py")):
        for name_of_part, source in _parts(file.read_text(encoding="utf-8")) if file.is_file() else ():
            parts[name_of_part].append(source)
    used, waiting = dict[str, str](), [name]
    while waiting:
        name = waiting.pop()
        if name in parts and name not in used:
            used[name] = "\n".join(parts[name])
            waiting += re.findall(r"\w+", used[name])
    return "\n".join(used.values())


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """Yield name and source of what a module defines or imports."""
    for node in ast.parse(text).body:
        yield from ((name, ast.get_source_segment(text, node) or "") for name in _defined(node))


def _defined(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign):
        yield from (target.id for target in node.targets if isinstance(target, ast.Name))
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (name.asname or name.name for name in node.names)
