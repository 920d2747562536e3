"""The careful path of JSON: an object of queries, each an object of documents with a number, and all that is wrong."""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.gc_pause import without_collector
from scoring.readers.json_text import fault_in_json
from scoring.readers.problems import Problems, decoded
from scoring.readers.ranking.careful import Parse, twice
from scoring.readers.ranking.columns import Name, shown
from scoring.readers.ranking.fast import Take
from scoring.readers.ranking.kinds import Source

_SHOWN = 80


class _Number(str):
    """A number as it is written."""


class _Object(list[tuple[str, Any]]):
    """The pairs of an object, keys that stand twice among them."""


class Objects:
    """All queries of a file, and what is wrong with them."""

    def __init__(self, source: Source, parse: Parse, problems: Problems) -> None:
        self.queries: dict[Name, tuple[list[Name], list[float]]] = {}
        self._parse = parse
        self._problems = problems
        for key, documents in _loaded(source):
            self._read(key, documents)

    def give(self, take: Take) -> None:
        """Give the queries that have a document, as the fast path does."""
        for query, (documents, values) in self.queries.items():
            if documents:
                take(query, documents, np.array(values))

    def _read(self, key: str, documents: Any) -> None:
        query = self._name(key)
        if query is None:
            return
        if query in self.queries:
            self._problems.add(Message("query-twice", "query {query} twice", query=shown(query)))
            return
        of_query: tuple[list[Name], list[float]] = ([], [])
        self.queries[query] = of_query
        if not isinstance(documents, _Object):
            self._problems.add(
                Message(
                    "query-must-object-documents", "query {query}: must be an object of documents", query=shown(query)
                )
            )
            return
        seen: set[Name] = set()
        for name, value in documents:
            document = self._name(name)
            if document is None:
                continue
            if document in seen:
                self._problems.add(twice(query, document))
                continue
            seen.add(document)
            self._add(query, document, value, of_query)

    def _add(self, query: Name, document: Name, value: Any, of_query: tuple[list[Name], list[float]]) -> None:
        place = Message(
            "document-query", "document {document} of query {query}", document=shown(document), query=shown(query)
        )
        if not isinstance(value, _Number):
            self._problems.add(
                Message("not-number", "{place}: {as_json} is not a number", place=place, as_json=_as_json(value))
            )
            return
        number = self._parse(value.encode())
        if isinstance(number, str):
            self._problems.add(Message("placed", "{place}: {problem}", place=place, problem=number))
            return
        of_query[0].append(document)
        of_query[1].append(number)

    def _name(self, key: str) -> Name | None:
        if not key:
            self._problems.add(Message("empty-query-document", "empty query or document"))
            return None
        try:
            return key.encode()
        except UnicodeEncodeError:
            self._problems.add(
                Message("not-utf-half-character", "not UTF-8: {key} has half of a character", key=ascii(key)[:_SHOWN])
            )
            return None


def _loaded(source: Source) -> Iterator[tuple[str, Any]]:
    """Yield the pairs of the outermost object; SubmissionError if the file is no JSON."""
    text = decoded(source.content, source.path)
    try:
        with without_collector():
            pairs = json.loads(
                text, object_pairs_hook=_Object, parse_int=_Number, parse_float=_Number, parse_constant=_Number
            )
    except RecursionError:
        raise SubmissionError(
            Finding(Message("not-json-nested-too-deep", "not JSON: nested too deep"), source.path)
        ) from None
    except json.JSONDecodeError as error:
        raise SubmissionError(
            Finding(
                Message("not-json", "not JSON: {msg}", msg=fault_in_json(error)), source.path, error.lineno, error.colno
            )
        ) from None
    # A file of this kind begins with a brace.
    yield from pairs


def _as_json(value: Any) -> str:
    if isinstance(value, _Object):
        return Message("object", "an object")
    if isinstance(value, list):
        return "a list"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
