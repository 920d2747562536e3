"""The engine's own commands, evaluate and check: arguments and exit status."""

import argparse
import importlib
import os
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path

from scoring import commands
from scoring.engine import check, evaluate
from scoring.errors import ConfigurationError, ScoringError, SubmissionError
from scoring.families import FAMILIES
from scoring.output import FORMATS

DONE, REFUSED, WRONG = 0, 1, 2


def main(argv: Sequence[str]) -> int:
    """Exit status: 0 done, 1 the submission is refused, 2 wrong usage or gold."""
    try:
        if argv and argv[0] in _seed_compatible():
            # By name: a command brings its own libraries, and none needs those of the others.
            module = importlib.import_module(f"{commands.__name__}.{argv[0].replace('-', '_')}")
            return int(module.main(argv[1:]))
        return _run(_parser().parse_args(argv))
    except BrokenPipeError:
        # The reader of our output has gone, as `head` does; Python must not complain when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE


def _seed_compatible() -> list[str]:
    """The commands that take the arguments of a reproduced system."""
    return [module.name.replace("_", "-") for module in pkgutil.iter_modules(commands.__path__)]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m scoring",
        description="Evaluate a system's output against gold data.",
        epilog=f"Commands of reproduced systems: {', '.join(_seed_compatible())}.",
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="evaluate|check")
    evaluating = _action(actions, "evaluate", "compute the scores of a system")
    evaluating.add_argument("--resamples", type=int, default=0, help="for intervals; 0: none", metavar="N")
    evaluating.add_argument("--confidence", type=float, default=0.95, help="of the intervals", metavar="C")
    evaluating.add_argument("--seed", type=int, help="of the draws; else from the gold's content")
    evaluating.add_argument("--format", choices=FORMATS, default="text")
    evaluating.add_argument("--output", type=Path, help="write here instead of the terminal")
    _action(actions, "check", "list all problems of a system's files")
    return parser


def _action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, help_: str
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=help_, description=help_.capitalize() + ".", allow_abbrev=False)
    parser.add_argument("family", choices=FAMILIES, metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--gold", type=Path, required=True, help="a folder, a zip archive or a file")
    parser.add_argument("--system", type=Path, required=True, help="a folder, a zip archive or a file")
    parser.add_argument(
        "-o", dest="options", action="append", default=[], metavar="KEY=VALUE", help="an option of the family"
    )
    return parser


def _run(arguments: argparse.Namespace) -> int:
    try:
        if arguments.action == "check":
            return _check(arguments)
        return _evaluate(arguments)
    except ScoringError as error:
        print(error, file=sys.stderr)
        return REFUSED if isinstance(error, SubmissionError) else WRONG


def _check(arguments: argparse.Namespace) -> int:
    problems = check(
        arguments.family,
        gold=arguments.gold,
        system=arguments.system,
        options=_options(arguments.options),
    )
    for problem in problems:
        print(problem, file=sys.stderr)
    return REFUSED if problems else DONE


def _evaluate(arguments: argparse.Namespace) -> int:
    result = evaluate(
        arguments.family,
        gold=arguments.gold,
        system=arguments.system,
        options=_options(arguments.options),
        n_resamples=arguments.resamples,
        confidence_level=arguments.confidence,
        seed=arguments.seed,
    )
    text = FORMATS[arguments.format](result)
    for warning in result.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    if arguments.output is None:
        print(text, end="")
        return DONE
    try:
        # newline="": the text brings its own line ends.
        arguments.output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise ConfigurationError(f"{arguments.output}: {error.strerror}") from None
    return DONE


def _options(given: Sequence[str]) -> dict[str, str]:
    options = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise ConfigurationError(f"-o {text}: write KEY=VALUE")
        options[key] = value
    return options
