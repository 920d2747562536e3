"""Finds where points are to be gained: the score that ranks if one kind of mistake, or one label, were mended.

It reads what the visitor may read of the result, so it can tell no more about a hidden gold than that does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from evalsite.challenges.models import Scenario
from evalsite.challenges.precision import Precision
from evalsite.results.disclosure import FEWEST
from evalsite.submissions.models import Result
from evalsite.translating.engine import from_engine
from scoring.messages import Message
from scoring.repairs import Repair, Totals

MAX_UNFOLDED = 5  # bars of a group before the further ones are folded
MAX_BARS = 60  # bars of a group


@dataclass(frozen=True)
class PointBar:
    name: str
    n_items: int | None
    score: float
    gain: float  # above 0 also where less is better
    change: float  # of the score: negative where less is better
    share: float  # of the longest bar, in per cent


@dataclass(frozen=True)
class PointGroup:
    title: str
    bars: Sequence[PointBar]

    @property
    def first(self) -> Sequence[PointBar]:
        return self.bars[:MAX_UNFOLDED]

    @property
    def further(self) -> Sequence[PointBar]:
        return self.bars[MAX_UNFOLDED:]


@dataclass(frozen=True)
class Points:
    groups: Sequence[PointGroup]

    @property
    def beside(self) -> Sequence[PointGroup]:
        """Return those for which there is room beside the scores."""
        return self.groups if len(self.groups) < 3 else self.groups[:1]

    @property
    def below(self) -> Sequence[PointGroup]:
        return self.groups[len(self.beside) :]


def points_of(scenario: Scenario, result: Result, precision: Precision) -> Points:
    """Return the points of a result that has been disclosed to the visitor, whose numbers may be rounded."""
    repairs = scenario.engine_family.views.repairs
    if repairs is None or result.headline is None or not precision.has_tables:
        return Points([])
    totals = Totals(scenario.headline, result.scores, result.counts, _disclosed_tables(scenario, result, precision))
    possible = repairs(totals, scenario.configured)
    # Told too, or the length of a bar would say more than its number.
    largest = precision.of(max((repair.gain for repair in possible), default=1.0), scenario.headline)
    bar = partial(_bar, largest=largest, precision=precision, lower_is_better=scenario.lower_is_better)
    groups = [
        PointGroup(from_engine(title), [bar(repair) for repair in list(of_group)[:MAX_BARS]])
        for title, of_group in groupby(possible, key=lambda repair: repair.group)
    ]
    return Points(groups)


def _disclosed_tables(scenario: Scenario, result: Result, precision: Precision) -> Mapping[str, Any]:
    """Return the tables, while the gold is hidden without those of single units, which the page does not show
    either."""
    if precision.is_full:
        return result.tables
    unit, groups = scenario.unit[0], scenario.engine_family.table_notes.groups
    tables = {name: rows for name, rows in result.tables.items() if rows and unit not in rows[0]}
    if precision.detail is not None:  # of groups no count is told, and of labels not all
        return {name: [*filter(_is_told, rows)] for name, rows in tables.items() if name not in groups}
    # Of groups of few items nothing but their size is told.
    return {
        name: [row for row in rows if row[groups[name]] >= FEWEST] if name in groups else rows
        for name, rows in tables.items()
    }


def _is_told(row: Mapping[str, Any]) -> bool:
    return None not in row.values()


def _bar(repair: Repair, largest: float, precision: Precision, *, lower_is_better: bool) -> PointBar:
    gain = precision.of(repair.gain, precision.headline)
    return PointBar(
        from_engine(repair.name) if isinstance(repair.name, Message) else repair.name,  # of a label the label itself
        repair.n_items,
        score=precision.of(repair.score, precision.headline),
        gain=gain,
        change=-gain if lower_is_better else gain,
        share=round(100 * gain / (largest or 1.0), 2),
    )
