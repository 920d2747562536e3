"""Says whether a task is a draft in which everything can still be changed."""

from evalsite.challenges.models import Task
from evalsite.challenges.taking_part.teams import has_uploads_of_teams


def is_soft(task: Task) -> bool:
    """Return whether only organisers see the task, and all runs in it are their own.

    Then nobody relies on anything: options of scored scenarios stay open, a new gold replaces the one before at once,
    and runs are scored anew or removed as these need it.
    """
    return not task.is_public and not has_uploads_of_teams(task)
