"""Rankings as JSON Lines: an object for each query with the list of its documents, as systems of retrieval write them.

    {"task_id": "c1<::>2", "contexts": [{"document_id": "d7", "text": "…", "score": 28.5}, {"document_id": "d2", …}]}

Or all of them in one object, as BioASQ has its questions: {"questions": [{"id": "q1", "documents": ["d7", "d2"]}, …]},
or by their queries: {"q1": ["d7", "d2"], …}.
Such a file becomes the one object of queries and documents that the other readers of JSON know.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.json_text import KeyTwiceError, fast_loads, loads_once
from scoring.readers.problems import decoded
from scoring.readers.whole_json import ROW_NUMBER, as_json_lines

# What others call them; the first that is there counts.
_QUERY = ("query_id", "qid", "task_id", "query", "_id", "id")
_LIST = ("contexts", "documents", "docs", "passages", "results", "ranking", "hits")
_DOCUMENT = ("document_id", "doc_id", "docid", "docno", "corpus_id", "pid", "_id", "id")
_SCORE = ("score", "relevance")
_SHOWN = ", ".join
_FEWEST = 2  # lines that tell JSON Lines
_MOST_KEYS, _LONGEST_KEY = 10, 40  # in a message
# An object whose first value that is no text is a list; its key, which is as long where it is written again.
_IN_ONE_OBJECT = re.compile(rb'\s*+\{\s*+(?:"[^"\\]*+"\s*+:\s*+"[^"\\]*+"\s*+,\s*+)*+("[^"\\\x80-\xff]*+")\s*+:\s*+\[')


def as_object(content: bytes, path: str, *, is_gold: bool = False) -> bytes | None:
    """Return the same rankings as {query: {document: score}}; None where there is no such object first.

    Documents without any score of their list stand in its order, n for the first, then n − 1; in a gold each has 1.

    >>> as_object(b'{"qid": "q1", "docs": [{"id": "a", "score": 2.5}]}\\n{"qid": "q2", "docs": ["b", "c"]}', "run.json")
    b'{"q1": {"a": 2.5},\\n"q2": {"b": 2, "c": 1}}'

    >>> as_object(b'{"q1": ["d7", "d2"], "q2": []}', "run.json")
    b'{"q1": {"d7": 2, "d2": 1},\\n"q2": {}}'

    SubmissionError for a line that cannot be read, with its number.
    """
    lines = _lines(content)
    if not lines or not _is_ranking(_loaded(lines[0][1])):
        if (by_query := _by_query(content)) is not None:
            return _joined(_pairs(query, documents, is_gold=is_gold) for query, documents in by_query)
        # One object of all, whose lines then have one element each.
        name = _IN_ONE_OBJECT.match(content)
        if not name:
            _refuse_other_keys(lines, path)
            return None
        decoded(content, path)
        key = str(json.loads(name[1]))
        # Without {"key": [ in front and ]} behind.
        lines = [
            (number, line[len(name[1]) + 4 : -2])
            for number, line in _lines(as_json_lines(content, path, ROW_NUMBER, "", key))
        ]
        if not lines or not _is_ranking(_loaded(lines[0][1])):
            return None
    decoded(content, path)
    pieces = []
    for number, line in lines:
        try:
            pieces.append(_query(_once(line), is_gold=is_gold))
        except ValueError as error:
            raise SubmissionError(Finding(error.args[0], path, number)) from None
    return _joined(pieces)


def _refuse_other_keys(lines: list[tuple[int, bytes]], path: str) -> None:
    """Raise SubmissionError where the first lines are objects that are no rankings."""
    objects = [value for _, line in lines[:_FEWEST] if isinstance(value := _loaded(line), dict)]
    if len(objects) == _FEWEST:
        message = Message(
            "no-ranking-in-object",
            "each line is an object with {listed}; expected is one for each query, such as {example}",
            listed=_SHOWN([repr(key[:_LONGEST_KEY]) for key in [*objects[0]][:_MOST_KEYS]]),
            example='{"query_id": "…", "documents": [{"document_id": "…", "score": 1.5}]}',
        )
        raise SubmissionError(Finding(message, path, lines[0][0]))


def _by_query(content: bytes) -> list[tuple[str, list[Any]]] | None:
    """Return the queries of one object and their lists of names; None of anything else."""
    if not _IN_ONE_OBJECT.match(content):
        return None
    try:
        pairs = json.loads(content, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError):
        return None
    is_listed = isinstance(pairs, _Pairs) and all(
        isinstance(documents, list)
        and not isinstance(documents, _Pairs)
        and all(isinstance(name, str | int) and not isinstance(name, bool) for name in documents)
        for _, documents in pairs
    )
    return pairs if is_listed else None


class _Pairs(list[tuple[str, Any]]):
    """The pairs of an object, keys that stand twice among them."""


def _joined(pieces: Iterable[str]) -> bytes:
    return ("{" + ",\n".join(pieces) + "}").encode()


def _lines(content: bytes) -> list[tuple[int, bytes]]:
    return [(number, line) for number, line in enumerate(content.split(b"\n"), start=1) if line.strip()]


def _loaded(line: bytes) -> Any:
    """Return the value of a line; None where it is no JSON, or holds what the fast parser does not take."""
    try:
        return fast_loads(line) if fast_loads else json.loads(line)
    except (ValueError, RecursionError):
        return None


def _once(line: bytes) -> Any:
    """Return the value of a line, None where it is no JSON; KeyTwiceError where a key stands twice."""
    try:
        return loads_once(line)
    except KeyTwiceError:
        raise
    except (ValueError, RecursionError):
        return None


def _is_ranking(value: Any) -> bool:
    return isinstance(value, dict) and bool(_named(value, _QUERY)) and isinstance(value.get(_named(value, _LIST)), list)


def _named(value: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((name for name in names if name in value), "")


def _query(value: Any, *, is_gold: bool) -> str:
    if not isinstance(value, dict):
        raise ValueError(Message("not-json-every-line", "not JSON: every line must be one JSON object"))
    query, documents = value.get(_named(value, _QUERY)), value.get(_named(value, _LIST))
    if isinstance(query, bool) or not isinstance(query, str | int):
        raise ValueError(
            Message(
                "no-query-one-must", "no query: one of {shown} must be a string or an integer", shown=_SHOWN(_QUERY)
            )
        )
    if not isinstance(documents, list):
        raise ValueError(
            Message("no-documents-one-must", "no documents: one of {shown} must be a list", shown=_SHOWN(_LIST))
        )
    return _pairs(str(query), documents, is_gold=is_gold)


def _pairs(query: str, documents: list[Any], *, is_gold: bool) -> str:
    pairs = ", ".join(f"{_text(name)}: {json.dumps(score)}" for name, score in _documents(documents, is_gold=is_gold))
    return f"{_text(query)}: {{{pairs}}}"


def _documents(documents: list[Any], *, is_gold: bool) -> Iterator[tuple[str, Any]]:
    has_scores = any(isinstance(document, dict) and _named(document, _SCORE) for document in documents)
    for place, document in enumerate(documents):
        name = document.get(_named(document, _DOCUMENT)) if isinstance(document, dict) else document
        if isinstance(name, bool) or not isinstance(name, str | int):
            raise ValueError(
                Message(
                    "document-one-must-string",
                    "document {place}: one of {shown} must be a string or an integer",
                    place=place + 1,
                    shown=_SHOWN(_DOCUMENT),
                )
            )
        if not has_scores:
            yield str(name), 1 if is_gold else len(documents) - place
        elif isinstance(document, dict) and (key := _named(document, _SCORE)):
            yield str(name), document[key]
        else:
            raise ValueError(
                Message(
                    "document-no-score-others",
                    "document {place} has no score, and others of this query have one",
                    place=place + 1,
                )
            )


def _text(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)
