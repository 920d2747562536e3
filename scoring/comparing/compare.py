"""compare() and compare_draws(): the order of the steps, the same for every family.

    results or draws -> board (who is ranked, best first) -> tests of all pairs -> matrices, ranks, groups, sentence

`compare` starts from evaluations, `compare_draws` from vectors that were stored apart. No file of a submission is read.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.columns import Floats, Integers
from scoring.comparing.assembling import comparison_of
from scoring.comparing.board import Board, Facts, board_of
from scoring.comparing.comparison import Comparison, setting
from scoring.comparing.redrawing import headline_draws
from scoring.comparing.swapping import Swapper, swapper
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.families import FAMILIES
from scoring.messages import Message
from scoring.rows import Rows
from scoring.scale import Scale
from scoring.signature import __version__, evaluated
from scoring.significance import seed_of
from scoring.significance.alone import PairTestCache
from scoring.significance.limits import FEWEST_UNITS, METHODS, UNDEFINED_SHARE, check_resampling
from scoring.significance.pairs import Pairs, randomisation, step_down


def compare(
    results: Mapping[str, Evaluation] | Sequence[Evaluation],
    n_resamples: int = 10_000,
    seed: int | None = None,
    *,
    confidence_level: float = 0.95,
    references: Sequence[str] = (),
    method: str = "bootstrap",
) -> Comparison:
    """Say which of the systems differ in the score that ranks, all pairs tested together.

    * `results`: evaluations by name, or a sequence, which is named "1", "2" and so on. All have to be scored on the
      same gold with the same options.
    * `n_resamples`: resamples, or trials in which units are exchanged. Stored draws are used where seed and number fit;
      else they are drawn again from the rows, which gives the same numbers.
    * `seed`: of the draws. Without one, that which all stored draws share, or else the gold's.
    * `confidence_level`: 1 − this is the level at which pairs are separated.
    * `references`: names of results that stand outside the ranks, as a baseline or a human run does. They are compared
      with each system and change nothing for the others.
    * `method`: "bootstrap", or "randomisation", which needs the rows and takes longer on many systems; with it a family
      may exchange something else than units, as `numbers` with `systems` does.

    Raises ConfigurationError.
    """
    check_resampling(n_resamples, confidence_level, seed, fewest=1)
    if method not in METHODS:
        raise ConfigurationError(Message("not-a-method", "method must be one of {methods}", methods=", ".join(METHODS)))
    named = _named(results)
    _check_comparable(named)
    if not named:
        raise ConfigurationError(Message("nothing-to-compare", "nothing to compare"))
    first = next(iter(named.values()))
    family = FAMILIES[first.family]
    lower_is_better = first.headline in first.lower_is_better
    board = board_of(
        list(named),
        [result.scores[result.headline] for result in named.values()],
        references,
        lower_is_better=lower_is_better,
    )
    in_order = {name: named[name] for name in board.names}
    seed = _common_seed(named) if seed is None else seed
    facts = Facts(
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
        scale=first.scale(first.headline),
    )
    if method == "randomisation":
        test = partial(_randomised, board, swapper(in_order, seed, n_resamples), n_resamples)
        return comparison_of(board, facts, test, None, [_digest(result.rows) for result in in_order.values()], [])
    drawn = [_draws(name, result, seed, n_resamples) for name, result in in_order.items()]
    return _bootstrapped(board, facts, np.array(drawn).reshape(len(drawn), n_resamples))


def compare_draws(
    names: Sequence[str],
    scores: Sequence[float | None],
    draws: Floats,
    n_units: int,
    *,
    confidence_level: float = 0.95,
    references: Sequence[str] = (),
    lower_is_better: bool = False,
    scale: Scale | None = None,
    unit: tuple[str, str] = Message.noun("unit", "units"),
    fields: Mapping[str, object] | None = None,
    seed: int | None = None,
    cache: PairTestCache | None = None,
) -> Comparison:
    """Say which of the systems differ, from their scores and draws (systems, B) on the same resamples.

    Gives what `compare` does by the method `bootstrap`. `lower_is_better` says that the best score is the lowest one,
    `scale` how scores are said, with three decimals where it is not given. `unit` (singular, plural) is what was
    resampled, `n_units` how many of it; `fields` begin the signature, and `seed`, from which the draws were made, ends
    it. `cache` keeps from call to call what pairs tell by themselves, so that a board with one new system takes a
    fraction of the time; the numbers are the same. Raises ConfigurationError.
    """
    drawn = np.asarray(draws, dtype=np.float64)
    if drawn.ndim != 2 or not len(names) == len(scores) == len(drawn):
        raise ConfigurationError(
            Message(
                "draws-not-of-systems",
                "names, scores and draws (systems, resamples) must be of the same number of systems",
            )
        )
    check_resampling(drawn.shape[1], confidence_level, seed, fewest=1)
    board = board_of(list(names), list(scores), references, lower_is_better=lower_is_better)
    facts = Facts(
        n_units=n_units,
        unit=unit,
        n_resamples=drawn.shape[1],
        seed=seed,
        confidence_level=float(confidence_level),
        method="bootstrap",
        fields=dict(fields or {"units": f"{n_units} {unit[1]}", "engine": __version__}),
        scale=scale or Scale(),
    )
    row = {name: number for number, name in enumerate(names)}
    in_order = [row[name] for name in board.names]
    # Already in the order of the board they are not copied: a thousand systems are 80 MB.
    ordered = drawn if in_order == list(range(len(drawn))) else drawn[in_order]
    return _bootstrapped(board, facts, ordered, cache)


def _named(results: Mapping[str, Evaluation] | Sequence[Evaluation]) -> dict[str, Evaluation]:
    """Return the results by name, in the order in which they were given."""
    if isinstance(results, Mapping):
        return dict(results)
    return {str(number): result for number, result in enumerate(results, start=1)}


def _check_comparable(named: Mapping[str, Evaluation]) -> None:
    """Raise ConfigurationError unless all were scored on the same gold with the same options."""
    first = next(iter(named.values()), None)
    for name, result in named.items():
        assert first is not None
        # Units may bear the names of the system's files: their number tells whether they are the gold's.
        if (result.gold_digest, len(result.units)) != (first.gold_digest, len(first.units)):
            raise ConfigurationError(Message("other-gold", "{name} was not scored against the same gold", name=name))
        if setting(result) != setting(first):
            raise ConfigurationError(Message("other-options", "{name} was not scored with the same options", name=name))


def _common_seed(named: Mapping[str, Evaluation]) -> int:
    """Return the seed of the stored draws if all have them in common, else the gold's."""
    seeds = {result.seed for result in named.values() if result.n_resamples}
    gold = seed_of(next(iter(named.values())).gold_digest)
    return next((seed for seed in seeds if seed is not None), gold) if len(seeds) == 1 else gold


