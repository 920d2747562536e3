"""The sentences of the site in other languages: `python .ci/messages.py [command]`. docs/translating.md explains it.

    update             gather all sentences of templates, Python and engine into each catalogue, take in what stands in
                       fragments, and compile
    fragment NAME PATH …
                       write what the files under these paths say and Spanish lacks to evalsite/locale/es/NAME.po
    compile            make each .mo of its .po and of the fragments beside it, and the list of the engine's patterns
    check              say what is wrong in the catalogues, and end with status 1 if anything is

Of fragments and catalogues alike: no line numbers and one order, so that changes of several people merge.
"""

import ast
import io
import json
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.extract import extract_python
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

sys.path.insert(0, str(Path(__file__).resolve().parent))

from engine_messages import engine_messages  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "evalsite/locale"
PATTERNS = ROOT / "evalsite/translating/engine_patterns.json"
KEYWORDS = {
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "_": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
ENGINE = "engine"  # the context of what the engine says
Said = tuple[str | tuple[str, str], str | None, str]  # message, context, file
Key = tuple[str, str | None]  # singular and context


def main(arguments: list[str]) -> int:
    command, *rest = arguments or ["update"]
    return {"update": update, "fragment": fragment, "compile": compile_all, "check": check}[command](*rest)


def update() -> int:
    """Gather, merge and compile; then check."""
    from_source = gathered()
    for path in catalogues():
        catalog = _merged(read(path), from_source, fragments_of(path))
        write(path, catalog)
        for taken in fragments_of(path):
            taken.unlink()
    compile_all()
    return check()


def fragment(name: str, *paths: str) -> int:
    """What is to be translated of these files; a fragment of this name that is there already keeps what it has."""
    catalogue = LOCALE / "es/LC_MESSAGES/django.po"
    target = LOCALE / f"es/{name}.po"
    roots = [(ROOT / path).resolve() for path in paths]
    known = read(catalogue)
    kept = read(target) if target.exists() else Catalog(locale="es")
    part = new_catalog("es")
    for message, context, file in said_in(ROOT):
        own = any((ROOT / file).is_relative_to(root) for root in roots)
        there = known.get(_singular(message), context)
        if own and not (there is not None and is_translated(there)):
            done = kept.get(_singular(message), context)
            part.add(message, done.string if done else None, [(file, None)], context=context)
    write(target, part)
    left = sum(not is_translated(message) for message in part if message.id)
    print(f"{target.relative_to(ROOT)}: {len(part)} messages, {left} to be translated")
    return 0


def compile_all() -> int:
    """The engine's patterns, and the catalogues that Django reads; both are in the repository."""
    PATTERNS.write_text(patterns_file(), encoding="utf-8")
    for path in catalogues():
        catalog = read(path)
        for taken in fragments_of(path):
            _take(catalog, read(taken))
        path.with_suffix(".mo").write_bytes(compiled(catalog))
    return 0


def check() -> int:
    """Print what is wrong, and end with 1 if anything is."""
    found = [f"{path.relative_to(ROOT)}: {wrong}" for path in catalogues() for wrong in faults(path)]
    if PATTERNS.read_text(encoding="utf-8") != patterns_file():
        found.append(f"{PATTERNS.relative_to(ROOT)}: the engine says something else now, run the update")
    print("\n".join(found) or "All messages are translated.")
    return 1 if found else 0


def patterns_file() -> str:
    """The engine's patterns as the site reads them, one a line."""
    return json.dumps(engine_messages(ROOT), ensure_ascii=False, indent=0) + "\n"


def faults(path: Path) -> Iterator[str]:
    """What is wrong in a catalogue: messages that are missing, left over, untranslated, doubtful or broken."""
    catalog, source = read(path), gathered()
    there, wanted = {_key(each) for each in catalog if each.id}, {_key(each) for each in source if each.id}
    yield from (f"no longer said, run the update: {key[0]!r}" for key in sorted(there - wanted, key=str))
    yield from (f"missing, run the update: {key[0]!r}" for key in sorted(wanted - there, key=str))
    yield from (f"left over: {message.id!r}" for message in catalog.obsolete.values())
    for message in catalog:
        if message.id:
            yield from (f"{wrong}: {_singular(message.id)!r}" for wrong in faults_of(message))
    if path.with_suffix(".mo").read_bytes() != compiled(catalog):
        yield "the .mo is not the compiled .po, run the update"


def faults_of(message: Message) -> Iterator[str]:
    """What is wrong with one translation."""
    if not is_translated(message):
        yield "not translated"
        return
    if message.fuzzy:
        yield "fuzzy"
    ids = message.id if isinstance(message.id, tuple) else (message.id,)
    strings = message.string if isinstance(message.string, tuple) else (message.string,)
    wanted, of_one = holes(ids[-1], message.context), holes(ids[0], message.context)
    for text in strings:
        own = holes(text, message.context)
        # The singular may say its number in a word.
        if own not in (wanted, of_one) and not (len(ids) > 1 and set(own) <= set(wanted)):
            yield f"other placeholders in {text!r}"
        if tags(text) != tags(ids[-1]):
            yield f"other HTML tags in {text!r}"
        if text[:1].isspace() != ids[-1][:1].isspace() or text[-1:].isspace() != ids[-1][-1:].isspace():
            yield f"other blanks at an end of {text!r}"


def holes(text: str, context: str | None) -> list[str]:
    """The placeholders, in alphabetical order."""
    if context == ENGINE:
        return sorted(re.findall(r"\{([0-9]+)(?::said)?\}", text))
    return sorted(re.findall(r"%\([a-z_0-9.]+\)[sd]|%[sd]|\{[a-z_]*\}", text, re.IGNORECASE))


def tags(text: str) -> list[str]:
    """The HTML tags, in alphabetical order."""
    return sorted(re.findall(r"</?[a-z][^>]*>", text))


def is_translated(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def gathered() -> Catalog:
    """All that the site says, without translations."""
    catalog = new_catalog("en")
    for message, context, file in said_in(ROOT):
        catalog.add(message, None, [(file, None)], flags=_flags(message, context), context=context)
    return catalog


def said_in(root: Path) -> Iterator[Said]:
    """Every marked message of templates and Python, and every pattern of the engine."""
    for path in sorted((root / "templates").rglob("*")):
        if path.suffix in {".html", ".txt", ".md"}:
            file = str(path.relative_to(root))
            yield from ((message, context, file) for message, context in said_in_template(path.read_text(), file))
    for path in sorted([*(root / "evalsite").rglob("*.py"), *(root / "demo").rglob("*.py")]):
        yield from said_in_python(path.read_bytes(), str(path.relative_to(root)))
    yield from ((pattern, ENGINE, "scoring") for pattern in engine_messages(root))


def said_in_python(source: bytes, file: str) -> Iterator[Said]:
    """The arguments of gettext and its sisters."""
    for _, function, said, _ in extract_python(io.BytesIO(source), KEYWORDS, [], {"encoding": "utf-8"}):
        parts = [said] if isinstance(said, str) else [part for part in said or () if part is not None]
        if parts:
            context = parts.pop(0) if "pgettext" in function else None
            yield ((parts[0], parts[1]) if function.startswith("n") else parts[0]), context, file


_CALL = re.compile(
    r"""\b(?P<function>n?p?gettext|_)\((?P<arguments>(?:u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")\s*,?\s*)+)"""
)


def said_in_template(text: str, file: str) -> Iterator[tuple[str | tuple[str, str], str | None]]:
    """What Django finds in a template: it makes calls of gettext of its tags, for programs that read source code."""
    for call in _CALL.finditer(templatize(text, origin=file)):
        parts = list(ast.literal_eval(f"({call['arguments'].rstrip().rstrip(',')},)"))
        context = parts.pop(0) if "pgettext" in call["function"] else None
        yield (parts[0], parts[1]) if call["function"].startswith("n") else parts[0], context


def _flags(message: str | tuple[str, str], context: str | None) -> list[str]:
    if context == ENGINE:
        return []
    text = message if isinstance(message, str) else message[1]
    return ["python-format"] if re.search(r"%\([a-z_0-9.]+\)[sd]", text) else []


def _merged(catalog: Catalog, source: Catalog, fragments: Iterable[Path]) -> Catalog:
    """The source's messages with the translations of both."""
    for path in fragments:
        _take(catalog, read(path))
    merged = new_catalog(str(catalog.locale))
    for message in source:
        if message.id:
            old = catalog.get(_singular(message.id), message.context)
            fits = old is not None and isinstance(old.id, tuple) == isinstance(message.id, tuple)
            merged.add(
                message.id,
                old.string if old is not None and fits else None,
                message.locations,
                flags=message.flags,
                user_comments=old.user_comments if old is not None else (),
                context=message.context,
            )
    return merged


def _take(catalog: Catalog, fragment: Catalog) -> None:
    for message in fragment:
        if message.id and is_translated(message):
            catalog.add(message.id, message.string, message.locations, flags=message.flags, context=message.context)
            # Babel keeps the translation that was there.
            catalog.get(_singular(message.id), message.context).string = message.string


def catalogues() -> list[Path]:
    """One for each language."""
    return sorted(LOCALE.glob("*/LC_MESSAGES/django.po"))


def fragments_of(catalogue: Path) -> list[Path]:
    """What translators have left beside the folder of the catalogue."""
    return sorted(catalogue.parent.parent.glob("*.po"))


def read(path: Path) -> Catalog:
    language = path.relative_to(LOCALE).parts[0]
    with path.open("rb") as file:
        return _steady(read_po(file, locale=language))


def write(path: Path, catalog: Catalog) -> None:
    with path.open("wb") as file:
        write_po(file, catalog, width=120, include_lineno=False, sort_output=True, ignore_obsolete=True)


def compiled(catalog: Catalog) -> bytes:
    """The .mo, the same on every machine."""
    file = io.BytesIO()
    write_mo(file, catalog)
    return file.getvalue()


def new_catalog(language: str) -> Catalog:
    return _steady(Catalog(locale=language, fuzzy=False))


def _steady(catalog: Catalog) -> Catalog:
    """Without a date or a name, which would differ from one writer to the next."""
    catalog.project, catalog.version = "Evalsite", "1"
    catalog.msgid_bugs_address = catalog.last_translator = catalog.language_team = ""
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    catalog.header_comment = "# Sentences of the site; docs/translating.md tells how to change them."
    catalog.fuzzy = False
    return catalog


def _singular(message: str | tuple[str, str]) -> str:
    return message if isinstance(message, str) else message[0]


def _key(message: Message) -> Key:
    return _singular(message.id), message.context


if __name__ == "__main__":
    settings.configure()
    sys.exit(main(sys.argv[1:]))
