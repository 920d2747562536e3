"""The step from runs to boards, inside the transaction that changes a run:

    transitions.complete    a result has appeared ---+
    changing.update_boards  runs have changed -------+--> update_board --> leaderboard.receivers.update_board
    candidates.publish      other results count -----+

The boards are an app above this one, which therefore registers its function here when it starts.
"""

from collections.abc import Collection
from typing import Protocol
from uuid import UUID

from evalsite.submissions.models import Result


class UpdateBoard(Protocol):
    def __call__(
        self,
        phase_id: UUID,
        scenario_id: UUID,
        *,
        result: Result | None = None,
        teams: Collection[UUID] = (),
        recounts: bool = False,
    ) -> None: ...


_registered: list[UpdateBoard] = []


def updates_boards(function: UpdateBoard) -> UpdateBoard:
    """Register the function that `update_board` calls."""
    _registered[:] = [function]
    return function


def update_board(
    phase_id: UUID,
    scenario_id: UUID,
    *,
    result: Result | None = None,
    teams: Collection[UUID] = (),
    recounts: bool = False,
) -> None:
    """Let the board of a phase and scenario follow a change of what it shows.

    `result` has appeared, or the runs of these `teams` have changed, former teams of a run among them, or `recounts`
    asks for all best runs anew.
    """
    [function] = _registered
    function(phase_id, scenario_id, result=result, teams=teams, recounts=recounts)
