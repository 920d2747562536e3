"""The arguments and the output of the NTCIR-3 QAC scoring tool, around this engine.

The short arguments and their long forms are those of the README of `scoring.pl` 1.50; the others are additions. What
`-e` prints is ours as far as the README leaves it open.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from scoring.display.arguments import program
from scoring.display.terminal import exit_status, warn, write
from scoring.errors import ConfigurationError, problems_of_gold
from scoring.families.qac import QAC
from scoring.families.qac.counting import Matches
from scoring.families.qac.report import encoded, judged_questions, report, res_dat, totals_of
from scoring.readers.archive import open_files
from scoring.readers.qac import ENCODINGS, AnswerSet
from scoring.signature import __version__

_EXTRACT_HELP = (
    "print instead: 1 the gold as read, 2 the run as read, 3 the right strings, "
    "4 each question's counts (tasks 2 and 3), 5 each question with both sides' answers (task 1)"
)


def main(argv: Sequence[str]) -> int:
    """Score a run and return 0 done, 1 the run is refused, 2 the gold is; wrong usage ends in SystemExit."""
    arguments = _arguments(argv)
    return exit_status(lambda: _score(arguments))


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = program("qac", __doc__.partition("\n")[0])
    parser.add_argument("run", type=Path, metavar="FILE", help="the run")
    parser.add_argument("-a", "--answer", type=Path, required=True, metavar="FILE", help="the gold answer set")
    parser.add_argument("-t", "--task", type=int, choices=(1, 2, 3), default=1, help="task of the QAC (default 1)")
    parser.add_argument("-e", "--extract", type=int, choices=tuple(_EXTRACTS), help=_EXTRACT_HELP)
    parser.add_argument("-v", "--version", action="version", version=f"qac {__version__}")
    parser.add_argument("--article", choices=("ignore", "require"), default="ignore", help="has to be the gold's?")
    parser.add_argument("--encoding", choices=ENCODINGS, default="utf-8", help="of the run (default utf-8)")
    parser.add_argument("--gold-encoding", choices=ENCODINGS, help="of the gold (default as of the run)")
    parser.add_argument("--res-dat", type=Path, default=Path("res.dat"), metavar="PATH", help="default res.dat")
    parser.add_argument("--res-dat-encoding", choices=ENCODINGS, default="utf-8", help="default utf-8")
    parser.add_argument("--no-res-dat", action="store_true", help="print the report alone")
    arguments = parser.parse_args(argv)
    if arguments.extract == 4 and arguments.task == 1:
        parser.error("-e 4 is for tasks 2 and 3")
    if arguments.extract == 5 and arguments.task != 1:
        parser.error("-e 5 is for task 1")
    return arguments


def _score(arguments: argparse.Namespace) -> None:
    """Print the report and write res.dat, or print an extract alone."""
    matches, warnings = _matches(arguments)
    if arguments.extract is not None:
        write("".join([f"{line}\n" for line in _EXTRACTS[arguments.extract](matches)]), warnings)
        return
    write(report(totals_of(matches, arguments.task)), warnings)
    if not arguments.no_res_dat:
        _write_res_dat(matches, arguments.res_dat, arguments.res_dat_encoding)


def _matches(arguments: argparse.Namespace) -> tuple[Matches, list[str]]:
    """Return the scored run and its warnings; GoldError or SubmissionError, the gold's first."""
    chosen = {key: getattr(arguments, key) for key in ("task", "article", "encoding", "gold_encoding")}
    options = QAC.configure({key: value for key, value in chosen.items() if value is not None})
    with problems_of_gold():
        gold: AnswerSet = QAC.read_gold(open_files(arguments.answer), options)
    counted = QAC.count(gold, QAC.read_system(open_files(arguments.run), gold, options), options)
    return counted.matches, counted.warnings


def _write_res_dat(matches: Matches, path: Path, encoding: str) -> None:
    """Write res.dat; a path that cannot be written is wrong usage."""
    content, lacking = encoded(res_dat(judged_questions(matches)), encoding)
    if lacking:
        warn(f"{path}: {encoding} lacks {' '.join(lacking)}, written as 〓")
    try:
        path.write_bytes(content)
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}") from None


def _gold_lines(matches: Matches) -> Iterator[str]:
    """Yield the lines of -e 1: every question of the gold, scored or not, and its lines in the order of the file."""
    gold = matches.gold
    lines: list[list[int]] = [[] for _ in gold.ids]
    for line, question in enumerate(gold.question.tolist()):
        lines[question].append(line)
    for name, of_question in zip(gold.ids, lines, strict=True):
        yield f"{name} {len(of_question)} {len({int(gold.numbers[line]) for line in of_question})}"
        for line in of_question:
            yield f"{gold.numbers[line]} {gold.answers[line]} {gold.articles[line]}"


def _run_lines(matches: Matches) -> Iterator[str]:
    """Yield the lines of -e 2: every question of the run by ID, and all its outputs, also those that task 1 cuts."""
    run = matches.run
    starts = run.starts.tolist()
    for question in sorted(run.ids):
        start, end = starts[run.index_of[question]], starts[run.index_of[question] + 1]
        yield f"{question} {end - start}"
        for index in range(start, end):
            # Counts from 0, unlike the ranks in the tables.
            yield f"{index - start} {run.answers[index]} {run.articles[index]}"


def _right_strings(matches: Matches) -> Iterator[str]:
    """Yield the lines of -e 3: each output with a right string, and the number that it meets.

    The number is negative if the article does not fit.
    """
    verdicts, indices = matches.verdicts, matches.outputs.index
    for output in verdicts.is_right.nonzero()[0].tolist():
        number = verdicts.number[output] if verdicts.article_ok[output] else -verdicts.number[output]
        yield f"{matches.run.answers[indices[output]]} | {number}"


def _counts(matches: Matches) -> Iterator[str]:
    """Yield the lines of -e 4: A, O, C and F of each scored question."""
    columns = (matches.n_answers, matches.n_outputs, matches.n_correct, matches.f1)
    for question, *counts, f1 in zip(matches.ids, *(column.tolist() for column in columns), strict=True):
        yield f"{question}: {' '.join(map(str, counts))} {f1:f}"


def _both_sides(matches: Matches) -> Iterator[str]:
    """Yield the lines of -e 5: each scored question in its own words, the gold's strings in code-point order, and
    all outputs, also those that task 1 cuts.
    """
    gold, run = matches.gold, matches.run
    answers: dict[str, set[str]] = {question: set() for question in gold.ids}
    for question, answer in zip(gold.question.tolist(), gold.answers, strict=True):
        answers[gold.ids[question]].add(answer)
    for judged in judged_questions(matches):
        yield f'{judged.question} "{gold.texts.get(judged.question, "")}"'
        yield "CORRECT ANSWER:"
        yield from sorted(answers[judged.question])
        yield ""
        for output, is_correct in zip(judged.outputs, judged.correct, strict=True):
            yield f"{output} *" if is_correct else output
        if (place := run.index_of.get(judged.question)) is not None:
            start, end = run.starts[place : place + 2].tolist()
            yield from run.answers[start + len(judged.outputs) : end]


_EXTRACTS: dict[int, Callable[[Matches], Iterator[str]]] = {
    1: _gold_lines,
    2: _run_lines,
    3: _right_strings,
    4: _counts,
    5: _both_sides,
}
