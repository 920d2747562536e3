"""The numbers of a result for programs: the download on its page, and the API."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest

from evalsite.challenges.access import Role, role_of, sees_own_scores
from evalsite.challenges.precision import precision_for
from evalsite.results.stored import counted_result
from evalsite.results.told import tell
from evalsite.submissions.access import visible_submission
from evalsite.submissions.models import Result

NAMES = ("scores", "intervals", "interval_methods", "counts", "signature", "gold_digest")


def visible_result(request: HttpRequest, pk: UUID, scenario: int) -> tuple[Result, Role]:
    """The result of a scenario that counts, as exactly as the visitor may read it; Http404 if its scores are hidden."""
    found = visible_submission(request, pk)
    role = role_of(request.user, found.phase.task)
    counted = counted_result(found, scenario)
    if counted is None or not sees_own_scores(role, found.phase):
        raise Http404
    return tell(counted, precision_for(role, found.phase, counted.scoring.scenario)), role


def numbers_of(result: Result, role: Role) -> dict[str, Any]:
    """Scores, intervals, counts, signature and warnings of a result that has been told already."""
    numbers = {name: getattr(result, name) for name in NAMES}
    return numbers | {"warnings": result.warnings_for(is_organiser=role >= Role.VIEWER)}
