"""To whom organisers write: a group of the teams that take part."""

from collections.abc import Iterator
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext, pgettext

from evalsite.accounts.models import Team
from evalsite.challenges.models import Task
from evalsite.desk.teams.listing import teams_of
from evalsite.mailing.readers import teams_taking_part
from evalsite.submissions.models import Submission

ENTERED, WITHOUT_RUN, PHASE, TEAM = "entered", "without-run", "phase:", "team:"


def audiences(task: Task, asked: str = "") -> Iterator[tuple[str, str]]:
    """Yield the groups of a task by their keys, in words; a single team only where it is `asked` for."""
    if asked.startswith(TEAM) and (team := _team(task, asked)):
        yield asked, gettext("Team %(team)s") % {"team": team}
    yield ENTERED, pgettext("readers of a letter", "All teams that take part")
    yield WITHOUT_RUN, pgettext("readers of a letter", "Teams without a valid run")
    for phase in task.phases.order_by("opens"):
        yield f"{PHASE}{phase.pk}", gettext("Teams with an upload in %(phase)s") % {"phase": phase.name}


def audience_in_words(task: Task, audience: str) -> str:
    return dict(audiences(task, audience)).get(audience, "")


def teams_in(task: Task, audience: str) -> QuerySet[Team]:
    """Return the teams of the group. Banned ones are written to by name alone."""
    if audience.startswith(TEAM):
        return Team.objects.filter(participations__task=task, pk=audience.removeprefix(TEAM))
    teams = teams_of(task, without_run=True) if audience == WITHOUT_RUN else Team.objects.all()
    teams = teams.filter(pk__in=teams_taking_part(task))
    if audience.startswith(PHASE):
        uploads = Submission.objects.filter(phase=UUID(audience.removeprefix(PHASE)), team=OuterRef("pk"), reference="")
        teams = teams.filter(Exists(uploads))
    return teams


def _team(task: Task, audience: str) -> Team | None:
    try:
        key = UUID(audience.removeprefix(TEAM))
    except ValueError:
        return None
    return Team.objects.filter(participations__task=task, pk=key).first()
