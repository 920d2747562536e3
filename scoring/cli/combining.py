"""The commands `combine` and `mean-rank`: several stored evaluations of one team, or of several, as one score.

A team is a folder of evaluations that `evaluate --save` has stored, one for each scenario: `ours/en.npz`,
`ours/de.npz`.
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import scoring
from scoring.cli.combined_output import COMBINATION_FORMATS, RANK_FORMATS
from scoring.cli.comparison_output import COMPARISON_FORMATS
from scoring.combining.combine import MISSING as MISSING_IN_FORMULA
from scoring.combining.ranks import MISSING as MISSING_IN_RANKS
from scoring.display.arguments import add_command, add_output, add_resampling, check_different, key_values
from scoring.display.terminal import write
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation

_ENDING = ".npz"


def add_to(actions: Any) -> None:
    """Add these commands to the subparsers."""
    about = "a formula over scores of several scenarios, of one team or more"
    combining = add_command(actions, "combine", about, _combine, f"Prints {about}.")
    combining.add_argument("formula", metavar="FORMULA", help='such as "mean(*.f1)" or "0.7 * en.f1 + 0.3 * de.f1"')
    _add_teams(combining, MISSING_IN_FORMULA)
    combining.add_argument(
        "--reference", type=Path, action="append", default=[], metavar="FOLDER", help="a team outside the ranks"
    )
    combining.add_argument("--lower-is-better", action="store_true", help="of the whole formula")
    _add_drawing(combining, COMPARISON_FORMATS)
    about = "the mean of the ranks of teams in several scenarios"
    ranking = add_command(actions, "mean-rank", about, _mean_rank, f"Prints {about}.")
    _add_teams(ranking, MISSING_IN_RANKS)
    ranking.add_argument(
        "--score", action="append", default=[], metavar="SCENARIO=SCORE", help="ranks there; else all, by headline"
    )
    _add_drawing(ranking, RANK_FORMATS)


def _add_teams(parser: argparse.ArgumentParser, missing: Sequence[str]) -> None:
    help_ = "a folder with SCENARIO.npz of each scenario, as `evaluate --save` stores them"
    parser.add_argument("teams", type=Path, nargs="+", metavar="FOLDER", help=help_)
    parser.add_argument("--missing", choices=missing, default=missing[0], help="what a team without a scenario is")


def _add_drawing(parser: argparse.ArgumentParser, formats: Mapping[str, object]) -> None:
    add_resampling(parser, 10_000, of=None, levels="of intervals and ranges", seed="of the draws; else from the golds")
    add_output(parser, formats)


def _combine(arguments: argparse.Namespace) -> None:
    """Write the score of one team with its interval; of several, which of them differ."""
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
        combination = scoring.combine(arguments.formula, parts, **drawing)
        write(COMBINATION_FORMATS[arguments.format](combination), combination.warnings, arguments.output)
        return
    references = [path.name for path in arguments.reference]
    compared = scoring.compare_combined(
        arguments.formula, teams, missing=arguments.missing, references=references, **drawing
    )
    write(COMPARISON_FORMATS[arguments.format](compared, {}), compared.warnings, arguments.output)


def _mean_rank(arguments: argparse.Namespace) -> None:
    """Write the table of ranks."""
    table = scoring.mean_rank(
        _teams(arguments.teams),
        key_values(arguments.score, "--score", "SCENARIO=SCORE") or None,
        missing=arguments.missing,
        n_resamples=arguments.resamples,
        seed=arguments.seed,
        confidence_level=arguments.confidence,
    )
    write(RANK_FORMATS[arguments.format](table), table.warnings, arguments.output)


def _teams(folders: Sequence[Path]) -> dict[str, dict[str, Evaluation]]:
    """Return {team: {scenario: evaluation}}, each by the name of its folder or file."""
    names = [folder.name for folder in folders]
    check_different(names, "two teams are called {}: give their folders different names")
    return {folder.name: _parts(folder) for folder in folders}


def _parts(folder: Path) -> dict[str, Evaluation]:
    files = sorted(folder.glob(f"*{_ENDING}"))
    if not files:
        raise ConfigurationError(f"{folder} holds no stored evaluation: use evaluate --save {folder}/SCENARIO{_ENDING}")
    return {file.stem: Evaluation.load(file) for file in files}
