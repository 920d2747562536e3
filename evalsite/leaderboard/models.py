"""The boards of a phase and scenario, made from its results and kept ready for reading."""

import json
import uuid
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evalsite.accounts.models import Team, User
from evalsite.base.leases import Leased
from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.precision import FULL
from evalsite.submissions.models import Result, Submission


class Board(models.Model):
    """The ranking of (phase, scenario): how fresh it is. What it shows is in its editions.

    Freshness is counted and not timed: whoever changes a result raises `wanted` in the same transaction, and whoever
    makes an edition reads `wanted` first and writes that number down together with the edition. So a maker that dies at
    any point leaves the board as stale as it found it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="boards")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="boards")
    wanted = models.PositiveBigIntegerField(default=0, help_text=_("How often its results have changed."))
    made = models.PositiveBigIntegerField(default=0, help_text=_("How many of the changes its entries have."))
    compared = models.PositiveBigIntegerField(
        default=0, help_text=_("How many of the changes were there when its entries were last compared.")
    )
    to_recount = models.BooleanField(
        default=False, help_text=_("Whether the best runs have to be found anew among all results.")
    )
    has_lost = models.BooleanField(
        default=False,
        db_default=False,  # for programs of the version before, while a site is upgraded
        help_text=_("Whether files of its entries were lost or broken when they were last compared."),
    )
    stale_since = models.DateTimeField(
        null=True, help_text=_("Since when its entries miss a change; for those who watch, as the counters decide.")
    )
    refreshed = models.DateTimeField(null=True, help_text=_("When its last edition was made."))

    class Meta:
        verbose_name, verbose_name_plural = _("board"), _("boards")
        constraints = (models.UniqueConstraint(fields=("phase", "scenario"), name="one_board"),)
        indexes = (
            # The boards that beat has to look for, among many that are fresh.
            models.Index(
                fields=("id",), name="unfinished_board", condition=Q(made__lt=F("wanted")) | Q(compared__lt=F("wanted"))
            ),
        )

    def __str__(self) -> str:
        return gettext("Board of %(phase)s, scenario %(number)s") % {
            "phase": self.phase,
            "number": self.scenario.number,
        }

    @property
    def is_stale(self) -> bool:
        """Return whether results have changed that its entries do not have yet."""
        return self.made < self.wanted

    @property
    def is_compared(self) -> bool:
        """Return whether its newest comparison has all results."""
        return self.compared == self.wanted


class BoardLease(Leased):
    """The lease of one process on making a board's entries or comparing them, which also keeps a pause between two."""

    class Work(models.TextChoices):
        ENTRIES = "entries", _("entries")
        COMPARISON = "places", _("places")

    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="leases")
    work = models.CharField(max_length=7, choices=Work)

    class Meta:
        db_table = "leaderboard_turn"  # its former name, which a site that is being upgraded still uses
        constraints = (models.UniqueConstraint(fields=("board", "work"), name="one_turn_for_each_work"),)

    def __str__(self) -> str:
        return f"{self.board}, {self.get_work_display()}"

    @classmethod
    def lasts(cls) -> timedelta:
        """Keep it short, as readers wait for a board whose maker has died."""
        return timedelta(seconds=15)


class LadderStep(models.Model):
    """What a team is told of a run while its phase has the Ladder: a rounded score, or that it is no better than its
    best.

    It is decided once (evalsite.leaderboard.making.ladder). A run without a step is not decided yet.
    """

    gold = models.ForeignKey(Gold, on_delete=models.CASCADE, related_name="+")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="ladder_steps")
    shown = models.FloatField(null=True, help_text=_("Empty: no better than the team's best."))
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("gold", "submission"), name="one_ladder_step"),)

    def __str__(self) -> str:
        return f"{self.submission}: {self.shown}"


class BestRun(models.Model):
    """The run of a team that counts by a gold version, its best, last or chosen one, or a reference: what a board has
    an entry for.

    Kept in the transactions that change results (evalsite.leaderboard.making.best_runs), so that making an edition
    reads a row for each team and not one for each run.
    """

    result = models.OneToOneField(Result, on_delete=models.CASCADE, primary_key=True, related_name="+")
    gold = models.ForeignKey(Gold, on_delete=models.CASCADE, related_name="+")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    reference = models.CharField(
        max_length=8,
        blank=True,
        help_text=_(
            "Of a reference each run has a row; of a team the one that counts, and one late or beyond the limits."
        ),
    )
    n_runs = models.PositiveIntegerField(default=1, help_text=_("Of the team, with a result, not withdrawn."))
    n_withdrawn = models.PositiveIntegerField(default=0, help_text=_("Of the team, with a result."))

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("gold", "team"), condition=Q(reference=""), name="one_best_run_of_a_team"),
            models.UniqueConstraint(
                fields=("gold", "team"), condition=Q(reference="late"), name="one_late_run_of_a_team"
            ),
            models.UniqueConstraint(
                fields=("gold", "team"), condition=Q(reference="beyond"), name="one_run_of_a_team_beyond_the_limits"
            ),
            models.UniqueConstraint(
                fields=("gold", "team"), condition=Q(reference="reported"), name="one_reported_run_of_a_team"
            ),
            models.UniqueConstraint(
                fields=("gold", "team"), condition=Q(reference="unranked"), name="one_unranked_run_of_a_team"
            ),
        )

    def __str__(self) -> str:
        return f"{self.team}, {self.gold}"


