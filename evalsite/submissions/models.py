"""An upload, its scorings with their states, and the stored results."""

import json
import uuid
from typing import Any

from django.db import models
from django.db.models import Q
from django.urls import reverse

from evalsite.accounts.models import Team, User
from evalsite.challenges.models import Gold, Phase, Scenario


class OrderedJSONField(models.JSONField):
    """JSON whose objects keep the order of their keys, as a table's columns need: text, since `jsonb` sorts them."""

    def get_internal_type(self) -> str:
        return "TextField"

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else json.loads(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False, allow_nan=False)


def submission_path(submission: "Submission", name: str) -> str:
    return f"submissions/{submission.pk}/{name}"


class Submission(models.Model):
    """One upload by a team to a phase, for one or several scenarios."""

    class Reference(models.TextChoices):
        NONE = "", "ranked"
        BASELINE = "baseline", "baseline"
        HUMAN = "human", "human"

    class Side(models.TextChoices):
        """For whom somebody acts on a submission: its team, or the organisers of the task."""

        TEAM = "team", "the team"
        ORGANISERS = "organisers", "the organisers"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="submissions")
    team = models.ForeignKey(Team, on_delete=models.PROTECT, related_name="submissions")
    uploader = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="submissions")
    method = models.CharField(max_length=100)
    description = models.TextField(blank=True)
    link = models.URLField(blank=True)
    reference = models.CharField(
        max_length=8,
        choices=Reference,
        default=Reference.NONE,
        blank=True,
        help_text="Baselines and human runs stand outside the ranks.",
    )
    file = models.FileField(upload_to=submission_path)
    file_name = models.CharField(max_length=255)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    created = models.DateTimeField(help_text="When its last byte arrived.")
    withdrawn = models.DateTimeField(null=True, blank=True, help_text="Since when it stands on no board.")
    withdrawn_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    withdrawn_as = models.CharField(
        max_length=10,
        choices=Side,
        default="",
        blank=True,
        help_text="What the organisers withdrew, they alone can restore.",
    )
    withdrawn_reason = models.CharField(max_length=500, default="", blank=True)

    class Meta:
        ordering = ("-created",)
        indexes = (
            models.Index(fields=("phase", "team", "-created"), name="submission_by_team"),
            models.Index(fields=("team", "sha256"), name="submission_by_digest"),
        )

    def __str__(self) -> str:
        return f"{self.method} by {self.team}"

    def get_absolute_url(self) -> str:
        return reverse("submission", args=[self.pk])


class Scoring(models.Model):
    """The scoring of a submission for one scenario, gold version and engine version: its state and its lease."""

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        SCORED = "scored", "scored"
        REFUSED = "refused", "refused"
        FAILED = "failed", "failed"
        CANCELLED = "cancelled", "cancelled"

    LIVING = (State.QUEUED, State.RUNNING, State.SCORED)  # these use the limit
    UNFINISHED = (State.QUEUED, State.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="scorings")
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="scorings")
    gold = models.ForeignKey(Gold, on_delete=models.PROTECT, related_name="scorings")
    engine_version = models.CharField(max_length=20)
    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    step = models.CharField(max_length=20, blank=True, help_text="What the worker does: reading, matching, intervals.")
    attempts = models.PositiveSmallIntegerField(default=0)
    lease = models.UUIDField(null=True, help_text="Known only to the worker that holds the scoring.")
    lease_ends = models.DateTimeField(null=True)
    problems = models.JSONField(default=list, help_text="For the participant: why the file was refused.")
    error = models.TextField(blank=True, help_text="For the organiser: why we could not score it.")
    created = models.DateTimeField(auto_now_add=True)
    enqueued = models.DateTimeField(null=True, help_text="When the broker was last told.")
    started = models.DateTimeField(null=True)
    finished = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("submission", "scenario", "gold", "engine_version"), name="one_scoring_per_version"
            ),
            models.CheckConstraint(
                condition=~Q(state="running") | Q(lease__isnull=False), name="a_running_scoring_has_a_lease"
            ),
        )
        ordering = ("scenario__number", "-created")
        indexes = (models.Index(fields=("state", "created"), name="scoring_by_state"),)

    def __str__(self) -> str:
        return f"{self.submission}, scenario {self.scenario.number}: {self.state}"

    @property
    def is_unfinished(self) -> bool:
        return self.state in self.UNFINISHED

    @property
    def code(self) -> str:
        """What a participant quotes when writing to the organisers."""
        return str(self.pk)[:8]


class AdoptedGold(models.Model):
    """A gold version that a board went over to; of several the highest version is the one in force.

    The version that a board began with has no row (evalsite.submissions.golds).
    """

    gold = models.OneToOneField(Gold, on_delete=models.CASCADE, primary_key=True, related_name="adoption")
    since = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.gold}, in force since {self.since:%Y-%m-%d %H:%M}"


def evaluation_path(result: "Result", name: str) -> str:
    return f"results/{result.scoring_id}/{name}"


class Result(models.Model):
    """The numbers of a scored scoring; the counts per unit and the resamples are in its evaluation file."""

    scoring = models.OneToOneField(Scoring, on_delete=models.CASCADE, primary_key=True, related_name="result")
    headline = models.FloatField(null=True)
    scores = OrderedJSONField()
    intervals = OrderedJSONField()
    interval_methods = OrderedJSONField()
    counts = OrderedJSONField()
    tables = OrderedJSONField()
    # {table: for each row {column: [low, high], or the engine's reason why there is no interval}}
    table_intervals = OrderedJSONField()
    distribution = models.JSONField(help_text="Counts of the units' headline scores: charts.distribution.")
    warnings = models.JSONField()
    signature = models.TextField()
    gold_digest = models.CharField(max_length=64)
    seed = models.DecimalField(max_digits=20, decimal_places=0, null=True, help_text="Up to 64 bits.")
    n_units = models.PositiveIntegerField()
    n_resamples = models.PositiveIntegerField()
    confidence_level = models.FloatField()
    evaluation = models.FileField(upload_to=evaluation_path, help_text="scoring.Evaluation, as saved by the engine.")
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.signature

    def warnings_for(self, *, is_organiser: bool) -> list[str]:
        """The engine's warnings; those about the gold tell what is in it, so they are the organisers'."""
        return [warning for warning in self.warnings if is_organiser or not warning.startswith("gold: ")]

    @property
    def interval(self) -> tuple[float, float] | None:
        """Of the headline."""
        found = self.intervals.get(self.scoring.scenario.headline)
        return tuple(found) if found else None
