"""Which edition of a board a visitor asks for: the newest, that of a day, or the one of when the phase closed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Max, Min, OuterRef, Q, QuerySet, Subquery

from evalsite.challenges.models import Phase, Scenario
from evalsite.leaderboard.models import Board, Edition

FINAL = "final"


@dataclass(frozen=True)
class Moment:
    """When the board is looked at; neither a day nor final: now. `is_unknown`: the address named no day."""

    day: date | None = None
    is_final: bool = False
    is_unknown: bool = False

    @property
    def is_now(self) -> bool:
        return self.day is None and not self.is_final

    def of(self, editions: QuerySet[Edition]) -> QuerySet[Edition]:
        """The editions among which the newest is the one that stood then."""
        if self.is_final:
            return editions.filter(is_final=True)
        return editions if self.day is None else editions.filter(day__lte=self.day)


NOW = Moment()


def moment_of(text: str) -> Moment:
    """`text` is a day as 2026-11-20, `final`, or empty."""
    if text in ("", FINAL):
        return Moment(is_final=text == FINAL)
    try:
        return Moment(day=date.fromisoformat(text))
    except ValueError:
        return Moment(is_unknown=True)


def edition_of(phase: Phase, scenario: Scenario, moment: Moment = NOW) -> Edition:
    """The one that stood then; an empty one where there was none."""
    editions = _light(Edition.objects.filter(board__phase=phase, board__scenario=scenario))
    if found := moment.of(editions).order_by("-made").first():
        return found
    board = Board.objects.filter(phase=phase, scenario=scenario).first() or Board(phase=phase, scenario=scenario)
    return Edition(board=board, entries=[], comparison={})


def editions_of(phase: Phase, moment: Moment = NOW) -> list[Edition]:
    """Those of all scenarios of the phase that stood then."""
    editions = Edition.objects.filter(board__phase=phase)
    latest = moment.of(Edition.objects.filter(board=OuterRef("board"))).order_by("-made").values("pk")[:1]
    return list(_light(editions.filter(pk=Subquery(latest))))


def _light(editions: QuerySet[Edition]) -> QuerySet[Edition]:
    return editions.select_related("board").defer("further")


@dataclass(frozen=True)
class Span:
    """The editions that a board has."""

    first: date | None
    latest: datetime | None
    final: datetime | None


def span_of(board: Board) -> Span:
    editions: dict[str, Any] = Edition.objects.filter(board=board.pk).aggregate(
        first=Min("day"), latest=Max("made"), final=Max("made", filter=Q(is_final=True))
    )
    return Span(**editions)


Entry = dict[str, Any]
PARTS = ("scores", "lows", "highs")


def set_apart(entries: Sequence[Entry], kept: Sequence[str]) -> tuple[list[Entry], dict[str, Any]]:
    """The entries with the scores that their page shows, and the further ones: by name a list for each of PARTS."""
    names = {name for entry in entries for name, value in entry["scores"].items() if value is not None}
    further = {
        name: [[entry[part].get(name) for entry in entries] for part in PARTS] for name in sorted(names - set(kept))
    }
    light = [
        entry | {part: {name: value for name, value in entry[part].items() if name in kept} for part in PARTS}
        for entry in entries
    ]
    return light, further


def complete(edition: Edition) -> None:
    """Give the entries, in memory, the further scores that are stored beside them."""
    for name, columns in edition.further.items() if edition.further_names else ():
        for part, values in zip(PARTS, columns, strict=True):
            for entry, value in zip(edition.entries, values, strict=True):
                if value is not None or part == "scores":
                    entry[part][name] = value
