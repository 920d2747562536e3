"""Utterances written in a format that the reader takes."""

import json
from collections.abc import Callable, Mapping, Sequence

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.transcripts.formats import Format

PLACEHOLDER = "word"  # what stands for the words of an utterance where nobody may know them

_NAMES: Mapping[str, str] = {
    "lines": "run.txt",
    "tsv": "run.tsv",
    "kaldi": "text",
    "trn": "run.trn",
    "jsonl": "run.jsonl",
}
_LINES: Mapping[str, Callable[[str, str], str]] = {
    "lines": lambda name, text: text,
    "tsv": lambda name, text: f"{name}\t{text}",
    "kaldi": lambda name, text: f"{name} {text}".rstrip(" "),
    "trn": lambda name, text: f"{text} ({name})".lstrip(" "),
    "jsonl": lambda name, text: json.dumps({"id": name, "text": text}, ensure_ascii=False),
}


def written(ids: Sequence[str], texts: Sequence[str], form: Format) -> dict[str, bytes]:
    r"""Write one file, {path: content}, in which every white space is a blank, so that each text is a line.

    >>> written(["u1", "u2"], ["hello  there", ""], "trn")
    {'run.trn': b'hello there (u1)\n(u2)\n'}

    SubmissionError with the ids that the format cannot hold.
    """
    wrong = [name for name in ids if not _can_hold(form, name)]
    if wrong:
        raise SubmissionError(
            [
                Finding(
                    Message(
                        "id-cannot-written-format",
                        "id {name!r} cannot be written in the format {form}",
                        name=name,
                        form=form,
                    )
                )
                for name in wrong[:100]
            ]
        )
    heading = ["id\ttext"] if form == "tsv" else []
    lines = [_LINES[form](name, " ".join(text.split())) for name, text in zip(ids, texts, strict=True)]
    return {_NAMES[form]: "".join(f"{line}\n" for line in [*heading, *lines]).encode()}


def placeholder(ids: Sequence[str], form: Format) -> dict[str, bytes]:
    """Write utterances whose words nobody may know."""
    return written(ids, [PLACEHOLDER] * len(ids), form)


def _can_hold(form: Format, name: str) -> bool:
    if form == "kaldi":
        return not any(character in " \t" for character in name)
    return form != "trn" or not any(character.isspace() or character in "()" for character in name)
