"""mean_rank(): teams by the mean of their ranks in several scenarios, with ranges that hold.

Resampled ranks are no interval: a resample adds noise, noise pushes ranks to the middle, and the mean over scenarios
makes that push certain. Over ten scenarios their percentiles miss the true mean rank of the first team nearly always.
So the range of a mean rank is made of tests: all pairs of teams in all scenarios are one family, each team has in each
scenario the ranks that its separated pairs leave open, and the range is the mean of their ends.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scoring.columns import Flags, Floats, Integers
from scoring.combining.draws import draws_of_scores, score_of, seeds_of
from scoring.combining.ranks import COLUMNS, MISSING, RankTable, ranks_with_absent
from scoring.combining.scenarios import Systems, check_same_gold, facts_of, firsts
from scoring.combining.tokens import no_scenario, no_score
from scoring.comparing.ranking import rank_ranges
from scoring.errors import ConfigurationError
from scoring.evaluation import Evaluation
from scoring.family import Record
from scoring.messages import Message
from scoring.signature import joined
from scoring.significance import percentile_interval
from scoring.significance.limits import FEWEST_UNITS, TIE, UNDEFINED_SHARE, check_resampling
from scoring.significance.pairs import Pairs, step_down_over


def mean_rank(
    systems: Systems,
    scores: Mapping[str, str] | None = None,
    *,
    missing: str = "unranked",
    n_resamples: int = 10_000,
    seed: int | None = None,
    confidence_level: float = 0.95,
) -> RankTable:
    """Rank teams by the mean of their ranks over scenarios.

    * `systems`: {team: {scenario: evaluation, or None}}. A team's evaluations are asked for once and not kept.
    * `scores`: {scenario: score} that are to be ranked by; without it, all scenarios with their headlines. Of some
      scores less is better, and they rank so.
    * `missing`: a team without a score in some scenario is "unranked", and left out before ranks are made, or "last":
      all such teams share the last places of that scenario.

    Raises ConfigurationError.
    """
    check_resampling(n_resamples, confidence_level, seed, fewest=1)
    if missing not in MISSING:
        raise ConfigurationError(
            Message("not-a-missing", "missing must be one of {choices}", choices=", ".join(MISSING))
        )
    if not systems:
        raise ConfigurationError(Message("nothing-to-compare", "nothing to compare"))
    first = _scenarios(systems, scores)
    chosen = _chosen(first, scores)
    seeds = seeds_of(first, seed)
    read = _read(systems, first, chosen, seeds, n_resamples)
    is_ranked: Flags = np.asarray(read.is_present.all(axis=0) | (missing == "last"))
    boards, warnings = _defined(read.of(is_ranked))
    teams = list(systems)
    ranked = _ranked([team for team, ranks in zip(teams, is_ranked, strict=True) if ranks], boards, confidence_level)
    unranked = [team for team, ranks in zip(teams, is_ranked, strict=True) if not ranks]
    few: list[str] = [
        Message(
            "scenario-separates-nothing",
            "{name}: fewer than {n} units: it separates nothing",
            name=name,
            n=FEWEST_UNITS,
        )
        for name, n in read.few.items()
        if n
    ]
    fields = facts_of({"family": "mean-rank", "scores": list(chosen.values())}, first) | {
        "systems": len(ranked["names"]),
        "missing": missing,
        "resamples": n_resamples,
        "confidence": confidence_level,
        "test": "max-t step-down",
        "seed": list(seeds.values()),
    }
    return RankTable(
        names=ranked.pop("names") + unranked,
        table=ranked.pop("table") + [dict.fromkeys(COLUMNS) | {"name": name} for name in unranked],
        **ranked,
        warnings=warnings + few,
        signature=joined(fields),
        scores=chosen,
        n_units=read.n_units_by_name,
        n_resamples=n_resamples,
        confidence_level=float(confidence_level),
    )


@dataclass(frozen=True)
class _Boards:
    """S scenarios of K teams; NaN where a team has no score."""

    names: list[str]  # of the scenarios
    scores: Floats  # (S, K)
    draws: Floats  # (S, K, B)
    n_units: Integers  # (S,)
    is_lower_better: Flags  # (S,)

    def of(self, teams: Flags) -> "_Boards":
        """Return the boards of some teams alone; nothing is copied where these are all."""
        if teams.all():
            return self
        return replace(self, scores=self.scores[:, teams], draws=self.draws[:, teams])

    @property
    def is_present(self) -> Flags:
        return np.isfinite(self.scores)

    @property
    def n_units_by_name(self) -> dict[str, int]:
        return dict(zip(self.names, self.n_units.tolist(), strict=True))

    @property
    def few(self) -> dict[str, bool]:
        """Return which scenarios have too few units to tell teams apart."""
        return {name: n_units < FEWEST_UNITS for name, n_units in self.n_units_by_name.items()}


def _scenarios(systems: Systems, scores: Mapping[str, str] | None) -> dict[str, Evaluation]:
    """Return an evaluation of each scenario that is ranked."""
    first = firsts(systems)
    for name in scores or ():
        if name not in first:
            raise ConfigurationError(no_scenario(name, first))
    chosen = {name: part for name, part in first.items() if scores is None or name in scores}
    if not chosen:
        raise ConfigurationError(Message("no-scenario-to-rank", "no scenario to rank in"))
    if empty := [name for name, part in chosen.items() if part is None]:
        raise ConfigurationError(Message("nobody-scored", "nobody was scored in {scenario}", scenario=empty[0]))
    return {name: part for name, part in chosen.items() if part is not None}


def _chosen(first: Mapping[str, Evaluation], scores: Mapping[str, str] | None) -> dict[str, str]:
    """Return the score that ranks in each scenario."""
    chosen = {name: part.headline for name, part in first.items()} if scores is None else dict(scores)
    for name, score in chosen.items():
        if score not in first[name].scores:
            raise ConfigurationError(no_score(name, score, first[name].scores))
    return {name: chosen[name] for name in first}


def _read(
    systems: Systems,
    first: Mapping[str, Evaluation],
    chosen: Mapping[str, str],
    seeds: Mapping[str, int],
    n_resamples: int,
) -> _Boards:
    """Return scores and draws of all teams, one team after the other."""
    scores = np.full((len(first), len(systems)), np.nan)
    draws = np.full((*scores.shape, n_resamples), np.nan)
    for column, (team, parts) in enumerate(systems.items()):
        for row, (name, score) in enumerate(chosen.items()):
            part = parts.get(name)
            if part is None:
                continue
            check_same_gold(team, name, part, first[name])
            scores[row, column] = score_of(part, score)
            if np.isfinite(scores[row, column]):
                draws[row, column] = draws_of_scores(name, part, [score], seeds[name], n_resamples)[score]
    return _Boards(
        names=list(first),
        scores=scores,
        draws=draws,
        n_units=np.array([len(part.units) for part in first.values()], dtype=np.int64),
        is_lower_better=np.array([score in first[name].lower_is_better for name, score in chosen.items()]),
    )


def _defined(boards: _Boards) -> tuple[_Boards, list[str]]:
    """Leave out the resamples on which some team's score is undefined, so that all are ranked on the same ones."""
    n_resamples = boards.draws.shape[2]
    is_undefined = np.zeros(n_resamples, dtype=bool)
    for draws, is_present in zip(boards.draws, boards.is_present, strict=True):
        for team in np.flatnonzero(is_present):
            is_undefined |= np.isnan(draws[team])
    n_left_out = int(is_undefined.sum())
    if n_left_out > UNDEFINED_SHARE * n_resamples:
        raise ConfigurationError(
            Message(
                "system-undefined",
                "in {n} of {of} resamples the score of a system is undefined",
                n=n_left_out,
                of=n_resamples,
            )
        )
    if not n_left_out:
        return boards, []
    kept = replace(boards, draws=boards.draws[:, :, ~is_undefined])
    return kept, [
        Message(
            "resamples-left-out",
            "{n} of {of} resamples left out: the score of a system is undefined",
            n=n_left_out,
            of=n_resamples,
        )
    ]


