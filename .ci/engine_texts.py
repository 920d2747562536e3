"""What the engine says to people: the templates of its `Message`s, found in its source code, and the plain texts of its
families' records, such as titles of scores and the words of options.

Their context is "engine", and they have a catalogue of their own. What installed packages say is theirs to translate.
"""

import ast
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / ".ci")]

import site_texts  # noqa: E402

from scoring.families import FAMILIES  # noqa: E402
from scoring.families.parts import FOLDER, ROWS  # noqa: E402
from scoring.family import AREAS, Family, Option  # noqa: E402
from scoring.messages import Message  # noqa: E402

# Modules of the site that run beside the engine, without Django, and speak as it does.
BESIDE = tuple(f"evalsite/submissions/{name}.py" for name in ("checking/limits", "engine_jobs"))
BESIDE += ("evalsite/challenges/gold/report.py",)
BESIDE += tuple(f"evalsite/contrib/bundles/unpacking/{name}.py" for name in ("archive", "settings_file"))
SHARED_TASKS = ROOT / "evalsite" / "desk" / "making" / "shared_tasks.toml"
_N_TEMPLATES = {"Message": 1, "counted": 2}  # behind the kind


class Text(NamedTuple):
    """What is translated, and where it stands."""

    kind: str
    template: str
    other: str | None  # for all numbers but one
    where: str


def texts(root: Path) -> Iterator[Text]:
    """All that is said under `root`, call by call."""
    for file in [*sorted((root / "scoring").rglob("*.py")), *(root / path for path in BESIDE)]:
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and (maker := _maker(call.func)):
                yield from _text_of(call, maker, f"{file.relative_to(root)}:{call.lineno}")


def _maker(function: ast.expr) -> str | None:
    match function:
        case ast.Name("Message"):
            return "Message"
        case ast.Attribute(ast.Name("Message"), "counted" | "word" | "words" | "noun" as name):
            return name
    return None


def _text_of(call: ast.Call, maker: str, where: str) -> Iterator[Text]:
    if maker == "words":
        texts_of_keys = [text for each in ast.walk(call) if isinstance(each, ast.Dict) for text in each.values]
        yield from (Text("word", text.value, None, where) for text in texts_of_keys if isinstance(text, ast.Constant))
        return
    given = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    if maker in ("word", "noun"):
        yield from (Text("word", word, None, where) for word in given)
        return
    kind, *templates = given or [""]
    if len(templates) == _N_TEMPLATES[maker]:
        yield Text(kind, templates[0], templates[1] if len(templates) > 1 else None, where)


def plain_texts() -> dict[str, str]:
    """Return what our families' records say without a `Message`, and what shared tasks are about: {text: file}."""
    said = [(text, "scoring/family.py") for text in AREAS]
    said += [(text, "scoring/families/parts.py") for option in (FOLDER, ROWS) for text in _of_option(option)]
    for family in FAMILIES.values():
        if family.package is None:
            said += [(text, f"scoring/families/{family.name}/__init__.py") for text in _of_record(family)]
    for event in tomllib.loads(SHARED_TASKS.read_text(encoding="utf-8"))["event"]:
        about = [text for task in event["task"] for text in (task["about"], task.get("differs", ""))]
        said += [(text, SHARED_TASKS.relative_to(ROOT).as_posix()) for text in about]
    return {text: file for text, file in reversed(said) if text and not isinstance(text, Message)}


def _of_record(family: Family) -> Iterator[str]:
    yield from (family.title, family.layout, *family.score_titles.values())
    if isinstance(family.offer.gold_layout, str):  # a function returns messages, which are gathered where they stand
        yield family.offer.gold_layout
    yield from (text for use in family.offer.uses for text in (use.title, use.about))
    yield from (export.title for export in family.table_notes.exports)
    tables = family.table_notes.columns.values()
    yield from (column.heading for columns in tables for column in columns if column.is_shown)
    yield from (text for option in family.options for text in _of_option(option))


def _of_option(option: Option) -> Iterator[str]:
    yield from (option.title, option.help, option.values, *option.words.values())
    for kind in option.kinds:
        yield kind.title
        yield from (text for argument in kind.arguments for text in _of_option(argument))


def is_of_engine(name: str) -> bool:
    """Return whether a file may say something in the engine's domain."""
    return name.startswith("scoring/") or name in (*BESIDE, SHARED_TASKS.relative_to(ROOT).as_posix())


def all_texts() -> list[site_texts.Text]:
    """Return all that is said, as entries of a catalogue."""
    calls = [
        site_texts.Text("engine", text.template, text.other, text.where.rpartition(":")[0]) for text in texts(ROOT)
    ]
    return [*calls, *(site_texts.Text("engine", text, None, file) for text, file in plain_texts().items())]
