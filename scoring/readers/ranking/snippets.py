"""The snippets of BioASQ's JSON: for each question stretches of texts, the best first.

    {"questions": [{"id": "q1", "snippets": [{"document": "http://www.ncbi.nlm.nih.gov/pubmed/123",
                                              "beginSection": "abstract", "offsetInBeginSection": 10,
                                              "endSection": "abstract", "offsetInEndSection": 57}]}]}

A snippet holds the characters of both offsets. Of one list those that overlap are one, at the first one's place.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from scoring.messages import Message
from scoring.readers.problems import Problems, only_file
from scoring.readers.qac.bioasq import questions_of
from scoring.readers.qac.squad import strict_json

# What a snippet stands in: its document, by the last part of the address, and the sections of both ends.
Stretch = tuple[str, str, str]
_ABSTRACT = "abstract"


@dataclass(frozen=True)
class Snippet:
    """Characters of a section, both ends included."""

    stretch: Stretch
    start: int
    end: int

    @property
    def size(self) -> int:
        """Return how many characters it has."""
        return self.end - self.start + 1

    def __str__(self) -> str:
        document, begin, end = self.stretch
        section = begin if begin == end else f"{begin}–{end}"
        return f"{document} {section} {self.start}–{self.end}"


@dataclass(frozen=True)
class Snippets:
    """One side: the snippets of each question, merged where they overlap."""

    path: str
    questions: dict[str, list[Snippet]]
    n_cut: int = 0  # snippets beyond the depth

    @cached_property
    def paths(self) -> list[str]:
        """Return the files that were read."""
        return [self.path]


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Snippets:
    """Read the questions of the gold, in the order of their ids; SubmissionError with all problems, or without any."""
    problems = Problems(only_file(files))
    by_question = _read(files, problems)
    if not problems and not any(by_question.values()):
        problems.add(Message("no-snippet", "no question has a snippet"))
    problems.raise_all()
    return Snippets(only_file(files), {name: merged(by_question[name]) for name in sorted(by_question)})


def read_system(files: Mapping[str, bytes], gold: Snippets, options: Mapping[str, Any]) -> Snippets:
    """Read a run; SubmissionError with all problems."""
    problems = Problems(only_file(files))
    by_question = _read(files, problems)
    depth, n_cut = options["depth"], 0
    for name, of_question in by_question.items():
        if options["unknown"] == "refuse" and name not in gold.questions:
            problems.add(Message("query-not-gold", "query {query} is not in the gold", query=repr(name)))
        if depth is not None and len(of_question) > depth and options["over_depth"] == "refuse":
            problems.add(
                Message(
                    "snippets-most-allowed",
                    "question {question} has {n} snippets, at most {most} are allowed",
                    question=repr(name),
                    n=len(of_question),
                    most=depth,
                )
            )
        n_cut += len(of_question) - len(of_question[:depth])
    if not problems and not by_question.keys() & gold.questions.keys():
        problems.add(Message("no-query-run-gold", "no query of the run is in the gold"))
    problems.raise_all()
    return Snippets(
        only_file(files), {name: merged(of_question[:depth]) for name, of_question in by_question.items()}, n_cut
    )


def merged(snippets: Sequence[Snippet]) -> list[Snippet]:
    """Return the snippets with those that overlap as one, at the place of the first of them.

    >>> one = ("123", "title", "title")
    >>> [str(each) for each in merged([Snippet(one, 9, 12), Snippet(one, 0, 4), Snippet(one, 4, 9)])]
    ['123 title 0–12']
    """
    by_stretch: defaultdict[Stretch, list[tuple[int, int, int]]] = defaultdict(list)
    for place, snippet_there in enumerate(snippets):
        by_stretch[snippet_there.stretch].append((snippet_there.start, snippet_there.end, place))
    stretches: list[tuple[int, Snippet]] = []
    for stretch, of_stretch in by_stretch.items():
        last: tuple[int, Snippet] | None = None
        for start, end, place in sorted(of_stretch):
            if last and start <= last[1].end:
                last = min(last[0], place), replace(last[1], end=max(last[1].end, end))
                stretches[-1] = last
            else:
                last = place, Snippet(stretch, start, end)
                stretches.append(last)
    return [snippet for _, snippet in sorted(stretches, key=lambda snippet_there: snippet_there[0])]


def _read(files: Mapping[str, bytes], problems: Problems) -> dict[str, list[Snippet]]:
    path = only_file(files)
    return {
        question["id"]: list(_snippets(question.get("snippets"), place, problems))
        for place, question in questions_of(strict_json(files[path], path), problems)
    }


def _snippets(given: Any, place: str, problems: Problems) -> Iterator[Snippet]:
    if given is None:
        return
    if not isinstance(given, list):
        problems.add(Message("snippets-list", '{place}: "snippets" must be a list', place=place))
        return
    for number, value in enumerate(given):
        snippet = _snippet(value) if isinstance(value, dict) else None
        if snippet:
            yield snippet
        else:
            problems.add(
                Message(
                    "snippet-form",
                    '{place}: expected the texts "document", "beginSection" and "endSection", and the integers '
                    '"offsetInBeginSection" from 0 and "offsetInEndSection", which is no less',
                    place=f"{place}.snippets[{number}]",
                )
            )


def _snippet(given: Mapping[str, Any]) -> Snippet | None:
    """Return the snippet of an object; None where it is none."""
    document, *sections = (given.get(key) for key in ("document", "beginSection", "endSection"))
    start, end = (given.get(key) for key in ("offsetInBeginSection", "offsetInEndSection"))
    texts = [document, *sections]
    if not all(isinstance(text, str) and text for text in texts) or type(start) is not int or type(end) is not int:
        return None
    if not 0 <= start <= end < 2**31:
        return None
    begin, stop = (_section(str(text)) for text in sections)
    return Snippet((str(document).rstrip("/").rpartition("/")[2], begin, stop), start, end)


def _section(name: str) -> str:
    """Return the name as it is today.

    >>> _section("sections.0"), _section("title")
    ('abstract', 'title')
    """
    section = name.partition(".")[2] or name
    return _ABSTRACT if section == "0" else section
