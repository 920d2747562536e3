r"""The files of TREC's question answering track: patterns with their documents, and ranked answers.

    1402 (in )?1862                                 gold: question and regular expression
    66.1 Tsu( City)?<TAB>NYT19990326.0303           the same with the documents that support it
    66.1 run-A NYT19990326.0303 Tsu City            a run, from 2002 on: question, run, document, answer
    66.1 Q0 NYT19990326.0303 1 0.9 run-A Tsu        a run, before: with rank and score

Questions of 2004 and later belong to a target, 66 here. NIL for a document says that there is no answer. Described on
https://trec.nist.gov/data/qa.html, in the guidelines and in the READMEs of the patterns.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from scoring.columns import starts_from_sizes
from scoring.errors import SubmissionError
from scoring.messages import Message
from scoring.readers.blank_lines import numbered_lines
from scoring.readers.problems import Problems
from scoring.readers.qac.answer_set import AnswerSet
from scoring.readers.qac.run import Run
from scoring.readers.qac.text import is_skipped, read_text

NIL = "NIL"
_RANKED = "Q0"
# As NYT19990326.0303, AP880212-0001 and FT911-3: capitals, a sign, and four digits at least, unlike DC-10.
_DOCUMENT = re.compile(r"(?=(?:[^0-9]*[0-9]){4})[A-Z]{2,}[A-Z0-9]*[-.][A-Z0-9.-]*[0-9]")
_WORD = re.compile(r"\S+")
_RANK = re.compile(r"[0-9]{1,9}")


def read_patterns(files: Mapping[str, bytes], encoding: str) -> AnswerSet:
    r"""Read the patterns in the only file, a further line for each document; SubmissionError with all problems.

    >>> gold = read_patterns({"gold.txt": b"66.1 Tsu( City)?\tNYT19990326.0303 APW20000908.0100\n66.2 NIL\n"}, "utf-8")
    >>> gold.ids, gold.series, gold.answers, gold.articles[0]
    (['66.1', '66.2'], ['66', '66'], ['Tsu( City)?', 'Tsu( City)?'], 'NYT19990326.0303')
    """
    path, text = read_text(files, encoding)
    problems = Problems(path)
    lines_of: dict[str, int] = {}  # {question: how many patterns it has}
    nil: dict[str, int] = {}  # {question without answer: line}
    rows: list[tuple[str, int, str, str]] = []
    for number, line in numbered_lines(text):
        if is_skipped(line):
            continue
        question, _, rest = line.strip().replace("\t", " ", 1).partition(" ")
        rest = rest.strip()
        if rest in ("", NIL):
            nil.setdefault(question, number)
            continue
        pattern, documents = _parts(rest)
        lines_of[question] = lines_of.get(question, 0) + 1
        rows += [(question, lines_of[question], pattern, document) for document in documents or [""]]
    for question in nil.keys() & lines_of.keys():
        problems.add(
            Message(
                "question-marked-having-no-answer",
                "question {question} is marked as having no answer and has patterns",
                question=question,
            ),
            nil[question],
        )
    ids = sorted({*nil, *lines_of})
    if not ids:
        problems.add(
            Message("no-question-file-nothing", "no question: the file has nothing but comments and blank lines")
        )
    problems.raise_all()
    index = {question: i for i, question in enumerate(ids)}
    return AnswerSet(
        paths=[path],
        ids=ids,
        question=np.array([index[question] for question, *_ in rows], dtype=np.int64),
        numbers=np.array([number for _, number, *_ in rows], dtype=np.int64),
        answers=[pattern for _, _, pattern, _ in rows],
        articles=[document for *_, document in rows],
        texts={},
        series=[target_of(question) for question in ids],
    )


def target_of(question: str) -> str:
    """Return what the questions of a series ask about: 66 of 66.1, and the question itself where it has no point."""
    return question.rpartition(".")[0] or question


def _parts(rest: str) -> tuple[str, list[str]]:
    """Return a pattern and its documents, which stand behind a tab, or are the last words that look like documents.

    >>> _parts("DC-10( jet)? NYT19990326.0303"), _parts("two  words")
    (('DC-10( jet)?', ['NYT19990326.0303']), ('two  words', []))
    """
    pattern, tab, documents = rest.partition("\t")
    if tab:
        return pattern.strip(), documents.split()
    words = [*_WORD.finditer(rest)]
    n = len(words)
    while n > 1 and _DOCUMENT.fullmatch(words[n - 1][0]):
        n -= 1
    return rest[: words[n - 1].end()], [word[0] for word in words[n:]]


@dataclass
class _Question:
    """The outputs of one question, as they come."""

    ranks: list[int] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)

    def by_rank(self) -> Iterator[tuple[str, str]]:
        """Yield answers and documents; equal ranks in the order of the file.

        A NIL that stands alone is no output.
        """
        if self.documents == [NIL]:
            return
        for place in sorted(range(len(self.ranks)), key=self.ranks.__getitem__):
            yield self.answers[place], self.documents[place]


def read_ranked_answers(files: Mapping[str, bytes], encoding: str) -> Run:
    r"""Read the outputs in the only file; SubmissionError with all problems.

    >>> read_ranked_answers({"run.txt": b"7 A NIL\n66.1 A NYT1 Nara\n66.1 A APW2 Tsu City\n"}, "utf-8").answers
    ['Nara', 'Tsu City']
    """
    path, text = read_text(files, encoding)
    problems = Problems(path)
    questions: dict[str, _Question] = {}
    for number, line in numbered_lines(text):
        if is_skipped(line):
            continue
        try:
            question, rank, document, answer = _output(line, number)
        except ValueError as error:
            problems.add(error.args[0], number)
            continue
        answers = questions.setdefault(question, _Question())
        answers.ranks.append(rank)
        answers.documents.append(document)
        answers.answers.append(answer)
    problems.raise_all()
    outputs = [[*listed.by_rank()] for listed in questions.values()]
    return Run(
        [*questions],
        starts_from_sizes([*map(len, outputs)]),
        [answer for answers in outputs for answer, _ in answers],
        [document for answers in outputs for _, document in answers],
    )


def _output(line: str, number: int) -> tuple[str, int, str, str]:
    """Return question, rank (without one the line stands for it), document and answer; ValueError says what lacks."""
    words = line.split(None, 3)
    if len(words) > 1 and words[1] == _RANKED:
        words = line.split(None, 6)
        if len(words) < 6:
            raise ValueError(
                Message(
                    "expected-question-q0-document",
                    "expected question, Q0, document, rank, score, run and answer, found {n} columns",
                    n=len(words),
                )
            )
        if not _RANK.fullmatch(words[3]):
            raise ValueError(
                Message(
                    "rank-must-integer-most",
                    "a rank must be an integer of at most 9 digits, not {word!r}",
                    word=words[3][:40],
                )
            )
        rank, document, answer = int(words[3]), words[2], words[6:]
    elif len(words) < 3:
        raise ValueError(
            Message(
                "expected-question-run-document",
                "expected question, run, document and answer, found {n} columns",
                n=len(words),
            )
        )
    else:
        rank, document, answer = number, words[2], words[3:]
    if document != NIL and not answer:
        raise ValueError(
            Message(
                "no-answer-behind-document",
                "no answer behind the document: leave the line out, or write NIL for the document",
            )
        )
    return words[0], rank, document, answer[0].strip() if answer else NIL


def refuse_without_documents(gold: AnswerSet) -> None:
    """Raise SubmissionError if no pattern has a document, where an answer needs one."""
    if gold.articles and not any(gold.articles):
        raise SubmissionError(
            Message(
                "article-require-needs-documents",
                "{path}: article=require needs documents behind the patterns, and there are none",
                path=gold.paths[0],
            )
        )
