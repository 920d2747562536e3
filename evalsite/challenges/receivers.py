"""Keeps in the audit trail what teams do with their names and members."""

from typing import Any

from django.dispatch import receiver

from evalsite.accounts.models import Team, User
from evalsite.accounts.signals import team_changed
from evalsite.challenges.models import Changes, record


@receiver(team_changed)
def record_change_of_team(
    sender: Any, team: Team, kind: str, by: User | None, changes: Changes, detail: dict[str, Any], **kwargs: Any
) -> None:
    record(team, kind, actor=by, subject=team.pk, changes=changes, **detail)
