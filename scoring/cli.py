"""The engine's own commands, `evaluate`, `check`, `compare` and `power`: arguments, and where results and warnings go.

Results go to stdout or a file, warnings and problems to stderr, one a line: `file:line:column: message`.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import scoring
from scoring import cli_combining, commands, skeleton
from scoring.comparing.sizes import DIFFERENCES
from scoring.describing.description import Oddity
from scoring.engine import check, describe, evaluate, read_against
from scoring.errors import ConfigurationError, SubmissionError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.output import COMPARISON_FORMATS, FORMATS, POWER_FORMATS
from scoring.progress import bar
from scoring.remote import commands as remote
from scoring.significance.limits import FEWEST_UNITS, METHODS, USUAL_POWER, check_power
from scoring.terminal import exit_status, save, write


def main(argv: Sequence[str]) -> int:
    """Exit status: 0 done, 1 the submission is refused, 2 wrong usage or gold, 3 the site does not answer now."""
    arguments = _parser().parse_args(argv)
    return exit_status(lambda: arguments.act(arguments))


def _parser() -> argparse.ArgumentParser:
    """All arguments. Abbreviations are refused, so that a new argument never changes what an old command means."""
    parser = argparse.ArgumentParser(
        prog=_program(),
        description="Check, score and compare systems' output, and send it to a site.",
        epilog=f"Commands of reproduced systems: {', '.join(commands.names())}.",
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="COMMAND")
    evaluating = _action(actions, "evaluate", "compute the scores of a system", _evaluate)
    _add_gold(evaluating)
    _add_system(evaluating)
    _add_resampling(evaluating, default=0, help_="for intervals; 0: none")
    evaluating.add_argument("--save", type=Path, metavar="FILE", help="store the evaluation, for `combine`")
    evaluating.add_argument(
        "--keep", action="append", default=[], metavar="SCORE", help="store the draws of this score, too"
    )
    _add_output(evaluating, FORMATS)
    checking = _action(actions, "check", "list all problems of a system's files, or say what was read", _check)
    against = checking.add_mutually_exclusive_group(required=True)
    against.add_argument("--gold", type=Path, help=_PATH)
    against.add_argument("--input", type=Path, help="what participants are given, where there is no gold")
    _add_system(checking)
    checking.add_argument("--quiet", action="store_true", help="nothing but the exit status")
    comparing = _action(actions, "compare", "say which systems differ", _compare)
    _add_gold(comparing)
    comparing.add_argument("--svg", type=Path, metavar="FILE", help="draw the ranking into this file, too")
    comparing.add_argument("systems", type=Path, nargs="+", metavar="SYSTEM", help=_PATH)
    comparing.add_argument(
        "--reference", type=Path, action="append", default=[], metavar="PATH", help="a system outside the ranks"
    )
    comparing.add_argument("--method", choices=METHODS, default=METHODS[0])
    _add_resampling(comparing, default=10_000, help_="or exchanges of units")
    _add_output(comparing, COMPARISON_FORMATS)
    measuring = _action(
        actions, "power", "say how small a difference the gold tells, and how many units tell a given one", _power
    )
    _add_gold(measuring)
    measuring.add_argument("systems", type=Path, nargs="+", metavar="SYSTEM", help=f"two at least; {_PATH}")
    measuring.add_argument(
        "--among", type=int, metavar="K", help="as on a board of so many systems; else of those given"
    )
    measuring.add_argument(
        "--difference", type=float, action="append", default=[], metavar="D", help="to be told; else some usual ones"
    )
    measuring.add_argument(
        "--power", type=float, default=USUAL_POWER, metavar="P", help="how often it is to be told (default 0.8)"
    )
    _add_resampling(measuring, default=10_000, help_="of the systems")
    _add_output(measuring, POWER_FORMATS)
    cli_combining.add_to(actions)
    remote.add_to(actions)
    beginning = actions.add_parser(
        "new-family", help="write the beginning of a package with a family of your own", allow_abbrev=False
    )
    beginning.add_argument("name", metavar="NAME", help="small letters, digits and _")
    beginning.add_argument("--folder", type=Path, help="to write it into; else a new one, evalsite-NAME, here")
    beginning.set_defaults(act=_begin_family)
    return parser


def _program() -> str:
    """As it was called: the installed command, or the module."""
    name = Path(sys.argv[0]).stem
    return name if name == "evalsite" else "python -m scoring"


_PATH = "a folder, a zip archive or a file"


def _add_gold(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--gold", type=Path, required=True, help=_PATH)


def _add_system(parser: argparse.ArgumentParser) -> None:
    """The argument of the actions that take one system."""
    parser.add_argument("--system", type=Path, required=True, help=_PATH)


def _add_resampling(parser: argparse.ArgumentParser, default: int, help_: str) -> None:
    """The arguments of intervals and tests."""
    parser.add_argument("--resamples", type=int, default=default, help=help_, metavar="N")
    parser.add_argument("--confidence", type=float, default=0.95, help="of the intervals", metavar="C")
    parser.add_argument("--seed", type=int, help="of the draws; else from the gold's content")


def _add_output(parser: argparse.ArgumentParser, formats: Iterable[str]) -> None:
    """The arguments that say how and where to write."""
    parser.add_argument("--format", choices=list(formats), default="text")
    parser.add_argument("--output", type=Path, help="write here instead of the terminal")


def _action(
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    help_: str,
    act: Callable[[argparse.Namespace], None],
) -> argparse.ArgumentParser:
    """The parser of one action, with the arguments that all actions have."""
    parser = actions.add_parser(name, help=help_, description=help_.capitalize() + ".", allow_abbrev=False)
    parser.add_argument("family", type=_family_name, choices=FAMILIES, metavar="FAMILY", help=", ".join(FAMILIES))
    parser.set_defaults(act=act)
    parser.add_argument(
        "-o", dest="options", action="append", default=[], metavar="KEY=VALUE", help="an option of the family"
    )
    return parser


def _family_name(name: str) -> str:
    """As given; of a family whose package cannot be used, argparse is told why."""
    if why := FAMILIES.refused.get(name):
        raise argparse.ArgumentTypeError(f"the family {name} of an installed package cannot be used: {why}")
    return name


def _check(arguments: argparse.Namespace) -> None:
    """Says that the system's files are in order, what was read and what looks odd, or refuses them."""
    given = {"system": arguments.system, "options": _options(arguments.options), "drop_marks": True}
    if arguments.quiet and arguments.gold:
        if check(arguments.family, gold=arguments.gold, **given):
            raise SubmissionError([])
        return
    try:
        if arguments.gold:
            description = describe(arguments.family, gold=arguments.gold, **given)
        else:
            description = read_against(arguments.family, inputs=arguments.input, **given)
    except SubmissionError as error:
        raise SubmissionError([] if arguments.quiet else error.problems) from None
    if arguments.quiet:
        return
    print("No problem found.")
    print(description.summary)
    for oddity in description.oddities:
        print(_told(oddity))


