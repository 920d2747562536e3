"""The output of the evaluation program of the shared task of CoNLL 2018, for two CoNLL-U files, around this engine.

By default three scores are printed, with -v a table of all metrics, with -c a table of counts.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from scoring.display.arguments import program
from scoring.display.terminal import exit_status, write
from scoring.engine import evaluate
from scoring.family import Record

_PRINTED_ALONE = {"LAS": "LAS F1 Score", "MLAS": "MLAS Score", "BLEX": "BLEX Score"}
_RULE = "-----------+-----------+-----------+-----------+-----------"


def main(argv: Sequence[str]) -> int:
    """Return the exit status: 0 done, 1 the submission is refused, 2 wrong usage or gold."""
    arguments = _arguments(argv)
    return exit_status(lambda: _run(arguments))


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = program("conll18-ud-eval", __doc__.partition("\n")[0])
    parser.add_argument("gold_file", type=Path, help="the gold in CoNLL-U")
    parser.add_argument("system_file", type=Path, help="the same text by a system")
    parser.add_argument("--verbose", "-v", action="store_true", help="print all metrics")
    parser.add_argument("--counts", "-c", action="store_true", help="print counts in place of scores")
    return parser.parse_args(argv)


def _run(arguments: argparse.Namespace) -> None:
    options: Mapping[str, Any] = {"scores": [{"name": "ud"}], "format": "conllu"}
    result = evaluate("spacy", gold=arguments.gold_file, system=arguments.system_file, options=options)
    # As in the program, -c outdoes -v.
    lines = _counts if arguments.counts else _scores if arguments.verbose else _few
    write("".join(f"{line}\n" for line in lines(result.tables["ud_metrics"])), result.warnings)


def _few(rows: Sequence[Record]) -> Iterator[str]:
    for row in rows:
        if row["metric"] in _PRINTED_ALONE:
            yield f"{_PRINTED_ALONE[row['metric']]}: {100 * row['f']:.2f}"


def _scores(rows: Sequence[Record]) -> Iterator[str]:
    yield "Metric     | Precision |    Recall |  F1 Score | AligndAcc"
    yield _RULE
    for row in rows:
        accuracy = "" if row["accuracy"] is None else f"{100 * row['accuracy']:10.2f}"
        shares = " |".join(f"{100 * row[name]:10.2f}" for name in ("p", "r", "f"))
        yield f"{row['metric']:11}|{shares} |{accuracy}"


def _counts(rows: Sequence[Record]) -> Iterator[str]:
    yield "Metric     | Correct   |      Gold | Predicted | Aligned"
    yield _RULE
    for row in rows:
        # Of tokens and sentences the program knows no aligned words, which leaves a blank cell.
        counts = " |".join(f"{row[name]:10}" for name in ("correct", "gold", "system"))
        yield f"{row['metric']:11}|{counts} |{row['aligned'] or '':10}"
