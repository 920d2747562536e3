"""Makes files of what participants have of a gold, its sentences, and the gold itself as an upload.

Nothing here looks at an edit, but `gold_as_submission`.
"""

from collections.abc import Iterable
from itertools import chain

from scoring.errors import SubmissionError
from scoring.family import Files, Options, Side
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.edits import NOTHING, Annotated, Edit, Edits, overlapping, read_gold
from scoring.readers.problems import only_file
from scoring.readers.segments import plain_lines

_RUN = {None: "run.m2", "m2scorer": "run.txt"}  # by protocol
_NO_EDIT = f"A -1 -1|||noop|||{NOTHING}|||REQUIRED|||{NOTHING}|||0"


def gold_as_submission(files: Files, options: Options) -> dict[str, bytes]:
    """Give each sentence the edits of an annotator whose edits can all be made; else those that can."""
    gold = read_gold(files, options)
    return _run(((text, _possible(gold, k)) for k, text in enumerate(gold.texts)), options)


def sample(gold: Files, options: Options) -> dict[str, bytes]:
    """Return all sentences as they are."""
    return _run(((text, Edits()) for text in _sentences(gold, options)), options)


def inputs(gold: Files, options: Options) -> dict[str, bytes]:
    """Write the sentences in their tokens, one a line."""
    return {"sentences.txt": "".join(f"{text}\n" for text in _sentences(gold, options)).encode()}


def gold_of_inputs(given: Files, options: Options) -> dict[str, bytes]:
    """Make a gold without edits, from sentences one a line."""
    path = only_file(given)
    texts = [" ".join(line.split()) for line in plain_lines(given[path], path).texts]
    if not texts:
        raise SubmissionError(Finding(Message("no-sentence-line", "no sentence: each stands on a line"), path))
    return {"gold.m2": _written((text, []) for text in texts)}


def input_keys(files: Files, options: Options, side: Side) -> set[str]:
    """Return the sentences, as tokens with a blank between them; of corrected ones those that are the same."""
    path = only_file(files)
    texts = plain_lines(files[path], path).texts
    if side == "gold" or options["protocol"] is None:
        texts = [line[2:] for line in texts if line.startswith("S ")]
    return {" ".join(text.split()) for text in texts}


def _sentences(gold: Files, options: Options) -> list[str]:
    return read_gold(gold, options).texts


def _possible(gold: Annotated, sentence: int) -> Edits:
    several = [gold.edits(group) for group in gold.groups(sentence)]
    edits = next((edits_of_one for edits_of_one in several if not any(overlapping(edits_of_one))), several[0])
    left_out = {id(edit) for edit, _ in overlapping(edits)}
    return [edit for edit in edits if id(edit) not in left_out]


def _run(sentences: Iterable[tuple[str, Edits]], options: Options) -> dict[str, bytes]:
    protocol = options["protocol"]
    written = (
        _written(sentences) if protocol is None else "".join(f"{_corrected(*pair)}\n" for pair in sentences).encode()
    )
    return {_RUN[protocol]: written}


def _corrected(text: str, edits: Edits) -> str:
    """Return the sentence with these edits, which do not overlap.

    >>> _corrected("a b c", [Edit(1, 1, "", ("x y",), 1), Edit(2, 3, "", ("",), 1)])
    'a x y b'
    """
    tokens, done = text.split(), 0
    parts: list[list[str]] = []
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        parts += tokens[done : edit.start], edit.corrections[0].split()
        done = edit.end
    return " ".join(chain(*parts, tokens[done:]))


def _written(sentences: Iterable[tuple[str, Edits]]) -> bytes:
    blocks = (
        "\n".join([f"S {text}", *(map(_line, edits) if edits else [_NO_EDIT]), "", ""]) for text, edits in sentences
    )
    return "".join(blocks).encode()


def _line(edit: Edit) -> str:
    correction = edit.corrections[0] or NOTHING
    return f"A {edit.start} {edit.end}|||{edit.type}|||{correction}|||REQUIRED|||{NOTHING}|||0"
