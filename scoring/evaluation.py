"""An evaluation as a frozen record that can be stored and read again without any file of the submission."""

import io
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Floats
from scoring.errors import ConfigurationError
from scoring.family import Options, Record
from scoring.showing import numbers, page, scores_drawn

Interval = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Scores of one system against one gold, and all that intervals and comparisons are made of."""

    family: str  # name of the family
    options: Options  # all of them, defaults included; lists instead of tuples once it was stored
    signature: str  # one line that tells how to get the same numbers again
    headline: str  # name of the score that ranks
    scores: dict[str, float | None]  # {score: value} at full precision; None where it does not apply
    intervals: dict[str, Interval]  # {score: (low, high)}; no key for a score without one
    interval_methods: dict[str, str]  # {score: "percentile" or "bca"}, with the keys of `intervals`
    counts: dict[str, int | float]  # totals that the scores come from, by kind
    units: list[str]  # names of the units of resampling, in the order of `rows`
    warnings: list[str]  # what is odd and was scored all the same
    n_resamples: int  # 0 without intervals
    confidence_level: float  # of the intervals, between 0 and 1
    seed: int | None  # that the draws follow from; None without resamples
    gold_digest: str  # SHA-256 of the gold's files, 64 hexadecimal digits: equal for results that can be compared
    rows: NDArray[Any]  # counts of each unit: (units, kinds) or (units, groups, kinds)
    draws: Floats | None  # (n_resamples,): the headline on each resample; None without resamples
    table_intervals: dict[str, list[dict[str, Interval]]]  # {table: for each record {column: (low, high)}}
    table_interval_methods: dict[str, list[dict[str, str]]]  # how those were made, with the same keys
    make_tables: Callable[[], dict[str, list[Record]]]  # makes `tables` when they are first asked for
    # {table: for each record {column: why it has no interval}}; empty in evaluations that were stored before there were
    # reasons.
    table_interval_reasons: dict[str, list[dict[str, str]]] = field(default_factory=dict)

    @cached_property
    def tables(self) -> dict[str, list[Record]]:
        """{table: records}; made when they are first asked for, because most callers want the scores alone."""
        return self.make_tables()

    def _repr_html_(self) -> str:
        """In a notebook: all scores as dots with whiskers, the one that ranks first."""
        first = {self.headline: self.scores[self.headline]}
        title = f"{self.headline} {numbers(self.scores[self.headline], self.intervals.get(self.headline))}"
        return page(scores_drawn(first | self.scores, {}, self.intervals, title), self.signature)

    def as_dict(self) -> dict[str, Any]:
        """Plain Python values, ready for JSON; without `rows` and `draws`."""
        names = [field.name for field in fields(self) if field.name not in _NOT_IN_DICT]
        values: dict[str, Any] = plain({name: getattr(self, name) for name in names} | {"tables": self.tables})
        return values

    def save(self, path: str | Path, values: dict[str, Any] | None = None) -> None:
        """One .npz file: the arrays, and everything else as JSON, the tables apart.

        All is compressed but the draws: they take most of the time to read, and hardly shrink. `values` are what
        `as_dict` gives, where the caller has asked for them already.
        """
        facts = dict(self.as_dict() if values is None else values)
        tables = facts.pop("tables")
        arrays = {"facts": _as_bytes(facts), "tables": _as_bytes(tables), "rows": self.rows}
        with ZipFile(path, "w") as file:
            for name, array in arrays.items():
                _write(file, name, array, ZIP_DEFLATED)
            if self.draws is not None:
                _write(file, "draws", self.draws, ZIP_STORED)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """What `save` has written; ConfigurationError if the file is something else.

        Nothing is unpickled, so that a file from elsewhere can do no harm. The tables, which can be most of the
        file, are parsed when they are first asked for.
        """
        try:
            with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as stored:
                facts = json.loads(stored["facts"].tobytes())
                draws = stored.get("draws")
                return cls._from_facts(facts, stored["tables"].tobytes(), stored["rows"], draws)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, EOFError, BadZipFile) as error:
            raise ConfigurationError(f"{path} is no stored evaluation: {error}") from error

    @classmethod
    def _from_facts(cls, facts: dict[str, Any], tables: bytes, rows: NDArray[Any], draws: NDArray[Any] | None) -> Self:
        facts["intervals"] = _intervals(facts["intervals"])
        facts["table_intervals"] = {
            table: [_intervals(row) for row in rows_] for table, rows_ in facts["table_intervals"].items()
        }
        return cls(**facts, rows=rows, draws=draws, make_tables=lambda: json.loads(tables))


def _write(file: ZipFile, name: str, array: NDArray[Any], compression: int) -> None:
    """As `np.savez` names and dates it."""
    content = io.BytesIO()
    np.lib.format.write_array(content, np.asanyarray(array), allow_pickle=False)
    file.writestr(ZipInfo(f"{name}.npy"), content.getbuffer(), compression)


def _as_bytes(value: dict[str, Any]) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(value, ensure_ascii=False, allow_nan=False).encode(), dtype=np.uint8)


def stored_draws(path: str | Path) -> Floats | None:
    """The draws of a stored evaluation alone, which is all that a comparison needs; None where it has none.

    `scoring.comparing.redrawing` makes them again where they were left out.
    """
    try:
        # Opened here, as NumPy leaves a file open that is no archive.
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            draws: Floats | None = stored.get("draws")
            return draws
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        raise ConfigurationError(f"{path} is no stored evaluation: {error}") from error


_NOT_IN_DICT = ("rows", "draws", "make_tables")


def plain(value: Any) -> Any:
    """The value as JSON gives it back: tuples as lists, NumPy's numbers as Python's, NaN as None."""
    if type(value) in _PLAIN:  # most of the thousands that tables have
        return value
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and math.isnan(value) else value


_PLAIN = frozenset({str, int, bool, type(None)})


def _intervals(stored: dict[str, list[float]]) -> dict[str, Interval]:
    return {name: (low, high) for name, (low, high) in stored.items()}
