"""Splits a gold into a part that is shown until its phase closes, and a ranked part that decides then.

    whole gold --- split ---> version n, shown part: published      what everybody is told follows from it
                              version n + 1, ranked part: held      scored beside it, for organisers alone
    results released, phase over -------------------> published     it decides; the board before stays

So whatever reads the gold in force knows nothing of the ranked part before its time.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext, ngettext

from evalsite.accounts.models import User
from evalsite.challenges.gold.checks import check_gold, is_mixed
from evalsite.challenges.gold.services import delete_gold, has_runs, hold_ranked_part
from evalsite.challenges.models import Gold, GoldSplit, Part, Phase, record
from evalsite.challenges.revisions import raise_revision
from evalsite.challenges.storage.files import named
from evalsite.wording import amount
from scoring.significance.limits import FEWEST_UNITS

MOST_NAMED = 10  # lines of a list in which something is wrong


@dataclass(frozen=True)
class ShownPart:
    """Says how much of the gold of a phase its boards show, over all scenarios."""

    n_units: int
    n_units_in_all: int


def shown_part(golds: Iterable[Gold]) -> ShownPart | None:
    """Return how much of these golds is shown; None where all of them are whole, or the ranked part decides."""
    golds = list(golds)
    if not any(gold.part == Part.SHOWN for gold in golds):
        return None
    return ShownPart(sum(gold.n_units for gold in golds), sum(gold.n_units_in_file for gold in golds))


def shown_part_of(phase: Phase) -> ShownPart | None:
    return shown_part(Gold.objects.in_force().filter(phase=phase).defer("file"))


@dataclass(frozen=True)
class Draft:
    """A split that nobody has confirmed yet: how it was asked for, and the places of the shown units."""

    names: Sequence[str]
    shown: Sequence[int]  # ascending
    way: str
    percent: int | None = None
    seed: int | None = None
    separator: str = ""

    def n_units(self, part: str) -> int:
        return len(self.shown) if part == Part.SHOWN else len(self.names) - len(self.shown)

    def n_groups(self, part: str) -> int:
        """Return how many groups the units of a part are of; without a separator each is its own."""
        shown = set(self.shown)
        names = (name for at, name in enumerate(self.names) if (at in shown) == (part == Part.SHOWN))
        return len({group_of(name, self.separator) for name in names})


class CannotSplit(Exception):
    """The gold cannot be split so; the messages tell the organiser why, one for each reason."""

    def __init__(self, *messages: str) -> None:
        super().__init__(*messages)
        self.messages = list(messages)


def units_of(gold: Gold) -> list[str]:
    """Return the names of the units in the order of the gold; raise scoring.GoldError where it cannot be read."""
    with named(gold.file) as path:
        return check_gold(path, gold.scenario).units


def group_of(name: str, separator: str) -> str:
    """Return what units that stay together have in common: their names before the last separator."""
    return name.rpartition(separator)[0] or name if separator else name


def at_random(names: Sequence[str], percent: int, seed: int, separator: str = "") -> Draft:
    """Return a split with this share of the units in the shown part, as near as whole groups allow.

    It follows from the names and the seed alone, and not from the order of the file.
    """
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        groups.setdefault(group_of(name, separator), []).append(place)
    in_order = sorted(groups)
    order = np.random.default_rng(seed).permutation(len(in_order)).tolist()
    wanted, shown = len(names) * percent / 100, list[int]()
    for at in order:
        group = groups[in_order[at]]
        # A group comes in where that is nearer to the share than without it.
        if abs(len(shown) + len(group) - wanted) <= abs(len(shown) - wanted):
            shown += group
    draft = Draft(names, sorted(shown), GoldSplit.Way.SHARE, percent, seed, separator)
    _require_enough(draft)
    return draft


def by_list(names: Sequence[str], text: str) -> Draft:
    """Return a split whose shown units are named, one a line; raise CannotSplit, with lines, for unknown names."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    first: dict[str, int] = {}
    wrong: list[str] = []
    for number, name in lines:
        if name not in places:
            values = {"line": amount(number), "name": name, "example": names[0]}
            wrong.append(
                gettext("Line %(line)s: no unit is called “%(name)s”. Units are called as “%(example)s”.") % values
            )
        elif name in first:
            values = {"line": amount(number), "name": name, "first": amount(first[name])}
            wrong.append(gettext("Line %(line)s: “%(name)s” is on line %(first)s already.") % values)
        first.setdefault(name, number)
    if wrong:
        rest = len(wrong) - MOST_NAMED
        more = [ngettext("… and %(n)s more line", "… and %(n)s more lines", rest) % {"n": amount(rest)}]
        raise CannotSplit(*wrong[:MOST_NAMED], *(more if rest > 0 else []))
    shown = sorted(place for name in first for place in places[name])
    draft = Draft(names, shown, GoldSplit.Way.LIST)
    _require_enough(draft)
    return draft


