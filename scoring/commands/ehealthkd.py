"""The arguments and the output of the eHealth-KD 2019 evaluation program, around this engine.

The challenge's program is `evaltest` in the repository knowledge-learning/ehealthkd-2019. What it prints is printed
here to the character, with three differences: teams and runs come in the order of their names and not in that of the
directory; what is skipped or left out is said on stderr; and a broken file is explained, where the original ends with
a traceback. `--rules` and `--sentences` are additions.
"""

import argparse
import html
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoring.display.arguments import program
from scoring.display.tables import csv_text
from scoring.display.terminal import exit_status, note, write_bytes
from scoring.errors import SubmissionError, problems_of_gold
from scoring.families.ehealthkd import EHEALTHKD
from scoring.family import Options
from scoring.findings import Finding
from scoring.readers.archive import open_files
from scoring.readers.ehealthkd import FOLDERS, Gold, read_gold, read_system
from scoring.readers.ehealthkd.layout import find, missing
from scoring.readers.ehealthkd.sides import Pairing

# The keys are those of the official output.
Entry = dict[str, Any]  # {count or metric: value} of a run in one scenario, and {"submit": name of the run}
Run = dict[str, Any]  # {"scenario1": entry, "scenario2": entry, "scenario3": entry, "submit": name of the run}
Uploads = dict[str, list[Path]]  # {team: folders of its runs}
Best = dict[str, dict[str, Entry]]  # {team: {"scenario1": entry, …}}

_SCENARIOS = [f"scenario{number}" for number in FOLDERS]
_METRICS = ("recall", "precision", "f1")
# The rows of each scenario in the official table, in its order.
_ROWS = (
    "correct_A",
    "incorrect_A",
    "partial_A",
    "spurious_A",
    "missing_A",
    "correct_B",
    "spurious_B",
    "missing_B",
    *_METRICS,
    "submit",
)


def main(argv: Sequence[str]) -> int:
    """Score all runs and return 0 done, 1 a submission is refused, 2 the gold is; wrong usage ends in SystemExit."""
    arguments = _arguments(argv)
    return exit_status(lambda: write_bytes(_printed(_score(arguments), arguments)))


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = program("ehealthkd", __doc__.partition("\n")[0])
    parser.add_argument("submits", type=Path, metavar="SUBMITS", help="the folder team/run/scenarios")
    parser.add_argument("gold", type=Path, metavar="GOLD", help="the folder of the three scenarios")
    parser.add_argument("--best", action="store_true", help="only the best run of each team and scenario")
    parser.add_argument("--single", action="store_true", help="SUBMITS is the folder of one team")
    parser.add_argument("--csv", action="store_true", help="a table of the best runs (needs --best)")
    parser.add_argument("--pretty", action="store_true", help="indented JSON, or the table as HTML")
    parser.add_argument("--final", action="store_true", help="rankings (needs --best --csv)")
    parser.add_argument("--rules", choices=("2019", "documented"), default="2019")
    parser.add_argument("--sentences", choices=("official", "checked"), default="official")
    arguments = parser.parse_args(argv)
    if arguments.csv and not arguments.best:
        parser.error("--csv needs --best")
    if arguments.final and not (arguments.best and arguments.csv):
        parser.error("--final needs --best and --csv")
    if not os.path.isdir(arguments.submits):
        parser.error(f"SUBMITS is no folder: {arguments.submits}")
    return arguments


def _score(arguments: argparse.Namespace) -> dict[str, list[Run]]:
    """Return the runs of each team, by name; SubmissionError with the problems of all runs.

    One refused run leaves all without a result, as in the original: the output is for all teams or for none.
    """
    uploads = _uploads(arguments)
    teams: dict[str, list[Run]] = {team: [{"submit": path.name} for path in runs] for team, runs in uploads.items()}
    problems: list[Finding] = []
    for scenario in FOLDERS:
        problems += _score_scenario(scenario, uploads, teams, arguments)
    if problems:
        raise SubmissionError(problems)
    return teams


def _score_scenario(
    scenario: int, uploads: Uploads, teams: dict[str, list[Run]], arguments: argparse.Namespace
) -> list[Finding]:
    """Add the scenario's entry to each run of `teams`, and return the problems of those that are refused.

    Scenario by scenario, so that the gold is read once for all runs and only one is in memory.
    """
    options = EHEALTHKD.configure({"scenario": scenario, "rules": arguments.rules})
    with problems_of_gold():
        gold = read_gold(open_files(arguments.gold), scenario, arguments.sentences)
    problems = []
    for team, runs in uploads.items():
        for run, path in zip(teams[team], runs, strict=True):
            shown = f"{team}/{path.name}"
            try:
                run[f"scenario{scenario}"] = _entry(path, shown, gold, options, arguments.sentences)
            except SubmissionError as error:
                problems += [_inside(shown, problem) for problem in error.problems]
    return problems


