"""Both sides of an evaluation, and which utterance of the system belongs to which of the gold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import Problems, only_file
from scoring.readers.segments import OddEnds, PlainLines, Seen, refuse_csv, refuse_flood, unpaired, wrong_number
from scoring.readers.swapping import refuse_swapped
from scoring.readers.transcripts.formats import KALDI_SPEAKERS, Format
from scoring.readers.transcripts.speakers import read_utt2spk, speakers_of
from scoring.readers.transcripts.utterances import Utterances, read_utterances

UTTERANCE = Message.word("utterance")

_FEW_IDS = 0.5  # of the lines


@dataclass(frozen=True)
class Gold:
    """The references; all lists have an entry for each of the n utterances, in the order of the file."""

    paths: list[str]  # the files that were read
    format: Format
    ids: list[str]
    texts: list[str]
    speakers: list[str] | None  # None where speakers are not told
    odd: OddEnds | None  # of plain lines, what to warn of


@dataclass(frozen=True)
class System:
    """The transcripts of the gold's utterances, in the gold's order."""

    file: str
    format: Format
    texts: list[str | None]  # (n,); None where the system lacks the utterance, and the options let it
    odd: OddEnds | None
    n_with_ids: int = 0  # plain lines that hold an id of the gold, where these are most of them


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Gold:
    """Read the references, with Kaldi's utt2spk beside them if it is there; SubmissionError with all problems."""
    beside = [path for path in files if PurePosixPath(path).name == KALDI_SPEAKERS] if len(files) > 1 else []
    path = only_file({path_there: b"" for path_there in files if path_there not in beside[:1]})
    problems = Problems(path)
    read = read_utterances(files[path], path, options["gold_format"], problems, has_speakers=True)
    _check_ids(read, _keys(read.ids, fold=read.format == "trn"), problems)
    problems.raise_all()
    if not read.ids:
        raise SubmissionError(Finding(Message("no-utterance", "no utterance"), path))
    speaker_of = _read_beside(files, beside[0]) if beside else None
    return Gold(
        paths=[path, *beside[:1]],
        format=read.format,
        ids=read.ids,
        texts=read.texts,
        speakers=speakers_of(read, speaker_of, options),
        odd=read.odd,
    )


def read_system(files: Mapping[str, bytes], gold: Gold, options: Mapping[str, Any]) -> System:
    """Read the transcripts, brought into the gold's order; SubmissionError with all problems."""
    path = only_file(files)
    problems = Problems(path)
    read = read_utterances(files[path], path, options["format"], problems)
    if read.format == "lines":
        refuse_csv(path, read.texts, gold.ids, ("id", "text"))
        wrong = wrong_number(gold.texts, PlainLines(path, read.texts, read.odd), UTTERANCE)
        if wrong is not None:
            raise SubmissionError(wrong)
        refuse_flood(gold.texts, read.texts, path)
        return System(path, read.format, list(read.texts), read.odd, _n_with_ids(gold, read.texts))
    names = read.ids if "trn" not in (gold.format, read.format) else _in_spelling_of(gold.ids, read.ids)
    refuse_swapped(gold.ids, names, {"text": [text.strip() for text in read.texts]}, "id", path)
    is_readable = not problems
    lines = _check_ids(read, names, problems)
    for problem in _unpaired(gold.ids, lines, path, is_readable=is_readable, options=options):
        problems.add(problem.message, problem.line)
    problems.raise_all()
    refuse_flood(gold.texts, read.texts, path)
    texts = dict(zip(names, read.texts, strict=True))
    return System(path, read.format, [texts.get(name) for name in gold.ids], None)


def _read_beside(files: Mapping[str, bytes], path: str) -> dict[str, str]:
    problems = Problems(path)
    speaker_of = read_utt2spk(files[path], path, problems)
    problems.raise_all()
    return speaker_of


def _check_ids(read: Utterances, names: Sequence[str], problems: Problems) -> dict[str, int]:
    """Return {name: the line where it stands first}; a name that stands twice is a problem."""
    seen = Seen(problems)
    for name, line in zip(names, read.lines, strict=True):
        seen.is_new(name, line)
    return seen.lines


def _unpaired(
    gold: Sequence[str], lines: Mapping[str, int], path: str, *, is_readable: bool, options: Mapping[str, Any]
) -> Iterator[Finding]:
    """Yield problems of ids that the gold lacks, and of those that the system lacks.

    Where lines could not be read, what they were about is not known: then nothing is called missing.
    """
    may_lack = options["missing"] == "delete" or not is_readable
    for problem in unpaired(gold, lines, path, UTTERANCE):
        if problem.line is not None or not may_lack:
            yield problem


def _n_with_ids(gold: Gold, texts: Sequence[str]) -> int:
    """Count plain lines that begin with a gold id, as in Kaldi's text, or end with one, as in trn; 0 for few."""
    if gold.format == "lines":
        return 0
    gold_ids = {name.lower() for name in gold.ids}
    n = sum(any(word.strip("()").lower() in gold_ids for word in _ends(text)) for text in texts)
    return n if n > _FEW_IDS * len(texts) else 0


def _ends(text: str) -> list[str]:
    """Return the first and the last word."""
    return [*text.split(maxsplit=1)[:1], *text.rsplit(maxsplit=1)[-1:]]


def _keys(names: Sequence[str], *, fold: bool) -> list[str]:
    return [name.lower() for name in names] if fold else list(names)


def _in_spelling_of(gold: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names as the gold spells them, since tools that write trn change capitals and small letters.

    >>> _in_spelling_of(["A_1", "a_2"], ["a_1", "A_2", "b_7"])
    ['A_1', 'a_2', 'b_7']
    """
    spelling = {name.lower(): name for name in gold}
    exact = set(gold)
    return [name if name in exact else spelling.get(name.lower(), name) for name in names]
