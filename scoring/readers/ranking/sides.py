"""Both sides of an evaluation: the judgements, and a run read beside them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scoring.columns import Floats, Integers, starts_from_sizes
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import Problems, raise_all
from scoring.readers.ranking import careful, fast
from scoring.readers.ranking.careful import Lines
from scoring.readers.ranking.columns import Judgements, Name, Run, shown
from scoring.readers.ranking.fast import Irregular, Scattered, Take
from scoring.readers.ranking.fast_objects import read_objects
from scoring.readers.ranking.kinds import Source, source_of
from scoring.readers.ranking.objects import Objects
from scoring.readers.ranking.ordering import ordered
from scoring.readers.ranking.reducing import Reducer, adjusting
from scoring.spelling.respelling import respelling


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any] | None = None) -> Judgements:
    """Read the judgements; SubmissionError with all problems, or if there is none.

    >>> gold = read_gold({"qrels.txt": b"q2 0 a 1\\nq1 0 b -1\\nq2 0 c 0\\n"})
    >>> gold.queries, gold.starts, gold.documents, gold.grades
    ([b'q1', b'q2'], array([0, 1, 3]), [b'b', b'a', b'c'], array([-1,  1,  0]))
    """
    source = source_of(files, is_gold=True)
    taking = _Judged()
    if not _read_fast(source, fast.TREC_GOLD, fast.grades, taking.take, taking.start):
        taking.start()
        _read_carefully(source, fast.TREC_GOLD, careful.relevance, taking.take)
    if not taking.judged:
        raise SubmissionError(Finding(Message("no-judgement", "no judgement"), source.path))
    # Names of queries are stored with results, and a database may refuse this character.
    raise_all(
        Finding(Message("query-nul-character", "query {query} has a NUL character", query=shown(query)), source.path)
        for query in taking.judged
        if b"\0" in query
    )
    return taking.judgements(source.path)


def read_system(files: Mapping[str, bytes], gold: Judgements, options: Mapping[str, Any]) -> Run:
    """Read the run, beside the gold; SubmissionError with all problems.

    >>> gold = read_gold({"qrels.txt": b"q1 0 a 1\\nq1 0 b 0\\n"})
    >>> options = {"order": "score", "precision": "double", "depth": None, "over_depth": "refuse", "unknown": "warn"}
    >>> run = read_system({"run.txt": b"q1 Q0 a 1 2.5 x\\nq1 Q0 c 2 3.5 x\\nq9 Q0 a 1 1 x\\n"}, gold, options)
    >>> run.queries, run.n_documents, run.unit, run.rank, run.grade
    ([b'q1', b'q9'], array([2, 1]), array([0]), array([2]), array([1]))
    """
    source = source_of(files)
    reducer = Reducer(gold, options, source.kind)
    if _read_fast(source, fast.TREC_RUN, fast.scores, reducer.take, reducer.start):
        run = reducer.run(source.path)
    else:
        reducer.start()
        lines = _read_carefully(source, fast.TREC_RUN, careful.score, reducer.take)
        run = reducer.run(source.path)
        if lines:
            run = replace(run, n_wide=lines.n_wide, wide=lines.wide)
    raise_all(_problems_of(run, gold, options, [] if run.queries else _named(source)))
    return run


def ranking_of(files: Mapping[str, bytes], query: Name, options: Mapping[str, Any]) -> list[tuple[Name, float]]:
    """Return all documents of one query of a run with their scores, the best first; none if the run lacks it.

    Scores are those that order: of ranks, less the rank. SubmissionError with all problems of the lines.
    """
    return _rankings(files, options, lambda name: name == query).get(query, [])


def top_of(files: Mapping[str, bytes], depth: int, options: Mapping[str, Any]) -> dict[Name, list[Name]]:
    """Return the first documents of each query of a run, the best first; SubmissionError as above.

    >>> options = {"order": "score", "precision": "double"}
    >>> top_of({"run.txt": b"q1 Q0 a 1 2.5 x\\nq1 Q0 c 2 3.5 x\\nq2 Q0 a 1 1 x\\n"}, 1, options)
    {b'q1': [b'c'], b'q2': [b'a']}
    """
    rankings = _rankings(files, options, lambda name: True)
    return {query: [document for document, _ in ranking[:depth]] for query, ranking in rankings.items()}


def _rankings(
    files: Mapping[str, bytes], options: Mapping[str, Any], is_wanted: Callable[[Name], bool]
) -> dict[Name, list[tuple[Name, float]]]:
    source = source_of(files)
    rankings: dict[Name, tuple[list[Name], Floats]] = {}

    def take(name: Name, documents: list[Name], values: Floats) -> None:
        if len(set(documents)) < len(documents):
            raise Irregular
        if is_wanted(name):
            rankings[name] = documents, values

    if not _read_fast(source, fast.TREC_RUN, fast.scores, take, rankings.clear):
        rankings.clear()
        _read_carefully(source, fast.TREC_RUN, careful.score, take)
    adjust = adjusting(options, source.kind)
    in_order = {}
    for name, (documents, values) in rankings.items():
        scores = adjust(values)
        in_order[name] = [(documents[k], float(scores[k])) for k in ordered(documents, scores)]
    return in_order


def queries_of(files: Mapping[str, bytes]) -> list[Name]:
    """Return the queries of a run that have a document; SubmissionError with all problems of the lines."""
    source = source_of(files)
    n_documents: dict[Name, int] = {}

    def take(name: Name, documents: list[Name], values: Floats) -> None:
        n_documents[name] = len(documents)

    if not _read_fast(source, fast.TREC_RUN, fast.scores, take, n_documents.clear):
        n_documents.clear()
        _read_carefully(source, fast.TREC_RUN, careful.score, take)
    return list(n_documents)


class _Judged:
    """Takes the queries of a gold one by one."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        self.judged: dict[Name, tuple[list[Name], Integers]] = {}

    def take(self, query: Name, documents: list[Name], values: Floats) -> None:
        if len(set(documents)) < len(documents):
            raise Irregular
        self.judged[query] = documents, values.astype(np.int64)

    def judgements(self, path: str) -> Judgements:
        queries = sorted(self.judged)
        columns = [self.judged[query] for query in queries]
        return Judgements(
            paths=[path],
            queries=queries,
            starts=starts_from_sizes([len(documents) for documents, _ in columns]),
            documents=[document for documents, _ in columns for document in documents],
            grades=np.concatenate([grades for _, grades in columns]),
        )


