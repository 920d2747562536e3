"""Gathers what site and engine say into the catalogues of each language, and compiles them; docs/translating.md.

    .ci/catalogues                            all catalogues: new messages come in, those that are said no more go
    .ci/catalogues --only FILE …              the messages of these files alone
    .ci/catalogues --domain engine            one catalogue of each language: django or engine
    .ci/catalogues --take FILE.po …           put in the translations that these files have, also in place of others
    .ci/catalogues --check                    write nothing; fail if messages are missing, too many, or not translated

No programs of gettext are needed. The same sources and translations give the same bytes on any day and machine.
"""

import argparse
import io
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

sys.path.insert(0, str(Path(__file__).resolve().parent))
import engine_texts  # noqa: E402
import site_texts  # noqa: E402
from site_texts import ROOT, Text  # noqa: E402

LOCALE = ROOT / "evalsite" / "locale"
DOMAINS = ("django", "engine")
_HOLE = re.compile(r"%\([^)]*\)|\{[^}]*\}")
_HEADINGS = {
    "django": "# Sentences of the site; docs/translating.md tells how to change them.",
    "engine": "# Sentences of the engine; docs/translating.md tells how to change them.",
}
_PLURALS = "nplurals=2; plural=(n != 1);"  # of a new catalogue; an editor of catalogues knows that of its language

Key = tuple[str | None, str]  # context, and the form for one, by which gettext tells messages apart


class Report(NamedTuple):
    """What is wrong with a catalogue."""

    path: Path
    missing: Collection[Key]  # said, and not in it
    gone: Collection[Key]  # in it, and said no more
    untranslated: Collection[Key]

    def lines(self) -> Iterator[str]:
        for what, keys in (("new", self.missing), ("gone", self.gone), ("not translated", self.untranslated)):
            yield from (f"{self.path.relative_to(ROOT)}: {what}: {key[1]!r}" for key in sorted(keys, key=str))


class _Catalog(Catalog):
    """A catalogue whose heading says neither when nor by which program it was made."""

    plurals = _PLURALS

    def _headers(self) -> list[tuple[str, str]]:
        return [
            ("Project-Id-Version", "Evalsite"),
            ("Language", str(self.locale_identifier)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=UTF-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plurals),
        ]

    mime_headers = property(_headers)


def texts_of(domain: str, files: Sequence[Path] | None = None) -> list[Text]:
    """Return what is said in a domain, in the order of files and lines; in some files alone, or everywhere."""
    if files is None:
        return engine_texts.all_texts() if domain == "engine" else list(site_texts.texts(site_texts.files()))
    if domain == "django":
        return list(site_texts.texts(path for path in sorted(files) if site_texts.is_of_site(path)))
    names = {path.relative_to(ROOT).as_posix() for path in files}
    said = engine_texts.all_texts() if any(map(engine_texts.is_of_engine, names)) else []
    return [text for text in said if text.file in names]


def catalogues(domains: Sequence[str] = DOMAINS) -> list[Path]:
    """Return the catalogues of these domains, in each language that has a folder."""
    return [folder / f"{domain}.po" for folder in sorted(LOCALE.glob("*/LC_MESSAGES")) for domain in domains]


def key_of(message: Message) -> Key:
    return (message.context, _forms(message.id)[0])


