"""compare() and compare_draws(): the order of the steps, the same for every family."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from scoring.arguments import FEWEST_UNITS, METHODS, check_resampling
from scoring.comparison import Comparison
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.family import Record
from scoring.ranking import finding, heads, letter, probability_best, rank_ranges, ranks
from scoring.signature import VERSION, changing, evaluated, joined
from scoring.significance import Block, on_grid, resampled, seed_of, swap_batches, totals
from scoring.significance.pairs import Pairs, randomisation, simultaneous_factor, step_down

Array = NDArray[np.float64]
Test = Callable[[NDArray[np.int64]], Pairs]  # of pairs (P, 2) of systems by number

_TESTS = {"bootstrap": "max-t step-down", "randomisation": "randomisation, holm"}
_UNDEFINED_SHARE = 0.1
_SWAPPED_VALUES = 2**22


def compare(
    results: Mapping[str, Evaluation] | Sequence[Evaluation],
    n_resamples: int = 10_000,
    seed: int | None = None,
    *,
    confidence_level: float = 0.95,
    references: Sequence[str] = (),
    method: str = "bootstrap",
) -> Comparison:
    """Which of the systems differ in the score that ranks, all pairs tested together.

    All have to be scored on the same gold with the same options. Stored draws are used where seed and number
    fit; else they are drawn again from the rows, which gives the same numbers. `references` (a baseline, a
    human run) are compared with each system and change nothing for the others. `method` is `bootstrap` or
    `randomisation`. Raises ConfigurationError.
    """
    check_resampling(n_resamples, confidence_level, seed, fewest=1)
    if method not in METHODS:
        raise ConfigurationError(f"method must be one of {', '.join(METHODS)}")
    named = _named(results)
    _check_alike(named)
    board = _board(list(named), [result.scores[result.headline] for result in named.values()], references)
    in_order = {name: named[name] for name in board.names}
    first = next(iter(named.values()))
    family = FAMILIES[first.family]
    seed = _common_seed(named) if seed is None else seed
    facts = _Facts(
        n_units=len(first.units),
        unit=family.unit(first.options),
        n_resamples=n_resamples,
        seed=seed,
        confidence_level=float(confidence_level),
        method=method,
        fields=evaluated(
            family,
            first.options,
            headline=first.headline,
            n_units=len(first.units),
            gold_digest=first.gold_digest,
        ),
    )
    if method == "randomisation":
        test = partial(_randomised, board, _swapper(in_order, seed, n_resamples), n_resamples)
        return _comparison(board, facts, test, None, [_same_rows(result) for result in in_order.values()], [])
    drawn = [_draws(name, result, seed, n_resamples) for name, result in in_order.items()]
    return _bootstrapped(board, facts, np.array(drawn).reshape(len(drawn), n_resamples))


def compare_draws(
    names: Sequence[str],
    scores: Sequence[float | None],
    draws: NDArray[np.float64],
    n_units: int,
    *,
    confidence_level: float = 0.95,
    references: Sequence[str] = (),
    unit: tuple[str, str] = ("unit", "units"),
    fields: Mapping[str, object] | None = None,
    seed: int | None = None,
) -> Comparison:
    """The same from stored scores and draws (systems, B), which have to be of the same resamples; no file is read.

    `unit` (singular, plural) is what was resampled, `n_units` how many of it; `fields` begin the signature, and
    `seed`, of which the draws were made, ends it. Raises ConfigurationError.
    """
    drawn = np.asarray(draws, dtype=np.float64)
    if drawn.ndim != 2 or not len(names) == len(scores) == len(drawn):
        raise ConfigurationError("names, scores and draws (systems, resamples) must be of the same number of systems")
    check_resampling(drawn.shape[1], confidence_level, seed, fewest=1)
    board = _board(list(names), list(scores), references)
    facts = _Facts(
        n_units=n_units,
        unit=unit,
        n_resamples=drawn.shape[1],
        seed=seed,
        confidence_level=float(confidence_level),
        method="bootstrap",
        fields=dict(fields or {"units": f"{n_units} {unit[1]}", "engine": VERSION}),
    )
    places = {name: place for place, name in enumerate(names)}
    return _bootstrapped(board, facts, drawn[[places[name] for name in board.names]])


@dataclass(frozen=True)
class _Board:
    """Systems by number: the ranked ones by falling score, then the references that have a score."""

    ranked: list[str]
    references: list[str]
    scores: Array
    unranked: list[str]
    references_without_score: list[str]

    @property
    def names(self) -> list[str]:
        return self.ranked + self.references

    @property
    def pairs(self) -> NDArray[np.int64]:
        """(P, 2): each ranked system with each one after it."""
        return np.array(list(combinations(range(len(self.ranked)), 2)), dtype=np.int64).reshape(-1, 2)


@dataclass(frozen=True)
class _Facts:
    """How the comparison was made; `fields` begin its signature."""

    n_units: int
    unit: tuple[str, str]
    n_resamples: int
    seed: int | None
    confidence_level: float
    method: str
    fields: dict[str, object]


def _named(results: Mapping[str, Evaluation] | Sequence[Evaluation]) -> dict[str, Evaluation]:
    if isinstance(results, Mapping):
        return dict(results)
    return {str(number): result for number, result in enumerate(results, start=1)}


def _check_alike(named: Mapping[str, Evaluation]) -> None:
    first = next(iter(named.values()), None)
    for name, result in named.items():
        assert first is not None
        # Units may bear the names of the system's files: their number tells whether they are the gold's.
        if (result.gold_digest, len(result.units)) != (first.gold_digest, len(first.units)):
            raise ConfigurationError(f"{name} was not scored against the same gold")
        if _setting(result) != _setting(first):
            raise ConfigurationError(f"{name} was not scored with the same options")


def _setting(result: Evaluation) -> str:
    """Family and options, alike for fresh and for stored results, whose tuples have become lists."""
    return json.dumps([result.family, dict(changing(FAMILIES[result.family], result.options))], default=str)


def _board(names: list[str], scores: list[float | None], references: Sequence[str]) -> _Board:
    if not names:
        raise ConfigurationError("nothing to compare")
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        raise ConfigurationError(f"two systems are called {doubled[0]}")
    if unknown := [name for name in references if name not in names]:
        raise ConfigurationError(f"unknown reference {unknown[0]}")
    found = dict(zip(names, scores, strict=True))
    systems = [name for name in names if name not in references]
    if not systems:
        raise ConfigurationError("no system left to rank")
    scored = {name: score for name, score in found.items() if score is not None}
    ranked = sorted((name for name in systems if name in scored), key=lambda name: -scored[name])
    against = [name for name in references if name in scored]
    return _Board(
        ranked=ranked,
        references=against,
        scores=np.array([scored[name] for name in ranked + against], dtype=np.float64),
        unranked=[name for name in systems if name not in scored],
        references_without_score=[name for name in references if name not in scored],
    )


def _common_seed(named: Mapping[str, Evaluation]) -> int:
    """That of the stored draws if all have them in common, else the gold's."""
    seeds = {result.seed for result in named.values() if result.n_resamples}
    gold = seed_of(next(iter(named.values())).gold_digest)
    return next((seed for seed in seeds if seed is not None), gold) if len(seeds) == 1 else gold


