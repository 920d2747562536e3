"""Two runs ticked on a list: where they can be compared."""

from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from evalsite.accounts.models import User
from evalsite.challenges.models import Phase, Scenario, Task
from evalsite.submissions.access import visible_submissions
from evalsite.submissions.models import Scoring, Submission
from evalsite.submissions.versions import ON_PUBLISHED_GOLD

MOST = 10  # keys that are looked up


def compared(task: Task, user: User, keys: Sequence[str]) -> tuple[Phase, Scenario, list[UUID]] | str:
    """Phase, scenario and the two runs, the newer one first; or a sentence that says what is missing."""
    wanted = [key for key in map(_key, dict.fromkeys(keys)) if key][:MOST]
    runs = list(
        visible_submissions(user)
        .filter(phase__task=task, pk__in=wanted, withdrawn=None)
        .select_related("phase__task")
        .order_by("-created")
    )
    if len(runs) != 2:
        return _("Tick two runs to compare them.")
    if runs[0].phase_id != runs[1].phase_id:
        return _("The two runs are of different phases, and so cannot be compared.")
    scenario = _in_both(runs)
    if scenario is None:
        return _("The two runs have no scenario in which both are scored.")
    return runs[0].phase, scenario, [run.pk for run in runs]


def _in_both(runs: Sequence[Submission]) -> Scenario | None:
    """The first scenario in which both have a score."""
    scored = Scoring.objects.filter(ON_PUBLISHED_GOLD, submission__in=runs, state=Scoring.State.SCORED)
    scored = scored.select_related("scenario")
    entered: dict[Scenario, set[UUID]] = {}
    for scoring in scored.order_by("scenario__number"):
        entered.setdefault(scoring.scenario, set()).add(scoring.submission_id)
    return next((scenario for scenario, own in entered.items() if len(own) == len(runs)), None)


def _key(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
