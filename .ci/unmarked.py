"""Words that no catalogue knows: text of templates and sentences of Python that are not marked for translation.

`python .ci/unmarked.py [PATH …]` lists them, under these paths or everywhere; docs/translating.md says how to mark.
"""

import ast
import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPOKEN = {"title", "alt", "aria-label", "aria-roledescription", "placeholder", "label", "summary"}
UNSPOKEN = {"code", "pre", "kbd", "samp", "script", "style"}
# The same in all languages: names, and signs of formats and measures.
NAMES = {
    "UTC",
    "UTF",
    "CSV",
    "JSON",
    "LaTeX",
    "SVG",
    "HTML",
    "Markdown",
    "ZIP",
    "PDF",
    "GitHub",
    "kB",
    "MB",
    "max",
    "px",
    "nbsp",
}
NAMES |= {"OK", "API", "SHA"}
_COMMENT = re.compile(
    r"\{#.*?#\}|\{% comment.*?%\}.*?\{% endcomment %\}|\{% block (?:page_class|wide|bodyclass) %\}.*?\{% endblock %\}",
    re.DOTALL,
)
_MARKED = re.compile(r"\{% blocktrans(?:late)?\b.*?\{% endblocktrans(?:late)? %\}", re.DOTALL)
_TAG = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
_SILENT_TAGS = {"translate", "trans", "url", "extends", "load", "static", "if", "elif", "block", "endblock", "now"}
_GRAMMAR = re.compile(
    r"\|(?:pluralize|yesno|default|default_if_none|add):(\"(?![\w/]+\.html\")[^\"]*[A-Za-z]{2}[^\"]*\")|\|pluralize"
)
# Values of attributes.
_NO_WORDS = {'"descending,ascending"', '"arrow-down,arrow-up"', '"submit"'}
_NO_HTML = {"templates/allauth/elements/button.html"}  # the name of its element is put together
# What operators read in logs and terminals, and not visitors.
_INTERNAL_FILES = ("evalsite/jobs/", "evalsite/upkeep/")
_OF_OPERATORS = ("broker", "contrib", "embedded_broker", "log_context", "logs", "private_folder")
_INTERNAL_FILES += tuple(f"evalsite/{name}.py" for name in ("bootstrap", "celery", "settings"))
_INTERNAL_FILES += tuple(f"evalsite/base/{name}.py" for name in _OF_OPERATORS)
_INTERNAL_FILES += tuple(f"evalsite/monitoring/{name}.py" for name in ("metrics", "middleware", "parts"))
# What stands beside the engine without Django, and is translated as the engine's messages are, where it is shown.
_INTERNAL_FILES += tuple(f"evalsite/submissions/{name}.py" for name in ("causes", "checking/limits"))
_INTERNAL_FILES += ("evalsite/submissions/engine_jobs.py", "evalsite/challenges/gold/report.py")
_INTERNAL_FILES += ("evalsite/contrib/bundles/unpacking/",)
# Files for programs and lists of references, English in all languages.
_INTERNAL_FILES += tuple(f"evalsite/board_pages/board/{name}.py" for name in ("exports", "citing"))
_INTERNAL_FILES += ("evalsite/contrib/records/every_eval_ever.py",)
_INTERNAL_FILES += ("evalsite/challenges/task_page/citing.py",)
_OF_DRAWERS = ("boards", "contents", "draft", "participation", "readme", "runs", "team", "uploads")
_INTERNAL_FILES += tuple(f"evalsite/contrib/drawer/{name}.py" for name in _OF_DRAWERS)
_WORD = re.compile(r"[^\W\d_]{2,}")

Place = tuple[int, str]  # line, words


def in_template(text: str) -> Iterator[Place]:
    """What a reader would see in English whatever the language."""
    text = _COMMENT.sub(_blank, text)
    text = _MARKED.sub(_blank, text)
    for tag in _TAG.finditer(text):
        yield from ((_line(text, tag.start()), words) for words in _said_by_tag(tag[0]))
    reader = _Reader()
    reader.feed(_TAG.sub(_blank, text))
    reader.close()
    yield from reader.found


