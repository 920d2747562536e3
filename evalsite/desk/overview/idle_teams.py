"""Teams that have uploaded and stand nowhere: none of their runs has a score."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, Exists, Max, OuterRef, Q

from evalsite.accounts.models import Team
from evalsite.challenges.models import Phase, Task
from evalsite.submissions.models import Scoring, Submission

MOST_LISTED = 6


@dataclass(frozen=True)
class IdleTeams:
    n_teams: int
    latest: Sequence[Team]  # those that tried last, each with `n_uploads` and `tried`

    @property
    def n_more(self) -> int:
        return self.n_teams - len(self.latest)


def idle_teams(task: Task, phases: Sequence[Phase]) -> IdleTeams:
    """In two queries."""
    scored = Scoring.objects.filter(submission=OuterRef("pk"), state=Scoring.State.SCORED)
    standing = Submission.objects.filter(phase__in=phases, team=OuterRef("pk"), withdrawn=None)
    entered = Team.objects.filter(participations__task=task).order_by()
    idle = entered.filter(~Exists(standing.filter(Exists(scored)).order_by()))
    own = Q(submissions__phase__in=phases)
    latest = idle.annotate(
        n_uploads=Count("submissions", filter=own),
        tried=Max("submissions__created", filter=own),
    ).order_by("-tried", "name")
    listed = list(latest[:MOST_LISTED])
    return IdleTeams(len(listed) if len(listed) < MOST_LISTED else idle.count(), listed)
