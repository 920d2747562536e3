"""Tells who speaks each utterance of the gold."""

import re
from collections.abc import Mapping, Sequence

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import Problems
from scoring.readers.segments import split_lines, utf8_text
from scoring.readers.transcripts.utterances import Utterances, sound_id

_FIRST_PART = re.compile("[-_]")
_NEEDED = Message("unit-speaker-needs-speakers", "unit=speaker needs speakers")


def speakers_of(read: Utterances, beside: Mapping[str, str] | None, options: Mapping[str, str]) -> list[str] | None:
    """Return the speaker of each utterance, None where speakers are not told.

    `beside` is {id: speaker} of Kaldi's utt2spk, None where there is no such file. SubmissionError if speakers are
    asked for, or given for some utterances, and others have none; or if the unit needs them.
    """
    way = options["speaker"]
    if way == "prefix":
        return [prefix(name) for name in read.ids]
    speakers = read.speakers if beside is None else [beside.get(name) for name in read.ids]
    if way == "none" or (way == "auto" and beside is None and not any(speakers)):
        if options["unit"] == "speaker":
            raise SubmissionError(Finding(_NEEDED, read.file))
        return None
    return _complete(read, speakers)


def read_utt2spk(content: bytes, file: str, problems: Problems) -> dict[str, str]:
    r"""Read {id: speaker} of Kaldi's file; lines of another form, and ids that stand twice, are problems.

    >>> read_utt2spk(b"u1 anna\nu2\tbob\n", "utt2spk", Problems("utt2spk"))
    {'u1': 'anna', 'u2': 'bob'}
    """
    speaker_of: dict[str, str] = {}
    first: dict[str, int] = {}
    for number, line in enumerate(split_lines(utf8_text(content, file)), start=1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != 2:
            problems.add(
                Message.counted(
                    "columns-instead-of-two", "{n} column instead of 2", "{n} columns instead of 2", len(cells)
                ),
                number,
            )
        elif sound_id(cells[0], number, problems) is None:
            continue
        elif cells[0] in speaker_of:
            problems.add(
                Message(
                    "duplicate-id-first-on",
                    "duplicate id {name!r} (first on line {first})",
                    name=cells[0],
                    first=first[cells[0]],
                ),
                number,
            )
        else:
            speaker_of[cells[0]], first[cells[0]] = cells[1], number
    return speaker_of


def prefix(name: str) -> str:
    """Return the id up to its first hyphen or underscore, by which Kaldi's corpora name the speaker.

    >>> prefix("anna-003-a"), prefix("bob")
    ('anna', 'bob')
    """
    return _FIRST_PART.split(name, maxsplit=1)[0] or name


def _complete(read: Utterances, speakers: Sequence[str | None]) -> list[str]:
    problems = Problems(read.file)
    complete: list[str] = []
    for name, line, speaker in zip(read.ids, read.lines, speakers, strict=True):
        if speaker is None:
            problems.add(Message("utterance-no-speaker", "utterance {name!r} has no speaker", name=name), line)
        elif not speaker.isprintable():
            problems.add(
                Message(
                    "speaker-character-cannot-shown",
                    "speaker {speaker!r} has a character that cannot be shown",
                    speaker=speaker,
                ),
                line,
            )
        else:
            complete.append(speaker)
    problems.raise_all()
    return complete