def _ranked(names: list[str], boards: _Boards, confidence_level: float) -> dict[str, Any]:
    """Return what a `RankTable` has of the ranked teams, best first."""
    ranks = np.array([_ranks(boards, row, boards.scores[row]) for row in range(len(boards.names))])  # (S, K)
    mean = ranks.mean(axis=0)
    drawn = np.zeros(boards.draws.shape[1:])  # (K, B)
    for row in range(len(boards.names)):
        drawn += _ranks(boards, row, boards.draws[row])
    drawn /= len(boards.names)
    low, high, critical_value = _ranges(boards, ranks, confidence_level)
    # high_a < low_b, (K, K): means of the same ends in another order differ in their last digit.
    separated = high[:, np.newaxis] < low - TIE
    order = np.argsort(np.round(mean, 12), kind="stable")
    rows: list[Record] = [
        dict(
            zip(
                COLUMNS,
                (
                    names[team],
                    float(mean[team]),
                    float(low[team]),
                    float(high[team]),
                    1 + int((mean < mean[team] - TIE).sum()),
                    1 + int(separated[:, team].sum()),
                    len(names) - int(separated[team].sum()),
                    float((len(names) - ranks[:, team]).sum()),
                    dict(zip(boards.names, ranks[:, team].tolist(), strict=True)),
                    *percentile_interval(drawn[team], confidence_level),
                ),
                strict=True,
            )
        )
        for team in order
    ]
    return {
        "table": rows,
        "names": [names[team] for team in order],
        "separated": separated[np.ix_(order, order)],
        "critical_value": critical_value,
        "draws": drawn[order],
    }


