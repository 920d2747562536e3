"""What search engines are told of: the pages that everybody sees without an account.

Drafts, boards that are not for everybody, and what is kept for the teams that take part stand in none of them.
"""

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.contrib.sitemaps import Sitemap
from django.db.models import QuerySet
from django.urls import reverse

from evalsite.base.contrib import Trait, names_with
from evalsite.challenges.access import Role, sees_board, visible_tasks
from evalsite.challenges.models import Gold, Page, Phase, Task
from evalsite.help.guides import GUIDES
from evalsite.leaderboard.combined_score import NAME
from evalsite.leaderboard.making.editions import editions_of
from evalsite.leaderboard.making.gold_copies import GOLD

_SITE = ("home", "archive", "help", "how_to_read")


@dataclass(frozen=True)
class Address:
    """An address as Django's sitemaps ask for one."""

    path: str

    def get_absolute_url(self) -> str:
        return self.path


def public_tasks() -> QuerySet[Task]:
    return visible_tasks(AnonymousUser())


class SitePages(Sitemap):  # type: ignore[type-arg]  # at run time it takes none
    """The lists of tasks, and help."""

    def items(self) -> list[Address]:
        guides = (reverse("guide", args=[name]) for name in GUIDES)
        return [Address(path) for path in (*map(reverse, (*_SITE, *sorted(names_with(Trait.LISTED)))), *guides)]


class TaskPages(Sitemap):  # type: ignore[type-arg]  # at run time it takes none
    """Public tasks, archived ones too, with their pages that everybody reads."""

    def items(self) -> list[Task | Page]:
        tasks = public_tasks().order_by("slug")
        pages = Page.objects.filter(task__in=public_tasks(), members_only=False).select_related("task")
        return [*tasks, *pages.order_by("task__slug", "slug")]


class BoardPages(Sitemap):  # type: ignore[type-arg]  # at run time it takes none
    """Boards that strangers see, those of combined scores among them."""

    def items(self) -> list[Address]:
        golds = _public_golds()
        combined = {gold.phase: NAME for gold in golds if hasattr(gold.phase, "combined")}
        boards = [(gold.phase, gold.scenario.number) for gold in golds]
        return [_address("board", phase, number) for phase, number in (*boards, *combined.items())]


class EntryPages(Sitemap):  # type: ignore[type-arg]  # at run time it takes none
    """Runs on boards whose results are released: only then has an entry a page."""

    def items(self) -> list[Address]:
        phases = {gold.phase_id: gold.phase for gold in _public_golds() if gold.phase.is_released}
        return [_address("entry", phase, run) for phase in phases.values() for run in _runs_on_boards(phase)]


def _public_golds() -> list[Gold]:
    """Return the gold of each board that strangers see, with its phase, by task, phase and scenario."""
    golds = Gold.objects.in_force().filter(phase__task__in=public_tasks())
    golds = golds.select_related("phase__task", "phase__combined", "scenario").defer("phase__combined__board")
    ordered = golds.order_by("phase__task__slug", "phase__slug", "scenario__number")
    return [gold for gold in ordered if sees_board(Role.STRANGER, gold.phase)]


def _runs_on_boards(phase: Phase) -> list[str]:
    entries = (entry for edition in editions_of(phase) for entry in edition.entries)
    return sorted({entry["submission"] for entry in entries if entry["reference"] != GOLD})


def _address(page: str, phase: Phase, part: object) -> Address:
    return Address(reverse(page, args=[phase.task.slug, phase.slug, part]))


SITEMAPS: dict[str, type[Sitemap]] = {
    "site": SitePages,
    "tasks": TaskPages,
    "boards": BoardPages,
    "entries": EntryPages,
}
