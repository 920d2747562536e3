"""The commands `combine` and `mean-rank`: several stored evaluations of one team, or of several, as one score.

A team is a folder of evaluations that `evaluate --save` has stored, one for each scenario: `ours/en.npz`,
`ours/de.npz`.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import scoring
from scoring.combining.combination import MISSING as MISSING_IN_FORMULA
from scoring.combining.rank_table import MISSING as MISSING_IN_RANKS
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.output import COMPARISON_FORMATS
from scoring.output_combined import COMBINATION_FORMATS, RANK_FORMATS
from scoring.terminal import write

_ENDING = ".npz"


def add_to(actions: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The arguments of these commands."""
    combining = _added(actions, "combine", "a formula over scores of several scenarios, of one team or more", _combine)
    combining.add_argument("formula", metavar="FORMULA", help='such as "mean(*.f1)" or "0.7 * en.f1 + 0.3 * de.f1"')
    _add_teams(combining, MISSING_IN_FORMULA)
    combining.add_argument(
        "--reference", type=Path, action="append", default=[], metavar="FOLDER", help="a team outside the ranks"
    )
    combining.add_argument("--lower-is-better", action="store_true", help="of the whole formula")
    _add_drawing(combining, COMPARISON_FORMATS)
    ranking = _added(actions, "mean-rank", "the mean of the ranks of teams in several scenarios", _mean_rank)
    _add_teams(ranking, MISSING_IN_RANKS)
    ranking.add_argument(
        "--score", action="append", default=[], metavar="SCENARIO=SCORE", help="ranks there; else all, by headline"
    )
    _add_drawing(ranking, RANK_FORMATS)


def _added(actions: Any, name: str, help_: str, act: Callable[[argparse.Namespace], None]) -> argparse.ArgumentParser:
    about = f"Prints {help_}."
    parser: argparse.ArgumentParser = actions.add_parser(name, help=help_, description=about, allow_abbrev=False)
    parser.set_defaults(act=act)
    return parser


def _add_teams(parser: argparse.ArgumentParser, missing: Sequence[str]) -> None:
    help_ = "a folder with SCENARIO.npz of each scenario, as `evaluate --save` stores them"
    parser.add_argument("teams", type=Path, nargs="+", metavar="FOLDER", help=help_)
    parser.add_argument("--missing", choices=missing, default=missing[0], help="what a team without a scenario is")


def _add_drawing(parser: argparse.ArgumentParser, formats: Mapping[str, object]) -> None:
    parser.add_argument("--resamples", type=int, default=10_000, metavar="N")
    parser.add_argument("--confidence", type=float, default=0.95, metavar="C", help="of intervals and ranges")
    parser.add_argument("--seed", type=int, help="of the draws; else from the golds")
    parser.add_argument("--format", choices=list(formats), default="text")
    parser.add_argument("--output", type=Path, help="write here instead of the terminal")


def _combine(arguments: argparse.Namespace) -> None:
    """The score of one team with its interval; of several, which of them differ."""
    teams = _teams([*arguments.teams, *arguments.reference])
    drawing = {
        "n_resamples": arguments.resamples,
        "seed": arguments.seed,
        "confidence_level": arguments.confidence,
        "lower_is_better": arguments.lower_is_better,
    }
    if len(teams) == 1:
        if arguments.format not in COMBINATION_FORMATS:
            raise ConfigurationError(f"one team has no table: use {' or '.join(COMBINATION_FORMATS)}")
        [parts] = teams.values()
        found = scoring.combine(arguments.formula, parts, **drawing)
        write(COMBINATION_FORMATS[arguments.format](found), found.warnings, arguments.output)
        return
    references = [path.name for path in arguments.reference]
    compared = scoring.compare_combined(
        arguments.formula, teams, missing=arguments.missing, references=references, **drawing
    )
    write(COMPARISON_FORMATS[arguments.format](compared, {}), compared.warnings, arguments.output)


def _mean_rank(arguments: argparse.Namespace) -> None:
    """The table of ranks."""
    found = scoring.mean_rank(
        _teams(arguments.teams),
        _scores(arguments.score) or None,
        missing=arguments.missing,
        n_resamples=arguments.resamples,
        seed=arguments.seed,
        confidence_level=arguments.confidence,
    )
    write(RANK_FORMATS[arguments.format](found), found.warnings, arguments.output)


def _teams(folders: Sequence[Path]) -> dict[str, dict[str, Evaluation]]:
    """{team: {scenario: evaluation}}, each by the name of its folder or file."""
    names = [folder.name for folder in folders]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigurationError(f"two teams are called {doubled[0]}: give their folders different names")
    return {folder.name: _parts(folder) for folder in folders}


def _parts(folder: Path) -> dict[str, Evaluation]:
    files = sorted(folder.glob(f"*{_ENDING}"))
    if not files:
        raise ConfigurationError(f"{folder} holds no stored evaluation: use evaluate --save {folder}/SCENARIO{_ENDING}")
    return {file.stem: Evaluation.load(file) for file in files}


def _scores(given: Sequence[str]) -> dict[str, str]:
    scores = {}
    for text in given:
        scenario, equals, score = text.partition("=")
        if not equals:
            raise ConfigurationError(f"--score {text}: write SCENARIO=SCORE")
        scores[scenario] = score
    return scores
