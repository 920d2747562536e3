"""An evaluation as a frozen record that can be stored and read again without any file of the submission."""

import io
import json
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Self
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from scoring import lazy
from scoring.columns import Floats
from scoring.errors import ConfigurationError
from scoring.family import Options, Record
from scoring.messages import Message
from scoring.rows import Rows
from scoring.scale import Scale
from scoring.score import titled

Interval = tuple[float, float]
# What a notebook shows is made for it alone.
_draw_scores: Callable[..., str] = lazy.late("scoring.display.svg", "draw_scores")
_in_notebook: Callable[..., str] = lazy.late("scoring.display.svg", "in_notebook")


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Scores of one system against one gold, and all that intervals and comparisons are made of."""

    family: str  # name of the family
    options: Options  # all of them, defaults included; lists instead of tuples once it was stored
    signature: str  # one line that tells how to get the same numbers again
    headline: str  # name of the score that ranks
    scores: dict[str, float | None]  # {score: value} at full precision; None where it does not apply
    intervals: dict[str, Interval]  # {score: (low, high)}; no key for a score without one
    interval_methods: dict[
        str, str
    ]  # {score: "percentile", "bca", "mover" or "jackknife"}, with the keys of `intervals`
    counts: dict[str, int | float]  # totals that the scores come from, by kind
    units: list[str]  # names of the units of resampling, in the order of `rows`
    warnings: list[str]  # what is odd and was scored all the same
    n_resamples: int  # 0 without intervals
    confidence_level: float  # of the intervals, between 0 and 1
    seed: int | None  # that the draws follow from; None without resamples
    gold_digest: str  # SHA-256 of the gold's files, 64 hexadecimal digits: equal for results that can be compared
    rows: NDArray[Any] | Rows  # counts of each unit: (units, kinds) or (units, groups, kinds)
    draws: Floats | None  # (n_resamples,): the headline on each resample; None without resamples
    table_intervals: dict[str, list[dict[str, Interval]]]  # {table: for each record {column: (low, high)}}
    table_interval_methods: dict[str, list[dict[str, str]]]  # how those were made, with the same keys
    make_tables: Callable[[], dict[str, list[Record]]]  # makes `tables` when they are first asked for
    # {table: for each record {column: why it has no interval}}; empty in evaluations that were stored before there were
    # reasons.
    table_interval_reasons: dict[str, list[dict[str, str]]] = field(default_factory=dict)
    lower_is_better: list[str] = field(default_factory=list)  # those of `scores` of which less is better, sorted
    kept_draws: dict[str, Floats] = field(default_factory=dict)  # {score: (n_resamples,)} of those that were asked for
    kept_seed: int | None = None  # that those follow from; None where it is `seed`
    numbers: Floats | None = None  # those of `Counted.numbers`, where a test exchanges them
    scales: dict[str, Scale] = field(default_factory=dict)  # {score: how it is said}; without an entry as any share

    def scale(self, name: str) -> Scale:
        """Return how this score is said."""
        return self.scales.get(name) or Scale()

    @cached_property
    def tables(self) -> dict[str, list[Record]]:
        """Return {table: records}; made when they are first asked for, because most callers want the scores alone."""
        return self.make_tables()

    def rows_in_pieces(self) -> Iterator[NDArray[Any]]:
        """Yield the rows as plain arrays, some units at a time where they are many and wide."""
        if isinstance(self.rows, Rows):
            yield from self.rows.in_pieces()
        else:
            yield self.rows

    def _repr_html_(self) -> str:
        """Return what a notebook shows: all scores as dots with whiskers, the one that ranks first."""
        first = {self.headline: self.scores[self.headline]}
        text = self.scale(self.headline).text(self.scores[self.headline], self.intervals.get(self.headline))
        titles = {name: titled(name, lower_is_better=True) for name in self.lower_is_better}
        drawing = _draw_scores(first | self.scores, titles, self.intervals, f"{self.headline} {text}", self.scales)
        return _in_notebook(drawing, self.signature)

    def as_dict(self) -> dict[str, Any]:
        """Return plain Python values, ready for JSON; without `rows` and `draws`."""
        names = [field.name for field in fields(self) if field.name not in _NOT_IN_DICT]
        values: dict[str, Any] = plain({name: getattr(self, name) for name in names} | {"tables": self.tables})
        return values

    def save(self, path: str | Path, values: dict[str, Any] | None = None) -> None:
        """Write one .npz file: the arrays, and everything else as JSON, the tables apart.

        All is compressed but the draws: they take most of the time to read, and hardly shrink. `values` are what
        `as_dict` gives, where the caller has asked for them already.
        """
        facts = dict(self.as_dict() if values is None else values)
        tables = facts.pop("tables")
        arrays = {"facts": _as_bytes(facts), "tables": _as_bytes(tables), **_arrays_of(self.rows)}
        with ZipFile(path, "w", compresslevel=_WELL if self.draws is None else _QUICKLY) as file:
            for name, array in arrays.items():
                _write(file, name, array, ZIP_DEFLATED)
            if self.draws is not None:
                _write(file, "draws", self.draws, ZIP_STORED)
            if self.kept_draws:
                _write(file, "kept", _as_bytes(list(self.kept_draws)), ZIP_DEFLATED)
                _write(file, "kept_draws", np.stack(list(self.kept_draws.values())), ZIP_STORED)
            if self.numbers is not None:
                _write(file, "numbers", self.numbers, ZIP_DEFLATED)
            if self.kept_seed is not None:
                _write(file, "kept_seed", np.array(self.kept_seed, dtype=np.int64), ZIP_STORED)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return what `save` has written; ConfigurationError if the file is something else.

        Nothing is unpickled, so that a file from elsewhere can do no harm. The tables, which can be most of the
        file, are parsed when they are first asked for.
        """
        try:
            with np.load(io.BytesIO(Path(path).read_bytes()), allow_pickle=False) as stored:
                facts = json.loads(stored["facts"].tobytes())
                draws = stored.get("draws")
                names = json.loads(stored["kept"].tobytes()) if "kept" in stored else []
                kept = dict(zip(names, stored["kept_draws"], strict=True)) if names else {}
                facts["numbers"] = stored.get("numbers")
                facts["kept_seed"] = int(stored["kept_seed"]) if "kept_seed" in stored else None
                return cls._from_facts(facts, stored["tables"].tobytes(), _rows_of(stored), draws, kept)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, EOFError, BadZipFile) as error:
            raise ConfigurationError(
                Message("no-evaluation", "{path} is no stored evaluation: {why}", path=path, why=error)
            ) from error

    @classmethod
    def _from_facts(
        cls,
        facts: dict[str, Any],
        tables: bytes,
        rows: NDArray[Any] | Rows,
        draws: NDArray[Any] | None,
        kept: dict[str, NDArray[Any]],
    ) -> Self:
        facts["intervals"] = _intervals(facts["intervals"])
        facts["table_intervals"] = {
            table: [_intervals(row) for row in rows_] for table, rows_ in facts["table_intervals"].items()
        }
        facts["scales"] = {name: Scale(**scale) for name, scale in facts.get("scales", {}).items()}
        return cls(**facts, rows=rows, draws=draws, kept_draws=kept, make_tables=lambda: json.loads(tables))


