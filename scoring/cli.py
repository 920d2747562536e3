"""The engine's own commands, `evaluate`, `check` and `compare`: arguments, and where results and warnings go.

Results go to stdout or a file, warnings and problems to stderr, one a line: `file:line:column: message`.
"""

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import scoring
from scoring import commands
from scoring.engine import check, evaluate
from scoring.errors import ConfigurationError, SubmissionError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.output import COMPARISON_FORMATS, FORMATS
from scoring.significance.limits import METHODS
from scoring.terminal import exit_status, warn


def main(argv: Sequence[str]) -> int:
    """Exit status: 0 done, 1 the submission is refused, 2 wrong usage or gold."""
    arguments = _parser().parse_args(argv)
    return exit_status(lambda: _ACTIONS[arguments.action](arguments))


def _parser() -> argparse.ArgumentParser:
    """All arguments. Abbreviations are refused, so that a new argument never changes what an old command means."""
    parser = argparse.ArgumentParser(
        prog="python -m scoring",
        description="Evaluate a system's output against gold data.",
        epilog=f"Commands of reproduced systems: {', '.join(commands.names())}.",
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="evaluate|check|compare")
    evaluating = _action(actions, "evaluate", "compute the scores of a system")
    _add_system(evaluating)
    _add_resampling(evaluating, default=0, help_="for intervals; 0: none")
    _add_output(evaluating, FORMATS)
    _add_system(_action(actions, "check", "list all problems of a system's files"))
    comparing = _action(actions, "compare", "say which systems differ")
    comparing.add_argument("systems", type=Path, nargs="+", metavar="SYSTEM", help=_PATH)
    comparing.add_argument(
        "--reference", type=Path, action="append", default=[], metavar="PATH", help="a system outside the ranks"
    )
    comparing.add_argument("--method", choices=METHODS, default=METHODS[0])
    _add_resampling(comparing, default=10_000, help_="or exchanges of units")
    _add_output(comparing, COMPARISON_FORMATS)
    return parser


_PATH = "a folder, a zip archive or a file"


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
    actions: "argparse._SubParsersAction[argparse.ArgumentParser]", name: str, help_: str
) -> argparse.ArgumentParser:
    """The parser of one action, with the arguments that all actions have."""
    parser = actions.add_parser(name, help=help_, description=help_.capitalize() + ".", allow_abbrev=False)
    parser.add_argument("family", choices=FAMILIES, metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--gold", type=Path, required=True, help=_PATH)
    parser.add_argument(
        "-o", dest="options", action="append", default=[], metavar="KEY=VALUE", help="an option of the family"
    )
    return parser


def _check(arguments: argparse.Namespace) -> None:
    """Says that the system's files are in order, or refuses them."""
    problems = check(
        arguments.family,
        gold=arguments.gold,
        system=arguments.system,
        options=_options(arguments.options),
        drop_marks=True,
    )
    if problems:
        raise SubmissionError(problems)
    print("No problem found.")


def _evaluate(arguments: argparse.Namespace) -> None:
    """Writes the scores of one system."""
    result = evaluate(
        arguments.family,
        gold=arguments.gold,
        system=arguments.system,
        options=_options(arguments.options),
        n_resamples=arguments.resamples,
        confidence_level=arguments.confidence,
        seed=arguments.seed,
        drop_marks=True,
    )
    _write(FORMATS[arguments.format](result), result.warnings, arguments.output)


def _compare(arguments: argparse.Namespace) -> None:
    """Evaluates all systems and writes which of them differ."""
    # Systems are called by the names of their files, without folders and suffixes.
    paths = {"systems": arguments.systems, "references": arguments.reference}
    names = {kind: [path.stem for path in given] for kind, given in paths.items()}
    all_names = names["systems"] + names["references"]
    if doubled := sorted({name for name in all_names if all_names.count(name) > 1}):
        raise ConfigurationError(f"two systems are called {doubled[0]}: give their files different names")
    results = {path.stem: _result(arguments, path) for path in paths["systems"] + paths["references"]}
    comparison = scoring.compare(
        results,
        arguments.resamples,
        arguments.seed,
        confidence_level=arguments.confidence,
        references=names["references"],
        method=arguments.method,
    )
    # Of each system's own score; the comparison has those of the differences.
    intervals = {
        name: result.intervals[result.headline]
        for name, result in results.items()
        if result.headline in result.intervals
    }
    warnings = [f"{name}: {warning}" for name, result in results.items() for warning in result.warnings]
    _write(
        COMPARISON_FORMATS[arguments.format](comparison, intervals), warnings + comparison.warnings, arguments.output
    )


def _result(arguments: argparse.Namespace, path: Path) -> Evaluation:
    """The evaluation of one of several systems; its problems tell which folder the file is in."""
    try:
        return evaluate(
            arguments.family,
            gold=arguments.gold,
            system=path,
            options=_options(arguments.options),
            n_resamples=arguments.resamples,
            confidence_level=arguments.confidence,
            seed=arguments.seed,
            drop_marks=True,
        )
    except SubmissionError as error:
        inside = [replace(problem, file=f"{path.name}/{problem.file}") for problem in error.problems]
        raise SubmissionError(inside if path.is_dir() else error.problems) from None


_ACTIONS = {"check": _check, "evaluate": _evaluate, "compare": _compare}


def _write(text: str, warnings: Iterable[str], output: Path | None) -> None:
    """The text to the terminal, or to a file that is only touched now that all went well."""
    for warning in warnings:
        warn(warning)
    if output is None:
        print(text, end="")
        return
    try:
        # newline="": the text brings its own line ends.
        output.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise ConfigurationError(f"{output}: {error.strerror}") from None


def _options(given: Sequence[str]) -> dict[str, str]:
    """{key: value} of texts KEY=VALUE; the family knows which keys and values there are."""
    options = {}
    for text in given:
        key, equals, value = text.partition("=")
        if not equals:
            raise ConfigurationError(f"-o {text}: write KEY=VALUE")
        options[key] = value
    return options
