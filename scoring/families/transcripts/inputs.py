"""Makes files of what participants have of a gold, the ids of its utterances, and the gold itself as an upload.

Nothing here looks at what is said in the gold, but `gold_as_submission`.
"""

from collections.abc import Sequence

from scoring.errors import SubmissionError
from scoring.family import Files, Options, Side
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.problems import Problems, only_file
from scoring.readers.segments import split_lines, utf8_text
from scoring.readers.transcripts import FORMATS, Gold, placeholder, read_gold, written
from scoring.readers.transcripts.formats import KALDI_SPEAKERS, Format
from scoring.readers.transcripts.utterances import read_utterances
from scoring.readers.transcripts.writing import PLACEHOLDER

_HEADING = "id"
_LIST = "utterances.txt"


def gold_as_submission(files: Files, options: Options) -> dict[str, bytes]:
    """Write the references in the format of the runs; SubmissionError with the ids that it cannot hold."""
    gold = read_gold(files, options)
    return written(gold.ids, gold.texts, _format(gold, options))


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Make an upload that is valid for this gold: the same word in every utterance."""
    read = read_gold(gold, options)
    return placeholder(read.ids, _format(read, options))


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Write the ids, one a line."""
    return {_LIST: "".join(f"{name}\n" for name in read_gold(gold, options).ids).encode()}


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """Make references of one word each, for utterances whose ids begin the lines of a file, perhaps before a tab."""
    path = only_file(given)
    lines = [line.split("\t")[0].strip() for line in split_lines(utf8_text(given[path], path))]
    ids = list(dict.fromkeys(filter(None, lines)))
    if ids[:1] == [_HEADING]:
        ids = ids[1:]
    if not ids:
        raise SubmissionError(
            Finding(Message("no-utterance-id", "no id of an utterance: each line begins with one"), path)
        )
    usual: Format = "lines" if _are_numbers(ids) else "tsv"
    return placeholder(ids, _format_named(options["gold_format"]) or usual) | _speakers(ids, options)


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the ids of the utterances; of plain lines their numbers."""
    path = only_file(files) if side == "system" else ""
    if side == "gold":
        return set(read_gold(files, options).ids)
    return set(read_utterances(files[path], path, options["format"], Problems(path)).ids)


def _format(gold: Gold, options: Options) -> Format:
    """Return a run's format; where options leave it open, plain lines for plain lines, and else ids with tabs."""
    return _format_named(options["format"]) or ("lines" if gold.format == "lines" else "tsv")


def _format_named(asked: str) -> Format | None:
    """Return the format that is asked for, None for "auto"."""
    return next((form for form in FORMATS if form == asked), None)


def _are_numbers(ids: Sequence[str]) -> bool:
    """Return whether they are those of plain lines."""
    return ids == [str(number) for number in range(1, len(ids) + 1)]


def _speakers(ids: Sequence[str], options: Options) -> dict[str, bytes]:
    """Make one speaker for all, where the options cannot do without."""
    if options["speaker"] != "field" and (options["unit"] != "speaker" or options["speaker"] == "prefix"):
        return {}
    return {KALDI_SPEAKERS: "".join(f"{name} {PLACEHOLDER}\n" for name in ids).encode()}