class Predecessor(models.Model):
    """The run of the same team that counted on a board when a run was first scored for it; none of a team's first one.

    Made once, whatever comes, goes or is scored again afterwards: while the gold is hidden it is the one run of its own
    team with which a run is compared, so that what pairs tell grows with uploads.
    """

    run = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="+")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="+")
    before = models.ForeignKey(Submission, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("run", "scenario"), name="one_predecessor_on_a_board"),)

    def __str__(self) -> str:
        return f"{self.run_id}: {self.before_id}"


class ComparisonCount(models.Model):
    """The number of pairs with a run of its own that a team has compared on a day (UTC), while the gold is hidden."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="+")
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="+")
    day = models.DateField(help_text="UTC.")
    n = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("team", "phase", "day"), name="one_count_a_team_phase_and_day"),)

    def __str__(self) -> str:
        return f"{self.team}, {self.day}: {self.n}"


class RecordRun(models.Model):
    """A run that was better than all before it: a step of a board's history."""

    result = models.OneToOneField(Result, on_delete=models.CASCADE, primary_key=True, related_name="+")
    gold = models.ForeignKey(Gold, on_delete=models.CASCADE, related_name="+")
    arrived = models.DateTimeField(help_text=_("When the run was uploaded."))
    score = models.FloatField(help_text=_("The score that ranks."))

    class Meta:
        indexes = (models.Index(fields=("gold", "arrived"), name="record_run_by_time"),)
        ordering = ("gold", "arrived")

    def __str__(self) -> str:
        return f"{self.score}, {self.arrived:%Y-%m-%d %H:%M}"


class PerfectRun(models.Model):
    """A run with full marks on open gold: only such a run can be the gold itself (see `making.gold_copies`)."""

    result = models.OneToOneField(Result, on_delete=models.CASCADE, primary_key=True, related_name="+")
    gold = models.ForeignKey(Gold, on_delete=models.CASCADE, related_name="+")
    is_copy = models.BooleanField(null=True, help_text=_("Whether it equals the gold; unknown until it was looked at."))

    def __str__(self) -> str:
        return f"{self.result_id}: {self.is_copy}"


class Preview(models.Model):
    """The board as it would be if the candidate were published, the gold or another engine on it."""

    gold = models.OneToOneField(Gold, on_delete=models.CASCADE, primary_key=True, related_name="+")
    engine = models.CharField(max_length=60)
    made = models.DateTimeField()
    entries = models.JSONField(help_text=_("As those of an edition."))
    comparison = models.JSONField(help_text=_("As that of an edition."))
    changes = models.JSONField(null=True, help_text=_("What differs between the golds: challenges.gold_changes."))
    counts = models.JSONField(default=dict, help_text=_("Runs, changed runs, and teams that are lost."))
    order = models.BinaryField(default=bytes, help_text=_("Keys of all runs, 16 bytes each, the most changed first."))

    class Meta:
        verbose_name, verbose_name_plural = _("preview of a board"), _("previews of boards")

    def __str__(self) -> str:
        return f"{self.gold}, {self.made:%Y-%m-%d %H:%M}"


