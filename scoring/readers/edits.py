"""M2 files (Dahlmeier and Ng 2012): sentences as tokens, and under each the edits that annotators make in it.

S This are a sentence .
A 1 2|||R:VERB:SVA|||is|||REQUIRED|||-NONE-|||0
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1

A run may also be the corrected sentences themselves, one a line.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from scoring.errors import Problem, SubmissionError
from scoring.messages import Message
from scoring.readers.gc_pause import without_collector
from scoring.readers.problems import Problems, only_file, raise_all
from scoring.readers.segments import only_plain_lines, plain_lines, refuse_flood, wrong_number

NOOP, UNKNOWN = "noop", "UNK"  # types: nothing is to be edited; an error without a correction
NOTHING = "-NONE-"  # a correction that leaves the tokens out
_SHOWN = 40
_LONGEST_NUMBER = 9  # digits
_FIRST_ANNOTATOR = "0"


class Edit(NamedTuple):
    start: int  # tokens, from 0
    end: int  # the token behind the last one; the start where something is put in
    type: str
    corrections: tuple[str, ...]  # each is as good; "" leaves the tokens out
    line: int  # in its file, from 1


Edits = list[Edit]


@dataclass(frozen=True)
class Sentence:
    text: str  # its tokens with a blank between them
    line: int  # in its file, from 1
    annotators: dict[str, Edits]  # by their ids, in the order of the file; none of a corrected sentence


@dataclass(frozen=True)
class Annotated:
    """The sentences of a file, in its order."""

    paths: tuple[str, ...]  # the files that were read
    sentences: list[Sentence]

    @property
    def names(self) -> list[str]:
        """Return what units are called: the numbers of the sentences, from 1."""
        return [str(number) for number in range(1, len(self.sentences) + 1)]


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Annotated:
    """Read the edits of one or several annotators; SubmissionError with all problems."""
    gold, problems = _read(files, has_alternatives=True)
    if not gold.sentences and not problems:
        problems.add(Message("m2-no-sentence", "no sentence: its line begins with S and a blank"))
    if options["level"] == "tokens":
        # Each of many edits of many tokens would count all of these.
        _refuse_overlaps(gold, problems)
    problems.raise_all()
    return gold


def read_system(files: Mapping[str, bytes], gold: Annotated, options: Mapping[str, Any]) -> Annotated:
    """Read the edits of a run, which one annotator makes in the gold's sentences; SubmissionError with all problems.

    For the M2 scorer read the corrected sentences, which have no annotators.
    """
    if options["protocol"] == "m2scorer":
        return _read_corrected(files, [sentence.text for sentence in gold.sentences])
    system, problems = _read(files, has_alternatives=False)
    problems.raise_all()
    raise_all(_unpaired(gold, system))
    for sentence in system.sentences:
        _, *others = sentence.annotators
        for name in others:
            line = next((edit.line for edit in sentence.annotators[name]), sentence.line)
            problems.add(
                Message(
                    "m2-second-annotator",
                    "a run corrects a sentence once: found a second annotator, {name!r}",
                    name=name[:_SHOWN],
                ),
                line,
            )
    _refuse_overlaps(system, problems)
    problems.raise_all()
    return system


def _read_corrected(files: Mapping[str, bytes], sources: Sequence[str]) -> Annotated:
    """Read a corrected sentence a line; of an empty line nothing is left of its sentence."""
    lines = only_plain_lines(files)
    is_edit = next((k for k, text in enumerate(lines.texts, start=1) if text.startswith("A ") and "|||" in text), None)
    if is_edit:
        raise SubmissionError(
            Problem(
                Message(
                    "m2-instead-of-text", "expected the corrected sentences, one a line; found an edit of an M2 file"
                ),
                lines.file,
                is_edit,
            )
        )
    if problem := wrong_number(sources, lines):
        raise SubmissionError(problem)
    refuse_flood(sources, lines.texts, lines.file)
    sentences = [Sentence(" ".join(text.split()), k, {}) for k, text in enumerate(lines.texts, start=1)]
    return Annotated((lines.file,), sentences)


def overlapping(edits: Edits) -> Iterator[tuple[Edit, Edit]]:
    """Yield edits that cannot be made beside an earlier one, behind which they start; each with that one.

    Two things may be put in at one place, and beside tokens that are replaced.

    >>> def edit(start, end, text=""):
    ...     return Edit(start, end, "", (text,), 1)
    >>> [pair[0][:2] for pair in overlapping([edit(3, 5), edit(1, 1), edit(4, 4), edit(5, 6), edit(5, 5)])]
    [(4, 4)]
    """
    if _are_apart(edits):
        return
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    furthest: Edit | None = None
    before: Edit | None = None
    for edit in ordered:
        if furthest is not None and edit.start < furthest.end:
            yield edit, furthest
        elif before is not None and edit[:2] == before[:2] and edit.corrections == before.corrections:
            yield edit, before
        if furthest is None or edit.end > furthest.end:
            furthest = edit
        before = edit


def _are_apart(edits: Edits) -> bool:
    """Tell edits that stand in order, each behind all tokens of the one before, as in most files."""
    end = -1
    for edit in edits:
        if edit[0] <= end and (edit[0] < end or edit[1] == end):
            return False
        end = edit[1]
    return True


def _refuse_overlaps(side: Annotated, problems: Problems) -> None:
    for sentence in side.sentences:
        for edits in sentence.annotators.values():
            for edit, other in overlapping(edits):
                problems.add(
                    Message(
                        "m2-edits-overlap",
                        "tokens {start} to {end} are edited already on line {line}: edits must not overlap",
                        start=edit.start,
                        end=edit.end,
                        line=other.line,
                    ),
                    edit.line,
                )


def _unpaired(gold: Annotated, system: Annotated) -> Iterator[Problem]:
    """A problem for each sentence that is not the gold's; where their numbers differ, for the first one alone."""
    path, n, n_gold = system.paths[0], len(system.sentences), len(gold.sentences)
    pairs = zip(gold.sentences, system.sentences, strict=False)
    differing = [(k, own) for k, (theirs, own) in enumerate(pairs, start=1) if own.text != theirs.text]
    if n != n_gold:
        yield Problem(
            Message("m2-wrong-number", "{n} sentences instead of {n_gold}", n=n, n_gold=n_gold),
            path,
        )
        differing = differing[:1]
    for number, own in differing:
        yield Problem(
            Message(
                "m2-other-sentence",
                "sentence {number} is not that of the task: found {found!r}",
                number=number,
                found=own.text[:_SHOWN],
            ),
            path,
            own.line,
        )


