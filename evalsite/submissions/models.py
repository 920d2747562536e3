"""Uploads, their scorings with their states, and the stored results."""

import json
import uuid
import zlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, ngettext

from evalsite.accounts.fields import LineField
from evalsite.accounts.models import Team, User
from evalsite.base.faults import FILE_FAULTS, Fault
from evalsite.base.fields import CountField, MomentField, SmallCountField
from evalsite.base.file_names import require_plain_name, stored_name
from evalsite.base.leases import Queued
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.translating.fields import MessageField, MessagesField
from scoring.family import is_about_gold


class OrderedJSONField(models.JSONField):
    """JSON whose objects keep the order of their keys, as a table's columns need: text, since `jsonb` sorts them."""

    def get_internal_type(self) -> str:
        return "TextField"

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        return None if value is None else json.loads(value)

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> str | None:
        return None if value is None else json.dumps(value, ensure_ascii=False, allow_nan=False)


class PackedJSONField(models.BinaryField):
    """Compressed JSON that keeps the order of keys: for large values that no query looks into."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return None if value is None else json.loads(zlib.decompress(value))

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        if value is None:
            return None
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return super().get_db_prep_value(zlib.compress(text.encode()), connection, prepared)

    def value_to_string(self, obj: models.Model) -> str:
        """Return JSON for Django's dumps of the database, where other bytes are base64."""
        return json.dumps(self.value_from_object(obj), ensure_ascii=False, allow_nan=False)

    def to_python(self, value: Any) -> Any:
        """Read a value from such a dump."""
        return json.loads(value) if isinstance(value, str) else value


def submission_path(submission: "Submission", name: str) -> str:
    return f"submissions/{submission.pk}/{stored_name('upload', name)}"