def _arrays_of(rows: NDArray[Any] | Rows) -> dict[str, NDArray[Any]]:
    """Return rows as they are stored; those that are kept by their entries as these."""
    if not isinstance(rows, Rows):
        return {"rows": rows}
    units, columns, values = rows.flat()
    return {"rows_shape": np.array(rows.shape), "rows_unit": units, "rows_column": columns, "rows_value": values}


def _rows_of(stored: Mapping[str, NDArray[Any]]) -> NDArray[Any] | Rows:
    if "rows_shape" not in stored:
        return stored["rows"]
    entries = stored["rows_unit"], stored["rows_column"], stored["rows_value"]
    return Rows(tuple(stored["rows_shape"].tolist()), (entries,))


# Levels of zlib. Beside draws the rest is little, and quickly done; what is kept without them is to be small.
_QUICKLY, _WELL = 1, 6


def _write(file: ZipFile, name: str, array: NDArray[Any], compression: int) -> None:
    """Write an array as `np.savez` names and dates it."""
    content = io.BytesIO()
    np.lib.format.write_array(content, np.asanyarray(array), allow_pickle=False)
    file.writestr(ZipInfo(f"{name}.npy"), content.getbuffer(), compression, file.compresslevel)


def _as_bytes(value: dict[str, Any] | list[str]) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(value, ensure_ascii=False, allow_nan=False).encode(), dtype=np.uint8)


def stored_draws(path: str | Path) -> Floats | None:
    """Return the draws of a stored evaluation alone, which is all that a comparison needs; None where it has none.

    `scoring.comparing.redrawing` makes them again where they were left out.
    """
    try:
        # Opened here, as NumPy leaves a file open that is no archive.
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
            draws: Floats | None = stored.get("draws")
            return draws
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        raise ConfigurationError(
            Message("no-evaluation", "{path} is no stored evaluation: {why}", path=path, why=error)
        ) from error


_NOT_IN_DICT = ("rows", "draws", "kept_draws", "kept_seed", "numbers", "make_tables")


def plain(value: Any) -> Any:
    """Return the value as JSON has it: tuples as lists, NumPy's as Python's numbers, NaN as None, scales by fields."""
    if type(value) in _PLAIN:  # most of the thousands that tables have
        return value
    if type(value) is float:
        return None if math.isnan(value) else value
    if isinstance(value, dict):
        return {key: inner if type(inner) in _PLAIN else plain(inner) for key, inner in value.items()}
    if isinstance(value, Scale):
        return asdict(value)
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and math.isnan(value) else value


_PLAIN = frozenset({str, int, bool, type(None)})


def _intervals(stored: dict[str, list[float]]) -> dict[str, Interval]:
    return {name: (low, high) for name, (low, high) in stored.items()}
