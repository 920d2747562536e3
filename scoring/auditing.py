"""The board of a table of systems × units, which nobody has to have scored here."""

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256

import numpy as np

from scoring.columns import Array, Floats
from scoring.comparing.compare import compare_draws
from scoring.comparing.comparison import Comparison
from scoring.messages import Message
from scoring.readers.given.grid import Grid, Headings
from scoring.scale import Scale
from scoring.signature import __version__
from scoring.significance import Block, resampled, seed_of, totals
from scoring.significance.limits import check_resampling

_SCORE = "mean"


def audit(
    grid: Grid,
    n_resamples: int = 10_000,
    seed: int | None = None,
    *,
    confidence_level: float = 0.95,
    lower_is_better: bool = False,
) -> Comparison:
    """Return which systems differ in the mean over all units, all pairs tested together.

    `grid` is what `scoring.readers.given.logs.read_systems` returns. Without a seed it follows from the names of units
    and groups, so that no score can choose a lucky one. Raises ConfigurationError.
    """
    check_resampling(n_resamples, confidence_level, seed, fewest=1)
    rows, noun = _rows(grid)
    digest = sha256("\n".join([*grid.units, *_groups_of_units(grid)]).encode()).hexdigest()
    seed = seed_of(digest) if seed is None else seed
    fields = {
        "score": _SCORE,
        "units": f"{len(rows)} {noun[1]}",
        "table": digest[:12],
        "engine": __version__,
    }
    return compare_draws(
        grid.systems,
        _means(totals(rows))[_SCORE].tolist(),
        resampled(Block(rows, _means), seed, n_resamples)[_SCORE],
        len(rows),
        confidence_level=confidence_level,
        lower_is_better=lower_is_better,
        scale=Scale(decimals=None),
        unit=noun,
        fields=fields,
        seed=seed,
    )


def command_of(paths: Sequence[str], headings: Headings, board: Comparison) -> str:
    """Return the command that makes the same board of a table or of logs again, with the seed that was used."""
    # A name that begins with a hyphen would be taken for an option.
    words = ["evalsite", "audit", *(f"./{path}" if path.startswith("-") else path for path in paths)]
    words += ["--lower-is-better"] if board.lower_is_better else []
    usual = asdict(Headings())
    words += [f"--{name}={value}" for name, value in asdict(headings).items() if value != usual[name]]
    words += ["--resamples", str(board.n_resamples), "--confidence", f"{board.confidence_level:g}"]
    return shlex.join([*words, "--seed", str(board.seed)])


def _rows(grid: Grid) -> tuple[Floats, tuple[str, str]]:
    """Return sums of scores and numbers of units (drawn, systems, 2), and what is drawn: units, or their groups."""
    rows = np.stack([grid.scores, np.ones_like(grid.scores)], axis=-1)
    if grid.groups is None:
        return rows, Message.noun("unit", "units")
    summed = np.zeros((len(grid.groups.names), *rows.shape[1:]))
    np.add.at(summed, grid.groups.code, rows)
    return summed, Message.noun("group", "groups")


def _groups_of_units(grid: Grid) -> list[str]:
    return [] if grid.groups is None else [grid.groups.names[code] for code in grid.groups.code.tolist()]


def _means(sums: Array) -> dict[str, Floats]:
    """Return the mean of each system from sums (..., 2)."""
    return {_SCORE: np.asarray(sums[..., 0] / sums[..., 1], dtype=np.float64)}
