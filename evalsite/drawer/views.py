"""Gives the members of a team the zip of what is theirs in a task."""

from itertools import chain
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import Exists
from django.http import HttpRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from evalsite.challenges.access import role_of, visible_task
from evalsite.challenges.models import Participation
from evalsite.challenges.storage.zip_streams import zipped
from evalsite.drawer.team import drawer_of
from evalsite.submissions.access import signed_in
from evalsite.submissions.models import Submission


@require_safe
@login_required
def team_drawer(request: HttpRequest, task: str, pk: UUID) -> StreamingHttpResponse:
    found = visible_task(request.user, task)
    user = signed_in(request)
    runs = Submission.objects.filter(phase__task=found, team=pk)
    entered = Participation.objects.filter(task=found, team=pk)
    team = get_object_or_404(user.teams.filter(Exists(runs) | Exists(entered)), pk=pk)
    members = drawer_of(found, team, role_of(user, found))
    # The texts are made before the answer begins, so that an error in them is one that can be told.
    first = next(members)
    response = StreamingHttpResponse(zipped(chain([first], members)), content_type="application/zip")
    name = f"{found.slug}-{slugify(team.name)[:40] or 'team'}.zip"
    response["Content-Disposition"] = content_disposition_header(True, name)
    return response
