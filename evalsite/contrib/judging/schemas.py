"""What the API tells judges."""

from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext_noop as _
from ninja import Schema
from pydantic import Field


class RunToJudge(Schema):
    id: UUID
    team: str
    created: datetime = Field(description=_("When its last byte arrived."))
    file_name: str
    bytes: int
    sha256: str
    gold: int | None = Field(
        description=_(
            "Version of the gold whose units are to be scored; null: of the candidate that the first post makes."
        )
    )


class RunsToJudge(Schema):
    golds: list[int] = Field(
        description=_("Versions of the gold on which this judge scores; none: its first post makes a candidate.")
    )
    runs: list[RunToJudge]
    has_more: bool = Field(description=_("Whether more wait behind the last of these."))


class Judged(Schema):
    run: UUID
    gold: int = Field(description=_("Version of the gold on which the scores count."))
    is_candidate: bool = Field(description=_("Whether organisers have to publish this judge before boards show it."))
    is_same: bool = Field(description=_("Whether exactly these scores were there before, so that nothing changed."))
    has_replaced: bool = Field(description=_("Whether they took the place of other numbers."))
