"""Scores a run on open gold without storing it, and finds its place among the entries that the visitor sees."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import structlog
from django.conf import settings

from evalsite.board_pages.board.rows import Row, rows_of
from evalsite.board_pages.board.sentence import too_few, units_in_words
from evalsite.board_pages.board.visibility import Visibility
from evalsite.challenges.access import Role, sees_board, sees_gold
from evalsite.challenges.gold.versions import gold_in_force
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.storage.files import local_path, named
from evalsite.jobs import sandbox
from evalsite.leaderboard.making.editions import edition_of
from evalsite.submissions.checking import limits
from evalsite.submissions.engine_jobs import COMPARISONS
from evalsite.submissions.models import Result
from evalsite.submissions.uploads import Upload
from evalsite.trials import trial_work
from scoring.messages import from_data

log = structlog.get_logger()
MOST_COMPARED = 20  # entries, the nearest ones: their pairs are tested together
_MOST_ENTRIES = 200


@dataclass(frozen=True)
class Place:
    """The entries between which a run would stand: rows of the board, with the names that the visitor may see."""

    n_compared: int
    above: Row | None
    below: Row | None
    alike: list[Row]  # those that it cannot be told apart from, the best first
    leader: Row | None  # None where that is the run itself
    difference: float | None  # to the leader
    interval: tuple[float, float] | None  # of that difference, simultaneous as on the board

    @property
    def is_between(self) -> bool:
        return self.above is not None and self.below is not None


@dataclass(frozen=True)
class Trial:
    """The score that a run would have in a scenario, in full precision: the gold is open."""

    scenario: Scenario
    score: float | None = None
    interval: tuple[float, float] | None = None
    n_units: int = 0
    n_resamples: int = 0
    gain: dict[str, Any] | None = None  # a scoring.repairs.Repair: what would gain most if it were right
    place: Place | None = None
    is_too_slow: bool = False  # to be scored while somebody waits

    @property
    def too_few(self) -> str:
        """Say that the units are too few to tell systems apart, as the board does; "" where they are enough."""
        return too_few(self.n_units, units_in_words(self.n_units, self.scenario.unit))

    @property
    def headline(self) -> str:
        return self.scenario.score_titles[self.scenario.headline]


def is_open(phase: Phase, scenario: Scenario) -> bool:
    """Return whether the gold is released, so that runs may be scored without being counted."""
    gold = gold_in_force(phase, scenario)
    return gold is not None and sees_gold(Role.PARTICIPANT, gold)


def try_out(phase: Phase, scenario: Scenario, upload: Upload, visibility: Visibility) -> Trial | None:
    """Return the trial of files that have been checked; None where the gold is hidden, or for want of an answer."""
    gold = gold_in_force(phase, scenario)
    if gold is None or not sees_gold(Role.PARTICIPANT, gold):
        return None
    rows = {} if scenario.is_brought else _rows(phase, scenario, gold, visibility)  # nobody's own word has a place
    try:
        answer = _worked(scenario, gold, upload, rows)
    except sandbox.LimitBroken:
        return Trial(scenario, is_too_slow=True)
    except (sandbox.Crashed, sandbox.NotStarted):
        log.exception("a run could not be tried")
        return None
    if "error" in answer:
        log.warning("a run could not be tried", error=str(from_data(answer["error"])))
        return None
    place = answer.pop("place")
    return Trial(
        scenario,
        score=answer["headline"],
        interval=_ends(answer["interval"]),
        n_units=answer["n_units"],
        n_resamples=answer["n_resamples"],
        gain=answer["gain"],
        place=_place(place, rows) if place else None,
    )


def _rows(phase: Phase, scenario: Scenario, gold: Gold, visibility: Visibility) -> dict[str, Row]:
    """Return by submission the entries with a score that the visitor sees and that were scored on this gold."""
    if not sees_board(visibility.role, phase):
        return {}
    edition = edition_of(phase, scenario)
    if edition.gold != gold:
        return {}
    rows = [
        row for row in rows_of(edition, scenario, visibility) if row.entry["headline"] is not None and not row.is_gold
    ]
    rows = [row for row in rows if not row.is_lost]
    return {row.entry["submission"]: row for row in rows[:_MOST_ENTRIES]}


def _worked(scenario: Scenario, gold: Gold, upload: Upload, rows: Mapping[str, Row]) -> dict[str, Any]:
    results = Result.objects.counting().filter(scoring__gold=gold, scoring__submission__in=list(rows))
    stored = results.order_by("scoring__created").values_list("scoring__submission", "headline", "pk", named=False)
    evaluations = {result.pk: result.evaluation for result in results.only("evaluation")}
    with ExitStack() as stack:
        others: dict[str, dict[str, Any]] = {
            str(submission): {"score": score, "evaluation": str(stack.enter_context(local_path(evaluations[pk])))}
            for submission, score, pk in stored
            if score is not None
        }
        gold_file = stack.enter_context(named(gold.file))
        arguments = {
            "family": scenario.family,
            "options": scenario.options,
            "n_resamples": settings.N_RESAMPLES_OF_TRIALS,
            "gold": gold_file,
            "part": gold.part_for_engine,
            "system": upload.named,
            "others": others,
            "most": MOST_COMPARED,
        }
        reads = [gold_file.path, str(upload.path), *(other["evaluation"] for other in others.values())]
        answer: dict[str, Any] = sandbox.run(
            trial_work.try_out, arguments, limits.of_check(), loads=[scenario.family, COMPARISONS], reads=reads
        )
        return answer


def _place(answer: dict[str, Any], rows: Mapping[str, Row]) -> Place:
    leader = answer["leader"]
    ends = None if leader["low"] is None else (leader["low"], leader["high"])
    return Place(
        n_compared=answer["n"],
        above=rows.get(answer["above"] or ""),
        below=rows.get(answer["below"] or ""),
        alike=[rows[name] for name in answer["alike"]],
        leader=rows.get(leader["name"] or ""),
        difference=leader["difference"],
        interval=ends,
    )


def _ends(interval: list[float] | None) -> tuple[float, float] | None:
    return (interval[0], interval[1]) if interval else None