class Submission(models.Model):
    """One upload by a team to a phase, for one or several scenarios.

    It has no state of its own: its scorings have, one for each scenario. On boards it is

        ranked --- withdraw (team, until the phase closes; organisers, at any time) ---> withdrawn
           ^                                                                                |
           +-- restore (whoever may withdraw; what organisers withdrew, they alone) <-------+

    and apart from that ranked, late, beyond the limits, as the team reports, or a reference of the organisers.
    """

    queued: Sequence[uuid.UUID] = ()  # in memory, after it was made: its scorings

    class Reference(models.TextChoices):
        """The kind of a run of the organisers, which is their house team's; runs of all other teams are ranked."""

        NONE = "", gettext_lazy("ranked")
        BASELINE = "baseline", gettext_lazy("baseline")
        HUMAN = "human", gettext_lazy("human")
        TRIAL = "trial", gettext_lazy("trial")

    SHOWN = (Reference.BASELINE, Reference.HUMAN)  # on boards, outside the ranks; trials are seen by organisers alone

    class Side(models.TextChoices):
        """On whose behalf somebody changes a submission: its team's, or the organisers' of the task."""

        TEAM = "team", gettext_lazy("the team")
        ORGANISERS = "organisers", gettext_lazy("the organisers")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(
        Phase, verbose_name=gettext_lazy("phase"), on_delete=models.PROTECT, related_name="submissions"
    )
    team = models.ForeignKey(
        Team, verbose_name=gettext_lazy("team"), on_delete=models.PROTECT, related_name="submissions"
    )
    uploader = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="submissions")
    method = LineField(gettext_lazy("method"), max_length=100)
    description = models.TextField(gettext_lazy("description"), blank=True)
    link = models.URLField(gettext_lazy("link"), blank=True)
    affiliation = LineField(gettext_lazy("affiliation"), max_length=200, blank=True, db_default="")
    code = models.URLField(gettext_lazy("code"), blank=True, db_default="")
    is_contrastive = models.BooleanField(
        gettext_lazy("contrastive"),
        default=False,
        db_default=False,  # for the former version of the code while a site is upgraded
        help_text=gettext_lazy("Made to compare with, beside the primary run of the team."),
    )
    shows_description = models.BooleanField(
        gettext_lazy("description is public"),
        default=False,
        db_default=False,
        help_text=gettext_lazy("Everybody reads it on the page of the entry, once the results are released."),
    )
    facts = models.JSONField(gettext_lazy("facts"), default=dict, db_default={}, blank=True)
    reference = models.CharField(
        gettext_lazy("reference"),
        max_length=8,
        choices=Reference,
        default=Reference.NONE,
        blank=True,
        help_text=gettext_lazy("Baselines and human runs stand outside the ranks, trials on no board."),
    )
    is_late = models.BooleanField(
        gettext_lazy("late"), default=False, help_text=gettext_lazy("It came after its phase had closed.")
    )
    is_reported = models.BooleanField(
        gettext_lazy("as the team says"),
        default=False,
        db_default=False,
        editable=False,
        help_text=gettext_lazy("The team has uploaded scores that were made elsewhere: they stand outside the ranks."),
    )
    is_sample = models.BooleanField(
        gettext_lazy("the site's sample"),
        default=False,
        db_default=False,
        editable=False,
        help_text=gettext_lazy("Its files are the sample that the site gives out, as it is."),
    )
    allowance = models.ForeignKey(
        "Allowance",
        verbose_name=gettext_lazy("extra upload of"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="submissions",
        help_text=gettext_lazy("The allowance of which it is an upload, beyond the limits of the phase."),
    )
    is_beyond_limit = models.BooleanField(
        gettext_lazy("beyond the limits"),
        default=False,
        db_default=False,  # for the former version of the code while a site is upgraded
        help_text=gettext_lazy("It was brought into a team that had no place left for it, and does not compete."),
    )
    mends = models.OneToOneField(
        "self",
        verbose_name=gettext_lazy("mends"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="mended_by",
        help_text=gettext_lazy(
            "The run of the team in whose place it stands, as the gold showed it to be no valid one."
        ),
    )
    file = models.FileField(upload_to=submission_path)
    file_name = models.CharField(max_length=255, validators=[require_plain_name])
    size = models.PositiveBigIntegerField(gettext_lazy("size"), help_text=gettext_lazy("Bytes."))
    sha256 = models.CharField(max_length=64)
    created = MomentField(gettext_lazy("arrived"), help_text=gettext_lazy("When its last byte arrived."))
    withdrawn = MomentField(
        gettext_lazy("withdrawn"), null=True, blank=True, help_text=gettext_lazy("Since when it stands on no board.")
    )
    withdrawn_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    withdrawn_as = models.CharField(
        gettext_lazy("withdrawn for"),
        max_length=10,
        choices=Side,
        default="",
        blank=True,
        help_text=gettext_lazy("What the organisers withdrew, they alone can restore."),
    )
    withdrawn_reason = LineField(gettext_lazy("reason of the withdrawal"), max_length=500, default="", blank=True)

    class Meta:
        ordering = ("-created",)
        verbose_name = gettext_lazy("submission")
        verbose_name_plural = gettext_lazy("submissions")
        indexes = (
            models.Index(fields=("phase", "team", "-created"), name="submission_by_team"),
            models.Index(fields=("team", "sha256"), name="submission_by_digest"),
            models.Index(fields=("-created", "-id"), name="submission_newest"),
            models.Index(fields=("phase", "-created"), name="submission_by_phase"),
            models.Index(fields=("team",), name="submission_references", condition=~Q(reference="")),
            models.Index(fields=("-created",), name="submission_withdrawn", condition=Q(withdrawn__isnull=False)),
        )

    def __str__(self) -> str:
        return gettext("%(method)s by %(team)s") % {"method": self.method, "team": self.team}

    def get_absolute_url(self) -> str:
        return reverse("submission", args=[self.pk])


class Allowance(models.Model):
    """Extra uploads that the organisers give to one team in a phase, beyond its limits."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="allowances")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="allowances")
    uploads = SmallCountField(gettext_lazy("extra uploads"), validators=[MinValueValidator(1), MaxValueValidator(100)])
    until = MomentField(
        gettext_lazy("until"),
        null=True,
        blank=True,
        help_text=gettext_lazy("UTC. Empty: as long as the phase takes uploads."),
    )
    reason = LineField(
        gettext_lazy("reason"), max_length=200, help_text=gettext_lazy("The team reads it beside its uploads.")
    )
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    created = MomentField(auto_now_add=True)

    class Meta:
        ordering = ("created",)
        verbose_name = gettext_lazy("allowance")
        verbose_name_plural = gettext_lazy("allowances")

    def __str__(self) -> str:
        text = gettext("%(n)s extra for %(team)s in %(phase)s")
        return text % {"n": self.uploads, "team": self.team, "phase": self.phase}


class Choice(models.Model):
    """A run that a team has chosen to count for a scenario of a phase; of several the best one counts."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="choices")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="choices")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="choices")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="choices")
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")
    made = MomentField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("scenario", "submission"), name="a_run_is_chosen_once_on_a_board"),
        )
        verbose_name = gettext_lazy("choice")
        verbose_name_plural = gettext_lazy("choices")

    def __str__(self) -> str:
        return f"{self.submission}, {self.scenario}"


