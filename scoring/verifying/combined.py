"""Makes the combined boards of an archive again from the recomputed evaluations, and compares what they say."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import scoring
from scoring.combining.combine import interval_of
from scoring.comparing.places import OF_COMPARISON, facts_of, packed
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.verifying.boards import Entry, read_parts
from scoring.verifying.contents import Contents, StoredCombined
from scoring.verifying.evaluating import Key, Recomputation
from scoring.verifying.opening import Archive

SCORE, BORDA = "combined", "borda"  # names of scores of an entry
_COMPARED = ("rank", *OF_COMPARISON)
_WORDED = ("unit", "warnings")  # in the site's words
Rows = dict[str, dict[str, Any]]  # by entry
Drawing = dict[str, Any]  # n_resamples and confidence_level


class Parts(Mapping[str, Evaluation | None]):
    """The evaluations of one entry by scenario, each read when it is asked for."""

    def __init__(self, keys: Mapping[str, Key | None], recomputation: Recomputation) -> None:
        self.keys_of_runs, self._found = keys, recomputation

    def __getitem__(self, scenario: str) -> Evaluation | None:
        key = self.keys_of_runs[scenario]
        return None if key is None else Evaluation.load(self._found.path_of(key))

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys_of_runs)

    def __len__(self) -> int:
        return len(self.keys_of_runs)


def verify_combined(archive: Archive, contents: Contents, board: StoredCombined, recomputation: Recomputation) -> None:
    """Compare scores, intervals, places and groups of all entries with what their runs give."""
    try:
        entries, comparison = read_parts(archive.json(board.file), board.file)
        systems = {_name(entry): Parts(_keys(entry, board, contents), recomputation) for entry in entries}
    except (ConfigurationError, TypeError, ValueError, KeyError, AttributeError) as error:
        recomputation.problems.append(f"{board.file}: {error}")
        return
    if not entries:
        return
    keys = [key for parts in systems.values() for key in parts.keys_of_runs.values()]
    if any(key is not None and key not in recomputation.entries for key in keys):
        recomputation.skipped.append(f"{board.file}: some of its runs could not be scored again")
        return
    drawing = {name: entries[0].get(name) for name in ("n_resamples", "confidence_level")}
    try:
        rows, facts = (_by_ranks if board.kind == "ranks" else _by_formula)(board, entries, systems, drawing)
    except (ConfigurationError, TypeError) as error:
        recomputation.problems.append(f"{board.file}: it cannot be made again: {error}")
        return
    for place, entry in enumerate(entries, start=1):
        row = rows[_name(entry)] | _parts_of(entry, board, systems[_name(entry)], recomputation)
        stored = {name: entry.get(name) for name in row} | {
            "combined": entry.get("scores", {}).get(SCORE),
            "low": entry.get("lows", {}).get(SCORE),
            "high": entry.get("highs", {}).get(SCORE),
        }
        recomputation.compare(board.file, f"entry {place}, {entry.get('team') or entry.get('method')}", stored, row)
    facts = {name: value for name, value in facts.items() if name not in _WORDED}
    recomputation.compare(board.file, "comparison", {name: comparison.get(name) for name in facts}, facts)


def _name(entry: Entry) -> str:
    return str(entry["submission"] if entry["reference"] else entry.get("team"))


def _keys(entry: Entry, board: StoredCombined, contents: Contents) -> dict[str, Key | None]:
    """Return by scenario the evaluation of the entry's run; None where it has none."""
    keys: dict[str, Key | None] = {}
    for number, (version, engine) in board.golds.items():
        name = contents.scenarios[int(number)].name
        run = entry.get("runs", {}).get(name)
        keys[name] = None if run is None else (run, board.phase, int(number), version, engine)
    return keys


def _parts_of(entry: Entry, board: StoredCombined, parts: Parts, recomputation: Recomputation) -> dict[str, Any]:
    """Return the scores of the parts, where they are those of its runs and no ranks."""
    if board.kind == "ranks":
        return {}
    by_number = {str(key[2]): recomputation.entries[key] for key in parts.keys_of_runs.values() if key is not None}
    scores = {}
    for name in entry.get("scores", {}):
        number, _, score = name.partition(":")
        if number.isdigit():
            scores[name] = by_number.get(number, {}).get("scores", {}).get(score)
    return {"scores": scores | {SCORE: entry.get("scores", {}).get(SCORE)}}


def _by_formula(
    board: StoredCombined, entries: list[Entry], systems: dict[str, Parts], drawing: Drawing
) -> tuple[Rows, dict[str, Any]]:
    compared = scoring.compare_combined(
        board.formula,
        systems,
        missing=board.missing,
        references=[_name(entry) for entry in entries if entry["reference"]],
        lower_is_better=board.lower_is_better,
        **drawing,
    )
    assert compared.draws is not None
    rows: Rows = {}
    for place, row in enumerate(compared.table):
        ends = None
        if row["score"] is not None:
            drawn = compared.draws[place]
            ends, _ = interval_of(row["score"], drawn, compared.n_units, compared.confidence_level)
        rows[row["name"]] = _row(row, row["score"], ends)
    for row in compared.references:
        ends = None
        if row["score"] is not None:
            values = {scenario: part for scenario, part in systems[row["name"]].items() if part is not None}
            ends = scoring.combine(board.formula, values, **drawing).interval
        rows[row["name"]] = _row({}, row["score"], ends)
    return rows, facts_of(compared, ("", ""))


def _by_ranks(
    board: StoredCombined, entries: list[Entry], systems: dict[str, Parts], drawing: Drawing
) -> tuple[Rows, dict[str, Any]]:
    missing = "last" if board.missing == "zero" else board.missing
    table = scoring.mean_rank(systems, missing=missing, **drawing)
    rows = {
        row["name"]: _row(row, row["mean_rank"], None if row["low"] is None else (row["low"], row["high"]))
        for row in table.table
    }
    facts = {
        "signature": table.signature,
        "n_resamples": table.n_resamples,
        "confidence_level": table.confidence_level,
        "critical_value": table.critical_value,
        "separated": packed(np.asarray(table.separated)),
    }
    return rows, facts


def _row(row: Mapping[str, Any], score: float | None, ends: tuple[float, float] | None) -> dict[str, Any]:
    low, high = ends or (None, None)
    values = {name: row.get(name) for name in _COMPARED}
    return values | {"headline": score, "combined": score, "low": low, "high": high}
