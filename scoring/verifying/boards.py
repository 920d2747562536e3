"""Makes the boards of an archive again from the recomputed evaluations, and compares places, groups and tests."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from scoring.comparing.places import OF_COMPARISON, comparable, give_places
from scoring.comparing.ranking import ranks
from scoring.comparing.redrawing import stored_draws
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.verifying.contents import StoredBoard
from scoring.verifying.evaluating import Key, Recomputation
from scoring.verifying.opening import Archive

UNCOMPARED = ("gold", "reported")  # references that nobody is compared with
_OWN = ("rank", *OF_COMPARISON)
Entry = dict[str, Any]


def verify_board(archive: Archive, board: StoredBoard, recomputation: Recomputation) -> None:
    """Compare each edition with what its runs and the gold give; one with an engine that is not here is skipped."""
    try:
        stored = archive.json(board.file)
        entries, comparison = read_parts(stored, board.file)
    except ConfigurationError as error:
        recomputation.problems.append(str(error))
        return
    keys = {entry["submission"]: _key(entry, board) for entry in entries}
    lacking = [name for name, key in keys.items() if key not in recomputation.entries]
    if lacking:
        words = f"{len(lacking):,} of {len(entries):,} entries are of runs that could not be scored again"
        recomputation.skipped.append(f"{board.file}: {words}")
        return
    expected = [
        {name: entry.get(name) for name in ("submission", "reference")}
        | ({"is_lost": True} if entry.get("is_lost") else {})
        | recomputation.entries[keys[entry["submission"]]]
        | _shown(entry, board, recomputation)
        for entry in entries
    ]
    if any(entry.get("is_lost") for entry in entries):
        recomputation.skipped.append(f"{board.file}: the site had lost draws of entries when it compared them")
    made = _compared(expected, keys, recomputation)
    for place, (entry, figures) in enumerate(zip(entries, expected, strict=True), start=1):
        about = f"entry {place}, {entry.get('team') or entry.get('method')}"
        scores = {name: value for name, value in entry.get("scores", {}).items() if value is not None}
        recomputation.compare(
            board.file, about, {name: entry.get(name) for name in figures} | {"scores": scores}, figures
        )
    recomputation.compare(board.file, "comparison", comparison, made)
    order = [entry["submission"] for entry in expected]
    recomputation.compare(board.file, "", {"order": order}, {"order": _in_order(expected, keys, recomputation)})


def read_parts(stored: Any, file: str) -> tuple[list[Entry], dict[str, Any]]:
    """Return the entries of a stored board and its comparison; raise ConfigurationError where it is none."""
    is_whole = isinstance(stored, Mapping) and all(isinstance(stored.get(name), kind) for name, kind in _KINDS.items())
    if not is_whole:
        raise ConfigurationError(f"{file}: expected an object with a list of entries and a comparison")
    entries = stored["entries"]
    for place, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict) or not all(isinstance(entry.get(name), str) for name in _NAMED):
            raise ConfigurationError(f"{file}: entry {place}: expected an object with {' and '.join(_NAMED)}")
    return entries, stored["comparison"]


_KINDS = {"entries": list, "comparison": dict}
_NAMED = ("submission", "reference")


def _key(entry: Entry, board: StoredBoard) -> Key:
    return (entry["submission"], board.phase, board.scenario, board.gold or 0, board.engine)


def _shown(entry: Entry, board: StoredBoard, recomputation: Recomputation) -> dict[str, Any]:
    """Return what the run had on the shown part, the version of the gold that ranked before its ranked part decided."""
    if "shown" not in entry:
        return {}
    scored = (entry["submission"], board.phase, board.scenario)
    before = [key for key in recomputation.entries if key[:3] == scored and key[3] < (board.gold or 0)]
    return {"shown": recomputation.entries[max(before, key=lambda key: key[3])]["headline"] if before else None}


def _in_order(entries: Sequence[Entry], keys: Mapping[str, Key], recomputation: Recomputation) -> list[str]:
    """Return the entries best first; of equal ones the earlier is first, and those without a score are last."""
    if not entries:
        return []
    one = _any_of(entries, keys, recomputation)
    sign = 1 if one.headline in one.lower_is_better else -1

    def place(entry: Entry) -> tuple[float, str]:
        return (np.inf if entry["headline"] is None else sign * entry["headline"]), entry["date"]

    return [entry["submission"] for entry in sorted(entries, key=place)]


def _any_of(entries: Sequence[Entry], keys: Mapping[str, Key], recomputation: Recomputation) -> Evaluation:
    return Evaluation.load(recomputation.path_of(keys[entries[0]["submission"]]))


def _compared(entries: list[Entry], keys: Mapping[str, Key], recomputation: Recomputation) -> dict[str, Any]:
    """Add its place to each entry as the site does, and return the comparison."""
    if not entries:
        return {}
    one = _any_of(entries, keys, recomputation)
    lower_is_better = one.headline in one.lower_is_better
    _rank(entries, lower_is_better)
    scored = [entry for entry in entries if entry["headline"] is not None and entry["reference"] not in UNCOMPARED]
    there = [entry for entry in sorted(scored, key=_is_reference) if not entry.get("is_lost")]
    draws = [stored_draws(recomputation.path_of(keys[entry["submission"]])) for entry in there]
    if any(drawn is None or not len(drawn) for drawn in draws) or all(map(_is_reference, there)):
        return {}
    if len({entry["n_resamples"] for entry in scored}) > 1:
        return {}
    for entry in scored:
        if entry.get("is_lost"):
            entry["rank"] = None
    drawn = np.array(draws, dtype=np.float64)
    fits = comparable(drawn, [_is_reference(entry) for entry in there])
    for entry, fit in zip(there, fits.tolist(), strict=True):
        if not fit:
            entry["rank"] = None
    there = [entry for entry, fit in zip(there, fits.tolist(), strict=True) if fit]
    if all(map(_is_reference, there)):
        return {}
    try:
        return give_places(
            there,
            drawn if fits.all() else drawn[fits],
            signature=there[0]["signature"],
            n_units=there[0]["n_units"],
            confidence_level=there[0]["confidence_level"],
            lower_is_better=lower_is_better,
            unit=FAMILIES[one.family].unit(one.options),
        )
    except ConfigurationError:
        return {}


def _is_reference(entry: Entry) -> bool:
    return bool(entry["reference"])


def _rank(entries: Sequence[Entry], lower_is_better: bool) -> None:
    for entry in entries:
        entry.update(dict.fromkeys(_OWN))
    ranked = [entry for entry in entries if not entry["reference"] and entry["headline"] is not None]
    scores = np.array([entry["headline"] for entry in ranked])
    for entry, rank in zip(ranked, ranks(scores, lower_is_better=lower_is_better), strict=True):
        entry["rank"] = rank