class FiniteEncoder(json.JSONEncoder):
    """Refuses numbers that JSON does not have, ValueError: some databases would take them, and others would not."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"allow_nan": False})

    def encode(self, o: Any) -> str:
        try:
            return super().encode(o)
        except ValueError as error:
            raise ValueError(f"a board's numbers have to be finite: {error}") from error


# Of the editions of a board. Of those with the same changes, such as before and after a lost file was found, the later.
NEWEST_FIRST = ("-changes", "-made")


class Edition(models.Model):
    """A board as it stood: the last one of each day (UTC), gold and engine, and the final one of a closed phase.

    A final edition becomes void when the closing of its phase moves, or when other gold or another engine ranks: it
    stays as it is, and the next one that is final takes its place.

    While the entries of a large board are compared, an edition without places stands beside these, until the one with
    places is made: `is_compared` is false.

    The page reads one row and no result. `entries` is a list of objects, one per team or reference, in board order
    (`making.entries`); `comparison` says which of them differ (`making.comparison`). `further` is large and read only
    where it is needed (`making.editions`).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="editions")
    day = models.DateField(help_text="UTC.")
    gold = models.ForeignKey(
        Gold, on_delete=models.SET_NULL, null=True, related_name="editions", help_text=_("The version that ranked.")
    )
    engine = models.CharField(max_length=60, blank=True, help_text=_("The version of the engine whose results ranked."))
    # By which the newest edition is known: `made` is for readers, and by a clock.
    changes = models.PositiveBigIntegerField(
        default=0, help_text=_("How many of its board's changes it has; the newest edition has the most.")
    )
    made = models.DateTimeField()
    is_final = models.BooleanField(
        default=False, help_text=_("As it was when the phase had closed and all its runs were scored.")
    )
    closing = models.DateTimeField(
        null=True, help_text=_("When its phase closed, of a final edition: it is void once that moves.")
    )
    is_void = models.BooleanField(default=False, help_text=_("It was final, and is no longer."))
    is_compared = models.BooleanField(
        default=True, help_text=_("Whether it has places; without them it stands only until they are made.")
    )
    entries = models.JSONField(encoder=FiniteEncoder)
    comparison = models.JSONField(encoder=FiniteEncoder)
    further = models.JSONField(
        default=dict, encoder=FiniteEncoder, help_text=_("Scores that the page shows only when asked for, by name.")
    )
    further_names = models.JSONField(default=list)

    precision = FULL  # in memory too: how numbers are told, see evalsite.leaderboard.making.editions.tell
    read_with: Sequence["Edition"] = ()  # in memory too: itself and others, read together without their contents
    days_alone = False  # whether times are told as days: in memory, set where teams are not named

    class Meta:
        verbose_name, verbose_name_plural = _("edition of a board"), _("editions of boards")
        constraints = (
            models.UniqueConstraint(
                fields=("board", "day", "gold", "engine"),
                condition=Q(is_final=False, is_void=False, is_compared=True),
                name="one_edition_a_day_gold_and_engine",
            ),
            models.UniqueConstraint(
                fields=("board",), condition=Q(is_compared=False), name="one_edition_without_places"
            ),
            models.UniqueConstraint(fields=("board",), condition=Q(is_final=True), name="one_final_edition"),
        )
        indexes = (models.Index(fields=("board", "-changes", "-made"), name="edition_by_board"),)
        ordering = ("board", *NEWEST_FIRST)

    def __str__(self) -> str:
        return f"{self.board}, {self.made:%Y-%m-%d %H:%M}"


class Combined(models.Model):
    """The scores of a phase's scenarios as one: a formula, or the mean of ranks, and the board that it makes.

    The board is made in the background from the best runs of the scenarios' boards; `basis` says of what, so that a
    page knows whether it is the newest (evalsite.leaderboard.combined).
    """

    class Kind(models.TextChoices):
        FORMULA = "formula", _("a formula over scores")
        RANKS = "ranks", _("the mean of the ranks in all scenarios")

    class Missing(models.TextChoices):
        UNRANKED = "unranked", _("is listed without a place")
        LAST = "last", _("counts as the worst there: a score of 0, or the last rank")

    phase = models.OneToOneField(Phase, on_delete=models.CASCADE, primary_key=True, related_name="combined")
    kind = models.CharField(_("what is combined"), max_length=7, choices=Kind, default=Kind.FORMULA)
    formula = models.CharField(
        _("formula"),
        max_length=1000,
        blank=True,
        help_text=_(
            "Such as mean(*.f1), the mean of a score over all scenarios. Other functions are hmean, gmean, min and max."
        ),
    )
    lower_is_better = models.BooleanField(_("less is better"), default=False, help_text=_("Of the formula as a whole."))
    missing = models.CharField(_("who lacks a scenario"), max_length=8, choices=Missing, default=Missing.UNRANKED)
    basis = models.CharField(max_length=64, blank=True, editable=False)
    made = models.DateTimeField(null=True, editable=False)
    board = models.JSONField(default=dict, encoder=FiniteEncoder, editable=False)

    class Meta:
        verbose_name, verbose_name_plural = _("combined score"), _("combined scores")

    def __str__(self) -> str:
        return self.formula if self.kind == self.Kind.FORMULA else str(_("Mean rank"))


class ImportedTable(models.Model):
    """Rows of a board that was elsewhere, as its organisers brought them: shown below the ranking, and never ranked.

    What its cells mean stands in evalsite.leaderboard.imported.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="imported_tables")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="imported_tables")
    columns = models.JSONField(help_text=_("The headings of the scores."))
    rows = models.JSONField(help_text=_("Name, scores as they were written, date and source of each."))
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name, verbose_name_plural = _("imported table"), _("imported tables")
        ordering = ("created", "id")

    def __str__(self) -> str:
        return f"{self.phase}, {self.scenario}, {self.created:%Y-%m-%d %H:%M}"