def _uploads(arguments: argparse.Namespace) -> Uploads:
    if arguments.single:
        return _uploads_of_one(arguments.submits)
    uploads = {}
    for path in _folders(arguments.submits):
        uploads[path.name] = _folders(path, f"{path.name}/")
        if not uploads[path.name]:
            note(f"{path.name}: has no runs")
    return uploads


def _uploads_of_one(submits: Path) -> Uploads:
    """Return the runs of one team; folders among them that hold several runs are scored as teams of their own."""
    # Of the absolute path, because SUBMITS may be "." or end with "..".
    team = os.path.basename(os.path.abspath(submits))
    uploads: Uploads = {team: []}
    for path in _folders(submits, f"{team}/"):
        teams = {} if _is_run(path) else _teams_in(path, path.name)
        uploads |= teams
        if not teams:
            uploads[team].append(path)
    if uploads[team] or len(uploads) == 1:
        if not uploads[team]:
            note(f"{team}: has no runs")
        return uploads
    return {name: runs for name, runs in uploads.items() if runs}


def _teams_in(folder: Path, name: str) -> Uploads:
    """Return a folder that holds runs as a team of this name, and the teams in those that hold none themselves."""
    teams: Uploads = {name: []}
    for path in _folders(folder, f"{name}/"):
        if _has_scenarios(path):
            teams[name].append(path)
        elif further := _teams_in(path, f"{name}/{path.name}"):
            teams |= further
        else:
            note(f"{name}/{path.name}: left out, it holds no run")
    if teams[name]:
        note(f"{name}: scored as a team, with its runs {', '.join(path.name for path in teams[name])}")
    return {team: runs for team, runs in teams.items() if runs}


def _is_run(folder: Path) -> bool:
    """Return whether the folder is one run: with a scenario's folder or table in it, or with one run packed into it."""
    if _has_scenarios(folder):
        return True
    try:
        return any(find(open_files(folder), scenario) for scenario in FOLDERS)
    except SubmissionError:  # several files of one name
        return False


def _has_scenarios(folder: Path) -> bool:
    names = os.listdir(folder)
    return bool({*FOLDERS.values()} & {*names}) or any(find(names, scenario) for scenario in FOLDERS)


def _folders(parent: Path, shown: str = "") -> list[Path]:
    """Return the folders in `parent` by name, in code points; what else lies there is noted, as `shown` and name."""
    try:
        names = sorted(os.listdir(parent))
    except OSError as error:
        raise SubmissionError(Finding(f"cannot be read: {error.strerror}", parent.name)) from None
    folders = []
    for name in names:
        if name.startswith(".") or not os.path.isdir(parent / name):
            note(f"{shown}{name}: skipped")
        else:
            folders.append(parent / name)
    return folders


def _entry(path: Path, shown: str, gold: Gold, options: Options, pairing: Pairing) -> Entry:
    """Return the counts and metrics of a run; `shown` is its name in messages."""
    files = open_files(path)
    _require_all(files, options["scenario"])
    system = read_system(files, gold, options["scenario"], pairing)
    for warning in system.comparison.warnings:
        note(_inside(shown, warning))
    row = EHEALTHKD.count(gold, system, options).rows.sum(axis=0)
    counts = dict(zip(EHEALTHKD.kinds, row.tolist(), strict=True))
    scores = {name: float(value) for name, value in EHEALTHKD.metrics(row, options).items()}
    return {**counts, **_with_integer_zeros(scores, counts, options["scenario"]), "submit": path.name}


def _require_all(files: Iterable[str], scenario: int) -> None:
    """Raise SubmissionError unless all files are there, also those that the site can do without, as in the original."""
    present = find(files, scenario)
    sentences = "input" if "input" in present else "output"
    absent = [stem for stem in (sentences, "output_a", "output_b") if stem not in present]
    if absent:
        raise SubmissionError([missing(files, present, stem, scenario) for stem in absent])


