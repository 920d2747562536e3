"""The arguments that all commands on a family have, and the evaluation that they ask for."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from scoring.display.arguments import add_command, add_resampling, key_values
from scoring.engine import evaluate
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES

PATH = "a folder, a zip archive or a file"
Actions = Any  # argparse's subparsers, whose class has no public name


def add_family_command(
    actions: Actions, name: str, help_: str, act: Callable[[argparse.Namespace], None]
) -> argparse.ArgumentParser:
    """Add a command on a family, with the arguments that all of these have."""
    parser = add_command(actions, name, help_, act)
    # argparse writes the choices where help is asked for: to know them all, it looks for installed packages.
    parser.add_argument("family", type=_family_name, choices=FAMILIES, metavar="FAMILY", help="%(choices)s")
    parser.add_argument(
        "-o", dest="options", action="append", default=[], metavar="KEY=VALUE", help="an option of the family"
    )
    return parser


def add_paths(parser: argparse.ArgumentParser, *names: str) -> None:
    for name in names:
        parser.add_argument(name, type=Path, required=True, help=PATH)


def add_draws(parser: argparse.ArgumentParser, default: int, of: str) -> None:
    add_resampling(parser, default, of=of, levels="of the intervals", seed="of the draws; else from the gold's content")


def _family_name(name: str) -> str:
    """Return the name as it is given; of a family whose package cannot be used, argparse prints why."""
    if why := FAMILIES.why_refused(name):
        raise argparse.ArgumentTypeError(f"the family {name} of an installed package cannot be used: {why}")
    return name


def options_of(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the options as texts; the family knows which keys and values there are."""
    return key_values(arguments.options, "-o", "KEY=VALUE")


def evaluated(
    arguments: argparse.Namespace,
    path: Path,
    on_step: Callable[[str], None] | None = None,
    keep: Sequence[str] = (),
) -> Evaluation:
    """Return the evaluation of a system by the arguments of a command."""
    return evaluate(
        arguments.family,
        gold=arguments.gold,
        system=path,
        options=options_of(arguments),
        n_resamples=arguments.resamples,
        confidence_level=arguments.confidence,
        seed=arguments.seed,
        on_step=on_step,
        drop_marks=True,
        keep=keep,
    )
