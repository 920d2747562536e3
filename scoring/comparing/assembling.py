"""The way from the tests of all pairs to the comparison with its table and its sentence."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.comparing.board import Board, Facts
from scoring.comparing.comparison import Comparison
from scoring.comparing.ranking import heads, letter, probability_best, rank_ranges, ranks
from scoring.comparing.sentence import sentence_on
from scoring.family import Record
from scoring.signature import joined
from scoring.significance.limits import FEWEST_UNITS
from scoring.significance.pairs import Pairs, simultaneous_factor

Test = Callable[[Integers], Pairs]  # tests pairs (P, 2) of systems by number

# The columns of `Comparison.table`, one row for each system. The leader is the system with the best score.
COLUMNS = (
    "name",
    "score",
    "rank",  # 1 + the number of better systems
    "rank_low",  # first and last rank that the tests leave open
    "rank_high",
    "group",  # a letter; systems of one group are not separated from the first of them
    "difference_to_leader",  # the system's score minus the leader's: ≤ 0, or ≥ 0 where less is better
    "difference_low",  # interval of it that holds for all differences at once; None for the leader
    "difference_high",
    "p_to_leader",  # adjusted p-value of the difference to the leader; None for the leader
    "probability_best",  # share of the resamples on which it is the best
    "identical_to",  # an earlier system with the same score on the gold and on all resamples
)

# The names of the tests in a signature.
_TESTS = {"bootstrap": "max-t step-down", "randomisation": "randomisation, holm"}


def comparison_of(
    board: Board,
    facts: Facts,
    test: Test,
    draws: Floats | None,
    fingerprints: list[bytes],
    warnings: list[str],
) -> Comparison:
    """Test all pairs and put everything together.

    `draws` (K, B) are the scores on the resamples, None where units are exchanged. `fingerprints` are equal for
    systems that have the same scores on everything that is drawn.
    """
    n_ranked = len(board.ranked)
    # Board and tests count systems by number; here the numbers become names again.
    tested = test(board.pairs)
    matrices = _Matrices.of(tested, board, 1 - facts.confidence_level)
    table = _table(board, facts, matrices, tested.critical_value, draws, fingerprints)
    groups: dict[str, list[str]] = {}
    for row in table[:n_ranked]:
        groups.setdefault(row["group"], []).append(row["name"])
    return Comparison(
        names=[row["name"] for row in table],
        scores=[row["score"] for row in table],
        ranks=[row["rank"] for row in table],
        rank_ranges=[None if row["rank"] is None else (row["rank_low"], row["rank_high"]) for row in table],
        groups=list(groups.values()),
        difference=matrices.difference,
        se=matrices.se,
        p=matrices.p,
        p_adjusted=matrices.p_adjusted,
        separated=matrices.separated,
        critical_value=tested.critical_value,
        table=table,
        references=_references(board, facts, test),
        sentence=sentence_on(
            board.ranked,
            board.scores[:n_ranked].tolist(),
            matrices.separated,
            facts.n_units,
            facts.unit,
            are_too_few=facts.method == "bootstrap" and facts.n_units < FEWEST_UNITS,
            lower_is_better=board.lower_is_better,
            scale=facts.scale,
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
        lower_is_better=board.lower_is_better,
        scale=facts.scale,
    )


@dataclass(frozen=True)
class _Matrices:
    """The tests of all pairs as matrices (K, K): row minus column. Explained in `Comparison`."""

    difference: Floats
    se: Floats
    p: Floats
    p_adjusted: Floats
    separated: Flags

    @classmethod
    def of(cls, tested: Pairs, board: Board, level: float) -> "_Matrices":
        """Make them from the tests of the board's pairs (P, 2); no system is separated from itself."""
        rows, columns = board.pairs.T
        shape = (len(board.ranked), len(board.ranked))
        difference, se, p, adjusted = np.zeros(shape), np.zeros(shape), np.ones(shape), np.ones(shape)
        # 0 − x instead of −x: a tie is 0 in both directions, not −0.
        difference[rows, columns], difference[columns, rows] = tested.difference, 0 - tested.difference
        for matrix, values in ((se, tested.se), (p, tested.p), (adjusted, tested.p_adjusted)):
            matrix[rows, columns] = matrix[columns, rows] = values
        is_better = difference < 0 if board.lower_is_better else difference > 0
        return cls(difference, se, p, adjusted, (adjusted < level) & is_better)


def _table(
    board: Board,
    facts: Facts,
    matrices: _Matrices,
    critical_value: float | None,
    draws: Floats | None,
    fingerprints: list[bytes],
) -> list[Record]:
    """Return a row of `COLUMNS` for each ranked system, and one with a name alone for each without a score."""
    scores = board.scores[: len(board.ranked)]
    ranges, groups = rank_ranges(matrices.separated), heads(matrices.separated)
    # {number of a group's first system: the group's letter}, from a on.
    letters = {head: letter(number) for number, head in enumerate(sorted(set(groups)))}
    best = None if draws is None else probability_best(draws, lower_is_better=board.lower_is_better)
    rows: list[Record] = []
    for k, rank in enumerate(ranks(scores, lower_is_better=board.lower_is_better)):
        values = (
            board.ranked[k],
            float(scores[k]),
            rank,
            *ranges[k],
            letters[groups[k]],
            float(matrices.difference[k, 0]),
            *_against_leader(matrices, k, critical_value, facts.n_units, lower_is_better=board.lower_is_better),
            float(matrices.p_adjusted[k, 0]) if k else None,
            None if best is None else float(best[k]),
            _identical(board, k, fingerprints),
        )
        rows.append(dict(zip(COLUMNS, values, strict=True)))
    return rows + [dict.fromkeys(COLUMNS) | {"name": name} for name in board.unranked]


def _against_leader(
    matrices: _Matrices, k: int, critical_value: float | None, n_units: int, *, lower_is_better: bool
) -> tuple[float | None, float | None]:
    """Return the interval of the difference to the leader, system 0, that holds for all differences at once.

    None for the leader itself, and where there is no joint test.
    """
    if not k or critical_value is None:
        return None, None
    difference = float(matrices.difference[k, 0])
    half = float(matrices.se[k, 0]) * simultaneous_factor(critical_value, n_units)
    # The critical value bounds all pairs; the test, step by step, only those that are left, and may separate a pair
    # whose interval reaches beyond 0. Then the interval ends at 0, so that it never contradicts the test.
    low, high = difference - half, difference + half
    if not matrices.separated[0, k]:
        return low, high
    return (max(0.0, low), high) if lower_is_better else (low, min(0.0, high))


def _identical(board: Board, k: int, fingerprints: list[bytes]) -> str | None:
    """Return the first system with the same score on the gold and on every resample."""
    for earlier in range(k):
        if board.scores[earlier] == board.scores[k] and fingerprints[earlier] == fingerprints[k]:
            return board.ranked[earlier]
    return None


def _references(board: Board, facts: Facts, test: Test) -> list[Record]:
    """Return each reference with its tests against every ranked system.

    The p-values of a reference are adjusted among its own tests alone. Were it one more system of the board, it would
    add pairs, and make all the other differences harder to find.
    """
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
