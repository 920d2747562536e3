"""Spans behind the end of their text, which refuse a run: whether the others tell how it counts.

Offsets in bytes, or with line ends of two characters, run over the end of a text, so that the run is refused before it
can be described. Without those spans it is read once more, and asked what a run that was read is asked.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scoring.describing.contents import Contents
from scoring.describing.offsets import odd_offsets
from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message, kind_of
from scoring.readers.archive import Made

_MOST_BYTES = 8 * 2**20  # of an upload; a larger one is not read again
_ON_NO_WORDS = "spans-on-no-words"
_PAST_END, _OUT_OF_RANGE, _OUTSIDE = "start-past-end", "offset-out-range", "span-lies-outside-document"


def explained(
    problems: Sequence[Finding], files: Mapping[str, bytes], n_bytes: int, describe: Callable[[Made], Contents]
) -> list[Finding]:
    """Return the problems, before them the way of counting that explains those of spans outside their texts."""
    outside = [problem for single in problems for problem in (single.rest or (single,)) if _kind(problem)]
    if not outside or n_bytes > _MOST_BYTES:
        return [*problems]
    try:
        contents = describe(Made(_without(outside, files)))
    except (SubmissionError, ValueError, KeyError):
        return [*problems]  # other things are wrong, too
    odd = next((oddity for oddity in odd_offsets(contents) if oddity.kind == "offsets"), None)
    if odd is None:
        return [*problems]
    if kind_of(odd.message) == _ON_NO_WORDS:
        message = Message(
            "outside-and-on-no-words",
            "{what} Are they those of other documents, or of another version?",
            what=odd.message,
        )
    else:
        message = Message("counted-otherwise", "{what} To fix it: {mend}.", what=odd.message, mend=odd.suggestion or "")
    return [Finding(message, odd.file or outside[0].file, odd.line), *problems]


def _kind(problem: Finding) -> str:
    """Return which kind of span outside a text a problem is of; "" of others."""
    inner = getattr(problem.message, "values", {}).get("problem", problem.message)
    kind = getattr(inner, "kind", "")
    return kind if kind in (_PAST_END, _OUT_OF_RANGE, _OUTSIDE) else ""


def _without(outside: Sequence[Finding], files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files without the spans that lie outside, or with these at the beginning where others name them."""
    contents = {path: files[path] for path in files}
    lines = {path: contents[path].split(b"\n") for path in {problem.file for problem in outside} if path in contents}
    # Each place once, however many spans of it lie outside: of MAT's documents the whole file.
    places = {(one.file, None if _kind(one) == _OUT_OF_RANGE else one.line): one for one in outside}
    for problem in places.values():
        if problem.file is None or problem.file not in lines:
            continue
        if _kind(problem) == _OUT_OF_RANGE:
            record = json.loads(contents[problem.file])
            record["asets"] = [_inside(one, len(record["signal"])) for one in record["asets"]]
            lines[problem.file] = [json.dumps(record).encode()]
        elif problem.line is not None:
            at = problem.line - 1
            change = _at_the_beginning if _kind(problem) == _PAST_END else _within
            lines[problem.file][at] = change(lines[problem.file][at], problem)
    return contents | {path: b"\n".join(of_file) for path, of_file in lines.items()}


def _inside(one: Any, length: int) -> Any:
    """Return a set of MAT's annotations without those that end behind the text."""
    return one | {"annots": [row for row in one["annots"] if row[1] <= length]}


def _at_the_beginning(line: bytes, problem: Finding) -> bytes:
    """Return a phrase of eHealth-KD at the first character: relations may name it."""
    cells = line.split(b"\t")
    return b"\t".join([cells[0], b"0 1", *cells[2:]])


def _within(line: bytes, problem: Finding) -> bytes:
    """Return a document of JSON Lines without the entities that end behind its text."""
    record = json.loads(line)
    length = problem.message.values["n_words"]  # type: ignore[attr-defined]
    record["ents"] = [row for row in record["ents"] if row[1] <= length]
    return json.dumps(record).encode()
