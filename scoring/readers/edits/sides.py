"""Reads both sides: M2 files, or of a run the corrected sentences, one a line."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from scoring.errors import SubmissionError
from scoring.findings import Finding
from scoring.messages import Message
from scoring.readers.edits.annotated import Annotated, overlaps
from scoring.readers.edits.m2 import SHOWN, read_m2
from scoring.readers.problems import Problems, raise_all
from scoring.readers.segments import only_plain_lines, refuse_flood, wrong_number


def read_gold(files: Mapping[str, bytes], options: Mapping[str, Any]) -> Annotated:
    """Read the edits of one or several annotators; SubmissionError with all problems."""
    gold, problems = read_m2(files, has_alternatives=True)
    if not gold.texts and not problems:
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
        return _read_corrected(files, gold.texts)
    system, problems = read_m2(files, has_alternatives=False)
    problems.raise_all()
    raise_all(_unpaired(gold, system))
    for group in (np.flatnonzero(np.diff(system.sentence) == 0) + 1).tolist():
        line = next((edit.line for edit in system.edits(group)), system.lines[system.sentence[group]])
        problems.add(
            Message(
                "m2-second-annotator",
                "a run corrects a sentence once: found a second annotator, {name!r}",
                name=system.annotators[group][:SHOWN],
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
            Finding(
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
    texts = [" ".join(text.split()) for text in lines.texts]
    none = np.zeros(0, dtype=np.int64)
    numbers = [*range(1, len(texts) + 1)]
    return Annotated((lines.file,), texts, numbers, [], none, none, none, none, none, none, none, [], [])


def _refuse_overlaps(side: Annotated, problems: Problems) -> None:
    for edit, other in overlaps(side):
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


def _unpaired(gold: Annotated, system: Annotated) -> Iterator[Finding]:
    """Yield a problem for each sentence that is not the gold's; where their numbers differ, for the first one alone."""
    path, n, n_gold = system.paths[0], len(system.texts), len(gold.texts)
    pairs = enumerate(zip(gold.texts, system.texts, strict=False))
    differing = [k for k, (theirs, ours) in pairs if ours != theirs]
    if n != n_gold:
        yield Finding(
            Message("m2-wrong-number", "{n} sentences instead of {n_gold}", n=n, n_gold=n_gold),
            path,
        )
        differing = differing[:1]
    for k in differing:
        yield Finding(
            Message(
                "m2-other-sentence",
                "sentence {number} is not that of the task: found {found!r}",
                number=k + 1,
                found=system.texts[k][:SHOWN],
            ),
            path,
            system.lines[k],
        )
