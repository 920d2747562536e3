"""Rankings written as a file of a run: TREC's columns where names allow it, else JSON."""

import json
from collections.abc import Mapping, Sequence

from scoring.family import Options
from scoring.readers.ranking import Name

_BLANKS = b" \t\v\f\r\n"


def written(rankings: Mapping[Name, Sequence[Name]], tag: str, options: Options) -> dict[str, bytes]:
    """Write {name of the file: content}; documents stand in their order, and scores fall from first to last.

    >>> print(written({b"q1": [b"a", b"b"]}, "ours", {})["run.txt"].decode(), end="")
    q1 Q0 a 1 2 ours
    q1 Q0 b 2 1 ours
    """
    if all(map(_fits, rankings)) and all(_fits(document) for documents in rankings.values() for document in documents):
        lines = [
            b"%b Q0 %b %d %d %b\n" % (query, document, rank, len(documents) + 1 - rank, tag.encode())
            for query, documents in rankings.items()
            for rank, document in enumerate(documents, start=1)
        ]
        return {"run.txt": b"".join(lines)}
    is_rank = options["order"] == "rank"
    rankings_written = {
        query.decode(): {
            document.decode(): rank if is_rank else len(documents) + 1 - rank
            for rank, document in enumerate(documents, start=1)
        }
        for query, documents in rankings.items()
    }
    return {"run.json": json.dumps(rankings_written, ensure_ascii=False).encode()}


def _fits(name: Name) -> bool:
    """Return whether a name can stand in a column, also in the first one."""
    return name[:1] not in (b"#", b"{", b"\xef") and not any(blank in name for blank in _BLANKS)
