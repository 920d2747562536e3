"""Builds each scenario's section on the page of a submission: the scoring that counts, its numbers, the others."""

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from uuid import UUID

from django.utils.translation import get_language

from evalsite.base.cache_keys import cache_key
from evalsite.challenges.access import Role, sees_against_gold
from evalsite.challenges.gold.versions import golds_of
from evalsite.challenges.models import Scenario, direction_of, is_perfect
from evalsite.challenges.precision import Precision, precision_for
from evalsite.results.disclosure import FEWEST, disclose, disclose_scores
from evalsite.results.page.charts import Histogram, histogram
from evalsite.results.page.missing_interval import absence, reasons_of
from evalsite.results.page.notices import Notices, notices
from evalsite.results.page.points import Points, points_of
from evalsite.submissions.causes import explanation_from_json, finding_from_json
from evalsite.submissions.lifecycle.waiting import QueuePosition, queue_positions
from evalsite.submissions.models import Result, Scoring, Submission
from evalsite.submissions.precedence import visible_scorings
from evalsite.wording import SHARE, fitted, words
from scoring.family import Export
from scoring.readers.explanations import Explanation, explain
from scoring.scale import Scale
from scoring.significance.limits import CORRECTED_BELOW

_SHOWN_OF_GOLDS = ("phase", "scenario", "version", "state", "engine", "candidate_engine")  # by which scorings count
MOST_ROWS = 12  # of scores before the further ones are folded


@dataclass(frozen=True)
class ScoreRow:
    name: str
    title: str
    value: float | None
    interval: tuple[float, float] | None
    is_headline: bool
    absence: tuple[str, str] | None  # why there is no interval: what is shown, and the title that explains it
    scale: Scale = SHARE  # how it is said, with the digits that its interval asks for
    lower_is_better: bool = False


@dataclass(frozen=True)
class Section:
    """One scenario of a submission; `others` are its scorings on other gold or by another engine, newest first."""

    scenario: Scenario
    scoring: Scoring
    others: list[Scoring]
    place: QueuePosition | None
    exact: Result | None  # as it is stored; `result` is what may be shown of it
    precision: Precision
    role: Role  # of the visitor
    refusal: list[Explanation] = field(default_factory=list)  # why the scoring was refused

    @property
    def is_scored(self) -> bool:
        return self.exact is not None

    @property
    def is_organiser(self) -> bool:
        return self.role >= Role.VIEWER

    @cached_property
    def fragment(self) -> str:
        """Name what pages show of the result alone: a stored result never changes, so nothing but this does.

        That is who reads it, in which language, and what is told; and what organisers set, by the task's revision.
        """
        phase = self.scoring.submission.phase
        tells_gold = sees_against_gold(self.role, phase)
        shown = (self.scoring.pk, self.exact and self.exact.created, phase.task.revision)
        return cache_key("result", *shown, get_language(), self.role, self.precision, tells_gold)

    # Of the sections of a run the page shows one whole, and of the others the score that ranks.

    @cached_property
    def result(self) -> Result | None:
        """Return the result as the visitor may read it; its tables are read once for this and for the exact one."""
        if self.exact is None:
            return None
        shown = copy(self.exact)
        shown.tables, shown.table_intervals = self.exact.tables, self.exact.table_intervals
        return disclose(shown, self.precision)

    @cached_property
    def scores(self) -> list[ScoreRow]:
        return score_rows(self.scenario, disclose_scores(copy(self.exact), self.precision)) if self.exact else []

    @cached_property
    def distribution(self) -> Histogram | None:
        if self.result is None:
            return None
        fewest = 0 if self.precision.is_full else FEWEST
        scale, lower_is_better = self.scenario.scale, self.scenario.lower_is_better
        return histogram(self.result.distribution, self.unit, scale, lower_is_better=lower_is_better, fewest=fewest)

    @property
    def n_without_score(self) -> int:
        """Return how many units the distribution lacks: in these the score counts nothing."""
        return self.result.n_units - sum(self.result.distribution) if self.result else 0

    @cached_property
    def notices(self) -> Notices:
        if self.exact is None:
            return Notices()
        repeated = self.scenario.engine_family.scores.repeated_scores(self.scenario.configured)
        warnings = self.exact.warnings_for(is_organiser=self.is_organiser)
        about_shown = [
            warning for warning in self.precision.warnings(warnings) if warning.partition(":")[0] not in repeated
        ]
        return notices(about_shown, self.scenario.score_titles)

    @cached_property
    def points(self) -> Points:
        return points_of(self.scenario, self.result, self.precision) if self.result else Points([])

    @property
    def coming(self) -> Scoring | None:
        """Return the scoring on a candidate, which organisers alone see."""
        return next((other for other in self.others if other.gold.is_candidate), None)

    @property
    def before(self) -> Scoring | None:
        """Return the one that counted until the gold was published by which the board ranks now."""
        scoring = self.scoring
        if scoring.state != Scoring.State.SCORED or not scoring.gold.published or scoring.gold.is_candidate:
            return None
        scored = (other for other in self.others if hasattr(other, "result"))
        return next((other for other in scored if other.gold.version < scoring.gold.version), None)

    @property
    def headline(self) -> ScoreRow:
        return self.scores[0]

    @property
    def scale(self) -> Scale:
        """Return the scale of the score that ranks."""
        return self.headline.scale if self.scores else self.scenario.scale

    @property
    def is_perfect(self) -> bool:
        """Return whether all is right by the score that ranks."""
        _, perfect = direction_of(self.scenario.family, self.scenario.options)
        return self.exact is not None and is_perfect(self.headline.value, perfect)

    @property
    def main_scores(self) -> list[ScoreRow]:
        """Return all of them, or where they are many those that the board shows too."""
        if len(self.scores) <= MOST_ROWS:
            return self.scores
        shown = self.scenario.scores
        return [row for row in self.scores if row.name in shown]

    @property
    def further_scores(self) -> list[ScoreRow]:
        main = self.main_scores
        return [row for row in self.scores if row not in main]

    @property
    def counts(self) -> list[tuple[str, str, float]]:
        """Return key, title and number of each; those that say nothing in this scenario are left out."""
        counts = self.result.counts if self.result else {}
        family = self.scenario.engine_family
        if family.counts.count_titles is None:
            return [(name, words(name).capitalize(), number) for name, number in counts.items()]
        titles = family.counts.count_titles(counts, self.scenario.configured)
        return [(name, title, counts[name]) for name, title in titles.items() if name in counts]

    @property
    def is_jackknife(self) -> bool:
        """Return whether the interval comes from totals without blocks of units."""
        return self._method == "jackknife"

    @property
    def is_few(self) -> bool:
        """Return whether the headline's interval rests on few units."""
        return self._method in ("bca", "mover") and self.result is not None and self.result.n_units < CORRECTED_BELOW

    @property
    def has_rare_labels(self) -> bool:
        """Return whether the headline is a mean over labels of which some are rare."""
        return self._method == "mover"

    @property
    def _method(self) -> str:
        """Return how the headline's interval was made; "" without one."""
        return self.result.interval_methods.get(self.headline.name, "") if self.result else ""

    @property
    def details(self) -> list[str]:
        """Return templates with what is particular to the family; the first that exists counts."""
        return [f"results/summary/{self.scenario.family}.html", "results/summary/any.html"]

    @property
    def unit(self) -> tuple[str, str]:
        return self.scenario.unit

    @property
    def has_unit_pages(self) -> bool:
        return self.scenario.engine_family.views.unit_record is not None

    @property
    def exports(self) -> list[Export]:
        return exports_of(self.result) if self.result else []


