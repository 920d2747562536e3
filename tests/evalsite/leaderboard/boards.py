"""Makes boards without a scoring behind them: entries as evalsite.leaderboard.making.entries stores them."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from evalsite.accounts.models import Team
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Participation, Phase, Scenario, TeamNumber
from evalsite.leaderboard.models import Board, Edition

NOW = datetime(2026, 12, 9, 12, 0, tzinfo=UTC)


def make_entry(team: Team, headline: float | None, rank: int | None = None, **fields: Any) -> dict[str, Any]:
    return {
        "submission": str(uuid.uuid4()),
        "team": str(team.pk),
        "method": "Rules",
        "reference": "",
        "rank": rank,
        "headline": headline,
        "scores": {"f1": headline, "precision": 0.5, "recall": None},
        "lows": {} if headline is None else {"f1": headline - 0.03},
        "highs": {} if headline is None else {"f1": headline + 0.02},
        "interval_method": "percentile",
        "n_units": 120,
        "n_resamples": 10_000,
        "confidence_level": 0.95,
        "n_runs": 1,
        "date": NOW.isoformat(),
        "signature": "ehealthkd",
    } | fields


def make_board(phase: Phase, scenario: Scenario, entries: Sequence[dict[str, Any]], **fields: Any) -> Edition:
    board = Board.objects.create(phase=phase, scenario=scenario, refreshed=NOW, **fields)
    gold = gold_in_force(phase, scenario)
    number_in_order(phase)
    return board.editions.create(day=NOW.date(), made=NOW, gold=gold, entries=list(entries), comparison={})


def number_in_order(phase: Phase) -> None:
    """Call the teams of a phase Team 1, 2, ..., which a test can know, and not by the site's own numbers."""
    TeamNumber.objects.filter(phase=phase).delete()
    for entered in phase.task.participations.all():
        TeamNumber.objects.create(phase=phase, team=entered.team_id, number=entered.number)


def make_teams(phase: Phase, *names: str) -> list[Team]:
    """Teams that take part in the phase's task."""
    teams = Team.objects.bulk_create(Team(name=name) for name in names)
    first = phase.task.participations.count() + 1
    Participation.objects.bulk_create(
        Participation(task=phase.task, team=team, number=number) for number, team in enumerate(teams, start=first)
    )
    return teams