def _draws(name: str, result: Evaluation, seed: int, n_resamples: int) -> Array:
    """The headline on each resample: as stored, of which the first are those of fewer resamples, or drawn again."""
    if result.draws is not None and result.seed == seed and len(result.draws) >= n_resamples:
        return result.draws[:n_resamples]
    values = resampled(Block(result.rows, _metrics(result)), seed, n_resamples) if result.rows.size else {}
    if result.headline not in values:
        raise ConfigurationError(f"{name} has no rows to draw from again")
    drawn: Array = values[result.headline][0]
    return drawn


def _metrics(result: Evaluation) -> Callable[[Array], dict[str, Array]]:
    family = FAMILIES[result.family]
    return lambda counts: family.metrics(counts, result.options)


def _same_rows(result: Evaluation) -> bytes:
    return result.rows.tobytes()


def _bootstrapped(board: _Board, facts: _Facts, drawn: Array) -> Comparison:
    """`drawn` (systems, B) in the order of the board."""
    defined = ~np.isnan(drawn[: len(board.ranked)]).any(axis=0)
    n_left_out = int(np.count_nonzero(~defined))
    warnings = []
    if n_left_out > _UNDEFINED_SHARE * facts.n_resamples:
        raise ConfigurationError(f"in {n_left_out} of {facts.n_resamples} resamples the score of a system is undefined")
    if n_left_out:
        warnings.append(f"{n_left_out} of {facts.n_resamples} resamples left out: the score of a system is undefined")
        drawn = drawn[:, defined]
    if facts.n_units < FEWEST_UNITS and len(board.ranked) > 1:
        warnings.append(f"fewer than {FEWEST_UNITS} {facts.unit[1]}: nothing is separated")

    def test(pairs: NDArray[np.int64]) -> Pairs:
        kept = ~np.isnan(drawn[np.unique(pairs)]).any(axis=0)
        used = drawn if kept.all() else drawn[:, kept]
        return step_down(board.scores, used, pairs, facts.n_units, facts.confidence_level)

    fingerprints = [vector.tobytes() for vector in drawn[: len(board.ranked)]]
    return _comparison(board, facts, test, drawn[: len(board.ranked)], fingerprints, warnings)