def exports_of(result: Result) -> list[Export]:
    """Return the files that can be made of the result: those whose table has rows."""
    family = result.scoring.scenario.engine_family
    # A listing is in the evaluation file alone, unless it is empty.
    return [
        export
        for export in family.table_notes.exports
        if export.table is None or result.tables.get(export.table, export.table in family.table_notes.item_tables)
    ]


def sections_of(submission: Submission, role: Role) -> list[Section]:
    with_all = Scoring.objects.filter(submission=submission).select_related("scenario", "gold", "result")
    versions = list(with_all.order_by("scenario__number"))
    for scoring in versions:
        scoring.submission = submission
    by_scenario: dict[UUID, list[Scoring]] = {}
    for scoring in versions:
        by_scenario.setdefault(scoring.scenario_id, []).append(scoring)
    golds = golds_of([submission.phase_id], (), columns=_SHOWN_OF_GOLDS)
    is_waiting = any(scoring.state == Scoring.State.QUEUED for scoring in versions)
    waiting = queue_positions(submission.pk) if is_waiting else {}
    sections = []
    for pk, scorings in by_scenario.items():
        in_force = golds[submission.phase_id, pk].in_force
        first, *others = visible_scorings(scorings, in_force, sees_candidates=role >= Role.VIEWER)
        precision = precision_for(role, submission.phase, first.scenario)
        for scored in (scoring for scoring in (first, *others) if hasattr(scoring, "result")):
            scored.result.scoring = scored  # which has its scenario already
            if scored is not first:
                disclose(scored.result, precision)
        sections.append(_section(first, others, waiting.get(first.pk), precision, role))
    return sections


def chosen_section(sections: Sequence[Section], number: str) -> Section | None:
    """Return the scenario of this number, or else the first one, of those with a result."""
    scored = [section for section in sections if section.is_scored]
    return next((section for section in scored if str(section.scenario.number) == number), next(iter(scored), None))


def file_notes(sections: Iterable[Section]) -> list[str]:
    """Return each sentence about what was done with the files of the upload once."""
    return list(dict.fromkeys(note for section in sections for note in section.notices.files))


def _section(
    scoring: Scoring, others: list[Scoring], waiting: QueuePosition | None, precision: Precision, role: Role
) -> Section:
    result = getattr(scoring, "result", None)
    refusal = _refusal(scoring) if result is None else []
    return Section(scoring.scenario, scoring, others, waiting, result, precision, role, refusal)


def _refusal(scoring: Scoring) -> list[Explanation]:
    """Return the causes of a refusal; where only problems were stored, without lines of the files."""
    if scoring.causes:
        return [explanation_from_json(cause) for cause in scoring.causes]
    return explain([finding_from_json(problem) for problem in scoring.problems])


def score_rows(scenario: Scenario, result: Result) -> list[ScoreRow]:
    """Return the headline first, then the family's other scores; those that do not apply are left out."""
    titles = scenario.score_titles
    facts = {name: getattr(result, name) for name in ("n_units", "n_resamples", "confidence_level")}
    headline, unit = scenario.headline, scenario.unit
    names = dict.fromkeys([headline, *titles, *result.scores])
    repeated = scenario.engine_family.scores.repeated_scores(scenario.configured)
    applying = (name for name in names if name not in repeated and result.scores.get(name) is not None)
    shown = dict.fromkeys([headline, *applying])
    lower = scenario.lower_scores
    reasons = reasons_of(result.warnings)
    rows = []
    for name in shown:
        value, interval = result.scores[name], result.intervals.get(name)
        missing = None if interval or value is None else absence(value, unit, reasons.get(name, ""), **facts)
        ends = tuple(interval) if interval else None
        scale = fitted(scenario.scale_of(name), ends)
        row = ScoreRow(name, titles.get(name, name), value, ends, name == headline, missing, scale, name in lower)
        rows.append(row)
    return rows
