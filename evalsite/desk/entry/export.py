"""Who has entered or asked to, with answers and agreements, as a table for a spreadsheet."""

from collections.abc import Iterator
from typing import Any

from evalsite.accounts.models import Team
from evalsite.base.spreadsheets import spreadsheet
from evalsite.challenges.models import Task
from evalsite.challenges.taking_part.entering import rules_of
from evalsite.challenges.taking_part.own_fields import own_fields

HEADINGS = ("team", "affiliation", "state", "reason", "asked_by", "address", "date", "terms_version", "agreed")


def as_csv(task: Task, *, with_addresses: bool) -> str:
    """Write one line for each team, with a column for each question; addresses only where they may be read."""
    fields = own_fields(rules_of(task).questions)
    hidden = {} if with_addresses else {"address": ""}
    rows = [
        [*(facts | hidden).values(), *(field.for_programs(answers.get(field.key)) for field in fields)]
        for facts, answers in _lines(task)
    ]
    return spreadsheet([*HEADINGS, *(field.text for field in fields)], rows)


def _lines(task: Task) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    applications = {application.team_id: application for application in task.applications.select_related("user")}
    entered = dict(task.participations.values_list("team", "created"))
    agreed = {agreement.team_id: agreement for agreement in task.agreements.defer("text")}  # the latest stands last
    for team in Team.objects.filter(pk__in={*applications, *entered}):
        sent, agreement = applications.get(team.pk), agreed.get(team.pk)
        date = sent.created if sent else entered[team.pk]
        facts = {
            "team": team.name,
            "affiliation": team.affiliation,
            "state": "accepted" if team.pk in entered else sent.state if sent else "",
            "reason": sent.reason if sent else "",
            "asked_by": str(sent.user) if sent and sent.user else "",
            "address": sent.user.email if sent and sent.user else "",
            "date": date.isoformat(),
            "terms_version": agreement.version if agreement else "",
            "agreed": agreement.created.isoformat() if agreement else "",
        }
        yield facts, sent.answers if sent else {}