def _blank(found: re.Match[str]) -> str:
    """Nothing on as many lines."""
    return "\n" * found[0].count("\n") or " "


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _said_by_tag(tag: str) -> Iterator[str]:
    """Words that a tag or filter is given, and English grammar."""
    yield from (found[0] for found in _GRAMMAR.finditer(tag) if found[1] not in _NO_WORDS)
    if tag.startswith("{%") and tag.split()[1] not in _SILENT_TAGS:
        for words in re.finditer(r"""(_\()?"([A-Z][a-z]+[^"]*)\"""", tag):
            if not words[1] and " as " not in words[2]:
                yield words[2]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[Place] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent += tag in UNSPOKEN
        values = dict(attrs)
        for name in SPOKEN & values.keys():
            self._hear(values[name] or "")
        if tag == "input" and values.get("type") in {"submit", "button", "reset"}:
            self._hear(values.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        self._silent = max(0, self._silent - (tag in UNSPOKEN))

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._hear(data)

    def _hear(self, text: str) -> None:
        if set(_WORD.findall(text)) - NAMES:
            self.found.append((self.getpos()[0], " ".join(text.split())))


_MARKS = {"gettext", "gettext_lazy", "gettext_noop", "_", "ngettext", "ngettext_lazy"}
_MARKS |= {"pgettext", "pgettext_lazy", "npgettext", "npgettext_lazy"}
# Calls whose texts no visitor reads.
_INTERNAL = {"ImproperlyConfigured", "AssertionError", "RuntimeError", "ValueError", "TypeError", "KeyError", "compile"}
_INTERNAL |= {"exception", "warning_log", "debug", "RunPython", "ConfigurationError", "get_or_create"}
_SENTENCE = re.compile(
    r"[A-Z“\"{]?[^\n]*[a-z]{2,}[,;:]? [^\n]*[a-z]+[^\n]*[.?!:]$|[A-Z][a-z]+ [a-z]+[^\n]*$", re.DOTALL
)


def in_python(source: str) -> Iterator[Place]:
    """Sentences in constants and f-strings that no gettext has been given."""
    yield from _sentences(ast.parse(source))


def _sentences(tree: ast.AST) -> Iterator[Place]:
    if isinstance(tree, ast.Call):
        function = tree.func.attr if isinstance(tree.func, ast.Attribute) else getattr(tree.func, "id", "")
        if function in _MARKS | _INTERNAL:
            return
    children = list(ast.iter_child_nodes(tree))
    if isinstance(tree, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(tree) is not None:
        children.remove(tree.body[0])
    if isinstance(tree, ast.JoinedStr):
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in tree.values)
        children = [part.value for part in tree.values if isinstance(part, ast.FormattedValue)]
    else:
        text = tree.value if isinstance(tree, ast.Constant) and isinstance(tree.value, str) else ""
    if _SENTENCE.match(text) and not text.startswith(("PRAGMA", "SELECT", "Bearer ")):
        yield tree.lineno, " ".join(text.split())
    for child in children:
        yield from _sentences(child)


def unmarked(root: Path = ROOT) -> dict[str, list[Place]]:
    """{file: what is not marked in it}, of all templates and of the site's Python."""
    found = {}
    for path in sorted([*(root / "templates").rglob("*"), *(root / "evalsite").rglob("*.py")]):
        file = str(path.relative_to(root))
        if (
            path.suffix not in {".html", ".txt", ".py"}
            or file in _NO_HTML
            or "/migrations/" in file
            or "/management/" in file
        ):
            continue
        if file.startswith(_INTERNAL_FILES):
            continue
        look = in_python if path.suffix == ".py" else in_template
        if places := list(look(path.read_text(encoding="utf-8"))):
            found[file] = places
    return found


def main(paths: list[str]) -> int:
    lines = [
        f"{file}:{line}: {words}"
        for file, places in unmarked().items()
        if not paths or file.startswith(tuple(paths))
        for line, words in places
    ]
    print("\n".join(lines) or "All is marked.")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