def _read_fast(source: Source, lines: fast.Shape, values: fast.Values, take: Take, start_again: Any) -> bool:
    """Return whether the fast path took the file."""
    shape = lines if source.kind == "trec" else fast.TABS
    try:
        if source.kind == "json":
            read_objects(source, take, are_grades=lines is fast.TREC_GOLD)
            return True
        try:
            fast.read(source, shape, values, take)
        except Scattered:
            start_again()
            fast.read(source, shape, values, take, scattered=True)
    except Irregular:
        return False
    return True


def _read_carefully(source: Source, lines: fast.Shape, parse: careful.Parse, take: Take) -> Lines | None:
    """Read the lines, and return them if it is a file of lines; SubmissionError with all that is wrong with them."""
    problems = Problems(source.path)
    if source.kind == "json":
        objects = Objects(source, parse, problems)
        problems.raise_all()
        objects.give(take)
        return None
    read = Lines(source, lines if source.kind == "trec" else fast.TABS, parse, problems)
    problems.raise_all()
    read.give(take)
    return read


def _named(source: Source) -> list[Name]:
    """Return the queries that a run without any document names, as JSON can."""
    return [name.encode() for name in json.loads(source.content[source.start :])] if source.kind == "json" else []


def _problems_of(
    run: Run, gold: Judgements, options: Mapping[str, Any], without_documents: Sequence[Name]
) -> Iterator[Finding]:
    """Return what only the whole run can tell; of one without documents the queries that it names are given."""
    if not gold.index_of.keys().isdisjoint(without_documents):
        return  # it answers queries with nothing, which is worth 0
    if not run.queries and not without_documents:
        yield Finding(Message("run-empty", "the run is empty"), run.path)
        return
    named = run.queries or without_documents
    unknown = [query for query in named if query not in gold.index_of]
    if len(unknown) == len(named):
        nothing = Message("no-query-run-gold", "no query of the run is in the gold")
        [of_run, *_], others = ([shown(name).strip("'") for name in names] for names in (unknown, gold.queries))
        respelt = respelling([shown(name).strip("'") for name in unknown], others)
        yield Finding(respelt.explain(of_run, nothing), run.path)
        return
    most = options["depth"]
    if most is not None and options["over_depth"] == "refuse":
        for k in np.flatnonzero(run.n_documents > most).tolist():
            yield Finding(
                Message(
                    "query-documents-most-allowed",
                    "query {querie} has {n_document} documents, at most {most} are allowed",
                    querie=shown(run.queries[k]),
                    n_document=run.n_documents[k],
                    most=most,
                ),
                run.path,
            )
    if options["unknown"] == "refuse":
        for query in unknown:
            yield Finding(Message("query-not-gold", "query {query} is not in the gold", query=shown(query)), run.path)