class Scoring(Queued):
    """The scoring of a submission for one scenario, gold version and engine version: a state machine with a lease.

                  claim                                complete
        QUEUED ------------> RUNNING ----------------------------> SCORED
         |  ^                 |  |                      refuse
         |  |  rest, fail,    |  +-------------------------------> REFUSED     the file has problems, or broke a limit
         |  |  release, reap  |   fail: final, or third attempt
         |  +-----------------+----------------------------------> FAILED      gold or machine are to blame
         |  cancel
         +-------------------------------------------------------> CANCELLED

    `rescoring` puts FAILED and CANCELLED back into the queue. All transitions but cancelling are in
    lifecycle.transitions. `lease` and `lease_ends` are set while it runs; `step` is the engine's, for the page. In the
    queue `enqueued` is when a message was sent (None: the reaper sends one), `not_before` when its pause ends.
    What `awaits_judge` is queued and no worker claims it: until its scores are posted, or until there is gold.
    `attempts` counts claims, without those that a fault of the machine has ended: these are `rests`, and make each
    pause longer. `fault` and `error` are of the last attempt, `problems` and `causes` of a refusal.
    """

    WAITING = {**Queued.WAITING, "awaits_judge": False}
    CLAIMED = Queued.CLAIMED | {"step": ""}
    RELEASED = Queued.RELEASED | {"step": ""}

    class State(models.TextChoices):
        QUEUED = "queued", gettext_lazy("queued")
        RUNNING = "running", gettext_lazy("running")
        SCORED = "scored", gettext_lazy("scored")
        REFUSED = "refused", gettext_lazy("refused")
        FAILED = "failed", gettext_lazy("failed")
        CANCELLED = "cancelled", gettext_lazy("cancelled")

    LIVING = (State.QUEUED, State.RUNNING, State.SCORED)  # these count towards the limits
    UNFINISHED = (State.QUEUED, State.RUNNING)
    # Valid runs: those with a score, and those that were checked and wait for their judge, or for gold.
    VALID = models.Q(state=State.SCORED) | models.Q(state=State.QUEUED, awaits_judge=True)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="scorings")
    scenario = models.ForeignKey(
        Scenario, verbose_name=gettext_lazy("scenario"), on_delete=models.PROTECT, related_name="scorings"
    )
    gold = models.ForeignKey(Gold, on_delete=models.PROTECT, related_name="scorings")
    engine_version = models.CharField(gettext_lazy("version of the engine"), max_length=60)
    state = models.CharField(gettext_lazy("state"), max_length=9, choices=State, default=State.QUEUED)
    step = models.CharField(
        gettext_lazy("step"),
        max_length=20,
        blank=True,
        help_text=gettext_lazy("What the worker does: reading, matching, intervals."),
    )
    problems = MessagesField(default=list, help_text=gettext_lazy("For the participant: why the file was refused."))
    causes = MessagesField(
        default=list, help_text=gettext_lazy("The same as its page tells them, with lines of the file.")
    )
    broke_limits = models.BooleanField(
        default=False, help_text=gettext_lazy("Refused because it wanted more time or memory than a scoring may have.")
    )
    error = MessageField(blank=True, help_text=gettext_lazy("For the organiser: why we could not score it."))
    fault = models.CharField(
        gettext_lazy("what went wrong"),
        max_length=14,
        choices=Fault,
        blank=True,
        help_text=gettext_lazy("What keeps it from being scored, or why it has failed."),
    )
    rests = SmallCountField(
        default=0, help_text=gettext_lazy("How often a fault of the machine has sent it back; these are no attempts.")
    )
    awaits_judge = models.BooleanField(
        gettext_lazy("waits for the judge"),
        default=False,
        db_default=False,
        help_text=gettext_lazy("No worker can score it yet: the judge has posted no scores, or the gold has not come."),
    )
    created = MomentField(gettext_lazy("queued"), auto_now_add=True)

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
        verbose_name = gettext_lazy("scoring")
        verbose_name_plural = gettext_lazy("scorings")
        # Most scorings are scored: queries for others, or for the latest, must not scan them.
        indexes = (
            models.Index(fields=("state", "created"), name="scoring_by_state"),
            models.Index(fields=("finished", "started"), name="scoring_finished", condition=Q(state="scored")),
            models.Index(
                fields=("submission", "scenario", "gold", "state"),
                name="scoring_not_scored",
                condition=~Q(state="scored"),
            ),
            models.Index(fields=("lease_ends",), name="scoring_lease_ends", condition=Q(state="running")),
            models.Index(fields=("started",), name="scoring_started"),
            models.Index(fields=("enqueued",), name="scoring_taken", condition=Q(started__isnull=False)),
            models.Index(fields=("fault", "state"), condition=~Q(fault=""), name="scoring_by_fault"),
            models.Index(
                fields=("gold", "created"),
                condition=Q(awaits_judge=True, state="queued"),
                name="scoring_awaits_judge",
            ),
        )

    def __str__(self) -> str:
        text = gettext("%(submission)s, scenario %(number)s: %(state)s")
        facts = {"submission": self.submission, "number": self.scenario.number, "state": self.get_state_display()}
        return text % facts

    @property
    def is_unfinished(self) -> bool:
        return self.state in self.UNFINISHED

    @property
    def awaits_gold(self) -> bool:
        """Return whether it waits for the gold, as its run was collected before there is any."""
        return self.awaits_judge and self.gold.is_input

    @property
    def lacks_file(self) -> bool:
        """Return True while scoring waits for a lost file, the run's or the gold's."""
        return self.state == self.State.QUEUED and self.fault in FILE_FAULTS

    @property
    def source(self) -> "Submission | Judgement":
        """Return what holds the file that is scored: the upload, or what a judge has said of it."""
        if not self.scenario.is_judged:
            return self.submission
        return Judgement.objects.get(submission=self.submission_id, gold=self.gold_id)

    @property
    def options(self) -> dict[str, Any]:
        """Return the options by which it is scored: the scenario's, and of a judge's table whose scores it has."""
        if not self.scenario.is_judged:
            return dict(self.scenario.options)
        return self.scenario.options | {"format": JUDGED_FORMAT, "judge": self.gold.judge}

    @property
    def code(self) -> str:
        """Return what a participant quotes when writing to the organisers."""
        return str(self.pk)[:8]


