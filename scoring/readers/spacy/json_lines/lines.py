"""The lines of a JSON Lines file entered as documents; everything that is wrong with them is collected.

`documents/careful.py` looks at the usual shape of documents; to_json.py and offsets.py read the others.
"""

from dataclasses import replace

from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.blank_lines import numbered_lines
from scoring.readers.gc_pause import without_collector
from scoring.readers.problems import ProblemCollector
from scoring.readers.spacy.documents import Document, Documents
from scoring.readers.spacy.documents.building import Builder
from scoring.readers.spacy.documents.careful import (
    ARE_EXCHANGED,
    HAVE_LENGTHS,
    have_lengths,
    id_of,
    regular_form,
    unknown_keys,
)
from scoring.readers.spacy.json_lines.offsets import GoldTexts, OnTokens, from_offsets
from scoring.readers.spacy.json_lines.parsing import BadLineError, loads
from scoring.readers.spacy.json_lines.to_json import NO_TOKENS, from_to_json, is_to_json


def read(content: bytes, file: str, builder: Builder, gold: Documents | None = None) -> ProblemCollector:
    """Enter all documents that are in order, and say what is wrong with the others.

    With the `gold`, documents of a system may do without tokens and have theirs.
    """
    reader = _Reader(file, builder, gold)
    with without_collector():
        for number, line in numbered_lines(content):
            reader.read(number, line)
    return _alike(reader.problems)


def _alike(problems: ProblemCollector) -> ProblemCollector:
    """Return the problems, with lengths in the place of ends wherever one document tells that they are."""
    if all(problem.kind != HAVE_LENGTHS for problem in problems):
        return problems
    alike = ProblemCollector()
    for problem in problems:
        values = problem.message.values if isinstance(problem.message, Message) else {}
        is_turned = problem.kind == ARE_EXCHANGED
        alike.append(replace(problem, message=have_lengths(**values), kind="") if is_turned else problem)
    return alike


class _Reader:
    """Enters the lines of one file."""

    def __init__(self, file: str, builder: Builder, gold: Documents | None) -> None:
        self.problems = ProblemCollector()
        self._file = file
        self._builder = builder
        self._gold = gold
        self._texts = GoldTexts(gold) if gold is not None else None
        # The index of each document of the gold by its id; made when it is first needed.
        self._gold_indices: dict[str, int] | None = None

    def read(self, number: int, line: bytes) -> None:
        """Enter a line if it is in order, or collect its problems; a blank line is passed over."""
        if not line or line.isspace():
            return
        try:
            raw = loads(line)
        except BadLineError as error:
            self.problems.append(Finding(error.args[0], self._file, number, error.column))
        else:
            self.problems += [Finding(message, self._file, number) for message in self._enter(raw, number)]

    def _enter(self, raw: object, number: int) -> list[str]:
        """Enter a value if it is a document that is in order; otherwise say what is wrong."""
        if not isinstance(raw, dict):
            return [Message("line-must-json-object", "a line must be a JSON object")]
        identifier = id_of(raw)
        if identifier is None:
            return [Message("no-id", 'no "id"')]
        if identifier in self._builder.seen:
            file, first = self._builder.seen[identifier]
            where = (
                Message("first-line", "line {first}", first=first)
                if file == self._file
                else Message("file-first-line", "{file}, line {first}", file=file, first=first)
            )
            return [
                Message(
                    "duplicate-id-at",
                    "duplicate id {identifier!r} (first on {where})",
                    identifier=identifier,
                    where=where,
                )
            ]
        if identifier in self._builder.refused:
            # Not read again: each reading of a short line may take as long as its document in the gold is.
            return [
                Message(
                    "duplicate-id-earlier-line",
                    "duplicate id {identifier!r} (an earlier line with it has problems)",
                    identifier=identifier,
                )
            ]
        on_tokens, problems = self._on_tokens(raw, identifier)
        if not problems:
            document, problems = regular_form(on_tokens.document)
        if problems:
            self._builder.refused.add(identifier)
            return problems
        self._builder.add(document, number, self._file)
        for key, start, end, label in on_tokens.off_boundary:
            self._builder.add_off_boundary(key, start, end, label)
        return []

    def _on_tokens(self, raw: Document, identifier: str) -> tuple[OnTokens, list[str]]:
        """Return the document with the keys and offsets of the format, whatever shape it has, and problems."""
        if is_to_json(raw):
            return from_to_json(raw)
        problems = unknown_keys(raw)
        if raw.get("words") is not None:
            return OnTokens(raw), problems
        if raw.get("tokens") is not None:
            return OnTokens({}), [*problems, NO_TOKENS]
        on_tokens, more = from_offsets(raw, self._texts, self._gold_index(identifier))
        return on_tokens, problems + more

    def _gold_index(self, identifier: str) -> int | None:
        if self._gold is None:
            return None
        if self._gold_indices is None:
            self._gold_indices = {name: k for k, name in enumerate(self._gold.ids)}
        return self._gold_indices.get(identifier)
