"""CoNLL-U cut into sentences: the words of a file column by column, its multiword tokens, and what its comments say."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import NamedTuple

import numpy as np

from scoring.columns import Flags, Integers, owners, ranges
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import ProblemCollector
from scoring.readers.spacy.lines import numbered_lines

ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(10)
N_COLUMNS = 10
# A column without a value.
EMPTY = "_"


@dataclass
class Sentence:
    """Holds what stands before its words."""

    line: int = 0  # of the file, from 1, where it or its comments begin
    begins_document: bool = False  # whether it has a comment "# newdoc"
    document_id: str = ""  # the id in that comment
    sent_id: str = ""


class Range(NamedTuple):
    """A line such as "2-3 du": a multiword token."""

    line: int  # of the file, from 1
    ids: str  # as they are written
    form: str
    next_word: int  # the word that follows the line, counted over the file
    sentence: int


@dataclass
class Sentences:
    """All sentences of a file; words are counted over the whole file."""

    each: list[Sentence] = field(default_factory=list)
    first: list[int] = field(default_factory=lambda: [0])  # (sentences + 1,) the first word of each, and the end
    columns: Sequence[Sequence[str]] = ()  # all ten, with an entry for each word
    lines: list[int] = field(default_factory=list)  # of the file, from 1, of each word
    head: Integers = field(default_factory=lambda: np.empty(0, dtype=np.int64))  # in its sentence from 1; 0 for a root
    ranges: list[Range] = field(default_factory=list)
    broken: set[int] = field(default_factory=set)  # sentences with problems

    def lengths(self) -> Integers:
        return np.asarray(np.diff(np.array(self.first, dtype=np.int64)), dtype=np.int64)

    def of_words(self) -> Integers:
        """Return the sentence of each word."""
        return owners(self.lengths())

    def heads_in_file(self) -> Integers:
        """Return the head of each word, counted over the file; a root, or a word with a wrong head, is its own."""
        sentence = self.of_words()
        is_inside = (self.head > 0) & (self.head <= self.lengths()[sentence])
        start = np.array(self.first, dtype=np.int64)[sentence]
        return np.where(is_inside, start + self.head - 1, np.arange(len(self.head)))


def read_sentences(content: bytes, file: str, problems: ProblemCollector) -> Sentences:
    """Read the sentences; what is wrong with a line is a problem, and its sentence is broken."""
    sentences = _at_once(content) or _line_by_line(content, file, problems)
    problems += _empty_forms(sentences, file)
    problems += _read_heads(sentences, file)
    return sentences


_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*))?\s*$")
_SENT_ID = re.compile(r"#\s*sent_id\s*=\s*(.*)$")
# The ID of a multiword token (2-3) or of an empty node (2.1): no words of the tree.
_SKIPPED = re.compile(r"\d+[-.]\d+")


def _at_once(content: bytes) -> Sentences | None:
    """Cut all lines into columns together, which is quick; None where any line or blank line is unusual."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return None
    text = text.replace("\r\n", "\n").rstrip("\n")
    if "\n\n\n" in text or text.startswith("\n"):
        return None
    sentences = Sentences()
    rows: list[str] = []
    n_rows, first_line = [], []  # of each sentence
    number = 1
    for block in text.split("\n\n"):
        lines = block.split("\n")
        n_comments = next((k for k, line in enumerate(lines) if line[:1] != "#"), len(lines))
        sentence = Sentence(line=number)
        for line in lines[:n_comments]:
            _comment(line, number, sentence)
        rows += lines[n_comments:]
        n_rows.append(len(lines) - n_comments)
        first_line.append(number + n_comments)
        sentences.each.append(sentence)
        number += len(lines) + 1
    if {line.count("\t") for line in rows} != {N_COLUMNS - 1}:
        return None
    cells = "\t".join(rows).split("\t")
    return _of_cells(sentences, [cells[k::N_COLUMNS] for k in range(N_COLUMNS)], np.array(n_rows), np.array(first_line))


def _of_cells(
    sentences: Sentences, columns: list[list[str]], n_rows: Integers, first_line: Integers
) -> Sentences | None:
    """Make the sentences from the columns of all their lines; None where the IDs are not the usual ones."""
    is_word = list(map(str.isdecimal, columns[ID]))
    other = [row for row, word in enumerate(is_word) if not word]
    if not all(_SKIPPED.fullmatch(columns[ID][row]) for row in other):
        return None
    lines = ranges(first_line, n_rows)
    sentence = owners(n_rows)
    n_words = n_rows - np.bincount(sentence[other], minlength=len(n_rows))
    n_before = np.concatenate([[0], np.cumsum(is_word)])
    sentences.ranges = [
        Range(int(lines[row]), columns[ID][row], columns[FORM][row], int(n_before[row]), int(sentence[row]))
        for row in other
        if "-" in columns[ID][row]
    ]
    sentences.columns = [list(compress(column, is_word)) for column in columns] if other else columns
    usual = list(map(str, range(1, int(n_words.max(initial=0)) + 1)))
    if not n_words.all() or sentences.columns[ID] != [name for n in n_words.tolist() for name in usual[:n]]:
        return None
    sentences.first = [0, *np.cumsum(n_words).tolist()]
    sentences.lines = lines[is_word].tolist()
    return sentences


