"""The utterances of one file, in each of the formats, with every problem told by its line."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scoring.messages import Message
from scoring.readers.problems import Problems
from scoring.readers.segments import OddEnds, json_id, json_records, plain_lines, split_lines, text_at, utf8_text
from scoring.readers.transcripts.formats import Format, format_of

# A heading of tab-separated files.
_HEADINGS = (["id", "text"], ["id", "text", "speaker"])
# The last parentheses of a line, without blanks inside.
_TRN = re.compile(r"(.*)\(([^\s()]+)\)\s*", re.DOTALL)

Line = tuple[int, str]  # number from 1, and the text
Read = tuple[int, str, str, str | None]  # line, id, text, speaker


@dataclass(frozen=True)
class Utterances:
    """Holds what one file says; all lists have an entry for each utterance, in the order of the file."""

    file: str
    format: Format
    ids: list[str]  # of plain lines their numbers, from 1
    texts: list[str]  # as they stand
    lines: list[int]  # from 1
    speakers: list[str | None]  # None where the file says nothing
    odd: OddEnds | None  # of plain lines, what to warn of


def read_utterances(
    content: bytes, file: str, asked: str, problems: Problems, *, has_speakers: bool = False
) -> Utterances:
    r"""Read the utterances of a file; lines that cannot be read are `problems`. `asked` is a format or "auto".

    `has_speakers` says that a third column of tab-separated text is the speaker, without a heading that says so.

    >>> problems = Problems("run.trn")
    >>> read = read_utterances(b"hello there (u1)\n(u2)\nwhat\n", "run.trn", "auto", problems)
    >>> read.ids, read.texts
    (['u1', 'u2'], ['hello there ', ''])
    >>> print(*problems.listed())
    run.trn:3: no (id) at the end of the line

    SubmissionError if the file is not UTF-8.
    """
    text = utf8_text(content, file)
    form = format_of(file, text, asked)
    if form == "lines":
        plain = plain_lines(content, file)
        numbers = range(1, len(plain.texts) + 1)
        ids = list(map(str, numbers))
        return Utterances(file, form, ids, plain.texts, list(numbers), [None] * len(ids), plain.odd)
    if form == "jsonl":
        rows = list(_from_json(content, file, problems))
    elif form == "tsv":
        rows = list(_from_tsv(_filled(text), problems, has_speakers=has_speakers))
    else:
        rows = list((_from_kaldi if form == "kaldi" else _from_trn)(_filled(text), problems))
    return Utterances(
        file,
        form,
        ids=[row[1] for row in rows],
        texts=[row[2] for row in rows],
        lines=[row[0] for row in rows],
        speakers=[row[3] for row in rows],
        odd=None,
    )


def sound_id(written: str, number: int, problems: Problems) -> str | None:
    """Return the trimmed id of a line; None, and a problem, where nothing is left or a page could not show it."""
    name = written.strip()
    if name.isprintable() and name:
        return name
    problems.add(
        Message("id-character-cannot-shown", "id {name!r} has a character that cannot be shown", name=name)
        if name
        else Message("empty-id-of-utterance", "no id"),
        number,
    )
    return None


def _filled(text: str) -> Iterator[Line]:
    """Yield the lines that are not blank."""
    return ((number, line) for number, line in enumerate(split_lines(text), start=1) if line and not line.isspace())


def _from_tsv(lines: Iterator[Line], problems: Problems, *, has_speakers: bool) -> Iterator[Read]:
    """Yield id, text, and of a gold perhaps the speaker; elsewhere a third column would be lost text."""
    most = 3 if has_speakers else 2
    is_turned = False
    for place, (number, line) in enumerate(lines):
        cells = line.split("\t")
        if is_turned or (not place and [cell.strip() for cell in cells[:2]] == ["text", "id"]):
            is_turned = True
            cells[:2] = cells[1::-1]
        if not place and [cell.strip() for cell in cells] in _HEADINGS:
            most = max(most, len(cells))
        elif not 2 <= len(cells) <= most:
            columns = Message.counted("n-columns", "1 column", "{n} columns", len(cells))
            problems.add(
                Message("expected-id-tab-text", "expected id, tab, text; found {columns}", columns=columns), number
            )
        elif (name := sound_id(cells[0], number, problems)) is not None:
            yield number, name, cells[1], (cells[2].strip() or None) if len(cells) == 3 else None


def _from_kaldi(lines: Iterator[Line], problems: Problems) -> Iterator[Read]:
    """Yield id and text: the id ends at the first blank or tab; alone, it is an utterance without words."""
    for number, line in lines:
        name, *rest = re.split("[ \t]", line.lstrip(" \t"), maxsplit=1)
        if (sound := sound_id(name, number, problems)) is not None:
            yield number, sound, rest[0] if rest else "", None


def _from_trn(lines: Iterator[Line], problems: Problems) -> Iterator[Read]:
    for number, line in lines:
        # The last parentheses are looked for from the end, so that a line of nothing but brackets is read once.
        match = _TRN.fullmatch(line) if line.rstrip().endswith(")") else None
        if match is None:
            problems.add(Message("no-id-end-line", "no (id) at the end of the line"), number)
        elif (name := sound_id(match[2], number, problems)) is not None:
            yield number, name, match[1], None


def _from_json(content: bytes, file: str, problems: Problems) -> Iterator[Read]:
    for number, record in json_records(content, file, problems):
        name, text = json_id(record, number, problems), text_at(record, "text", number, problems)
        speaker = record.get("speaker")
        if speaker is not None and not isinstance(speaker, str):
            problems.add(Message("speaker-must-string", '"speaker" must be a string'), number)
        elif name is not None and text is not None:
            yield number, name, text, (speaker or "").strip() or None
