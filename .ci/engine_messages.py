"""What the engine says to people, found in its source code as patterns with numbered holes: "id {0} is missing".

The engine speaks plain English and knows no catalogue. Every text of it with a blank between words is taken for a
message, unless it stands where none can: in a docstring, a regular expression, a key, or another program's output.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "evalsite/translating/engine_patterns.json"
sys.path.insert(0, str(ROOT))

from scoring.families import FAMILIES  # noqa: E402
from scoring.family import AREAS, Option  # noqa: E402
from scoring.messages import Message  # noqa: E402

# Rooms whose texts reach the site's pages; the command line's own words stay English.
ROOMS = ("describing", "families", "comparing", "significance", "engine.py", "family.py", "labels.py")
ROOMS += ("repairs.py", "combining")
# What the terminal alone says: a board of the site has its own sentence.
_OF_TERMINALS = {"scoring/comparing/finding.py"}
# Made-up data, which is nobody's words.
_DATA = "specimen.py"
# Modules of the site that run beside the engine, without Django, and speak as it does.
BESIDE: tuple[str, ...] = ()
# Calls whose arguments are no messages.
_NOT_SAID = {"compile", "split", "rsplit", "partition", "rpartition", "startswith", "endswith", "removeprefix"}
_NOT_SAID |= {"removesuffix", "encode", "replace", "TypeVar", "get", "pop", "find", "count", "lower", "fromkeys"}
_TEMPLATES = {"Message", "counted", "word", "noun"}
_WORDS = re.compile(r"[^\W\d_]{2,}.? .*[^\W\d_]{2,}|[^\W\d_]{2,} \{|\}.? [^\W\d_]{2,}", re.DOTALL)


# Data and code in examples, and what a reproduced program prints.
_EXAMPLES = (
    "Average score: {0}",
    "Task{0} Results:",
    "import json, sys, spacy",
)
_EXAMPLES += ("# newdoc id", "{0} marks out of", "test docs", "test toks", '{0}: "an answer"')


def engine_messages(root: Path) -> list[str]:
    """All patterns of the engine under `root`, each once, in alphabetical order."""
    found = {*_words_of_families(), *_words_alone()}
    for room in (*(f"scoring/{room}" for room in ROOMS), *BESIDE):
        path = root / room
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            if str(file.relative_to(root)) in _OF_TERMINALS or file.name == _DATA:
                continue
            found.update(messages_of(ast.parse(file.read_text(encoding="utf-8"))))
    return sorted(text for text in found if "\t" not in text and not text.startswith(_EXAMPLES))


def _words_alone() -> list[str]:
    lines = Path(__file__).with_name("engine-words.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def _words_of_families() -> Iterator[str]:
    """Titles of families, scores and files, and what options do."""
    yield from AREAS
    for family in FAMILIES.values():
        titles = [title for title in family.score_titles.values() if not isinstance(title, Message)]
        yield from filter(None, (family.title, family.layout, family.offer.gold_layout, *titles))
        yield from (text for use in family.offer.uses for text in (use.title, use.about))
        yield from (export.title for export in family.table_notes.exports)
        for option in family.options:
            yield from _words_of(option)


def _words_of(option: Option) -> Iterator[str]:
    yield from filter(None, (option.title, option.help, option.values))
    for kind in option.kinds:
        yield kind.title
        for argument in kind.arguments:
            yield from _words_of(argument)


def messages_of(tree: ast.AST) -> Iterator[str]:
    """The patterns of one file."""
    if isinstance(tree, ast.Module | ast.ClassDef | ast.FunctionDef):
        body = tree.body[1:] if ast.get_docstring(tree, clean=False) is not None else tree.body
        others = [child for child in ast.iter_child_nodes(tree) if child not in tree.body]
        for child in [*others, *body]:
            yield from messages_of(child)
        return
    if isinstance(tree, ast.JoinedStr | ast.Constant):
        pattern = _pattern_of(tree)
        if pattern is not None and _WORDS.search(pattern):
            yield pattern
    if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Constant):
        return  # a docstring of a variable
    if isinstance(tree, ast.Tuple):
        yield from _names_of_things(tree)
    if isinstance(tree, ast.Dict):
        yield from _titles_of_one_word(tree)
    for child in _speaking(tree):
        yield from messages_of(child)


def _names_of_things(pair: ast.Tuple) -> Iterator[str]:
    """Singular and plural of what is counted, such as ("phrase", "phrases")."""
    words = [part.value for part in pair.elts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if len(words) == len(pair.elts) == 2 and words[0][:2] == words[1][:2] and re.fullmatch("[a-z ]+s", words[1]):
        yield from words


def _titles_of_one_word(titles: ast.Dict) -> Iterator[str]:
    """Those of scores and counts, as in {"documents": "Documents"}."""
    words = [part.value for part in titles.values if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    yield from (word for word in words if re.fullmatch("[A-Z][a-z]{2,}", word))


def _speaking(tree: ast.AST) -> Iterator[ast.AST]:
    """The parts that may hold a message."""
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute | ast.Name):
        name = tree.func.attr if isinstance(tree.func, ast.Attribute) else tree.func.id
        if name in _NOT_SAID:
            yield tree.func
            return
        if name in _TEMPLATES:  # engine_texts.py finds these
            yield from (each for each in (*tree.args, *tree.keywords) if not isinstance(each, ast.Constant))
            return
    if isinstance(tree, ast.JoinedStr):
        yield from (part.value for part in tree.values if isinstance(part, ast.FormattedValue))
        return
    if isinstance(tree, ast.Dict):
        yield from tree.values
        # Sentences that something is known by.
        yield from (key for key in tree.keys if isinstance(key, ast.Constant) and _is_title(key.value))
        return
    if isinstance(tree, ast.AnnAssign | ast.arg):
        yield from filter(None, [getattr(tree, "value", None)])
        return
    if isinstance(tree, ast.Subscript):
        yield tree.value
        return
    yield from ast.iter_child_nodes(tree)


def _is_title(key: object) -> bool:
    return isinstance(key, str) and re.match(r"[A-Z][a-z]+ [a-z]+ ", key) is not None


def _pattern_of(text: ast.JoinedStr | ast.Constant) -> str | None:
    if isinstance(text, ast.Constant):
        # `"… {} …".format(…)`
        numbers = iter(range(99))
        return (
            re.sub(r"\{[^{}\s]*\}", lambda hole: f"{{{next(numbers)}}}", text.value)
            if isinstance(text.value, str)
            else None
        )
    parts, n_holes = [], 0
    for part in text.values:
        if isinstance(part, ast.Constant):
            parts.append(str(part.value))
        else:
            parts.append(f"{{{n_holes}}}")
            n_holes += 1
    return "".join(parts)


def write(target: Path) -> None:
    """Write the list that the site reads, a pattern a line, and the same as calls of gettext for `xgettext`."""
    patterns = engine_messages(ROOT)
    LIST.write_text(json.dumps(patterns, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
    # The holes of patterns and translations are of a kind of their own, and a % is a sign of per cent.
    flags = "# xgettext:no-python-brace-format, no-python-format"
    target.write_text("".join(f'{flags}\npgettext("engine", {pattern!r})\n' for pattern in patterns), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