def _require_enough(draft: Draft) -> None:
    """Raise CannotSplit where a part is too small for any difference to be told."""
    titles = {Part.SHOWN: gettext("the shown part"), Part.RANKED: gettext("the ranked part")}
    short = [
        ngettext(
            "%(n)s unit is in %(part)s, which needs at least %(fewest)s: with fewer, no runs can be told apart.",
            "%(n)s units are in %(part)s, which needs at least %(fewest)s: with fewer, no runs can be told apart.",
            n,
        )
        % {"n": amount(n), "part": title, "fewest": FEWEST_UNITS}
        for part, title in titles.items()
        if (n := draft.n_units(part)) < FEWEST_UNITS
    ]
    if short:
        raise CannotSplit(*short)


def why_not(gold: Gold) -> str:
    """Return why the gold cannot be split now; "" where it can."""
    if gold.split_id:
        return gettext("It is split already.")
    if gold.is_input:
        return gettext("It has no answers yet: runs wait for the gold.")
    if not gold.is_in_force:
        return gettext("Only the version that ranks can be split.")
    if gold.phase.gold_released:
        return gettext("The gold of the phase is released: everybody can read both parts.")
    if gold.phase.state == "closed":
        return gettext("The phase has closed: everything shown so far came from the whole gold.")
    if has_runs(gold) or gold.scorings.exists():
        return gettext(
            "Runs were scored on the whole gold, so its scores are known. Split gold before the first run arrives."
        )
    if gold.scenario.is_judged:
        return gettext("Runs of this scenario are judged elsewhere, as a whole and not by parts.")
    if is_mixed(gold.scenario):
        return gettext(
            "With the options of this scenario, the counts of a unit also depend on other units, so scores "
            "on the shown part would reveal something about the ranked part."
        )
    return ""


def split_gold(gold: Gold, draft: Draft, *, by: User | None) -> GoldSplit:
    """Split the gold that ranks; raise CannotSplit where it cannot be split any more."""
    with transaction.atomic():
        Phase.objects.select_for_update().get(pk=gold.phase_id)
        gold = Gold.objects.select_for_update().get(pk=gold.pk)
        if problem := why_not(gold):
            raise CannotSplit(problem)
        split = GoldSplit.objects.create(
            phase=gold.phase,
            scenario=gold.scenario,
            way=draft.way,
            percent=draft.percent,
            seed=draft.seed,
            separator=draft.separator,
            names=list(draft.names),
            shown=list(draft.shown),
            by=by,
        )
        Gold.objects.filter(pk=gold.pk).update(**split.belongs_to(Part.SHOWN))
        gold.refresh_from_db()
        about: dict[str, Any] = {"subject": gold.pk, "version": gold.version, "scenario": gold.scenario.number}
        parts: dict[str, Any] = {part.value: draft.n_units(part) for part in (Part.SHOWN, Part.RANKED)}
        record(gold.phase.task, "gold split", actor=by, **about, **parts)
        hold_ranked_part(gold, by=by)
        raise_revision([gold.phase.task_id])
    return split


def join_parts(gold: Gold, *, by: User | None) -> bool:
    """Make a split gold whole again, and return whether that was possible: not once a run was scored on a part."""
    with transaction.atomic():
        Phase.objects.select_for_update().get(pk=gold.phase_id)
        split = gold.split
        golds = list(Gold.objects.filter(split=split).select_related("phase__task", "scenario")) if split else []
        if split is None or any(gold.scorings.exists() for gold in golds):
            return False
        for part in golds:
            if part.part == Part.SHOWN and part.state == Gold.State.PUBLISHED:
                Gold.objects.filter(pk=part.pk).update(
                    split=None, part=Part.WHOLE, n_units=len(split.names), n_other_units=0
                )
            else:
                delete_gold(part, by=by)
        split.delete()
        about: dict[str, Any] = {"subject": gold.pk, "version": gold.version, "scenario": gold.scenario.number}
        record(gold.phase.task, "gold joined", actor=by, **about)
        raise_revision([gold.phase.task_id])
    return True


def due_to_decide() -> QuerySet[Gold]:
    """Return the ranked parts whose time has come: their phase takes no uploads any more, and its results are out."""
    is_over = Q(phase__closes__lte=Now()) & (Q(phase__late_until=None) | Q(phase__late_until__lte=Now()))
    due = Gold.objects.filter(is_over, state=Gold.State.HELD, phase__results_released__lte=Now())
    return due.select_related("phase__task", "scenario").order_by("phase", "scenario__number")


def held_in(phase: Phase) -> list[Gold]:
    """Return the ranked parts of a phase that do not decide yet."""
    held = Gold.objects.filter(phase=phase, state=Gold.State.HELD)
    return list(held.select_related("phase__task", "scenario").order_by("scenario__number"))


def shown_sibling(gold: Gold) -> Gold | None:
    """Return the version by which the shown part ranked before the ranked part, `gold`, decided."""
    if gold.part != Part.RANKED:
        return None
    shown = Gold.objects.published().filter(split=gold.split_id, part=Part.SHOWN)
    return shown.order_by("-version").first()
