"""Both sides as words: what the reader found, after the organiser's normalisation."""

from dataclasses import dataclass

from scoring.errors import SubmissionError
from scoring.families.transcripts.normalising import Words, words_of
from scoring.family import Files, Options
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers import transcripts as reader


@dataclass(frozen=True)
class Gold:
    """The references of n utterances."""

    read: reader.Gold  # as they stand
    words: list[Words]  # (n,) as they are compared

    @property
    def paths(self) -> list[str]:
        """Return the files that were read."""
        return self.read.paths


@dataclass(frozen=True)
class System:
    """The transcripts of the same utterances."""

    read: reader.System  # as they stand
    words: list[Words]  # (n,) as they are compared; none where the utterance is missing


def read_gold(files: Files, options: Options) -> Gold:
    """Read the references; SubmissionError with all problems, or if no word is left to compare with."""
    read = reader.read_gold(files, options)
    words = words_of(read.texts, options)
    if not any(words):
        raise SubmissionError(Finding(Message("references-without-words", "no word in the references"), read.paths[0]))
    return Gold(read, words)


def read_system(files: Files, gold: Gold, options: Options) -> System:
    """Read the transcripts in the gold's order; SubmissionError with all problems."""
    read = reader.read_system(files, gold.read, options)
    return System(read, words_of([text or "" for text in read.texts], options))
