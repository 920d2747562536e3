"""Arguments of commands, of the engine's own and of reproduced programs.

Abbreviations are refused everywhere, so that a new argument never changes what an old command means.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from scoring.errors import ConfigurationError


def program(name: str, description: str | None) -> argparse.ArgumentParser:
    """Return the parser of a reproduced program, which is called as `python -m scoring NAME`."""
    return argparse.ArgumentParser(prog=f"python -m scoring {name}", description=description, allow_abbrev=False)


def add_command(
    actions: Any, name: str, help_: str, act: Callable[[argparse.Namespace], None], description: str | None = None
) -> argparse.ArgumentParser:
    """Add a command to the subparsers `actions`; `act` is what it does. Without a description the help is it."""
    parser: argparse.ArgumentParser = actions.add_parser(
        name, help=help_, description=description or f"{help_.capitalize()}.", allow_abbrev=False
    )
    parser.set_defaults(act=act)
    return parser


def add_resampling(parser: argparse.ArgumentParser, default: int, *, of: str | None, levels: str, seed: str) -> None:
    """Add the arguments of intervals and tests; the words say of what they are."""
    parser.add_argument("--resamples", type=int, default=default, help=of, metavar="N")
    parser.add_argument("--confidence", type=float, default=0.95, help=levels, metavar="C")
    parser.add_argument("--seed", type=int, help=seed)


def add_output(parser: argparse.ArgumentParser, formats: Iterable[str]) -> None:
    """Add the arguments that say how and where to write."""
    parser.add_argument("--format", choices=list(formats), default="text")
    parser.add_argument("--output", type=Path, help="write here instead of the terminal")


def key_values(texts: Sequence[str], option: str, form: str) -> dict[str, str]:
    """Return {key: value} of the texts that an option was given.

    >>> key_values(["task=2"], "-o", "KEY=VALUE")
    {'task': '2'}
    """
    for text in texts:
        if "=" not in text:
            raise ConfigurationError(f"{option} {text}: write {form}")
    return dict(text.split("=", 1) for text in texts)


def check_different(names: Sequence[str], template: str) -> None:
    """Raise ConfigurationError, with the words of `template` around the name, if two of the names are the same."""
    if repeated := [name for name, number in Counter(names).items() if number > 1]:
        raise ConfigurationError(template.format(min(repeated)))
