"""What counts: which of a team's runs stands on a board, and which runs stand there beside the ranks."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from evalsite.challenges.models import N_CHOICES, Phase, direction_of, is_brought_by_organisers, is_perfect
from evalsite.submissions.models import Choice, Submission

RANKED = ""
LATE = "late"  # the `reference` of an entry that came too late to be ranked
BEYOND = "beyond"  # that of one for which a joint team had no place left,
REPORTED = "reported"  # and of one whose scores are the team's own word: no other entry is compared with it
OF_TEAMS = (RANKED, LATE, BEYOND, REPORTED)  # all others stand for nobody who takes part


@dataclass(frozen=True)
class Run:
    """A scored run by one gold version, with the newest engine's result."""

    result: UUID
    gold: UUID
    submission: UUID
    team: UUID
    reference: str
    withdrawn: datetime | None
    is_late: bool
    is_beyond_limit: bool
    is_reported: bool
    arrived: datetime
    headline: float | None


@dataclass(frozen=True)
class Rule:
    """Of a board."""

    counts: str
    ranks_late: bool
    is_brought: bool  # whether a run says its own score
    chosen: Mapping[UUID, Collection[UUID]]  # by team the submissions
    lower_is_better: bool  # of the score that ranks
    perfect: float | None  # what a perfect run has of it, if that is known

    def height(self, run: Run) -> float:
        """The better the higher, whatever the score is; lowest without one."""
        if run.headline is None:
            return float("-inf")
        return -run.headline if self.lower_is_better else run.headline

    def is_perfect(self, run: Run) -> bool:
        return is_perfect(run.headline, self.perfect)

    def standing_of(self, run: Run) -> str | None:
        """As what a run may stand on the board: ranked, a reference, reported, beyond, or late; else None."""
        if run.withdrawn:
            return None
        if run.reference:
            return run.reference if run.reference in Submission.SHOWN else None
        if run.is_reported and self.is_brought:
            return REPORTED
        if run.is_beyond_limit:
            return BEYOND
        return LATE if run.is_late and not self.ranks_late else RANKED

    def ranked(self, runs: Iterable[Run]) -> list[Run]:
        return [run for run in runs if self.standing_of(run) == RANKED]

    def order(self, run: Run) -> tuple[float, ...]:
        """Of a team's runs the one with the highest order counts: the best, and of equally good ones the earlier."""
        arrived = run.arrived.timestamp()
        if self.counts == Phase.Counts.BEST:
            return self.height(run), -arrived
        if run.submission in self.chosen.get(run.team, ()):
            return 1, self.height(run), -arrived
        # Without a choice, or where no chosen run stands, it is the last one.
        return 0, arrived


def rule_of(phase: UUID, scenario: UUID, teams: Collection[UUID] | None = None) -> Rule:
    """With the choices of these teams, or of all."""
    of_scenario = ("task__scenarios__family", "task__scenarios__options")
    of_phase = Phase.objects.filter(pk=phase, task__scenarios=scenario)
    counts, ranks_late, family, options = of_phase.values_list("counts", "ranks_late", *of_scenario).get()
    chosen: dict[UUID, list[UUID]] = {}
    if n_choices := N_CHOICES.get(counts):
        choices = Choice.objects.filter(phase=phase, scenario=scenario)
        choices = choices if teams is None else choices.filter(team__in=teams)
        for team, run in choices.order_by("pk").values_list("team", "submission"):
            chosen.setdefault(team, []).append(run)
        chosen = {team: own[:n_choices] for team, own in chosen.items()}  # it may have been two until now
    return Rule(counts, ranks_late, is_brought_by_organisers(family), chosen, *direction_of(family, options))
