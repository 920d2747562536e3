"""The engine's own commands, such as `evaluate`, `check` and `compare`: arguments, and where results and warnings go.

Results go to stdout or a file, warnings and problems to stderr: each cause once, behind `file:line: `.
"""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import scoring
from scoring import commands, lazy, skeleton
from scoring.cli.on_family import PATH, Actions, add_draws, add_family_command, add_paths, options_of
from scoring.cli.output import COMPARISON_FORMATS, FORMATS, POWER_FORMATS
from scoring.cli.refusals import explained, folded
from scoring.comparing.sizes import DIFFERENCES
from scoring.display.arguments import add_command, add_output, check_different
from scoring.display.causes import oddity_line
from scoring.display.terminal import bar, exit_status, save, say, write
from scoring.engine import check, evaluate
from scoring.errors import ConfigurationError, SubmissionError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.significance.limits import FEWEST_UNITS, METHODS, USUAL_POWER, check_power

# Loaded in turn until one of them has the command, and all of them for the list of commands.
_OTHERS = (
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
    _add_evaluate(actions)
    _add_check(actions)
    _add_compare(actions)
    _add_power(actions)
    for module in _OTHERS:
        if command not in actions.choices:
            lazy.load(module, "add_to")(actions)
    help_ = "write the beginning of a package with a family of your own"
    beginning = add_command(actions, "new-family", help_, _new_family)
    beginning.add_argument("name", metavar="NAME", help="small letters, digits and _")
    beginning.add_argument("--folder", type=Path, help="to write it into; else a new one, evalsite-NAME, here")
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
        result = _evaluated(
            arguments, arguments.system, lambda step: shown.at(_STEPS.get(step, 0), step), arguments.keep
        )
    if arguments.save:
        _store(result, arguments.save)
    titles = FAMILIES[result.family].titles(result.options)
    write(FORMATS[arguments.format](result), folded(result.warnings, titles), arguments.output)


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
        return _evaluated(arguments, path)
    except SubmissionError as error:
        inside = [replace(problem, file=f"{path.name}/{problem.file}") for problem in error.problems]
        raise SubmissionError(inside if path.is_dir() else error.problems) from None


def _store(result: Evaluation, target: Path) -> None:
    try:
        result.save(target)
    except OSError as error:
        raise ConfigurationError(f"{target}: {error.strerror}") from None


def _evaluated(
    arguments: argparse.Namespace,
    path: Path,
    on_step: Callable[[str], None] | None = None,
    keep: Sequence[str] = (),
) -> Evaluation:
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


def _new_family(arguments: argparse.Namespace) -> None:
    """Write the files, and say what to do with them."""
    if arguments.name in FAMILIES:
        raise ConfigurationError(f"there is a family {arguments.name} already")
    folder = arguments.folder or Path(f"evalsite-{arguments.name.replace('_', '-')}")
    for path in skeleton.write(arguments.name, folder):
        say(path)
    say(f"Install it with: pip install --editable {folder}")
