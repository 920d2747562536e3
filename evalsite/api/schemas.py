"""Declares what the API answers, field by field: the source of its reference and of openapi.json."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_noop as _
from ninja import Field, Schema
from pydantic import create_model

from evalsite.base.contrib import run_fields


def read(schema: type[Schema], row: object, **computed: Any) -> dict[str, Any]:
    """Return what a schema describes: each field as the row has it under the same name, but for those given here."""
    fields = {name: field for name, field in schema.model_fields.items() if name not in computed}
    return {n: getattr(row, n) for n, field in fields.items() if field.is_required() or hasattr(row, n)} | computed


class TaskListed(Schema):
    slug: str = Field(description=_("The task's name in addresses."))
    title: str
    summary: str
    state: str = Field(description=_("`open`, `upcoming` or `closed`: of the phase that matters now."))
    phase: str | None = Field(description=_("Slug of that phase."))
    n_teams: int
    address: str = Field(description=_("Its page."))


class Data(Schema):
    title: str
    address: str
    kind: str = Field(description=_("`download`, `gold`, or `kit`: the starter kit of a phase."))
    phase: str | None = None
    scenario: int | None = None


class ScenarioDescribed(Schema):
    number: int
    name: str
    description: str = Field(description=_("Markdown."))
    family: str = Field(description=_("Of evaluations, as the engine calls it."))
    options: dict[str, Any] = Field(description=_("The family's options, as `-o KEY=VALUE` takes them."))
    headline: str = Field(description=_("Name of the score that ranks."))
    lower_is_better: list[str] = Field(description=_("Names of the scores for which lower is better."))
    unit: list[str] = Field(description=_("What intervals are drawn from: singular, plural."))
    layout: str = Field(description=_("What an upload has to look like."))
    takes_uploads: bool = Field(description=_("false: its scores are made elsewhere, and the organisers bring them."))
    is_judged: bool = Field(description=_("Whether uploads wait until a judge that runs elsewhere has posted scores."))


class Limits(Schema):
    per_window: int | None = Field(description=_("Uploads of a team in a window; null: no limit."))
    window_seconds: int
    per_year: int | None = Field(description=_("Uploads of a team in a year; null: no limit."))
    year: str = Field(description=_("`calendar`: from 1 January, UTC; `rolling`: 365 days."))
    in_total: int | None
    bytes: int = Field(description=_("Of one upload."))
    bytes_at_once: int = Field(description=_("The same, for programs that ask for it."))
    files: int = Field(description=_("In one upload; a zip archive counts as one."))


class TeamStanding(Schema):
    id: UUID
    name: str
    uploads_left: int | None = Field(description=_("null: no limit."))
    next_possible: datetime | None = Field(description=_("If none are left and waiting helps."))
    reason: str = Field(description=_("Why you cannot upload for it; empty if you can."))


class FormerClosing(Schema):
    closes: datetime | None = Field(description=_("null: it was to stay open."))
    moved_on: datetime


class PhaseDescribed(Schema):
    slug: str
    name: str
    description: str = Field(description=_("Markdown."))
    doi: str = Field(description=_("Of the deposit of its boards; empty if there is none."))
    state: str = Field(description=_("`upcoming`, `open`, `paused` or `closed`."))
    opens: datetime
    closes: datetime | None = Field(description=_("null: stays open."))
    pause_reason: str = Field(
        description=_("Why it is paused, in the organisers' words; empty if they gave no reason.")
    )
    former_closings: list[FormerClosing] = Field(description=_("Closings that were announced before the present one."))
    late_until: datetime | None = Field(
        description=_("Until then late uploads are accepted, and marked as late; null: none are.")
    )
    counts: str = Field(
        description=_(
            "Which run of a team counts: `best`, `last`, `chosen` by the team, or the better of `two` that it chooses."
        )
    )
    scenarios: list[int] = Field(description=_("Numbers of those that can be entered."))
    decided_by: int | str | None = Field(
        description=_("Number of the scenario that decides the task, or `combined` for the combined score.")
    )
    limits: Limits
    shows_board: bool = Field(description=_("Whether you may see its boards."))
    shows_scores: bool = Field(description=_("Whether teams already see their own scores."))
    detail: str | None = Field(
        None,
        description=_(
            "What teams are told of a run while the gold is hidden: tables, scores or headline; none where nothing is "
            "kept from them."
        ),
    )
    gold_is_released: bool
    data: list[Data]


class Fact(Schema):
    """A field of the fact sheet."""

    text: str
    kind: str = Field(
        description=_("`text`, `choice`, `yes_no` (answered `yes` or `no`), `country` (two letters) or `number`.")
    )
    choices: list[str]
    is_required: bool


class PhaseWithTeams(PhaseDescribed):
    facts: list[Fact] = Field(description=_("What the organisers ask of each run: the fields of the fact sheet."))
    teams: list[TeamStanding] = Field(
        description=_("Your teams, with the one to upload for first. Empty without a token.")
    )


class TaskDescribed(Schema):
    slug: str
    title: str
    summary: str
    description: str = Field(description=_("Markdown."))
    contact: str
    doi: str = Field(description=_("Of the overview or the data; empty if there is none."))
    address: str
    scenarios: list[ScenarioDescribed]
    phases: list[PhaseDescribed]
    data: list[Data]


class Scale(Schema):
    """How pages say a score; all numbers here are in full."""

    decimals: int | None = Field(description=_("null: as many as the interval tells."))
    is_percent: bool


class Score(Schema):
    name: str
    title: str
    value: float | None = Field(description=_("null: does not apply."))
    interval: list[float] | None
    lower_is_better: bool
    scale: Scale


class LadderTold(Schema):
    is_decided: bool = Field(description=_("false: it is still being compared with the team's best."))
    shown: float | None = Field(description=_("The rounded score; null: no better than the team's best."))


class ScenarioState(Schema):
    scenario: int
    name: str
    state: str = Field(description=_("`queued`, `running`, `scored`, `refused`, `failed` or `cancelled`."))
    step: str = Field(description=_("What the worker does: reading, matching, intervals."))
    awaits_judge: bool = Field(
        description=_("Whether it is queued until the judge of this scenario, which runs elsewhere, posts its scores.")
    )
    awaits_gold: bool = Field(
        description=_("Whether it is queued until there is gold, as its phase collects runs before that.")
    )
    position: int | None = Field(description=_("In the queue; 1 is next."))
    wait_seconds: int | None = Field(description=_("Expected."))
    headline: str = Field(description=_("Name of the score that ranks; it is the first of `scores`."))
    scores: list[Score] = Field(description=_("Empty while there are none, or while the phase withholds them."))
    ladder: LadderTold | None = Field(description=_("What is told in place of scores while the phase has the Ladder."))
    problems: list[dict[str, Any]] = Field(description=_("Why it was refused: message, kind, file, line, column."))
    causes: list[dict[str, Any]] = Field(
        description=_("The same grouped by cause, with a line of the file and a hint.")
    )
    warnings: list[str]
    warning_kinds: list[str] = Field(description=_("One for each of the warnings, the same in all languages."))
    reference: str = Field(description=_("What to quote when writing to the organisers."))


class _RunOfCore(Schema):
    id: UUID
    task: str
    phase: str
    team: str
    method: str
    description: str
    link: str
    file_name: str
    bytes: int
    sha256: str
    created: datetime
    withdrawn: datetime | None
    is_late: bool = Field(description=_("Whether it came after the phase had closed."))
    is_beyond_limit: bool = Field(
        description=_(
            "Whether it is of a joint team, and beyond the uploads that the phase allows, so that it does not compete."
        )
    )
    is_reported: bool = Field(
        description=_("Whether the team reports scores that were made elsewhere: such runs are outside the ranks.")
    )
    is_finished: bool
    shows_scores: bool = Field(description=_("Whether you already see its scores."))
    scenarios: list[ScenarioState]
    address: str = Field(description=_("Its page."))
    is_repeated: bool = Field(False, description=_("When uploading: your team had sent the same bytes before."))


_of_apps: dict[str, Any] = {
    name: (field.kind, Field(description=field.description)) for name, field in run_fields().items()
}
SubmissionDescribed = create_model("SubmissionDescribed", __base__=_RunOfCore, **_of_apps)


class RunScore(Schema):
    scenario: int
    state: str
    value: float | None
    interval: list[float] | None


class RunListed(Schema):
    id: UUID
    phase: str
    team: str
    method: str
    created: datetime
    withdrawn: datetime | None
    scores: list[RunScore] = Field(description=_("By the score that ranks."))


class Numbers(Schema):
    scores: dict[str, float | None]
    intervals: dict[str, list[float]]
    interval_methods: dict[str, str]
    counts: dict[str, float]
    signature: str = Field(description=_("How the numbers were made."))
    gold_digest: str
    warnings: list[str]
    warning_kinds: list[str] = Field(description=_("One for each of the warnings, the same in all languages."))


class CheckedScenario(Schema):
    scenario: int | None
    name: str
    summary: str = Field(description=_("What was read; empty for large files, which the worker reads."))
    counts: dict[str, int]
    oddities: list[dict[str, Any]] = Field(description=_("What is valid but perhaps not intended."))


class CheckedUpload(Schema):
    detail: str = Field(description=_("In the words of the pages."))
    scenarios: list[CheckedScenario]


class Board(Schema):
    task: str
    phase: str
    scenario: dict[str, Any]
    combined: dict[str, Any] | None = Field(None, description=_("Of a combined score: kind, formula, missing, parts."))
    family: str
    headline: str = Field(description=_("Name of the score that ranks."))
    titles: dict[str, str] = Field(description=_("Of the scores of its entries, by their names."))
    lower_is_better: list[str] = Field(description=_("Names of the scores for which lower is better."))
    scale: Scale
    unit: list[str]
    made: str | None
    is_final: bool
    gold_version: int | None
    gold_part: dict[str, Any] | None = Field(
        None, description=_("Of a gold that is split: part (shown or ranked), n_units, and of how many units it is.")
    )
    gold_is_open: bool
    finding: str = Field(description=_("Which systems differ, in one sentence."))
    comparison: dict[str, Any] | None = Field(description=_("Signature, units, resamples, warnings."))
    entries: list[dict[str, Any]] = Field(
        description=_(
            "In order: rank, rank_range, group, team, method, scores, intervals, differences to the leader; "
            "self_reported, what teams tell of their runs, once the results are released."
        )
    )
    imported: list[dict[str, Any]] = Field(
        description=_("Rows of a board elsewhere, not verified and not ranked: name, scores, written, date, source.")
    )


class Team(Schema):
    id: UUID
    name: str


class Me(Schema):
    name: str
    teams: list[Team]
    token: str = Field(description=_("Its name."))
    scopes: list[str]
    expires: datetime | None


class Reason(Schema):
    reason: str = Field("", description=_("Read by the team; organisers have to give one."))


class Problem(Schema):
    """Every error, as application/problem+json."""

    title: str
    status: int
    detail: str = Field(description=_("In the words of the pages."))
    problems: list[dict[str, Any]] = Field(
        [], description=_("Of the files: message, kind, severity, file, line, column, n, of, suggestion, scenarios.")
    )
    causes: list[dict[str, Any]] = Field(
        [], description=_("The same grouped by cause: places, a line of the file, a hint.")
    )
    oddities: list[dict[str, Any]] = Field([], description=_("What is valid but perhaps not intended."))
    errors: dict[str, list[str]] = Field({}, description=_("Of the form, by field."))