def _ranks(boards: _Boards, row: int, scores: Floats) -> Floats:
    """Return ranks in one scenario of scores (K,) or (K, B), alike."""
    return ranks_with_absent(scores, boards.is_present[row], lower_is_better=bool(boards.is_lower_better[row]))


def _ranges(boards: _Boards, ranks: Floats, confidence_level: float) -> tuple[Floats, Floats, float | None]:
    """Return the ends (K,) of the range of each mean rank, and the critical value of all pairs of all scenarios."""
    n_scenarios, n_teams = ranks.shape
    pairs = _pairs(boards)
    tested: Pairs = step_down_over(
        boards.scores.ravel(),
        boards.draws.reshape(n_scenarios * n_teams, -1),
        pairs,
        boards.n_units[pairs[:, 0] // n_teams] if len(pairs) else np.zeros(0, dtype=np.int64),
        confidence_level,
    )
    # (S · K, S · K) would be large: one matrix for each scenario.
    better = np.zeros((n_scenarios, n_teams, n_teams), dtype=bool)
    is_separated = tested.p_adjusted < 1 - confidence_level
    if len(pairs):
        scenario, (one, other) = pairs[:, 0] // n_teams, pairs.T % n_teams
        wins = (tested.difference > 0) != boards.is_lower_better[scenario]
        better[scenario, one, other] = is_separated & (tested.difference != 0) & wins
        better[scenario, other, one] = is_separated & (tested.difference != 0) & ~wins
    low, high = ranks.copy(), ranks.copy()  # of the absent, whose place is what it is
    for row, is_present in enumerate(boards.is_present):
        ends = rank_ranges(better[row][np.ix_(is_present, is_present)])
        low[row, is_present], high[row, is_present] = [end[0] for end in ends], [end[1] for end in ends]
    return low.mean(axis=0), high.mean(axis=0), tested.critical_value


def _pairs(boards: _Boards) -> Integers:
    """Return the systems by number (P, 2), scenario by scenario: all pairs that are present where there are units."""
    n_teams = boards.scores.shape[1]
    pairs = [np.empty((0, 2), dtype=np.int64)]
    for row, is_present in enumerate(boards.is_present):
        if boards.n_units[row] >= FEWEST_UNITS:
            teams = np.flatnonzero(is_present)
            one, other = np.triu_indices(len(teams), 1)
            pairs.append(np.column_stack([teams[one], teams[other]]) + row * n_teams)
    return np.concatenate(pairs)
