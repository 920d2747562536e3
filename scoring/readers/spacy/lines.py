"""Lines of text with their numbers, and documents made of such lines."""

import codecs
from collections.abc import Iterator

from scoring.errors import Problem
from scoring.readers.spacy.documents.building import Builder
from scoring.readers.spacy.documents.chunks import Document


def numbered_lines(content: bytes, file: str, problems: list[Problem]) -> Iterator[tuple[int, str]]:
    """The lines without their ends; one that is not UTF-8 becomes a problem."""
    for number, line in enumerate(content.removeprefix(codecs.BOM_UTF8).split(b"\n"), start=1):
        try:
            yield number, line.removesuffix(b"\r").decode()
        except UnicodeDecodeError:
            problems.append(Problem("not UTF-8", file, number))


def enter(document: Document, line: int, file: str, builder: Builder) -> list[Problem]:
    """Enters a document whose lists are known to be right; only its id may be there already."""
    if document["id"] in builder.seen:
        first = builder.seen[document["id"]][1]
        return [Problem(f"duplicate id {document['id']!r} (first on line {first})", file, line)]
    builder.add([document], [line], file)
    return []
