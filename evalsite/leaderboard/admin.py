"""The boards and what was stored of them, for administrators to look at; they are made again from the results."""

from evalsite.accounts.plain_admin import show
from evalsite.leaderboard.models import Board, Combined, Edition, ImportedTable, LadderStep, Preview

_OF_BOARD = ("phase__task__title", "phase__name")
show(
    *(Board, "phase", "scenario", "wanted", "made", "compared", "refreshed"),
    related=("phase__task", "scenario__task"),
    search=_OF_BOARD,
)
show(
    *(Edition, "board", "day", "gold", "engine", "is_final", "made"),
    related=("board__phase__task", "board__scenario", "gold__phase__task", "gold__scenario"),
    hidden=("entries", "comparison", "further"),
    search=tuple(f"board__{name}" for name in _OF_BOARD),
)
show(
    *(Preview, "gold", "engine", "made"),
    related=("gold__phase__task", "gold__scenario"),
    hidden=("entries", "comparison", "changes"),
    search=tuple(f"gold__{name}" for name in _OF_BOARD),
)
show(
    *(Combined, "phase", "kind", "formula", "lower_is_better", "missing", "made"),
    related=("phase__task",),
    hidden=("board",),
    search=_OF_BOARD,
)
show(
    *(LadderStep, "submission", "gold", "shown", "created"),
    related=("submission__team", "gold__phase__task", "gold__scenario"),
    search=tuple(f"gold__{name}" for name in _OF_BOARD),
)
show(
    *(ImportedTable, "phase", "scenario", "created", "created_by"),
    related=("phase__task", "scenario__task", "created_by"),
    hidden=("rows",),
    search=_OF_BOARD,
)
