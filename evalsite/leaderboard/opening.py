"""Opens a board for the pages beside its ranking: what the address names, who looks, and the ways to the others."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from evalsite.challenges.access import sees_board, visible_tasks
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.leaderboard.editions import edition_of
from evalsite.leaderboard.models import Edition
from evalsite.leaderboard.rows import Row, Sight, rows_of, sight_of

PAGES = (
    ("board", "Board"),
    ("board_pairs", "All pairs"),
    ("board_compare", "Compare two"),
    ("board_history", "History"),
)


@dataclass(frozen=True)
class Opening:
    """A board and who looks at it; `sees` says whether this visitor may see it."""

    phase: Phase
    scenario: Scenario
    gold: Gold
    sight: Sight
    sees: bool

    @property
    def headline(self) -> str:
        """Title of the score that ranks."""
        return self.scenario.score_titles[self.scenario.headline]

    def edition(self) -> tuple[Edition, list[Row]]:
        """The newest edition with its rows; without a row for those who may not see the board."""
        edition = edition_of(self.phase, self.scenario)
        return edition, rows_of(edition, self.scenario, self.sight) if self.sees else []

    def context(self, page: str) -> dict[str, Any]:
        """What every page of a board shows; `page` is the name of its address."""
        return {
            "task": self.phase.task,
            "phase": self.phase,
            "scenario": self.scenario,
            "headline": self.headline,
            "unit": self.scenario.unit,
            "is_anonymous": not self.sight.names,
            "board_url": self._address("board"),
            "board_pages": [(title, self._address(name), name == page) for name, title in PAGES],
        }

    def _address(self, name: str) -> str:
        return reverse(name, args=[self.phase.task.slug, self.phase.slug, self.scenario.number])


def opened(request: HttpRequest, task: str, phase: str, number: int) -> Opening:
    """The board of this address; Http404 where there is none. Its newest gold is what it ranks by."""
    phases = Phase.objects.filter(task__in=visible_tasks(request.user)).select_related("task")
    found = get_object_or_404(phases, task__slug=task, slug=phase)
    golds = Gold.objects.filter(phase=found, scenario__number=number).select_related("scenario")
    gold = golds.order_by("-version").first()
    if gold is None:
        raise Http404
    sight = sight_of(request.user, found)
    return Opening(found, gold.scenario, gold, sight, sees_board(sight.role, found))


def refused(request: HttpRequest, opening: Opening, page: str) -> HttpResponse:
    """Says when the board will be shown."""
    return render(request, "leaderboard/hidden.html", opening.context(page), status=403)
