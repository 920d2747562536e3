"""Single lines of a run and of a gold, and what is wrong with those that are malformed."""

import re
from collections.abc import Collection

from scoring.messages import Message
from scoring.readers.problems import Problems
from scoring.readers.qac.text import ID, is_skipped, key

# A question's ID, its answers by rank, and the article of each of them.
RunLine = tuple[str, list[str], list[str]]

EXAMPLE = "QAC1-1001-01"  # of a question's ID
_BLANKS = r"[^\S\n]*+"
# At most 18 digits behind leading zeros, so that it fits into 64 bits.
NUMBER = r"0*+([1-9][0-9]{0,17}+)"

# What a line of a run begins with: an ID, and a colon and a comma that may be left out.
_HEAD = re.compile(rf"{_BLANKS}({ID}){_BLANKS}(?::{_BLANKS})?+(?:,{_BLANKS})?+")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"\s*+')
_COMMA = re.compile(r",\s*+")
_ARTICLE = re.compile(r'([^\s,"]++)\s*+')
# What an answer with its article is made of, and how each part is called.
_PARTS_OF_ITEM = (
    (_QUOTED, Message("answer-double-quotes", "an answer in double quotes")),
    (_COMMA, Message("comma-article", "a comma and an article")),
    (_ARTICLE, Message("article", "an article")),
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_ID = re.compile(ID)
_NUMBER = re.compile(NUMBER)
_REMARK = "#"
_SHOWN = 40


def run_line(line: str, number: int, problems: Problems, example: str = EXAMPLE) -> RunLine | None:
    r"""Read a line of a run, `number` from 1; None if it is skipped or cannot be read, with a problem then.

    `example` is the ID of a question, as a problem shows it.

    >>> run_line(r'Q-1-1: "the \"elder\"", 5', 1, Problems("run.txt"))
    ('Q-1-1', ['the "elder"'], ['5'])
    """
    if is_skipped(line):
        return None
    head = _HEAD.match(line)
    if not head:
        problems.add(
            Message(
                "no-question-id-line",
                "no question ID: a line begins with one of three parts, such as {example}, not with {line}",
                example=example,
                line=_shown(line),
            ),
            number,
        )
        return None
    answers: list[str] = []
    articles: list[str] = []
    offset = head.end()
    while not _ends(line, offset):
        item = _Item(line, offset)
        if item.wanted:
            problems.add(
                Message(
                    "cannot-read-answers-expected",
                    "cannot read answers: expected {wanted}, found {line}",
                    wanted=item.wanted,
                    line=_shown(line[item.end :]),
                ),
                number,
                item.end + 1,
            )
            return None
        if not key(item.answer):
            # The line is read on, for its other problems.
            problems.add(
                Message("empty-answer-leave-out", "empty answer: leave it out, or write what was found"),
                number,
                offset + 1,
            )
        answers.append(item.answer)
        articles.append(item.article)
        offset = item.end
        # One comma may stand behind the last item.
        if not _ends(line, offset):
            comma = _COMMA.match(line, offset)
            if not comma:
                problems.add(
                    Message(
                        "cannot-read-answers-expected-comma",
                        "cannot read answers: expected a comma, found {line}",
                        line=_shown(line[offset:]),
                    ),
                    number,
                    offset + 1,
                )
                return None
            offset = comma.end()
    return head[1], answers, articles


def _ends(line: str, offset: int) -> bool:
    """Return whether no answer follows: the line ends there, or a remark begins, which no answer and no comma does."""
    return line[offset : offset + 1] in ("", _REMARK)


class _Item:
    """An answer and its article, read from an offset of a line on."""

    def __init__(self, line: str, start: int) -> None:
        self.answer = ""  # escapes resolved
        self.article = ""
        self.wanted = ""  # what is needed at `end` and does not stand there; empty if nothing is missing
        self.end = start  # offset behind what could be read
        for pattern, wanted in _PARTS_OF_ITEM:
            part = pattern.match(line, self.end)
            if not part:
                self.wanted = wanted
                return
            self.end = part.end()
            if pattern is _QUOTED:
                # A backslash takes any next character literally, not only a quote or a backslash.
                self.answer = _ESCAPED.sub(r"\1", part[1]) if "\\" in part[1] else part[1]
            elif pattern is _ARTICLE:
                self.article = part[1]


class GoldLines:
    """The lines of a gold that give no answer: questions without answer, texts of questions, and malformed lines."""

    def __init__(self, problems: Problems) -> None:
        self.unanswerable: dict[str, int] = {}  # question to the first line that says so
        self.texts: dict[str, str] = {}  # question to its own words; of several, the last ones
        self._problems = problems
        self._text_lines: dict[str, int] = {}  # question to the first line with `?`
        self._malformed: set[str] = set()  # questions with an answer line that cannot be read

    def read(self, line: str, number: int) -> None:
        """Read a line with its number from 1."""
        if is_skipped(line):
            return
        columns = line.split("\t")
        question = columns[0].strip()
        if not _ID.fullmatch(question):
            self._problems.add(
                Message(
                    "no-question-id-line-tab",
                    "no question ID: a line begins with one such as QAC1-1001-01, and a tab behind it",
                ),
                number,
            )
        elif len(columns) == 1:
            self.unanswerable.setdefault(question, number)
        elif columns[1].strip() == "?":
            self._read_text(question, columns, number)
        else:
            self._malformed.add(question)
            self._explain(columns, number)

    def _read_text(self, question: str, columns: list[str], number: int) -> None:
        self._text_lines.setdefault(question, number)
        if len(columns) == 3:
            self.texts[question] = columns[2]
        else:
            self._problems.add(
                Message(
                    "expected-three-columns-question-tabs",
                    "expected three columns (question, ?, text) with tabs between them, found {n}",
                    n=len(columns),
                ),
                number,
            )

    def _explain(self, columns: list[str], number: int) -> None:
        """Add everything that keeps this from being a line with an answer."""
        if len(columns) != 4:
            self._problems.add(
                Message(
                    "expected-four-columns-question-tabs",
                    "expected four columns (question, number, answer, article) with tabs between them, found {n}",
                    n=len(columns),
                ),
                number,
            )
            return
        if not _NUMBER.fullmatch(columns[1].strip()):
            self._problems.add(
                Message(
                    "answer-number-must-positive",
                    "answer number must be a positive integer of at most 18 digits, not {column!r}",
                    column=columns[1][:_SHOWN],
                ),
                number,
            )
        if not columns[2].strip():
            self._problems.add(Message("empty-answer", "empty answer"), number)
        if not columns[3].strip():
            self._problems.add(Message("empty-article", "empty article"), number)

    def check(self, answered: Collection[str]) -> None:
        """Add the problems that only the whole file can tell; `answered` are the questions that have answers."""
        for question, line in self.unanswerable.items():
            if question in answered:
                self._problems.add(
                    Message(
                        "question-marked-having-no",
                        "question {question} is marked as having no answer and has answers",
                        question=question,
                    ),
                    line,
                )
        for question, line in self._text_lines.items():
            # A malformed answer line has its own problem already.
            if not (question in answered or question in self.unanswerable or question in self._malformed):
                self._problems.add(
                    Message("question-no-answer-line", "question {question} has no answer line", question=question),
                    line,
                )
        if not (answered or self.unanswerable or self._problems):
            self._problems.add(
                Message("no-question-file-nothing", "no question: the file has nothing but comments and blank lines")
            )


def _shown(text: str) -> str:
    """Return the start of what was found."""
    words = text.strip()
    return (
        repr(words if len(words) <= _SHOWN else words[:_SHOWN] + "…")
        if words
        else Message("end-line", "the end of the line")
    )