def _line_by_line(content: bytes, file: str, problems: ProblemCollector) -> Sentences:
    """Read any file line by line, and tell what is wrong with each line."""
    sentences, sentence = Sentences(), Sentence()
    rows: list[list[str]] = []
    n_lines = 0  # lines of words in this sentence so far, also of those with problems: the next ID is one higher
    for number, line in numbered_lines(content, file, problems):
        if not line or line.isspace():
            if len(rows) > sentences.first[-1]:
                sentences.each.append(sentence)
                sentences.first.append(len(rows))
                sentence, n_lines = Sentence(), 0
        elif line[0] == "#":
            _comment(line, number, sentence)
        else:
            sentence.line = sentence.line or number
            row = line.split("\t")
            if len(row) == N_COLUMNS and _SKIPPED.fullmatch(row[ID]):
                if "-" in row[ID]:
                    sentences.ranges.append(Range(number, row[ID], row[FORM], len(rows), len(sentences.each)))
                continue
            n_lines += 1
            if len(row) == N_COLUMNS and row[ID] == str(n_lines):
                rows.append(row)
                sentences.lines.append(number)
            else:
                problems.append(Finding(_wrong(row, n_lines), file, number))
                sentences.broken.add(len(sentences.each))
    if len(rows) > sentences.first[-1]:
        sentences.each.append(sentence)
        sentences.first.append(len(rows))
    # Lines that are all wrong make no sentence.
    sentences.broken.discard(len(sentences.each))
    sentences.columns = list(zip(*rows, strict=True)) or [()] * N_COLUMNS
    return sentences


def _comment(line: str, number: int, sentence: Sentence) -> None:
    sentence.line = sentence.line or number
    if match := _NEWDOC.match(line):
        sentence.begins_document = True
        sentence.document_id = (match[1] or "").strip()
    elif match := _SENT_ID.match(line):
        sentence.sent_id = match[1].strip()


def _wrong(row: list[str], expected: int) -> str:
    if len(row) != N_COLUMNS:
        return Message.counted(
            "word-columns-instead",
            "{n} column instead of {n_columns}",
            "{n} columns instead of {n_columns}",
            len(row),
            n_columns=N_COLUMNS,
        )
    return Message("id-instead", "ID {row!r} instead of {expected}", row=row[ID], expected=expected)


def _empty_forms(sentences: Sentences, file: str) -> list[Finding]:
    forms = sentences.columns[FORM]
    if "" not in forms:
        return []
    return _problems(
        sentences, np.array([not form for form in forms]), file, lambda word: Message("form-empty", "the form is empty")
    )


def _read_heads(sentences: Sentences, file: str) -> list[Finding]:
    """Fill in the heads: numbers, and none beyond the end of its sentence."""
    texts = sentences.columns[HEAD]
    # There are few different ones, so that each is looked at once.
    numbers = {text: int(text) if is_number(text) else -1 for text in set(texts)} | {EMPTY: 0}
    head = sentences.head = np.fromiter(map(numbers.__getitem__, texts), np.int64, len(texts))
    length = sentences.lengths()[sentences.of_words()]
    # A sentence that lacks words is shorter than its heads know.
    outside = (head > length) & ~np.isin(sentences.of_words(), list(sentences.broken))
    return [
        *_problems(
            sentences,
            head < 0,
            file,
            lambda word: Message("head-not-number", "HEAD {text!r} is not a number", text=texts[word]),
        ),
        *_problems(
            sentences,
            outside,
            file,
            lambda word: Message(
                "head-lies-outside-sentence",
                "HEAD {head} lies outside the sentence (length {length})",
                head=head[word],
                length=length[word],
            ),
        ),
    ]


def is_number(text: str) -> bool:
    """Tell whether it is a number of at most nine digits: no sentence is longer, and the number fits into 32 bits."""
    return text.isascii() and text.isdigit() and len(text) <= 9


def _problems(sentences: Sentences, is_wrong: Flags, file: str, message: Callable[[int], str]) -> list[Finding]:
    """Return one problem for each wrong word, whose sentence is broken then."""
    wrong = np.flatnonzero(is_wrong)
    sentences.broken.update(sentences.of_words()[wrong].tolist())
    return [Finding(message(word), file, sentences.lines[word]) for word in wrong.tolist()]
