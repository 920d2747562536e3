"""The arguments and the output of the eHealth-KD 2019 evaluation program, around this engine."""

import argparse
import csv
import html
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scoring.errors import Problem, SubmissionError, problems_of_gold
from scoring.families.ehealthkd import EHEALTHKD
from scoring.family import Options
from scoring.readers.archive import open_files
from scoring.readers.ehealthkd import FOLDERS, Gold, read_gold, read_system
from scoring.readers.ehealthkd.layout import find, missing
from scoring.readers.ehealthkd.sides import Pairing
from scoring.terminal import exit_status, note, write_bytes

Entry = dict[str, Any]  # the counts and metrics of a scenario, and the name of the run
Run = dict[str, Any]  # scenario1, scenario2, scenario3: entries; submit: the run's name
Uploads = dict[str, list[Path]]  # team -> folders of its runs
Best = dict[str, dict[str, Entry]]  # team -> scenario -> entry

_SCENARIOS = [f"scenario{number}" for number in FOLDERS]
_METRICS = ("recall", "precision", "f1")
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
    """Scores all runs; 0 done, 1 a submission is refused, 2 the gold is; wrong usage ends in SystemExit."""
    arguments = _arguments(argv)
    return exit_status(lambda: write_bytes(_printed(_score(arguments), arguments)))


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scoring ehealthkd", description=__doc__, allow_abbrev=False)
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
    """The runs of each team, by name; SubmissionError with the problems of all runs."""
    uploads = _uploads(arguments)
    teams: dict[str, list[Run]] = {team: [{"submit": path.name} for path in runs] for team, runs in uploads.items()}
    problems: list[Problem] = []
    for scenario in FOLDERS:
        problems += _score_scenario(scenario, uploads, teams, arguments)
    if problems:
        raise SubmissionError(problems)
    return teams


def _score_scenario(
    scenario: int, uploads: Uploads, teams: dict[str, list[Run]], arguments: argparse.Namespace
) -> list[Problem]:
    """Adds the scenario to each run; all runs of it share the gold, and nothing of the files is kept."""
    options = EHEALTHKD.configure({"scenario": scenario, "rules": arguments.rules})
    gold = _read_gold(arguments.gold, scenario, arguments.sentences)
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
    teams = [arguments.submits] if arguments.single else _folders(arguments.submits)
    found = {}
    for path in teams:
        team = os.path.basename(os.path.abspath(path))
        found[team] = _folders(path, f"{team}/")
        if not found[team]:
            note(f"{team}: has no runs")
    return found


def _folders(parent: Path, shown: str = "") -> list[Path]:
    """The folders in `parent` by name; what else lies there is noted."""
    try:
        names = sorted(os.listdir(parent))
    except OSError as error:
        raise SubmissionError(Problem(f"cannot be read: {error.strerror}", parent.name)) from None
    found = []
    for name in names:
        if name.startswith(".") or not os.path.isdir(parent / name):
            note(f"{shown}{name}: skipped")
        else:
            found.append(parent / name)
    return found


def _read_gold(path: Path, scenario: int, pairing: Pairing) -> Gold:
    with problems_of_gold():
        return read_gold(open_files(path), scenario, pairing)


def _entry(path: Path, shown: str, gold: Gold, options: Options, pairing: Pairing) -> Entry:
    """The counts and metrics of a run; `shown` is its name in messages."""
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
    """All files have to be there, also those that the site can do without."""
    found = find(files, scenario)
    sentences = "input" if "input" in found else "output"
    absent = [stem for stem in (sentences, "output_a", "output_b") if stem not in found]
    if absent:
        raise SubmissionError([missing(found, stem, scenario) for stem in absent])


def _with_integer_zeros(
    scores: Mapping[str, float], counts: Mapping[str, int], scenario: int
) -> dict[str, float | int]:
    """The metrics as the official program prints them: 0, not 0.0, where there was nothing to divide by."""
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


def _inside(folder: str, problem: Problem) -> Problem:
    """The problem with its file as seen from SUBMITS."""
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
    """For each scenario by itself the first of the runs with the highest F1."""
    return {
        team: {scenario: max((run[scenario] for run in runs), key=lambda entry: entry["f1"]) for scenario in _SCENARIOS}
        for team, runs in teams.items()
        if runs
    }


def _csv_table(best: Best) -> str:
    table = _csv([["", *best], *([title, *values] for title, values in _table(best))])
    return table + "\n"


def _html(best: Best) -> str:
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
    """One ranking a scenario: teams by falling F1, ties by name."""
    return "".join(_csv(_ranking(best, scenario)) + "\n" for scenario in _SCENARIOS)


def _ranking(best: Best, scenario: str) -> list[list[object]]:
    columns = {metric: _alike(best, scenario, metric) for metric in ("f1", "precision", "recall")}
    rows = zip(best, *columns.values(), strict=True)
    header = ["name", *(f"{scenario}-{metric}" for metric in columns)]
    return [header, *(list(row) for row in sorted(rows, key=lambda row: (-row[1], row[0])))]


def _table(best: Best) -> Iterator[tuple[str, list[object]]]:
    for scenario in _SCENARIOS:
        for key in _ROWS:
            yield f"{scenario}-{key}", _alike(best, scenario, key)


def _alike(best: Best, scenario: str, key: str) -> list[object]:
    """The teams' values; where one is a float, all numbers are."""
    values = [entries[scenario][key] for entries in best.values()]
    return [float(value) for value in values] if any(isinstance(v, float) for v in values) else values


def _csv(rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _html_row(title: str, cells: Sequence[str]) -> list[str]:
    return [
        "    <tr>",
        f"      <th>{title}</th>",
        *(f"      <td>{cell}</td>" for cell in cells),
        "    </tr>",
    ]


def _html_cell(value: object) -> str:
    if isinstance(value, float):
        digits = f"{value:.6f}".rstrip("0")
        return digits + "0" if digits.endswith(".") else digits
    return html.escape(str(value), quote=False)
