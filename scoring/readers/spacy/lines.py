"""Lines of text with their numbers, and documents made of such lines."""

import codecs
from collections.abc import Iterator
from dataclasses import replace

from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers import blank_lines
from scoring.readers.problems import ProblemCollector, not_decoded
from scoring.readers.spacy.documents import Document
from scoring.readers.spacy.documents.building import Builder


def numbered_lines(content: bytes, file: str, problems: ProblemCollector) -> Iterator[tuple[int, str]]:
    """Yield the number of each line, from 1, and its text without its end; one that is not UTF-8 is a problem."""
    for number, line in blank_lines.numbered_lines(content.removeprefix(codecs.BOM_UTF8)):
        try:
            yield number, line.removesuffix(b"\r").decode()
        except UnicodeDecodeError as error:
            problems.append(replace(not_decoded(error, file), line=number))


def enter(document: Document, line: int, file: str, builder: Builder) -> list[Finding]:
    """Enter a document in its regular form; the one problem that it can have is that its id is there already."""
    if document["id"] in builder.seen:
        first = builder.seen[document["id"]][1]
        return [
            Finding(
                Message(
                    "duplicate-id-first-on",
                    "duplicate id {name!r} (first on line {first})",
                    name=document["id"],
                    first=first,
                ),
                file,
                line,
            )
        ]
    builder.add(document, line, file)
    return []
