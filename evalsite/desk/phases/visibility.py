"""Tabulates who sees what of a phase, from before it opens to after the release, by the functions that decide it."""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext, pgettext

from evalsite.base import moment
from evalsite.challenges.access import (
    Role,
    sees_against_gold,
    sees_board,
    sees_ladder,
    sees_names,
    sees_own_scores,
    sees_own_steps,
)
from evalsite.challenges.models import Phase
from evalsite.wording import NOTHING


@dataclass(frozen=True)
class Row:
    """One kind of data, with who sees it before the phase opens, while it is open, once closed, once released."""

    what: str
    cells: list[str]


def columns() -> list[str]:
    return [
        pgettext("who sees what", "before"),
        pgettext("who sees what", "open"),
        pgettext("who sees what", "closed"),
        pgettext("who sees what", "released"),
    ]


def visibility_of(phase: Phase) -> list[Row]:
    stages = list(_stages(phase))
    return [
        Row(gettext("Board"), [NOTHING, *(stage.board for stage in stages[1:])]),
        Row(gettext("Own scores"), [NOTHING, *(stage.own_scores for stage in stages[1:])]),
        Row(gettext("Names"), [NOTHING, *(stage.names for stage in stages[1:])]),
        Row(gettext("Gold"), [stage.gold for stage in stages]),
    ]


@dataclass(frozen=True)
class _Stage:
    board: str
    own_scores: str
    names: str
    gold: str


def _stages(phase: Phase) -> Iterator[_Stage]:
    """Yield the stages of the phase's life, as if it opened tomorrow."""
    now = timezone.now()
    lived = copy(phase)
    lived.opens, lived.closes, lived.results_released = (now + timedelta(days=days) for days in (1, 3, 5))
    for days in (0, 2, 4, 6):
        with moment.seen_at(now + timedelta(days=days)):
            yield _Stage(
                board=_board(lived),
                own_scores=_own_scores(lived),
                names=gettext("real") if sees_names(Role.STRANGER, lived) else gettext("Team 7"),
                gold=_whom(sees_against_gold, lived),
            )


def _board(phase: Phase) -> str:
    if sees_ladder(Role.PARTICIPANT, phase):
        return gettext("%(whom)s, the Ladder alone") % {"whom": _whom(sees_ladder, phase)}
    return _whom(sees_board, phase)


def _own_scores(phase: Phase) -> str:
    if sees_own_steps(Role.PARTICIPANT, phase):
        return gettext("the team, in steps")
    return gettext("the team") if sees_own_scores(Role.PARTICIPANT, phase) else gettext("organisers")


def _whom(sees: Callable[[Role, Phase], bool], phase: Phase) -> str:
    if sees(Role.STRANGER, phase):
        return gettext("everybody")
    return gettext("participants") if sees(Role.PARTICIPANT, phase) else gettext("organisers")