def _told(oddity: Oddity) -> str:
    """A line for an oddity: where it begins, what it is, and what would mend it."""
    place = ":".join(str(part) for part in (oddity.file, oddity.line) if part is not None)
    hint = f" ({oddity.suggestion})" if oddity.suggestion else ""
    return f"{place}: {oddity.message}{hint}" if place else f"{oddity.message}{hint}"


def _evaluate(arguments: argparse.Namespace) -> None:
    """Writes the scores of one system."""
    with bar("Scoring") as shown:
        result = _evaluated(
            arguments, arguments.system, lambda step: shown.at(_STEPS.get(step, 0), step), arguments.keep
        )
    if arguments.save:
        _store(result, arguments.save)
    write(FORMATS[arguments.format](result), result.warnings, arguments.output)


def _compare(arguments: argparse.Namespace) -> None:
    """Evaluates all systems and writes which of them differ."""
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
    """Writes what the gold tells of systems like these."""
    check_power(arguments.power)
    results = _results(arguments, arguments.systems)
    comparison = scoring.compare(results, arguments.resamples, arguments.seed, confidence_level=arguments.confidence)
    found = scoring.power_of(comparison, power=arguments.power)
    if found is None:
        raise ConfigurationError(
            f"nothing is known: that takes two systems that differ, on at least {FEWEST_UNITS} units"
        )
    if arguments.among is not None:
        found = found.among(arguments.among)
    noun = FAMILIES[arguments.family].unit(next(iter(results.values())).options)
    text = POWER_FORMATS[arguments.format](found, noun, tuple(arguments.difference) or DIFFERENCES)
    write(text, [*_warnings(results), *comparison.warnings], arguments.output)


def _results(arguments: argparse.Namespace, paths: Sequence[Path]) -> dict[str, Evaluation]:
    """The evaluations of several systems by name: those of their files, without folders and suffixes."""
    names = [path.stem for path in paths]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigurationError(f"two systems are called {doubled[0]}: give their files different names")
    results = {}
    with bar("Scoring") as shown:
        for number, path in enumerate(paths):
            shown.at(number / len(paths), path.stem)
            results[path.stem] = _result(arguments, path)
    return results


def _warnings(results: Mapping[str, Evaluation]) -> list[str]:
    return [f"{name}: {warning}" for name, result in results.items() for warning in result.warnings]


def _result(arguments: argparse.Namespace, path: Path) -> Evaluation:
    """The evaluation of one of several systems; its problems tell which folder the file is in."""
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
        options=_options(arguments.options),
        n_resamples=arguments.resamples,
        confidence_level=arguments.confidence,
        seed=arguments.seed,
        on_step=on_step,
        drop_marks=True,
        keep=keep,
    )


def _begin_family(arguments: argparse.Namespace) -> None:
    """Writes the files, and says what to do with them."""
    if arguments.name in FAMILIES:
        raise ConfigurationError(f"there is a family {arguments.name} already")
    folder = arguments.folder or Path(f"evalsite-{arguments.name.replace('_', '-')}")
    for path in skeleton.write(arguments.name, folder):
        print(path)
    print(f"Install it with: pip install --editable {folder}")


_STEPS = {"reading": 0.1, "matching": 0.4, "intervals": 0.7}


def _options(given: Sequence[str]) -> dict[str, str]:
    """{key: value} of texts KEY=VALUE; the family knows which keys and values there are."""
    options = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise ConfigurationError(f"-o {text}: write KEY=VALUE")
        options[key] = value
    return options
