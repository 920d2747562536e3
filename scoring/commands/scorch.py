"""The arguments and the output of scorch 0.2.0, around this engine.

Nothing here imports NumPy, which takes longer to load than most documents take to be scored. Where scorch would score
something else than was meant, or fail, this command refuses: `docs/families/coreference.md`, section 9, lists it all.
"""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from scoring.display.terminal import note, usage_status, warn, write_bytes
from scoring.errors import GoldError, SubmissionError
from scoring.families.coreference.measures.overlap import Overlap, overlap
from scoring.families.coreference.scorch import METRICS, Score, average, conll_f1, document_scores, flood_warnings
from scoring.findings import Finding
from scoring.readers.archive import open_files
from scoring.readers.archive.files import Files, SingleFile
from scoring.readers.coreference.sides import System, read_gold, read_system

_USAGE = """\
usage: python -m scoring scorch GOLD SYS [OUT]
GOLD and SYS: two JSON files or two folders of JSON files; - for one of them is the standard input.
OUT: a file to write; - or nothing is the standard output.
"""
# Scorch leaves out gold documents that the system lacks, without a word; here a warning names them.
_OPTIONS = {
    "protocol": "scorch",
    "singletons": "keep",
    "match": None,
    "zeros": None,
    "missing": "ignore",
    "repeated": "first",
    "format": "json",
}
# In the order of the output, as scorch writes them.
_METRIC_NAMES = {"muc": "MUC", "b_cubed": "B³", "ceaf_m": "CEAF_m", "ceaf_e": "CEAF_e", "blanc": "BLANC"}
# The standard input or output in place of a path.
_STREAM = "-"


def main(argv: Sequence[str]) -> int:
    """Return the exit status: 0 done, 1 anything refused or wrongly called."""
    if (status := usage_status(argv, _USAGE, _is_usage(argv))) is not None:
        return status
    gold, system, out = (*argv, _STREAM)[:3]
    try:
        pairs = _read(gold, system)
    except (GoldError, SubmissionError) as error:
        note(error)
        return 1
    return _write(_text(pairs), out)


def _is_usage(argv: Sequence[str]) -> bool:
    """Return whether the arguments are two or three paths, at most one of them the standard input."""
    is_option = any(argument.startswith("-") and argument != _STREAM for argument in argv)
    return len(argv) in (2, 3) and not is_option and argv[:2] != [_STREAM, _STREAM]


def _read(gold: str, system: str) -> System:
    """Read both sides and pair them; what is odd but no problem is told on the way."""
    if os.path.isdir(gold) != os.path.isdir(system):
        raise SubmissionError(f"{gold} and {system}: give two files or two folders")
    try:
        gold_side = read_gold(_files(gold), _OPTIONS)
    except SubmissionError as error:
        raise GoldError(_placed(error.problems, gold)) from None
    try:
        system_side = read_system(_files(system), gold_side, _OPTIONS)
    except SubmissionError as error:
        raise SubmissionError(_placed(error.problems, system)) from None
    for warning in [*gold_side.warnings, *system_side.warnings]:
        warn(warning)
    return system_side


def _files(path: str) -> Files:
    """Return a folder, or one file that is never taken for an archive."""
    if path == _STREAM:
        return _StandardInput(Path(path))
    return open_files(path) if os.path.isdir(path) else SingleFile(Path(path))


class _StandardInput(SingleFile):
    """A side that is one file without a path; messages call it "-"."""

    def _read(self, path: str) -> bytes:
        return sys.stdin.buffer.read()


def _placed(problems: Iterable[Finding], side: str) -> list[Finding]:
    """Return the problems with their files as the caller sees them: both sides may hold files of one name."""
    folder = side if os.path.isdir(side) else os.path.dirname(side)
    return [
        replace(problem, file=os.path.join(folder, problem.file)) if problem.file else problem for problem in problems
    ]


def _text(system: System) -> str:
    """Return the six lines; a warning on the way if the system has made most of the gold."""
    overlaps = [overlap(*pair) for pair in system.pairs]
    documents = [document_scores(one, adds_singletons=True) for one in overlaps]
    # Of the files as they are, without the added singletons.
    n_added = sum(one.system_mentions - one.common_mentions for one in overlaps)
    for warning in flood_warnings(n_added, sum(one.gold_mentions for one in overlaps)):
        warn(warning)
    if system.is_file:
        scores = documents[0].scores
        bare = _bare(overlaps[0], scores)
    else:
        scores, bare = average(documents), set()
    lines = [_line(_METRIC_NAMES[metric], scores[metric], metric in bare) for metric in METRICS]
    return "".join(lines) + f"CoNLL-2012 average score: {conll_f1(scores)!r}\n"


def _bare(table: Overlap, scores: Mapping[str, Score]) -> set[str]:
    """Name the metrics of a single file whose F₁ scorch prints as 0 instead of 0.0.

    Python's `statistics.harmonic_mean`, which scorch uses, gives the integer 0 where recall or precision is 0. For MUC
    scorch calls it only if both sides have an entity of two mentions or more; averages are always floats.
    """
    harmonic_means = {"b_cubed"}
    if max(table.gold_sizes, default=1) > 1 and max(table.system_sizes, default=1) > 1:
        harmonic_means.add("muc")
    return {metric for metric in harmonic_means if not scores[metric].f1}


def _line(name: str, scores: Score, is_bare: bool) -> str:
    # Python's shortest decimals that give the same number again, as scorch prints them.
    f1 = "0" if is_bare else repr(scores.f1)
    return f"{name}:\tR={scores.recall!r}\tP={scores.precision!r}\tF₁={f1}\n"


def _write(text: str, out: str) -> int:
    """Return the exit status. Nothing has been written before, so that a refusal leaves an older file as it was."""
    if out == _STREAM:
        write_bytes(text)
        return 0
    try:
        Path(out).write_bytes(text.encode())
    except OSError as error:
        note(f"{out}: cannot be written: {error.strerror}")
        return 1
    return 0