def _with_integer_zeros(
    scores: Mapping[str, float], counts: Mapping[str, int], scenario: int
) -> dict[str, float | int]:
    """Return the metrics as the official program prints them: 0, not 0.0, where there was nothing to divide by.

    The program returns the integer 0 there, and JSON shows the difference: a recall of 0.0 means that there was
    something to find.
    """
    # The subtasks that enter the metrics of the scenario, as the last letters of the counts' names.
    entering = {1: "AB", 2: "A", 3: "B"}[scenario]
    sizes = {
        kind: sum(count for key, count in counts.items() if key[:-2] == kind and key[-1] in entering)
        for kind in ("correct", "incorrect", "partial", "missing", "spurious")
    }
    paired = sizes["correct"] + sizes["incorrect"] + sizes["partial"]
    divisors = {
        "recall": paired + sizes["missing"],
        "precision": paired + sizes["spurious"],
        "f1": scores["recall"] + scores["precision"],
    }
    return {metric: scores[metric] if divisor else 0 for metric, divisor in divisors.items()}


def _inside(folder: str, problem: Finding) -> Finding:
    """Return the problem with its file as seen from SUBMITS, because several runs have files of one name."""
    return replace(problem, file=f"{folder}/{problem.file}" if problem.file else folder)


def _printed(teams: dict[str, list[Run]], arguments: argparse.Namespace) -> str:
    if not arguments.best:
        return _json(teams, arguments.pretty)
    best = _best(teams)
    if arguments.final:
        return _final(best)
    if arguments.csv:
        return _html(best) if arguments.pretty else _csv_table(best)
    return _json(best, arguments.pretty)


def _json(value: object, pretty: bool) -> str:
    return json.dumps(value, sort_keys=True, indent=2 if pretty else None) + "\n"


def _best(teams: dict[str, list[Run]]) -> Best:
    """Return for each scenario by itself the first of the runs, by name, with the highest F1.

    The three entries of a team may so come from three runs; each entry names its own.
    """
    return {
        team: {scenario: max((run[scenario] for run in runs), key=lambda entry: entry["f1"]) for scenario in _SCENARIOS}
        for team, runs in teams.items()
        if runs
    }


def _csv_table(best: Best) -> str:
    """Return a row for each count and metric, a column for each team; the original has an empty line behind it."""
    table = csv_text([["", *best], *([title, *values] for title, values in _table(best))])
    return table + "\n"


def _html(best: Best) -> str:
    """Return the same rows and columns as a table, laid out as pandas writes a DataFrame."""
    rows = [_html_row(title, [_html_cell(value) for value in values]) for title, values in _table(best)]
    lines = [
        '<table border="1" class="dataframe">',
        "  <thead>",
        '    <tr style="text-align: right;">',
        "      <th>name</th>",
        *(f"      <th>{html.escape(team, quote=False)}</th>" for team in best),
        "    </tr>",
        "  </thead>",
        "  <tbody>",
        *(line for row in rows for line in row),
        "  </tbody>",
        "</table>",
    ]
    return "\n".join(lines) + "\n"


def _final(best: Best) -> str:
    """Return a ranking for each scenario: teams by falling F1, ties by name."""
    return "".join(csv_text(_ranking(best, scenario)) + "\n" for scenario in _SCENARIOS)


def _ranking(best: Best, scenario: str) -> list[list[object]]:
    """Return a header, then one row for each team."""
    columns = {metric: _team_values(best, scenario, metric) for metric in ("f1", "precision", "recall")}
    rows = zip(best, *columns.values(), strict=True)
    header = ["name", *(f"{scenario}-{metric}" for metric in columns)]
    return [header, *(list(row) for row in sorted(rows, key=lambda row: (-row[1], row[0])))]


def _table(best: Best) -> Iterator[tuple[str, list[object]]]:
    for scenario in _SCENARIOS:
        for key in _ROWS:
            yield f"{scenario}-{key}", _team_values(best, scenario, key)


def _team_values(best: Best, scenario: str, key: str) -> list[object]:
    """Return what each team has for `key`; where one of them is a float, all are.

    The original prints a table whose rows have one type each, so that the integer 0 of a team turns into 0.0 as soon
    as another team has a float.
    """
    values = [entries[scenario][key] for entries in best.values()]
    return [float(value) for value in values] if any(isinstance(v, float) for v in values) else values


def _html_row(title: str, cells: Sequence[str]) -> list[str]:
    return [
        "    <tr>",
        f"      <th>{title}</th>",
        *(f"      <td>{cell}</td>" for cell in cells),
        "    </tr>",
    ]


def _html_cell(value: object) -> str:
    """Write floats with six decimals at most and one at least: 0.4, 0.0, 0.470588."""
    if isinstance(value, float):
        digits = f"{value:.6f}".rstrip("0")
        return digits + "0" if digits.endswith(".") else digits
    return html.escape(str(value), quote=False)
