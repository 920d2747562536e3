"""The teams of a task as CSV: who they are, and what they said of their runs."""

from collections import defaultdict
from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from evalsite.accounts.models import Team
from evalsite.base.spreadsheets import spreadsheet
from evalsite.challenges.models import Participation, Task
from evalsite.desk.teams.listing import teams_of, with_members
from evalsite.submissions.models import Submission

HEADINGS = ("team", "affiliation", "entered", "members", "affiliations_of_members", "addresses")
OF_RUNS = ("uploads", "has_valid_run", "methods", "links", "banned_because")


def as_csv(task: Task, teams: QuerySet[Team], *, with_addresses: bool) -> str:
    """Return a line for each team, with several values of a cell a line each; in a constant number of queries.

    Cells that a spreadsheet would calculate begin with an apostrophe.
    """
    entered = {participation.team_id: participation for participation in Participation.objects.filter(task=task)}
    without_run = set(teams_of(task, without_run=True).values_list("pk", flat=True))
    runs = _runs_of(task)
    rows: list[list[object]] = []
    for team in with_members(teams):
        people = [membership.user for membership in team.memberships.all()]
        texts = [
            team.name,
            team.affiliation,
            entered[team.pk].created.isoformat(),
            _cell(person.name for person in people),
        ]
        texts.append(_cell(person.affiliation for person in people))
        if with_addresses:
            texts.append(_cell(person.email for person in people))
        of_team = runs.get(team.pk, [])
        has_run = "" if team.pk in without_run else "true"
        cells = (
            _cell(method for method, _ in of_team),
            _cell(link for _, link in of_team),
            entered[team.pk].ban_reason,
        )
        rows.append([*texts, len(of_team), has_run, *cells])
    return spreadsheet([*(name for name in HEADINGS if with_addresses or name != "addresses"), *OF_RUNS], rows)


def _runs_of(task: Task) -> dict[UUID, list[tuple[str, str]]]:
    """Return by team the method and the link of each upload, the first one first."""
    runs: dict[UUID, list[tuple[str, str]]] = defaultdict(list)
    uploads = Submission.objects.filter(phase__task=task, reference="").order_by("created", "pk")
    for team, method, link in uploads.values_list("team", "method", "link"):
        runs[team].append((method, link))
    return runs


def _cell(values: Iterable[str]) -> str:
    """Return the different values, a line each, without those that are empty."""
    return "\n".join(dict.fromkeys(value for value in values if value))
