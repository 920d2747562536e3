"""Shows a team without a rank, for a reason that boards name, such as a paper that is missing; and ranks it again."""

from django.db import transaction

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Participation, Task, record
from evalsite.submissions.models import Submission
from evalsite.submissions.runs.changing import update_boards


def show_unranked(task: Task, team: Team, reason: str, *, by: User) -> bool:
    """Take the team out of the ranks of all boards of the task, where its runs stay, or with "" as the reason rank it
    again; return False where it is so already.
    """
    with transaction.atomic():
        Team.objects.select_for_update(no_key=True).get(pk=team.pk)  # as by uploads and bans
        entered = Participation.objects.get(task=task, team=team)
        if entered.unranked_reason == reason:
            return False
        entered.unranked_reason = reason
        entered.save(update_fields=["unranked_reason"])
        runs = Submission.objects.filter(phase__task=task, team=team, reference="").values_list("pk", flat=True)
        about = {"team": team.name, "reason": reason, "is_public": True} if reason else {"team": team.name}
        record(task, "team unranked" if reason else "team ranked", actor=by, subject=team.pk, **about)
        update_boards(list(runs))
    return True
