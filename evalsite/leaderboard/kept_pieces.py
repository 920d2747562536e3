"""Pieces of the pages that everybody sees: a result makes the list of tasks anew, and most of what it says stays."""

from collections.abc import Hashable
from typing import Any
from uuid import UUID

from evalsite.leaderboard.shelf import Shelf
from evalsite.leaderboard.versions import OfTasks, of_tasks

_kept: Shelf[Any] = Shelf(most=200, seconds=300)


class Pieces:
    """Of a page that is made for many, each about one task, by whose facts it is kept: they have to tell all of it."""

    def __init__(self, told: OfTasks) -> None:
        self._facts = _by_task(told)
        self._made: dict[tuple[UUID, Hashable], Any] = {}

    def get(self, task: UUID, name: Hashable) -> Any:
        """None where it has to be made."""
        return _kept.get((self._facts.get(task), name))

    def add(self, task: UUID, name: Hashable, piece: Any) -> None:
        self._made[task, name] = piece

    def keep(self, slug: str) -> None:
        """Those of which the same is told now, after they were made; for the task of this slug, or for all."""
        now = _by_task(of_tasks(slug, with_all_news=True)) if self._made else {}
        for (task, name), piece in self._made.items():
            if task in now and now[task] == self._facts.get(task):
                _kept.put((now[task], name), piece)


def _by_task(told: OfTasks) -> dict[UUID, Hashable]:
    return {UUID(str(row[0])): tuple(row) for row in told}


def clear() -> None:
    """In this process."""
    _kept.clear()
