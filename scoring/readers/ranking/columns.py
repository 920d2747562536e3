"""Tells what is left of the files: judgements as columns, and of a run the ranks of its judged documents.

Names of queries and documents are kept as bytes, since they are compared and sorted as such.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from scoring.columns import Integers

Name = bytes  # of a query or a document, in UTF-8


@dataclass(frozen=True)
class Judgements:
    """The queries that have a judgement, in order of their bytes, and their judgements one query after the other."""

    paths: list[str]  # the path of the one file
    queries: list[Name]  # (q,) each once
    starts: Integers  # (q + 1,) the judgements of query i are those from starts[i] up to starts[i + 1]
    documents: list[Name]  # (j,)
    grades: Integers  # (j,) below 0: in the pool, and not judged

    @cached_property
    def index_of(self) -> dict[Name, int]:
        """Return {query: its index in `queries`}."""
        return {query: i for i, query in enumerate(self.queries)}

    def judged(self, unit: int) -> dict[Name, int]:
        """Return {document: grade} of a query, an index into `queries`; grades below 0 among them."""
        start, stop = self.starts[unit : unit + 2].tolist()
        return dict(zip(self.documents[start:stop], self.grades[start:stop].tolist(), strict=True))


@dataclass(frozen=True)
class Run:
    """Holds how many documents a run has for each query, and where the judged ones stand.

    What else the run has moves judged documents down and is not kept: a run of a million lines leaves as much as its
    judgements do.
    """

    path: str
    queries: list[Name]  # (r,) those with a document, in order of their bytes
    n_documents: Integers  # (r,) the whole length of each ranking
    unit: Integers  # (h,) index into the queries of the gold, rising
    rank: Integers  # (h,) of a document with a grade from 0 on, from 1, rising within a query
    grade: Integers  # (h,)
    n_flat: int = 0  # queries of the gold with several documents, all of the same score
    n_wide: int = 0  # lines with more columns than a run has
    wide: Sequence[int] = ()  # numbers of the first of these lines


def shown(name: Name) -> str:
    """Return a name as messages quote it; long ones are cut.

    >>> shown(b"q1"), shown("h\u00e9".encode()), len(shown(b"x" * 1000))
    ("'q1'", "'hé'", 83)
    """
    text = name.decode(errors="replace")
    return repr(text) if len(text) <= _SHOWN else repr(text[:_SHOWN] + "…")


_SHOWN = 80
