"""The marks of a class as CSV: for each student and scenario the run that counts, its score, and the target."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from allauth.account.models import EmailAddress

from evalsite.accounts.models import Membership, User
from evalsite.base.spreadsheets import spreadsheet
from evalsite.challenges.gold.versions import golds_in_force
from evalsite.challenges.models import Gold, Participation, Phase
from evalsite.contrib.classes.models import Student
from evalsite.contrib.classes.target import reached, target_of
from evalsite.leaderboard.making.best_runs import LATE, RANKED
from evalsite.leaderboard.models import BestRun
from evalsite.submissions.models import Result

HEADINGS = ("number", "name", "address", "team", "scenario", "method", "run", "score", "low", "high")
OF_RUN = ("above_target", "uploaded", "late")
Cells = tuple[object, ...]


@dataclass
class _Marked:
    """Somebody on the list, or a member of a team that has entered without being on it."""

    number: str
    name: str
    email: str
    teams: dict[UUID, str] = field(default_factory=dict)


def as_csv(phase: Phase) -> str:
    """Return the table as it is now; a student without a run has a line, too, with an empty score."""
    return spreadsheet([*HEADINGS, *OF_RUN], _rows(phase))


def _rows(phase: Phase) -> Iterator[Cells]:
    people = _people(phase)
    for gold in golds_in_force(phase).values():
        best = _best_runs(gold)
        for person in people:
            results = [best[team] for team in person.teams if team in best]
            # Of two teams of a student the earlier run is marked: nobody has two tries.
            result = min(results, key=lambda result: result.scoring.submission.created, default=None)
            yield (*_of_person(person, result), *_of_run(phase, gold, result))


def _people(phase: Phase) -> list[_Marked]:
    teams = Participation.objects.filter(task=phase.task_id, banned=None)
    members: dict[User, dict[UUID, str]] = defaultdict(dict)
    rows = Membership.objects.filter(team__in=teams.values("team")).select_related("user", "team")
    for row in rows.order_by("user__name", "user__pk"):
        members[row.user][row.team_id] = row.team.name
    addresses = EmailAddress.objects.filter(user__in=list(members), verified=True).values_list("email", "user")
    of_address: Mapping[str, UUID] = {email.lower(): user for email, user in addresses}
    users = {user.pk: user for user in members}
    listed, seen = [], set()
    for student in Student.objects.filter(task=phase.task_id):
        user = users.get(of_address.get(student.email))  # type: ignore[arg-type]
        seen.add(user)
        listed.append(_Marked(student.number, student.name, student.email, members[user] if user else {}))
    others = [_Marked("", user.name, user.email, teams) for user, teams in members.items() if user not in seen]
    return listed + others


def _best_runs(gold: Gold) -> dict[UUID, Result]:
    """Return by team the run that counts, or the late one of a team that has none in time."""
    rows = BestRun.objects.filter(gold=gold, reference__in=(RANKED, LATE)).select_related(
        "result__scoring__submission", "result__scoring__scenario"
    )
    return {row.team_id: row.result for row in sorted(rows, key=lambda row: row.reference != LATE)}


def _of_person(person: _Marked, result: Result | None) -> Cells:
    team = person.teams.get(result.scoring.submission.team_id, "") if result else ", ".join(person.teams.values())
    return person.number, person.name, person.email, team


def _of_run(phase: Phase, gold: Gold, result: Result | None) -> Cells:
    scenario = gold.scenario.name
    if result is None:
        return (scenario, *[""] * (len(HEADINGS) + len(OF_RUN) - 5))
    run = result.scoring.submission
    low, high = result.interval or ("", "")
    target = reached(result) if target_of(phase.pk) else None
    above = "" if target is None or target.verdict is None else "yes" if target.is_reached else "no"
    score = "" if result.headline is None else result.headline
    late = "yes" if run.is_late else "no"
    return (scenario, run.method, run.pk, score, low, high, above, run.created.isoformat(), late)