def _read(files: Mapping[str, bytes], *, has_alternatives: bool) -> tuple[Annotated, Problems]:
    with without_collector():
        return _read_lines(files, has_alternatives)


def _read_lines(files: Mapping[str, bytes], has_alternatives: bool) -> tuple[Annotated, Problems]:
    path = only_file(files)
    problems = Problems(path)
    sentences: list[Sentence] = []
    new_edit = tuple.__new__  # in half the time of `Edit(…)`, which comes once a line
    n_tokens = 0
    annotators: dict[str, Edits] = {}
    places: dict[str, tuple[int, int]] = {}  # those that were read: most come again, and so do corrections
    corrections: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(plain_lines(files[path], path).texts, start=1):
        if not line:
            continue
        if line[:2] == "A " and sentences:
            try:
                place, type_, correction, _, _, annotator = line.split("|||")
            except ValueError:
                problems.add(_wrong_fields(line), number)
                continue
            edits = annotators.get(annotator)
            if edits is None:
                edits = annotators.setdefault(annotator.strip(), [])
            if type_ == NOOP:
                continue
            span = places.get(place)
            if span is None:
                span = places[place] = _tokens(place)
            texts = corrections.get(correction)
            if texts is None:
                texts = corrections[correction] = _texts(correction, has_alternatives)
            start, end = span
            if 0 <= start <= end <= n_tokens:
                edits.append(new_edit(Edit, (start, end, type_, texts, number)))
            else:
                problems.add(_wrong_tokens(place, n_tokens), number)
        elif line[:2] == "S " or line == "S":
            tokens = line[2:].split()
            n_tokens = len(tokens)
            annotators = {}
            sentences.append(Sentence(" ".join(tokens), number, annotators))
        elif line[:2] == "A ":
            problems.add(Message("m2-edit-first", "an edit before the first sentence"), number)
        # Lines of other tools: the sentence as it was split before (I), a whole correction of ChERRANT (T).
        elif line.strip() and not line.startswith(("I ", "T")):
            problems.add(
                Message(
                    "m2-other-line",
                    "expected a line that begins with S or A and a blank, or an empty one; found {found!r}",
                    found=line[:_SHOWN],
                ),
                number,
            )
    for sentence in sentences:
        if not sentence.annotators:
            sentence.annotators[_FIRST_ANNOTATOR] = []
    return Annotated((path,), sentences), problems


def _texts(correction: str, has_alternatives: bool) -> tuple[str, ...]:
    written = correction.split("||") if has_alternatives else [correction]
    return tuple("" if text == NOTHING else text.strip() for text in written)


def _wrong_fields(line: str) -> Message:
    return Message(
        "m2-fields",
        "expected 6 fields with ||| between them (tokens, type, correction, two more, annotator); found {n}",
        n=line.count("|||") + 1,
    )


def _wrong_tokens(place: str, n_tokens: int) -> Message:
    return Message(
        "m2-tokens",
        "expected the first token and the one behind the last, from 0 to {n}; found {found!r}",
        n=n_tokens,
        found=place[2:_SHOWN],
    )


def _tokens(place: str) -> tuple[int, int]:
    """Return both numbers of "A 1 2"; −1 where they are none."""
    parts = place[2:].split()
    if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) <= _LONGEST_NUMBER for part in parts):
        return -1, -1
    return int(parts[0]), int(parts[1])
