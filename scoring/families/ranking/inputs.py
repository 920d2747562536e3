"""Makes files of what participants are given, the queries, and tells by these which input an upload is for.

Nothing here looks at documents or grades of the gold, but for the perfect run.
"""

import json
from typing import Any

import numpy as np

from scoring import lazy
from scoring.errors import SubmissionError
from scoring.families.ranking.writing import written
from scoring.family import Files, Options, Side
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import only_lines
from scoring.readers.ranking import Name, queries_of, read_gold, top_of

_PLACEHOLDER = b"document"
_NOT_JUDGED = -1


def gold_as_submission(files: Files, options: Options) -> dict[str, bytes]:
    """Rank the gold's documents by falling grade: the best run there can be, as far as it was judged."""
    gold = read_gold(files, options)
    rankings: dict[Name, list[Name]] = {}
    for k, query in enumerate(gold.queries):
        start, stop = int(gold.starts[k]), int(gold.starts[k + 1])
        order = np.argsort(-gold.grades[start:stop], kind="stable")[: options["depth"]]
        rankings[query] = [gold.documents[start + place] for place in order.tolist()]
    return written(rankings, "gold", options)


def sample(files: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold: for every query one document, which the collection lacks."""
    return written({query: [_PLACEHOLDER] for query in read_gold(files, options).queries}, "sample", options)


def inputs(files: Files, options: Options) -> dict[str, bytes]:
    """Write the names of the queries, a line each; as JSON where one of them does not fit into a line."""
    names = [query.decode() for query in read_gold(files, options).queries]
    if all(name == name.strip() and name.isprintable() and not name.startswith(("#", "{")) for name in names):
        return {"queries.txt": "".join(f"{name}\n" for name in names).encode()}
    return {"queries.json": json.dumps(dict.fromkeys(names, {}), ensure_ascii=False).encode()}


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """Return the queries without any judgement.

    They come from a file with a query in the first column of each line, or from JSON.
    """
    path, lines = only_lines(given)
    names = _keys(lines) if lines and lines[0].lstrip().startswith("{") else _first_columns(lines)
    if not names:
        raise SubmissionError(Finding(Message("no-query", "no query"), path))
    # Nothing that is in no pool is a judgement, so a document stands there that nobody has judged.
    blank = {name: {_PLACEHOLDER.decode(): _NOT_JUDGED} for name in names}
    return {"queries.json": json.dumps(blank, ensure_ascii=False).encode()}


def answers(gold: Files, run: Files, depth: int, options: Options) -> list[tuple[str, str]]:
    """Return the first documents of each query that the gold has; of snippets none, as they are spans of texts."""
    if options.get("items") == "snippets":
        return []
    queries = set(read_gold(gold, options).queries)
    tops = top_of(run, depth, options)
    return [
        (query.decode(), document.decode())
        for query, documents in tops.items()
        if query in queries
        for document in documents
    ]


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the names of the queries."""
    if options.get("items") == "snippets":
        names: set[str] = lazy.load("scoring.families.ranking.snippets.files", "input_keys")(files)
        return names
    queries = read_gold(files, options).queries if side == "gold" else queries_of(files)
    return {query.decode() for query in queries}


def _first_columns(lines: list[str]) -> list[str]:
    """Return what stands before the first tab of each line that is no comment; a topic's words may follow."""
    columns = (line.partition("\t")[0].strip() for line in lines if not line.lstrip().startswith("#"))
    return [name for name in dict.fromkeys(columns) if name]


def _keys(lines: list[str]) -> list[str]:
    try:
        value: Any = json.loads("\n".join(lines))
    except (ValueError, RecursionError):
        return []
    return [name for name in value if name]