def _draws(name: str, result: Evaluation, seed: int, n_resamples: int) -> Floats:
    """Return the headline on each resample: (n_resamples,)."""
    drawn = headline_draws(result, seed, n_resamples)
    if drawn is None:
        raise ConfigurationError(Message("no-rows-to-draw", "{name} has no rows to draw from again", name=name))
    return drawn


def _digest(values: NDArray[Any] | Rows) -> bytes:
    return sha256(values.tobytes()).digest()


def _bootstrapped(board: Board, facts: Facts, drawn: Floats, cache: PairTestCache | None = None) -> Comparison:
    """Return the comparison on draws (systems, B) in the order of the board.

    A resample on which some ranked system has no score is left out for all, so that all pairs are tested on the same.
    """
    defined = ~np.isnan(drawn[: len(board.ranked)]).any(axis=0)
    n_left_out = int(np.count_nonzero(~defined))
    warnings: list[str] = []
    # A system could otherwise choose, by being undefined, on which resamples all are compared.
    if n_left_out > UNDEFINED_SHARE * facts.n_resamples:
        raise ConfigurationError(
            Message(
                "system-undefined",
                "in {n} of {of} resamples the score of a system is undefined",
                n=n_left_out,
                of=facts.n_resamples,
            )
        )
    if n_left_out:
        warnings.append(
            Message(
                "resamples-left-out",
                "{n} of {of} resamples left out: the score of a system is undefined",
                n=n_left_out,
                of=facts.n_resamples,
            )
        )
        drawn = drawn[:, defined]
    if facts.n_units < FEWEST_UNITS and len(board.ranked) > 1:
        warnings.append(
            Message(
                "nothing-separated",
                "fewer than {n} {units}: nothing is separated",
                n=FEWEST_UNITS,
                units=Message.word(facts.unit[1]),
            )
        )

    def test(pairs: Integers) -> Pairs:
        # A reference may be undefined on further resamples; those are left out of its own tests alone.
        kept = ~np.isnan(drawn[np.unique(pairs)]).any(axis=0)
        used = drawn if kept.all() else drawn[:, kept]
        # Only of ranked systems: the pairs of a reference are few, and on other resamples perhaps.
        usable = cache if not pairs.size or pairs.max() < len(board.ranked) else None
        return step_down(board.scores, used, pairs, facts.n_units, facts.confidence_level, cache=usable)

    # Only systems of one score can be identical.
    number = Counter(board.scores.tolist())
    fingerprints = [
        _digest(vector) if number[score] > 1 else b""
        for vector, score in zip(drawn, board.scores[: len(board.ranked)].tolist(), strict=False)
    ]
    return comparison_of(board, facts, test, drawn[: len(board.ranked)], fingerprints, warnings)


def _randomised(board: Board, swapped: Swapper, n_trials: int, pairs: Integers) -> Pairs:
    """Return the tests of these pairs by exchanging units."""
    return randomisation(board.scores, partial(swapped, pairs), pairs, n_trials)
