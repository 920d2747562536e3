"""Which version of the gold counts: new gold takes over once no run would be lost by it.

A board ranks by the gold in force. While a newer version waits, uploads are scored on both, and the board goes over to
the newer one in a single step: as soon as the scoring of every run on the board has ended there.
"""

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from evalsite.challenges.models import Gold, Phase, Scenario, record
from evalsite.submissions.models import AdoptedGold, Scoring, Submission

State = Scoring.State


@dataclass(frozen=True)
class Golds:
    """The versions of (phase, scenario) that matter: the one in force, and those added after it, newest last."""

    in_force: Gold
    waiting: Sequence[Gold]

    @property
    def newest(self) -> Gold:
        return self.waiting[-1] if self.waiting else self.in_force

    @property
    def to_score(self) -> list[Gold]:
        """What an upload is scored on: a version between these two will never be in force."""
        return list(dict.fromkeys((self.in_force, self.newest)))


def golds_of(phases: Iterable[uuid.UUID] | QuerySet[Any]) -> dict[tuple[uuid.UUID, uuid.UUID], Golds]:
    """By (phase, scenario), for those that have gold; one query."""
    found = (
        Gold.objects.filter(phase__in=phases)
        .annotate(
            is_adopted=Exists(AdoptedGold.objects.filter(gold=OuterRef("pk"))),
            has_runs=Exists(Scoring.objects.filter(gold=OuterRef("pk"), state__in=Scoring.LIVING)),
        )
        .select_related("phase", "scenario")
        .order_by("version")
    )
    versions: dict[tuple[uuid.UUID, uuid.UUID], list[Gold]] = {}
    for gold in found:
        versions.setdefault((gold.phase_id, gold.scenario_id), []).append(gold)
    return {key: _golds(golds) for key, golds in versions.items()}


def _golds(versions: Sequence[Gold]) -> Golds:
    """In force is the last version adopted; before any was, the first that has runs, or else the newest."""
    adopted = [place for place, gold in enumerate(versions) if gold.is_adopted]  # type: ignore[attr-defined]
    with_runs = [place for place, gold in enumerate(versions) if gold.has_runs]  # type: ignore[attr-defined]
    place = adopted[-1] if adopted else (with_runs or [len(versions) - 1])[0]
    return Golds(versions[place], versions[place + 1 :])


def golds_of_board(phase: Phase, scenario: Scenario) -> Golds | None:
    """None where there is no gold yet."""
    return golds_of([phase.pk]).get((phase.pk, scenario.pk))


def gold_in_force(phase: Phase, scenario: Scenario) -> Gold | None:
    golds = golds_of_board(phase, scenario)
    return golds.in_force if golds else None


@dataclass(frozen=True)
class Changeover:
    """How far the runs on a board are with a version that is to take over."""

    gold: Gold
    n_runs: int  # standing, with a result on the gold in force
    n_scored: int
    n_awaited: int  # not scored on it yet: waiting, running, or never queued

    @property
    def n_without(self) -> int:
        """Those whose scoring ended without a result: refused, or failed at each attempt."""
        return self.n_runs - self.n_scored - self.n_awaited

    @property
    def is_ready(self) -> bool:
        """Whether the board can go over.

        A run that was refused or has failed there is not waited for, since that is its answer; if all were, the gold
        is wrong and not the runs, and the board stays as it is.
        """
        return not self.n_awaited and (self.n_scored > 0 or not self.n_runs)


def changeover(golds: Golds, to: Gold) -> Changeover:
    on_new = Scoring.objects.filter(submission=OuterRef("pk"), gold=to)
    counts = (
        _on_board(golds.in_force)
        .annotate(
            is_scored=Exists(on_new.filter(state=State.SCORED)),
            has_ended=Exists(on_new) & ~Exists(on_new.filter(state__in=Scoring.UNFINISHED)),
        )
        .aggregate(
            n_runs=Count("pk"),
            n_scored=Count("pk", filter=Q(is_scored=True)),
            n_awaited=Count("pk", filter=Q(is_scored=False, has_ended=False)),
        )
    )
    return Changeover(to, **counts)


def _on_board(gold: Gold) -> QuerySet[Submission]:
    """The runs that stand with a result on this gold."""
    scored = Scoring.objects.filter(submission=OuterRef("pk"), gold=gold, state=State.SCORED)
    return Submission.objects.filter(Exists(scored), withdrawn=None)


def gold_to_rank_by(golds: Golds) -> Gold:
    """The newest version that can take over by now, or the one in force."""
    ready = (gold for gold in reversed(golds.waiting) if changeover(golds, gold).is_ready)
    return next(ready, golds.in_force)


def adopt(gold: Gold) -> None:
    """Put the gold in force, from now on."""
    with transaction.atomic():
        _, is_new = AdoptedGold.objects.get_or_create(gold=gold)
        if is_new:
            number = gold.scenario.number
            record(gold.phase.task, "gold adopted", subject=gold.pk, version=gold.version, scenario=number)


def foremost(scorings: Iterable[Scoring], in_force: Gold | None) -> list[Scoring]:
    """The scorings of a submission for one scenario, with the one that counts first, then the newest.

    What has been scored on the gold in force stays in front while newer gold or a newer engine is still at work.
    """

    def order(scoring: Scoring) -> tuple[object, ...]:
        is_in_force = in_force is not None and scoring.gold_id == in_force.pk
        return (
            is_in_force and scoring.state == State.SCORED,
            is_in_force and scoring.state in Scoring.LIVING,
            scoring.gold.version,
            scoring.created,
        )

    return sorted(scorings, key=order, reverse=True)
