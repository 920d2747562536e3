"""The engine's own commands, such as `evaluate` and `check`: arguments, and where results and warnings go.

Results go to stdout or a file, warnings and problems to stderr: each cause once, behind `file:line: `.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from scoring import commands, lazy, skeleton
from scoring.cli.on_family import PATH, Actions, add_draws, add_family_command, add_paths, evaluated, options_of
from scoring.cli.output import FORMATS
from scoring.cli.refusals import explained, folded
from scoring.display.arguments import add_command, add_output
from scoring.display.causes import oddity_line
from scoring.display.terminal import bar, exit_status, say, write
from scoring.engine import check
from scoring.errors import ConfigurationError, SubmissionError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES

# Loaded in turn until one of them has the command, and all of them for the list of commands.
_OTHERS = (
    "scoring.cli.comparing",
    "scoring.cli.annotators",
    "scoring.cli.auditing",
    "scoring.verifying.command",
    "scoring.cli.combining",
    "scoring.remote.commands",
)
_STEPS = {"reading": 0.1, "matching": 0.4, "intervals": 0.7}


def main(argv: Sequence[str]) -> int:
    """Return the exit status: 0 done, 1 submission refused, 2 wrong usage or gold, 3 no answer from the site."""
    arguments = _parser(argv[0] if argv else "").parse_args(argv)
    return exit_status(lambda: arguments.act(arguments))


def _parser(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=_program(),
        description="Check, score and compare systems' output, and send it to a site.",
        epilog=f"Commands of reproduced systems: {', '.join(commands.names())}.",
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="COMMAND")
    for add_to in (_add_evaluate, _add_check, *(lazy.late(module, "add_to") for module in _OTHERS), _add_new_family):
        if command not in actions.choices:
            add_to(actions)
    return parser


def _program() -> str:
    """Return the name by which it was called: that of the installed command, or of the module."""
    name = Path(sys.argv[0]).stem
    return name if name == "evalsite" else "python -m scoring"


def _add_evaluate(actions: Actions) -> None:
    parser = add_family_command(actions, "evaluate", "compute the scores of a system", _evaluate)
    add_paths(parser, "--gold", "--system")
    add_draws(parser, default=0, of="for intervals; 0: none")
    parser.add_argument("--save", type=Path, metavar="FILE", help="store the evaluation, for `combine`")
    parser.add_argument(
        "--keep", action="append", default=[], metavar="SCORE", help="store the draws of this score, too"
    )
    add_output(parser, FORMATS)


def _add_check(actions: Actions) -> None:
    parser = add_family_command(actions, "check", "list all problems of a system's files, or say what was read", _check)
    against = parser.add_mutually_exclusive_group(required=True)
    against.add_argument("--gold", type=Path, help=PATH)
    against.add_argument("--input", type=Path, help="what participants are given, where there is no gold")
    add_paths(parser, "--system")
    parser.add_argument("--quiet", action="store_true", help="nothing but the exit status")


def _add_new_family(actions: Actions) -> None:
    help_ = "write the beginning of a package with a family of your own"
    parser = add_command(actions, "new-family", help_, _new_family)
    parser.add_argument("name", metavar="NAME", help="small letters, digits and _")
    parser.add_argument("--folder", type=Path, help="to write it into; else a new one, evalsite-NAME, here")


def _check(arguments: argparse.Namespace) -> None:
    """Say that the system's files are in order, what was read and what looks odd, or refuse them."""
    read = {"system": arguments.system, "options": options_of(arguments), "drop_marks": True}
    if arguments.quiet and arguments.gold:
        if check(arguments.family, gold=arguments.gold, **read):
            raise SubmissionError([])
        return
    try:
        with explained(arguments.system):
            if arguments.gold:
                description = lazy.load("scoring.descriptions", "describe")(
                    arguments.family, gold=arguments.gold, gold_is_open=True, **read
                )
            else:
                description = lazy.load("scoring.descriptions", "read_against")(
                    arguments.family, inputs=arguments.input, **read
                )
    except SubmissionError as error:
        raise SubmissionError([] if arguments.quiet else error.problems) from None
    if arguments.quiet:
        return
    say("No problem found.")
    say(description.summary)
    for oddity in description.oddities:
        say(oddity_line(oddity.as_dict()))


def _evaluate(arguments: argparse.Namespace) -> None:
    """Write the scores of one system."""
    with explained(arguments.system), bar("Scoring") as shown:
        result = evaluated(
            arguments, arguments.system, lambda step: shown.at(_STEPS.get(step, 0), step), arguments.keep
        )
    if arguments.save:
        _store(result, arguments.save)
    titles = FAMILIES[result.family].titles(result.options)
    write(FORMATS[arguments.format](result), folded(result.warnings, titles), arguments.output)


def _store(result: Evaluation, target: Path) -> None:
    try:
        result.save(target)
    except OSError as error:
        raise ConfigurationError(f"{target}: {error.strerror}") from None


def _new_family(arguments: argparse.Namespace) -> None:
    """Write the files, and say what to do with them."""
    if arguments.name in FAMILIES:
        raise ConfigurationError(f"there is a family {arguments.name} already")
    folder = arguments.folder or Path(f"evalsite-{arguments.name.replace('_', '-')}")
    for path in skeleton.write(arguments.name, folder):
        say(path)
    say(f"Install it with: pip install --editable {folder}")
