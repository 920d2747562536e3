"""What the site says to people: the literals of calls of gettext in Python, and the marked words of templates."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("demo", "evalsite", "templates")
_SUFFIXES = {".py", ".html", ".txt", ".md"}
_NOTE = "Translators"  # begins a comment above a call that is for translators
_DIRECTIVE = re.compile(r"xgettext:\S+")
# For each function the places of context, singular and plural among its arguments.
_PLACES: dict[str, tuple[int | None, int, int | None]] = {"_": (None, 0, None), "gettext_noop": (None, 0, None)}
for _end in ("", "_lazy"):
    _PLACES |= {
        f"gettext{_end}": (None, 0, None),
        f"ngettext{_end}": (None, 0, 1),
        f"pgettext{_end}": (0, 1, None),
        f"npgettext{_end}": (0, 1, 2),
    }
_STRING = r"""u?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
_CALL = re.compile(rf"(?<![\w.])(?:n?p?gettext|_)\((?:\s*{_STRING}\s*,?)+[\s\w]*\)")


class Text(NamedTuple):
    """What is translated: context, forms, and the file that says it."""

    context: str | None
    singular: str
    plural: str | None  # for all numbers but one
    file: str
    note: str = ""  # for translators


def files() -> Iterator[Path]:
    """Yield the files that may say something, in the order of their paths."""
    for folder in FOLDERS:
        yield from (path for path in sorted((ROOT / folder).rglob("*")) if is_of_site(path))


def is_of_site(path: Path) -> bool:
    """Return whether the file is Python or a template of the site."""
    return path.relative_to(ROOT).parts[0] in FOLDERS and path.suffix in _SUFFIXES and path.is_file()


def texts(paths: Iterable[Path]) -> Iterator[Text]:
    """Yield what these files say, in the order in which it stands there."""
    for path in paths:
        source = path.read_text(encoding="utf-8")
        name = path.relative_to(ROOT).as_posix()
        yield from (in_python if path.suffix == ".py" else in_template)(source, name)


def in_python(source: str, name: str) -> Iterator[Text]:
    lines = source.splitlines()
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        yield from _text_of(call, name, _note_above(lines, call.lineno))


def in_template(source: str, name: str) -> Iterator[Text]:
    if "{%" not in source and "_(" not in source:
        return
    marked = templatize(source)
    lines = marked.splitlines()
    for found in _CALL.finditer(marked):
        call = ast.parse(found[0].strip(), mode="eval").body
        assert isinstance(call, ast.Call)
        yield from _text_of(call, name, _note_above(lines, marked.count("\n", 0, found.start()) + 1))


def _text_of(call: ast.Call, name: str, note: str) -> Iterator[Text]:
    function = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if function not in _PLACES:
        return
    context, singular, plural = (None if place is None else _literal(call, place) for place in _PLACES[function])
    if singular:
        yield Text(context, singular, plural, name, note)


def _literal(call: ast.Call, place: int) -> str | None:
    value = call.args[place] if place < len(call.args) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else None


def _note_above(lines: list[str], number: int) -> str:
    """Return the comment for translators that ends above this line, which counts from 1."""
    comments: list[str] = []
    for line in reversed(lines[: number - 1]):
        if not line.strip().startswith("#"):
            break
        comments.insert(0, line.strip().lstrip("#").strip())
    starts = [place for place, comment in enumerate(comments) if comment.startswith(_NOTE)]
    return _DIRECTIVE.sub("", " ".join(comments[starts[0] :])).strip() if starts else ""
