"""The tasks that somebody organises, as the list at /organise/ shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

from evalsite.challenges.access import Role, Visitor, overseen_tasks, roles_of
from evalsite.challenges.competing import with_n_submissions, with_n_teams
from evalsite.challenges.models import Phase, Task
from evalsite.challenges.overview import current_phase


@dataclass(frozen=True)
class OwnTask:
    task: Task
    role: Role
    phase: Phase | None  # the one that matters now

    @property
    def is_looked_at(self) -> bool:
        return self.role == Role.VIEWER


def own_tasks(user: Visitor) -> dict[str, Sequence[OwnTask]]:
    """Drafts, which wait for their organisers, published tasks, and those in the archive: the newest first."""
    tasks = list(with_n_submissions(with_n_teams(overseen_tasks(user))).prefetch_related("phases").order_by("-created"))
    roles = roles_of(user, tasks)
    own = [OwnTask(task, roles[task.pk], current_phase(list(task.phases.all()))) for task in tasks]
    return {
        "drafts": [each for each in own if not each.task.is_public],
        "published": [each for each in own if each.task.is_public and not each.task.archived],
        "archived": [each for each in own if each.task.is_public and each.task.archived],
    }
