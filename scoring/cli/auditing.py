"""The command `audit`: what scores of systems × units tell, without gold, families or a site."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import scoring
from scoring import lazy
from scoring.cli.comparison_output import COMPARISON_FORMATS, power_as_text
from scoring.comparing.comparison import Comparison
from scoring.comparing.sizes import DIFFERENCES
from scoring.display.arguments import add_command, add_output, add_resampling
from scoring.display.tables import aligned, comment
from scoring.display.terminal import save, write
from scoring.readers.archive import Files, Made, open_files
from scoring.readers.given.grid import Headings, oddities
from scoring.readers.given.logs import read_systems

_PAIRS_OF = 6  # systems of which the text lists all pairs; JSON has those of all


def add_to(actions: Any) -> None:
    """Add the command to the subparsers."""
    help_ = "say whether a table of systems and units, or logs of harnesses, are a ranking"
    parser = add_command(actions, "audit", help_, _audit)
    help_ = (
        "a table (a column for each system, or the columns unit, system and score), or logs of lm-evaluation-harness,"
        " inspect_ai, SWE-bench or Every Eval Ever, or folders or a zip archive of them"
    )
    parser.add_argument("tables", nargs="+", type=Path, metavar="FILE", help=help_)
    parser.add_argument("--lower-is-better", action="store_true", help="as of an error")
    parser.add_argument("--unit", metavar="COLUMN", help="with the units; else unit, or the first one")
    parser.add_argument("--group", metavar="COLUMN", help="whose units are drawn together, such as the document")
    parser.add_argument("--system", metavar="COLUMN", default="system", help="with the systems, a row for each score")
    parser.add_argument("--score", metavar="COLUMN", default="score", help="with their scores; of logs the metric")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the ranking into this file, too")
    add_resampling(parser, 10_000, of="of the units", levels="of the intervals", seed="of the draws; else by the units")
    add_output(parser, COMPARISON_FORMATS)


def _audit(arguments: argparse.Namespace) -> None:
    """Write the board of the table, and how to make it again."""
    headings = Headings(arguments.unit, arguments.system, arguments.score, arguments.group)
    grid = read_systems(_opened(arguments.tables), headings)
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
    command = lazy.load("scoring.auditing", "command_of")([*map(str, arguments.tables)], headings, board)
    if arguments.format == "text":
        noun = ("group", "groups") if grid.groups else ("unit", "units")
        text = "\n".join([text, *_beside_the_board(board, noun), f"Make it again: {command}\n"])
    elif arguments.format == "latex":
        text = f"{comment(command)}\n{text}"
    elif arguments.format == "json":
        power = scoring.power_of(board)
        further = {"power": power and power.as_dict(), "command": command}
        text = json.dumps(json.loads(text) | further, ensure_ascii=False, allow_nan=False, indent=2) + "\n"
    write(text, [*oddities(grid), *board.warnings], arguments.output)


def _opened(paths: Sequence[Path]) -> Files:
    """Return the files behind all paths, which are kept where they are several: folders may name the systems."""
    if len(paths) == 1:
        return open_files(paths[0], drop_marks=True)
    contents: dict[str, bytes] = {}
    for path in paths:
        files = open_files(path, drop_marks=True)
        single = [*files] == [path.name]
        contents |= {path.as_posix() if single else f"{path.as_posix()}/{name}": files[name] for name in files}
    return Made(contents)


def _beside_the_board(board: Comparison, noun: tuple[str, str]) -> list[str]:
    """Return what the text says beside the board: pairs of the first systems, and the power."""
    first = board.names[:_PAIRS_OF]
    rows = [("pair", "difference", "adjusted p", "told apart")]
    for k, a in enumerate(first):
        for b in first[k + 1 :]:
            pair = board.pair(a, b)
            ends = None if pair.low is None or pair.high is None else (pair.low, pair.high)
            scale = board.scale.fitted([pair.difference], [ends])
            difference = scale.signed(pair.difference, ends)
            rows.append((f"{a} − {b}", difference, f"{pair.p_adjusted:.4f}", "yes" if pair.separated else "no"))
    power = scoring.power_of(board)
    return [aligned(rows) + "\n", *([] if power is None else [power_as_text(power, noun, DIFFERENCES)])]
