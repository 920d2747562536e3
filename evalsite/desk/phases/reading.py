"""Tells organisers how much of the hidden gold the uploads of a team may read, and what teams are told therefore."""

import math
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from evalsite.challenges.gold.budget import Budget, GoldBudget, budget_of
from evalsite.challenges.models import Part, Phase
from evalsite.wording import NOTHING, amount
from scoring.budget import Detail


@dataclass(frozen=True)
class GoldReading:
    """One gold: what its uploads may tell by each level, in bits, and what is said of it."""

    title: str
    cells: list[tuple[str, bool]]  # of each level the bits, and whether they are under half of the gold
    holds: str
    sentence: str


@dataclass(frozen=True)
class Reading:
    """What the uploads of a phase may tell of its golds."""

    levels: list[str]
    golds: list[GoldReading]
    sentence: str  # which level holds now


def reading_of(phase: Phase) -> Reading | None:
    """Return the reading of a phase whose gold is hidden; None where uploads read nothing."""
    budget = budget_of(phase)
    detail = budget.detail
    if detail is None:
        return None
    golds = [_of_gold(gold, detail) for gold in budget.golds]
    return Reading([_title(level) for level in Detail], golds, _chosen(budget, detail))


def _title(detail: Detail) -> str:
    return str(Phase.Detail(detail.value).label)


def _of_gold(budget: GoldBudget, detail: Detail) -> GoldReading:
    is_split = budget.gold.part == Part.SHOWN
    cells = [(_bits(budget.bits_told(level)), budget.is_enough(level)) for level in Detail]
    return GoldReading(
        budget.gold.scenario.name or str(budget.gold.scenario.number),
        [(NOTHING, True) for _ in cells] if is_split else cells,
        NOTHING if is_split else _bits(budget.holds),
        _in_words(budget, detail),
    )


def _bits(bits: float) -> str:
    return "∞" if math.isinf(bits) else amount(round(bits))


def _in_words(budget: GoldBudget, detail: Detail) -> str:
    """Say how many uploads may tell how much."""
    if budget.gold.part == Part.SHOWN:
        return gettext(
            "The gold is split: all that teams see comes from its shown part, and nothing from the ranked part."
        )
    if not budget.holds:
        return gettext("The gold has not been measured yet; that happens within a day.")
    bits, n_uploads = budget.bits_told(detail), sum(gold.phase.most_uploads or 0 for gold in budget.same)
    holds = amount(round(budget.holds))
    if math.isinf(bits):
        return gettext(
            "Without a total limit of uploads or a closing time, a team can read all of the gold (%(holds)s bits)."
        ) % {"holds": holds}
    words = ngettext(
        "%(n)s upload can reveal %(told)s of the %(holds)s bits of the gold.",
        "%(n)s uploads can reveal %(told)s of the %(holds)s bits of the gold.",
        n_uploads,
    )
    return words % {"n": amount(n_uploads), "told": _bits(bits), "holds": holds}


def _chosen(budget: Budget, detail: Detail) -> str:
    values = {"level": _title(detail), "automatic": _title(budget.automatic)}
    if budget.phase.detail == Phase.Detail.AUTOMATIC:
        return gettext("Teams now see: %(level)s.") % values
    return gettext("You chose what teams see: %(level)s. The site would choose: %(automatic)s.") % values
