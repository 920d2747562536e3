"""The command `audit`: what a table of systems × units tells, without gold, families or a site."""

import argparse
import json
from pathlib import Path
from typing import Any

import scoring
from scoring import lazy
from scoring.cli.output import COMPARISON_FORMATS, power_as_text
from scoring.comparing.comparison import Comparison
from scoring.comparing.sizes import DIFFERENCES
from scoring.display.arguments import add_command, add_output, add_resampling
from scoring.display.tables import aligned
from scoring.display.terminal import save, write
from scoring.readers.archive import open_files
from scoring.readers.given.grid import Headings, oddities, read_grid

_PAIRS_OF = 6  # systems of which the text lists all pairs; JSON has those of all


def add_to(actions: Any) -> None:
    """Add the command to the subparsers."""
    help_ = "say whether a table of systems and units is a ranking"
    parser = add_command(actions, "audit", help_, _audit)
    parser.add_argument(
        "table", type=Path, metavar="FILE", help="a column for each system, or the columns unit, system and score"
    )
    parser.add_argument("--lower-is-better", action="store_true", help="as of an error")
    parser.add_argument("--unit", metavar="COLUMN", help="with the units; else unit, or the first one")
    parser.add_argument("--group", metavar="COLUMN", help="whose units are drawn together, such as the document")
    parser.add_argument("--system", metavar="COLUMN", default="system", help="with the systems, a row for each score")
    parser.add_argument("--score", metavar="COLUMN", default="score", help="with their scores")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the ranking into this file, too")
    add_resampling(parser, 10_000, of="of the units", levels="of the intervals", seed="of the draws; else by the units")
    add_output(parser, COMPARISON_FORMATS)


def _audit(arguments: argparse.Namespace) -> None:
    """Write the board of the table, and how to make it again."""
    headings = Headings(arguments.unit, arguments.system, arguments.score, arguments.group)
    grid = read_grid(open_files(arguments.table, drop_marks=True), headings)
    board = scoring.audit(
        grid,
        arguments.resamples,
        arguments.seed,
        confidence_level=arguments.confidence,
        lower_is_better=arguments.lower_is_better,
    )
    intervals = board.percentiles()
    if arguments.svg:
        save(board.svg(intervals), arguments.svg)
    text = COMPARISON_FORMATS[arguments.format](board, intervals)
    command = lazy.load("scoring.comparing.audit", "command_of")(str(arguments.table), headings, board)
    if arguments.format == "text":
        noun = ("group", "groups") if grid.groups else ("unit", "units")
        text = "\n".join([text, *_further(board, noun), f"Make it again: {command}\n"])
    elif arguments.format == "latex":
        text = f"% {command}\n{text}"
    elif arguments.format == "json":
        power = scoring.power_of(board)
        further = {"power": power and power.as_dict(), "command": command}
        text = json.dumps(json.loads(text) | further, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    write(text, [*oddities(grid), *board.warnings], arguments.output)


def _further(board: Comparison, noun: tuple[str, str]) -> list[str]:
    """Return what the text says beside the board: pairs of the first systems, and the power."""
    first = board.names[:_PAIRS_OF]
    rows = [("pair", "difference", "adjusted p", "told apart")]
    for k, a in enumerate(first):
        for b in first[k + 1 :]:
            pair = board.pair(a, b)
            ends = None if pair.low is None or pair.high is None else (pair.low, pair.high)
            scale = board.scale.fitted([pair.difference], [ends])
            said = scale.signed(pair.difference, ends)
            rows.append((f"{a} − {b}", said, f"{pair.p_adjusted:.4f}", "yes" if pair.separated else "no"))
    power = scoring.power_of(board)
    return [aligned(rows) + "\n", *([] if power is None else [power_as_text(power, noun, DIFFERENCES)])]