def _forms(text: str | Sequence[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def read(path: Path) -> dict[Key, Message]:
    """Return the messages of a catalogue by context and forms; none where there is no file yet."""
    if not path.exists():
        return {}
    with path.open("rb") as file:
        return {key_of(message): message for message in read_po(file, locale=_language(path)) if message.id}


def merged(said: Iterable[Text]) -> dict[Key, Text]:
    """Return each message once, where it is said first; with its form for many, if it has one anywhere.

    Raise ValueError where it has two, of which a catalogue can translate but one.
    """
    messages: dict[Key, Text] = {}
    for text in said:
        first = messages.setdefault(text[:2], text)
        if first.plural is None and text.plural is not None:
            messages[text[:2]] = first._replace(plural=text.plural)
        elif text.plural not in (None, first.plural):
            raise ValueError(f"{text.singular!r} has two forms for many: {first.file}, {text.file}")
    return messages


def report_of(path: Path, said: Iterable[Text]) -> Report:
    """Compare a catalogue with what is said."""
    there, texts = read(path), merged(said)
    same = {key for key, message in there.items() if key in texts and _forms(message.id)[1:] == _plural(texts[key])}
    untranslated = [key for key in same if not _is_translated(there[key])]
    return Report(path, texts.keys() - same, there.keys() - same, untranslated)


def _plural(text: Text) -> tuple[str, ...]:
    return () if text.plural is None else (text.plural,)


def _is_translated(message: Message) -> bool:
    return all(_forms(message.string)) and not message.fuzzy


def update(path: Path, said: Sequence[Text], names: Collection[str] | None, taken: dict[Key, Message]) -> None:
    """Write a catalogue of all that is said, or of what these files say; translated as in `taken`, or as it was."""
    there = read(path)
    places: dict[Key, list[str]] = {}
    if names is not None:  # what other files say stays
        places = {key: [name for name, _ in message.locations if name not in names] for key, message in there.items()}
        places = {key: others for key, others in places.items() if others}
    messages = {key: there[key] for key in places}
    for key, text in merged(said).items():
        messages[key] = _message_of(text, [taken.get(key), there.get(key)])
    for text in said:
        places.setdefault(text[:2], []).append(text.file)
    for key, message in messages.items():
        message.locations = [(name, None) for name in sorted(set(places[key]))]
    _write(path, messages.values())


def _message_of(text: Text, former: Iterable[Message | None]) -> Message:
    """Return the message with the first translation that fits it, or none."""
    forms = (text.singular, *_plural(text))
    fitting = [each for each in former if each and len(_forms(each.id)) == len(forms) and _is_translated(each)]
    empty = "" if len(forms) == 1 else ("", "")
    message = Message(text.singular if len(forms) == 1 else forms, fitting[0].string if fitting else empty)
    message.context, message.auto_comments = text.context, [text.note] if text.note else []
    message.user_comments = fitting[0].user_comments if fitting else []
    return message


def _write(path: Path, messages: Iterable[Message]) -> None:
    """Write a catalogue in the order of its files, and compile it."""
    catalog = _Catalog(locale=_language(path), header_comment=_HEADINGS[path.stem], fuzzy=False)
    if path.exists():
        with path.open("rb") as file:
            former = read_po(file)
        catalog.plurals = f"nplurals={former.num_plurals}; plural={former.plural_expr};"
    for message in sorted(messages, key=lambda message: message.locations[0][0]):
        message.flags &= _flags_of(message, path.stem)
        message.user_comments = [line for line in message.user_comments if not line.startswith("|")]
        catalog[message.id] = message
    _replace(path, _bytes_of(write_po, catalog, width=0, include_lineno=False))
    _replace(path.with_suffix(".mo"), _bytes_of(write_mo, catalog))


def _flags_of(message: Message, domain: str) -> set[str]:
    """Return what may tell editors of catalogues to compare holes: not those of the engine, of which they know nothing,
    nor where only one of two forms has them all.
    """
    holes = {frozenset(_HOLE.findall(form)) for form in _forms(message.id)}
    return {"python-format", "python-brace-format"} if domain == "django" and len(holes) == 1 else set()


def _bytes_of(write: Callable[..., None], catalog: Catalog, **options: Any) -> bytes:
    target = io.BytesIO()
    write(target, catalog, **options)
    return target.getvalue()


def _replace(path: Path, content: bytes) -> None:
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


def _language(path: Path) -> str | None:
    """Return the language of a catalogue of the site; None of a file that lies elsewhere, whose header may name it."""
    return path.parent.parent.name if path.parent.name == "LC_MESSAGES" else None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--domain", choices=DOMAINS)
    parser.add_argument("--take", nargs="+", type=Path, default=[], metavar="FILE.po")
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args(arguments)
    files = None if chosen.only is None else [path.resolve() for path in chosen.only]
    names = None if files is None else {path.relative_to(ROOT).as_posix() for path in files}
    taken = {key: message for path in chosen.take for key, message in read(path.resolve()).items()}
    is_in_order = True
    for domain in [chosen.domain] if chosen.domain else DOMAINS:
        said = texts_of(domain, files)
        for path in catalogues([domain]):
            report = report_of(path, said)
            if files is not None:  # others say the rest
                report = report._replace(gone=())
            is_in_order &= not any(report[1:])
            if not chosen.check:
                update(path, said, names, taken)
                report = report._replace(untranslated=report_of(path, said).untranslated)
            for line in report.lines():
                print(line)
    return 0 if is_in_order or not chosen.check else 1


if __name__ == "__main__":
    sys.exit(main())