JUDGED_FORMAT = "jsonl"  # of the tables that the site writes of posted scores


def judgement_path(judgement: "Judgement", name: str) -> str:
    return f"judgements/{judgement.pk}/{stored_name('scores', name)}"


class Judgement(models.Model):
    """The scores that a judge has posted for a run: the table that is scored in place of the run's own file.

    They are of the judge that the gold names, so a board by one gold never has two.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="judgements")
    gold = models.ForeignKey(Gold, on_delete=models.PROTECT, related_name="judgements")
    file = models.FileField(upload_to=judgement_path)
    file_name = models.CharField(max_length=255, validators=[require_plain_name])
    sha256 = models.CharField(max_length=64)
    posted = MomentField(default=timezone.now, editable=False)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("submission", "gold"), name="one_judgement_of_a_run_on_a_gold"),)
        verbose_name, verbose_name_plural = gettext_lazy("judgement"), gettext_lazy("judgements")

    def __str__(self) -> str:
        return f"{self.submission}, {self.gold.judge}"


def evaluation_path(result: "Result", name: str) -> str:
    return f"results/{result.scoring_id}/{name}"


class ResultQuerySet(models.QuerySet["Result"]):
    def counting(self) -> Self:
        """Return results by the engine that counts on their gold; by any before there was one."""
        is_counted = Q(scoring__gold__engine="") | Q(scoring__gold__engine=F("scoring__engine_version"))
        return self.filter(is_counted)


class Result(models.Model):
    """The numbers of a scored scoring; the counts per unit and the resamples are in its evaluation file."""

    scoring = models.OneToOneField(Scoring, on_delete=models.CASCADE, primary_key=True, related_name="result")
    headline = models.FloatField(null=True)
    scores = OrderedJSONField()
    intervals = OrderedJSONField()
    interval_methods = OrderedJSONField()
    counts = OrderedJSONField()
    distribution = models.JSONField(
        help_text=gettext_lazy("Counts of the units' headline scores: charts.distribution.")
    )
    warnings = MessagesField()
    signature = models.TextField()
    gold_digest = models.CharField(max_length=64)
    is_folded = models.BooleanField(
        default=False,
        help_text=gettext_lazy("Whether tables by label have one row for all labels that the gold does not have."),
    )
    seed = models.DecimalField(max_digits=20, decimal_places=0, null=True, help_text=gettext_lazy("Up to 64 bits."))
    n_units = CountField()
    n_resamples = CountField()
    confidence_level = models.FloatField()
    evaluation = models.FileField(
        upload_to=evaluation_path, help_text=gettext_lazy("scoring.Evaluation, as saved by the engine.")
    )
    created = MomentField(db_default=Now(), editable=False)  # by the database's clock, as editions
    thinned = MomentField(
        null=True,
        help_text=gettext_lazy("When the resamples were left out of its file, or found to be needed there."),
    )
    unthinned = models.FileField(
        blank=True, help_text=gettext_lazy("The file as it was before; it goes some days later.")
    )

    objects = ResultQuerySet.as_manager()

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("result"), gettext_lazy("results")
        indexes = (
            models.Index(fields=("created",), name="result_with_draws", condition=Q(thinned__isnull=True)),
            models.Index(fields=("thinned",), name="result_unthinned", condition=~Q(unthinned="")),
        )

    def __str__(self) -> str:
        return self.signature

    # Both are read when they are first asked for, unless the query has selected `stored_tables`, and may be changed
    # in memory for a visitor.

    @cached_property
    def tables(self) -> dict[str, Any]:
        """Return {table: records}, without the tables of single items; empty where none are stored."""
        return self.stored_tables.tables if hasattr(self, "stored_tables") else {}

    @cached_property
    def table_intervals(self) -> dict[str, Any]:
        """Return {table: for each record {column: [low, high], or the engine's reason why there is no interval}}."""
        return self.stored_tables.intervals if hasattr(self, "stored_tables") else {}

    def warnings_for(self, *, is_organiser: bool) -> list[str]:
        """Return the engine's warnings; those about the gold tell what is in it, so they are the organisers'."""
        return [warning for warning in self.warnings if is_organiser or not is_about_gold(warning)]

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the interval of the headline."""
        ends = self.intervals.get(self.scoring.scenario.headline)
        return tuple(ends) if ends else None


class ResultTables(models.Model):
    """The tables of a result, apart from it, since lists and boards read thousands of results without them."""

    result = models.OneToOneField(Result, on_delete=models.CASCADE, primary_key=True, related_name="stored_tables")
    tables: Any = PackedJSONField(help_text=gettext_lazy("By name the records of each table."))
    intervals: Any = PackedJSONField(help_text=gettext_lazy("For each record of a table the intervals of its columns."))

    def __str__(self) -> str:
        return f"tables of {self.result_id}"


class RefusedUploads(models.Model):
    """How many uploads of a team a phase has refused, and the last of them, for the organisers."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="refused_uploads")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="refused_uploads")
    n = CountField(default=0)
    last = MomentField(default=timezone.now)
    file_name = models.CharField(max_length=255, blank=True)
    reason = MessageField(blank=True, help_text=gettext_lazy("The first problem of the last one."))

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("refused uploads"), gettext_lazy("refused uploads")
        constraints = (models.UniqueConstraint(fields=("phase", "team"), name="refused_once"),)

    def __str__(self) -> str:
        return f"{self.team}, {self.phase}: {self.n:,}"


KEPT_FOLDER = "kept"  # of the storage


def kept_path(kept: "KeptUpload", name: str) -> str:
    return f"{KEPT_FOLDER}/{kept.pk}"


class KeptUpload(models.Model):
    """Files that a person has sent, and may use within the hour without sending them again."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="kept_uploads")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="kept_uploads")
    name = models.CharField(
        max_length=255,
        validators=[require_plain_name],
        help_text=gettext_lazy("Of the file, or of the archive that the site has packed."),
    )
    names = models.JSONField(default=list, help_text=gettext_lazy("Of the files as they were chosen."))
    is_packed_here = models.BooleanField(default=False)
    file = models.FileField(upload_to=kept_path)
    size = models.PositiveBigIntegerField(help_text=gettext_lazy("Bytes."))
    sha256 = models.CharField(max_length=64)
    expires = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("kept upload"), gettext_lazy("kept uploads")
        ordering = ("-expires",)

    def __str__(self) -> str:
        return f"{self.name}, {self.size:,} bytes"

    @property
    def title(self) -> str:
        """Return the names of the files, as they were chosen."""
        more = len(self.names) - 1
        if more < 1:
            return self.names[0] if self.names else self.name
        words = ngettext("%(name)s and %(n)s more file", "%(name)s and %(n)s more files", more)
        return words % {"name": self.names[0], "n": more}
