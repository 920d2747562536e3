"""The record that each family fills in, and the options that it understands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.errors import ConfigurationError

Array = NDArray[Any]
Options = dict[str, Any]
Files = Mapping[str, bytes]
Record = dict[str, Any]
Metrics = Callable[[Array], dict[str, NDArray[np.float64]]]


@dataclass(frozen=True)
class Option:
    """A choice of the organiser; `changes_scores` is False where it only adds to the tables."""

    key: str
    default: Any
    choices: tuple[Any, ...]
    help: str
    changes_scores: bool = True


@dataclass(frozen=True)
class Table:
    """Rows as dictionaries with the same keys in the same order.

    A table whose scores get intervals also has the counts that they come from: `rows`
    (units, groups, kinds) with one group per record, `metrics` on their last axis, which gives some of the
    columns, and `gold_items` (groups,), the number of items of the gold behind each record.
    """

    records: list[Record]
    rows: Array | None = None
    metrics: Metrics | None = None
    gold_items: Array | None = None


@dataclass(frozen=True)
class Counted:
    """What is left of the files once gold and system are matched.

    `rows` (units, kinds) holds a row of counts for each unit of resampling, `totals` the counts to show,
    `matches` whatever the family makes its tables from.
    """

    units: list[str]
    rows: Array
    totals: dict[str, int | float]
    warnings: list[str]
    matches: Any


@dataclass(frozen=True)
class Family:
    """One way to evaluate: facts, and plain functions in the order in which the engine calls them.

    `read_gold` returns an object whose `paths` are the files that it has read. Problems of either side
    are raised as SubmissionError; the engine knows whose they are. `metrics` works on the last axis of
    counts (..., kinds) and keeps the others. `scenarios` lists the scenarios of an upload.
    """

    name: str
    title: str
    unit: tuple[str, str]
    options: tuple[Option, ...]
    headline: str
    score_titles: dict[str, str]
    kinds: tuple[str, ...]
    layout: str
    configure: Callable[[Mapping[str, object]], Options]
    read_gold: Callable[[Files, Options], Any]
    read_system: Callable[[Files, Any, Options], Any]
    count: Callable[[Any, Any, Options], Counted]
    metrics: Callable[[Array, Options], dict[str, NDArray[np.float64]]]
    tables: Callable[[Any, Options], dict[str, Table]]
    scenarios: Callable[[str | Path], list[int]] | None = None


def choose(options: Sequence[Option], given: Mapping[str, object]) -> Options:
    """The value of every option, the default where none is given; a value may be given as text."""
    known = {option.key: option for option in options}
    for key in given:
        if key not in known:
            raise ConfigurationError(f"unknown option {key!r}; the options are {', '.join(known)}")
    return {key: _chosen(option, given.get(key, option.default)) for key, option in known.items()}


def _chosen(option: Option, given: object) -> Any:
    for choice in option.choices:
        if _as_text(choice) == _as_text(given):
            return choice
    allowed = ", ".join(_as_text(choice) for choice in option.choices)
    raise ConfigurationError(f"option {option.key}: {given!r} is not one of {allowed}")


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
