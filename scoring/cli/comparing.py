"""The commands `compare` and `power`: which systems differ, and how small a difference the gold tells."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import scoring
from scoring.cli.comparison_output import COMPARISON_FORMATS, POWER_FORMATS
from scoring.cli.on_family import PATH, Actions, add_draws, add_family_command, add_paths, evaluated
from scoring.comparing.sizes import DIFFERENCES
from scoring.display.arguments import add_output, check_different
from scoring.display.terminal import bar, save, write
from scoring.errors import ConfigurationError, SubmissionError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.significance.limits import FEWEST_UNITS, METHODS, USUAL_POWER, check_power


def add_to(actions: Actions) -> None:
    """Add these commands to the subparsers."""
    _add_compare(actions)
    _add_power(actions)


def _add_compare(actions: Actions) -> None:
    parser = add_family_command(actions, "compare", "say which systems differ", _compare)
    add_paths(parser, "--gold")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the ranking into this file, too")
    parser.add_argument("systems", type=Path, nargs="+", metavar="SYSTEM", help=PATH)
    parser.add_argument(
        "--reference", type=Path, action="append", default=[], metavar="PATH", help="a system outside the ranks"
    )
    parser.add_argument("--method", choices=METHODS, default=METHODS[0])
    add_draws(parser, default=10_000, of="or exchanges of units")
    add_output(parser, COMPARISON_FORMATS)


def _add_power(actions: Actions) -> None:
    help_ = "say how small a difference the gold tells, and how many units tell a given one"
    parser = add_family_command(actions, "power", help_, _power)
    add_paths(parser, "--gold")
    parser.add_argument("systems", type=Path, nargs="+", metavar="SYSTEM", help=f"two at least; {PATH}")
    parser.add_argument("--among", type=int, metavar="K", help="as on a board of so many systems; else of those given")
    parser.add_argument(
        "--difference", type=float, action="append", default=[], metavar="D", help="to be told; else some usual ones"
    )
    parser.add_argument(
        "--power", type=float, default=USUAL_POWER, metavar="P", help="how often it is to be told (default 0.8)"
    )
    add_draws(parser, default=10_000, of="of the systems")
    add_output(parser, POWER_FORMATS)


def _compare(arguments: argparse.Namespace) -> None:
    """Evaluate all systems and write which of them differ."""
    results = _results(arguments, arguments.systems + arguments.reference)
    comparison = scoring.compare(
        results,
        arguments.resamples,
        arguments.seed,
        confidence_level=arguments.confidence,
        references=[path.stem for path in arguments.reference],
        method=arguments.method,
    )
    # Of each system's own score; the comparison has those of the differences.
    intervals = {
        name: result.intervals[result.headline]
        for name, result in results.items()
        if result.headline in result.intervals
    }
    if arguments.svg:
        save(comparison.svg(intervals), arguments.svg)
    warnings = [*_warnings(results), *comparison.warnings]
    write(COMPARISON_FORMATS[arguments.format](comparison, intervals), warnings, arguments.output)


def _power(arguments: argparse.Namespace) -> None:
    """Write what the gold tells of systems like these."""
    check_power(arguments.power)
    results = _results(arguments, arguments.systems)
    comparison = scoring.compare(results, arguments.resamples, arguments.seed, confidence_level=arguments.confidence)
    power = scoring.power_of(comparison, power=arguments.power)
    if power is None:
        raise ConfigurationError(
            f"nothing is known: that takes two systems that differ, on at least {FEWEST_UNITS} units"
        )
    if arguments.among is not None:
        power = power.among(arguments.among)
    noun = FAMILIES[arguments.family].unit(next(iter(results.values())).options)
    text = POWER_FORMATS[arguments.format](power, noun, tuple(arguments.difference) or DIFFERENCES)
    write(text, [*_warnings(results), *comparison.warnings], arguments.output)


def _results(arguments: argparse.Namespace, paths: Sequence[Path]) -> dict[str, Evaluation]:
    """Return the evaluations of several systems by name: those of their files, without folders and suffixes."""
    names = [path.stem for path in paths]
    check_different(names, "two systems are called {}: give their files different names")
    results = {}
    with bar("Scoring") as shown:
        for number, path in enumerate(paths):
            shown.at(number / len(paths), path.stem)
            results[path.stem] = _result(arguments, path)
    return results


def _warnings(results: Mapping[str, Evaluation]) -> list[str]:
    return [f"{name}: {warning}" for name, result in results.items() for warning in result.warnings]


def _result(arguments: argparse.Namespace, path: Path) -> Evaluation:
    """Return the evaluation of one of several systems; its problems tell which folder the file is in."""
    try:
        return evaluated(arguments, path)
    except SubmissionError as error:
        inside = [replace(problem, file=f"{path.name}/{problem.file}") for problem in error.problems]
        raise SubmissionError(inside if path.is_dir() else error.problems) from None
