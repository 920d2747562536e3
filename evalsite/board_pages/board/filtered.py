"""Shows what teams tell of their runs beside a board, and filters it; the entries that stay are compared anew.

Only once the results are released: before, what is told of a run is its team's, and each further comparison would tell
something of the hidden gold.
"""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.core.cache import caches
from django.db.models import Q
from django.utils.translation import gettext

from evalsite.base.cache_keys import cache_key
from evalsite.challenges.models import Phase
from evalsite.challenges.taking_part.own_fields import Kind, OwnField, own_fields
from evalsite.leaderboard.combined_score import CombinedScore, Scored
from evalsite.leaderboard.making.best_runs import TEAM_KINDS
from evalsite.leaderboard.making.comparison import compare_entries
from evalsite.leaderboard.making.entries import best_runs_on, lost_on, rank_anew
from evalsite.leaderboard.making.gold_copies import UNCOMPARED
from evalsite.leaderboard.models import Edition
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.describing import sheet_of

MOST_ENTRIES = 60  # that are compared anew while somebody waits, anybody: a fifth of a second
CACHE_TIMEOUT = 600  # seconds
_CONTRASTIVE = OwnField("contrastive", "", Kind.YES_NO)


@dataclass(frozen=True)
class Fact:
    """A field with few answers, as a column and a filter of a board."""

    field: OwnField
    title: str
    answers: dict[str, Any]  # by submission
    asked: str  # for the answer by which the board is to be filtered

    @property
    def name(self) -> str:
        """Return the name of its column, and of its filter in addresses."""
        return f"own-{self.field.key}"

    @cached_property
    def choices(self) -> dict[str, str]:
        """Return the answers that teams have given: as addresses have them, and in words."""
        offered = {str(answer): words for answer in self.answers.values() if (words := self.field.in_words(answer))}
        return dict(sorted(offered.items(), key=lambda choice: choice[1]))

    @property
    def is_number(self) -> bool:
        """Return whether a column shows it by its size, and no filter asks for it."""
        return self.field.kind == Kind.NUMBER

    @property
    def chosen(self) -> str:
        """Return the answer by which the board is filtered; "" for none, or one that nobody has given."""
        return self.asked if not self.is_number and self.asked in self.choices else ""

    @property
    def chosen_words(self) -> str:
        return self.choices[self.chosen]

    def of(self, submission: str) -> str:
        """Return what is told of a run, in words."""
        return self.field.in_words(self.answers.get(submission))

    def value_of(self, submission: str) -> Any:
        """Return what is told of a run, a number as it is; "" for what is none, though the field asks for one now."""
        value = self.field.for_programs(self.answers.get(submission))
        return "" if self.is_number and isinstance(value, str) else value

    def fits(self, submission: str) -> bool:
        return str(self.answers.get(submission)) == self.chosen


def facts_of(phase: Phase, scenario: Scored, parameters: Mapping[str, str]) -> list[Fact]:
    """Return what teams tell of their runs, where a board may show it and somebody has told something."""
    if not phase.is_released or isinstance(scenario, CombinedScore):
        return []
    fields = [field for field in own_fields(sheet_of(phase.task).own) if field.kind != Kind.TEXT]
    runs = Submission.objects.filter(Q(is_contrastive=True) | ~Q(facts={}), phase=phase, reference="")
    rows = runs.values_list("pk", "facts", "is_contrastive")
    facts_by_key = {
        str(pk): facts | ({"contrastive": True} if is_contrastive else {}) for pk, facts, is_contrastive in rows
    }
    fields.append(_CONTRASTIVE)
    listed = []
    for field in fields:
        title = field.title or gettext("Contrastive")
        answers = {pk: facts[field.key] for pk, facts in facts_by_key.items() if field.key in facts}
        fact = Fact(field, title, answers, parameters.get(f"own-{field.key}", ""))
        if fact.choices:
            listed.append(fact)
    return listed


def filtered(edition: Edition, scenario: Scored, facts: list[Fact]) -> Edition:
    """Return the edition with the entries that fit all chosen answers, compared among themselves; references stay.

    An edition that is too large, or cannot be compared, comes back without places.
    """
    chosen = [(fact.name, fact.chosen) for fact in facts if fact.chosen]
    key = cache_key("filtered", edition.pk, edition.made, *chosen)
    kept = caches["editions"].get(key)
    if kept is None:
        kept = _among(edition, scenario, [fact for fact in facts if fact.chosen])
        caches["editions"].set(key, kept, CACHE_TIMEOUT)
    narrowed = copy(edition)
    narrowed.read_with = ()
    narrowed.entries, narrowed.comparison, narrowed.further = kept
    return narrowed


def _among(
    edition: Edition, scenario: Any, facts: list[Fact]
) -> tuple[list[dict[str, Any]], dict[str, Any], dict[str, Any]]:
    all_entries, gold = edition.entries, edition.gold
    results = {str(best.result.scoring.submission_id): best.result for best in best_runs_on(gold)} if gold else {}
    there = [
        number
        for number, entry in enumerate(all_entries)
        if _fits(entry, facts) and (entry["submission"] in results or entry["reference"] in UNCOMPARED)
    ]
    entries = [all_entries[number] for number in there]
    further = {
        name: [[column[number] for number in there] for column in columns] for name, columns in edition.further.items()
    }
    rank_anew(entries, lost_on(edition), scenario)
    comparison = compare_entries(entries, results, edition.board) if len(entries) <= MOST_ENTRIES else {}
    return entries, comparison, further


def _fits(entry: dict[str, Any], facts: list[Fact]) -> bool:
    return entry["reference"] not in TEAM_KINDS or all(fact.fits(entry["submission"]) for fact in facts)
