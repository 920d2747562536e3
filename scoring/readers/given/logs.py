"""Systems × units from logs of evaluation harnesses: a file or several for each system.

Which format they have follows from their content. Of each unit one score is read: of the metric that is asked for, or
else of the first one that is a number.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from scoring.errors import ConfigurationError
from scoring.findings import Finding
from scoring.messages import Message, some_of
from scoring.readers.given.grid import Grid, Headings, check_most_systems, read_grid, totals
from scoring.readers.given.log_formats import (
    EVERY,
    HARNESS,
    INSPECT,
    RESOLVED,
    TOTALS,
    Log,
    Row,
    log_of,
    own_name,
    refusal,
)
from scoring.readers.problems import ProblemCollector, raise_all
from scoring.readers.tables import Cells, shown

_NAMED = 5
_READ = f"{HARNESS} (samples_….jsonl), {INSPECT} (.json), {RESOLVED} (results.json), {EVERY} (.jsonl)"


def read_systems(files: Mapping[str, bytes], headings: Headings) -> Grid:
    """Return the scores of all systems, of one table (`read_grid`) or of logs of harnesses.

    SubmissionError with all problems, ConfigurationError where columns of logs are named.
    """
    _refuse_packed(files)
    by_path = {path: log_of(path, files[path]) for path in files}
    logs = [log for log in by_path.values() if log is not None and log.format != TOTALS]
    if not logs:
        if of_totals := [path for path, log in by_path.items() if log is not None]:
            raise totals(of_totals[0])
        if len(files) > 1:
            raise refusal(
                Message(
                    "no-logs-among-files",
                    "{n} files, and none is a log that is read; expected one table, or logs of {formats}",
                    n=len(files),
                    formats=_READ,
                )
            )
        return read_grid(files, headings)
    formats = sorted({log.format for log in logs})
    if len(formats) > 1:
        raise refusal(Message("logs-of-two", "logs of {listed}: give those of one", listed=", ".join(formats)))
    if (headings.unit, headings.system, headings.group) != (None, Headings.system, None):
        raise ConfigurationError(
            Message("logs-have-no-columns", "logs have no columns to name; only a metric may be named, as the score")
        )
    systems = _systems_of(logs)
    aside = sorted({*by_path} - {log.path for log in logs})
    notes = [Message("left-aside-not-read", "left aside, not read: {listed}", listed=some_of(aside, _NAMED))]
    grid = _resolved(logs, systems) if formats == [RESOLVED] else _Scores(logs, systems, headings.score).grid()
    return replace(grid, notes=(*(notes if aside else ()), *grid.notes))


def _refuse_packed(files: Mapping[str, bytes]) -> None:
    """Raise SubmissionError where a log of inspect_ai is in its packed form, of which each is an archive of its own."""
    packed = [path for path in files if path.endswith(".eval")]
    if packed or "header.json" in files:
        raise refusal(
            Message(
                "packed-log",
                "a packed log of inspect_ai (.eval); expected it as JSON, of: inspect log convert --to json",
            ),
            (packed or ["header.json"])[0],
        )


def _systems_of(logs: Sequence[Log]) -> dict[str, str]:
    """Return the system of each file as its folder says it, or else the file's own name.

    Of a folder that lies in others its own name is enough where no other has that.
    """
    folders = {log.path: _folder(log) for log in logs}
    n_enclosing = len(os.path.commonprefix([*folders.values()]))
    below = {path: parts[n_enclosing:] for path, parts in folders.items()}
    distinct = {*filter(None, below.values())}
    are_short = len({parts[-1] for parts in distinct}) == len(distinct)
    names = {}
    for log in logs:
        parts = below[log.path]
        is_report = log.format == RESOLVED and PurePosixPath(log.path).name != "results.json"
        names[log.path] = own_name(log) if is_report or not parts else parts[-1] if are_short else "/".join(parts)
    return names


def _folder(log: Log) -> tuple[str, ...]:
    parts = PurePosixPath(log.path).parts[:-1]
    return parts[:-1] if log.format == RESOLVED and parts[-1:] == ("results",) else parts


def _resolved(logs: Sequence[Log], systems: Mapping[str, str]) -> Grid:
    """Return 1 for what a system has resolved and 0 for all else that any file names."""
    names = [systems[log.path] for log in logs]
    check_most_systems(len(names), logs[0].path)
    if twice := [log for k, log in enumerate(logs) if systems[log.path] in names[:k]]:
        raise refusal(
            Message("system-in-two-files", "a second file of {system}", system=shown(systems[twice[0].path])),
            twice[0].path,
        )
    _check_systems(names, logs[0].path)
    place = {unit: k for k, unit in enumerate(sorted({unit for log in logs for unit in log.resolved}))}
    if not place:
        raise refusal(Message("no-instances", "no instances are listed"), logs[0].path)
    scores = np.zeros((len(place), len(logs)))
    for k, log in enumerate(logs):
        scores[[place[unit] for unit, is_resolved in log.resolved.items() if is_resolved], k] = 1
    note = Message(
        "instances-named",
        "units are the {n} instances that the lists name; one that no list names was resolved by no system",
        n=len(place),
    )
    total = max((log.total or 0 for log in logs), default=0)
    return Grid(logs[0].path, Cells([*place]), names, scores, None, (note,) if total != len(place) else ())


class _Scores:
    """Rows of all files as they are put together."""

    def __init__(self, logs: Sequence[Log], systems: Mapping[str, str], score: str) -> None:
        self._rows = [(row.system or systems[log.path], log.path, row) for log in logs for row in log.rows]
        if not self._rows:
            raise refusal(Message("no-rows", "no rows"), logs[0].path)
        self._path = logs[0].path
        self._problems = ProblemCollector()
        self._has_tasks = len({row.task for _, _, row in self._rows}) > 1
        self._metrics, self._seen = self._choose("" if score == Headings.score else score)

    def grid(self) -> Grid:
        """Return the table; SubmissionError with what is no number, stands twice, differs or is missing."""
        raise_all(self._problems)
        values = self._values()
        raise_all(self._problems)
        systems = [*values]
        _check_systems(systems, self._path)
        units = [*dict.fromkeys(unit for of_system in values.values() for unit in of_system)]
        self._find_missing(values, units)
        raise_all(self._problems)
        means = [[_mean(of_system[unit].values()) for of_system in values.values()] for unit in units]
        return Grid(self._path, Cells(units), systems, np.array(means), None, tuple(self._notes()))

    def _choose(self, wanted: str) -> tuple[dict[str, str], dict[str, list[str]]]:
        """Return the metric that is read of each task, and all that it has."""
        seen: dict[str, dict[str, bool]] = {}
        place: dict[str, tuple[str, int | None]] = {}
        for _, path, row in self._rows:
            place.setdefault(row.task, (path, row.line))
            scores_of_task = seen.setdefault(row.task, {})
            for name, value in row.scores.items():
                scores_of_task[name] = scores_of_task.get(name, False) or _number(value) is not None
        chosen = {}
        for task, scores_of_task in seen.items():
            fits = [
                name for name, is_number in scores_of_task.items() if (_is_of(name, wanted) if wanted else is_number)
            ]
            if fits:
                chosen[task] = fits[0]
                continue
            listed = some_of([*map(shown, scores_of_task)], _NAMED) if scores_of_task else Message.word("none")
            message = (
                Message("no-metric-of-name", "no score {name}; the log has {listed}", name=shown(wanted), listed=listed)
                if wanted
                else Message("no-number-as-metric", "no score that is a number; the log has {listed}", listed=listed)
            )
            self._problems.append(Finding(message, *place[task]))
        return chosen, {task: [*scores_of_task] for task, scores_of_task in seen.items()}

    def _values(self) -> dict[str, dict[str, dict[str, float]]]:
        """Return the scores by system, unit and epoch."""
        values: dict[str, dict[str, dict[str, float]]] = {}
        digests: dict[str, tuple[str, str]] = {}
        for system, path, row in self._rows:
            metric, unit = self._metrics[row.task], self._unit(row)
            of_system = values.setdefault(system, {})
            if metric not in row.scores and row.scores:
                continue  # of another filter, or a record of another metric
            value = _number(row.scores.get(metric))
            if value is None:
                self._refuse(path, row, _no_number(metric, unit, row))
                value = 0.0  # so that the unit isn't called missing as well
            by_epoch = of_system.setdefault(unit, {})
            if row.epoch in by_epoch:
                words = Message(
                    "second-score-of-unit",
                    "a second score of {system} for unit {unit}",
                    system=shown(system),
                    unit=shown(unit),
                )
                self._refuse(path, row, words)
            by_epoch[row.epoch] = value
            first, digest = digests.setdefault(unit, (system, row.digest or ""))
            if row.digest and digest and row.digest != digest:
                words = Message(
                    "unit-is-another",
                    "unit {unit} is another than that of {system}: its doc_hash differs",
                    unit=shown(unit),
                    system=shown(first),
                )
                self._refuse(path, row, words)
        return values

    def _find_missing(self, values: Mapping[str, Mapping[str, Any]], units: Sequence[str]) -> None:
        """Tell of each system that lacks units of others: how many, and the first ones."""
        path_of = {system: path for system, path, _ in reversed(self._rows)}
        for system, of_system in values.items():
            if len(of_system) == len(units):
                continue
            lacking = [unit for unit in units if unit not in of_system]
            message = Message(
                "system-lacks-units",
                "system {system} has {n} of {of} units; those that it lacks and others have: {listed}",
                system=shown(system),
                n=len(of_system),
                of=len(units),
                listed=some_of([*map(shown, lacking)], _NAMED),
            )
            self._problems.append(Finding(message, path_of[system]))

    def _notes(self) -> Iterable[Message]:
        for task, metric in self._metrics.items():
            others = [name for name in self._seen[task] if name != metric]
            if others:
                yield Message(
                    "metric-of-several",
                    "{task}: {metric} is read; the score may name another: {listed}",
                    task=task,
                    metric=metric,
                    listed=some_of(others, _NAMED),
                )

    def _unit(self, row: Row) -> str:
        return f"{row.task}/{row.unit}" if self._has_tasks else row.unit

    def _refuse(self, path: str, row: Row, message: Message) -> None:
        self._problems.append(Finding(message, path, row.line))


def _check_systems(systems: Sequence[str], path: str) -> None:
    """Raise SubmissionError unless they are two at least, and not too many."""
    if len(systems) == 1:
        message = Message(
            "one-system-in-logs",
            "one system, {system}, expected two or more: the logs of each in a folder of its own",
            system=shown(systems[0]),
        )
        raise refusal(message, path)
    check_most_systems(len(systems), path)


def _is_of(name: str, wanted: str) -> bool:
    """Return whether a metric is the one that is meant, which may be named without its filter."""
    return name == wanted or name.startswith(f"{wanted},")


def _number(value: Any) -> float | None:
    if not isinstance(value, bool | int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def _no_number(metric: str, unit: str, row: Row) -> Message:
    if metric not in row.scores:
        return Message("unit-without-score", "unit {unit} has no score", unit=shown(unit))
    return Message(
        "metric-no-number",
        "{metric} of unit {unit}: found {found}, expected a number",
        metric=metric,
        unit=shown(unit),
        found=repr(row.scores[metric])[:40],
    )


def _mean(scores: Iterable[float]) -> float:
    values = [*scores]
    return sum(values) / len(values)