Swapper = Callable[[NDArray[np.int64]], Iterator[tuple[Array, Array]]]


def _swapper(results: Mapping[str, Evaluation], seed: int, n_trials: int) -> Swapper:
    """Scores of both systems of each pair after units were exchanged, (m, P) each, batch by batch of trials."""
    shapes = {result.rows.shape for result in results.values()}
    first = next(iter(results.values()), None)
    if first is None:
        return lambda pairs: iter(())  # nobody is ranked
    metrics = _metrics(first)
    if len(shapes) > 1 or not first.rows.size or first.headline not in metrics(totals(first.rows)):
        raise ConfigurationError("randomisation needs rows of the same kinds from which the score is made")
    n_units, kinds = len(first.rows), first.rows.shape[1:]
    columns = [on_grid(_columns(result.rows)) for result in results.values()]
    stacked = np.concatenate(columns)  # (systems · kinds, units)
    sums = stacked.sum(axis=1).reshape(len(results), -1)

    def swapped(pairs: NDArray[np.int64]) -> Iterator[tuple[Array, Array]]:
        one, other = pairs[:, 0], pairs[:, 1]
        batch = max(1, _SWAPPED_VALUES // max(1, len(pairs) * sums.shape[1]))
        for exchanged in swap_batches(seed, n_units, n_trials, batch):
            parts = (exchanged.astype(np.float64) @ stacked.T).reshape(len(exchanged), *sums.shape)
            moved = parts[:, other] - parts[:, one]
            first_sums, second_sums = sums[one] + moved, sums[other] - moved
            yield tuple(  # type: ignore[misc]
                metrics(counts.reshape(len(exchanged), len(pairs), *kinds))[first.headline]
                for counts in (first_sums, second_sums)
            )

    return swapped


def _columns(rows: NDArray[np.number]) -> Array:
    """Rows (units, ...) as (kinds, units)."""
    return np.ascontiguousarray(rows.reshape(len(rows), -1).T, dtype=np.float64)


def _randomised(board: _Board, swapped: Swapper, n_trials: int, pairs: NDArray[np.int64]) -> Pairs:
    return randomisation(board.scores, partial(swapped, pairs), pairs, n_trials)


def _comparison(
    board: _Board,
    facts: _Facts,
    test: Test,
    draws: Array | None,
    fingerprints: list[bytes],
    warnings: list[str],
) -> Comparison:
    n_ranked = len(board.ranked)
    tested = test(board.pairs)
    matrices = _Matrices.of(tested, board.pairs, n_ranked, 1 - facts.confidence_level)
    scores = board.scores[:n_ranked]
    groups = heads(matrices.separated)
    return Comparison(
        names=board.ranked + board.unranked,
        scores=[*scores.tolist(), *(None for _ in board.unranked)],
        ranks=[*ranks(scores), *(None for _ in board.unranked)],
        rank_ranges=[*rank_ranges(matrices.separated), *(None for _ in board.unranked)],
        groups=[[board.ranked[k] for k in range(n_ranked) if groups[k] == head] for head in sorted(set(groups))],
        difference=matrices.difference,
        se=matrices.se,
        p=matrices.p,
        p_adjusted=matrices.p_adjusted,
        separated=matrices.separated,
        critical_value=tested.critical_value,
        table=_table(board, facts, matrices, tested.critical_value, draws, fingerprints),
        references=_references(board, facts, test),
        sentence=finding(
            board.ranked,
            matrices.separated[0, 1:].tolist() if n_ranked else [],
            facts.n_units,
            facts.unit,
            are_too_few=facts.method == "bootstrap" and facts.n_units < FEWEST_UNITS,
        ),
        signature=joined(
            facts.fields
            | {
                "systems": n_ranked,
                "resamples": facts.n_resamples,
                "confidence": facts.confidence_level,
                "test": _TESTS[facts.method],
            }
            | ({} if facts.seed is None else {"seed": facts.seed})
        ),
        warnings=warnings,
        n_units=facts.n_units,
        n_resamples=facts.n_resamples,
        seed=facts.seed,
        confidence_level=facts.confidence_level,
        draws=draws,
    )


@dataclass(frozen=True)
class _Matrices:
    """Tests of all pairs, (K, K): row minus column; `separated` where the row's system is better."""

    difference: Array
    se: Array
    p: Array
    p_adjusted: Array
    separated: NDArray[np.bool_]

    @classmethod
    def of(cls, tested: Pairs, pairs: NDArray[np.int64], n_ranked: int, level: float) -> "_Matrices":
        rows, columns = pairs.T
        shape = (n_ranked, n_ranked)
        difference, se, p, adjusted = np.zeros(shape), np.zeros(shape), np.ones(shape), np.ones(shape)
        difference[rows, columns], difference[columns, rows] = tested.difference, 0 - tested.difference
        for matrix, values in ((se, tested.se), (p, tested.p), (adjusted, tested.p_adjusted)):
            matrix[rows, columns] = matrix[columns, rows] = values
        return cls(difference, se, p, adjusted, (adjusted < level) & (difference > 0))


def _table(
    board: _Board,
    facts: _Facts,
    matrices: _Matrices,
    critical_value: float | None,
    draws: Array | None,
    fingerprints: list[bytes],
) -> list[Record]:
    scores = board.scores[: len(board.ranked)]
    ranges, groups = rank_ranges(matrices.separated), heads(matrices.separated)
    letters = {head: letter(number) for number, head in enumerate(sorted(set(groups)))}
    best = None if draws is None else probability_best(draws)
    rows: list[Record] = []
    for k, rank in enumerate(ranks(scores)):
        low, high = _against_leader(matrices, k, critical_value, facts.n_units)
        rows.append(
            {
                "name": board.ranked[k],
                "score": float(scores[k]),
                "rank": rank,
                "rank_low": ranges[k][0],
                "rank_high": ranges[k][1],
                "group": letters[groups[k]],
                "difference_to_leader": float(matrices.difference[k, 0]),
                "difference_low": low,
                "difference_high": high,
                "p_to_leader": float(matrices.p_adjusted[k, 0]) if k else None,
                "probability_best": None if best is None else float(best[k]),
                "identical_to": _identical(board, k, fingerprints),
            }
        )
    columns = list(rows[0]) if rows else ["name", *_UNRANKED]
    return rows + [dict.fromkeys(columns) | {"name": name} for name in board.unranked]


_UNRANKED = (
    "score",
    "rank",
    "rank_low",
    "rank_high",
    "group",
    "difference_to_leader",
    "difference_low",
    "difference_high",
    "p_to_leader",
    "probability_best",
    "identical_to",
)


def _against_leader(
    matrices: _Matrices, k: int, critical_value: float | None, n_units: int
) -> tuple[float | None, float | None]:
    """The interval of the difference to the leader that holds for all differences at once."""
    if not k or critical_value is None:
        return None, None
    difference = float(matrices.difference[k, 0])
    half = float(matrices.se[k, 0]) * simultaneous_factor(critical_value, n_units)
    # A later step of the test may separate what the first bound does not: the interval follows the test.
    high = min(0.0, difference + half) if matrices.separated[0, k] else difference + half
    return difference - half, high


def _identical(board: _Board, k: int, fingerprints: list[bytes]) -> str | None:
    """The first system with the same score on the gold and on every resample."""
    for earlier in range(k):
        if board.scores[earlier] == board.scores[k] and fingerprints[earlier] == fingerprints[k]:
            return board.ranked[earlier]
    return None


def _references(board: _Board, facts: _Facts, test: Test) -> list[Record]:
    """Each reference against every ranked system: a family of tests of its own."""
    n_ranked = len(board.ranked)
    rows: list[Record] = []
    for number, name in enumerate(board.references, start=n_ranked):
        tested = test(np.array([(k, number) for k in range(n_ranked)], dtype=np.int64).reshape(-1, 2))
        against = [
            {
                "system": system,
                "difference": float(tested.difference[k]),
                "p": float(tested.p[k]),
                "p_adjusted": float(tested.p_adjusted[k]),
                "separated": bool(tested.p_adjusted[k] < 1 - facts.confidence_level and tested.difference[k] != 0),
            }
            for k, system in enumerate(board.ranked)
        ]
        rows.append({"name": name, "score": float(board.scores[number]), "against": against})
    return rows + [{"name": name, "score": None, "against": []} for name in board.references_without_score]
