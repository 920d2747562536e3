"""Phases: when a task takes uploads, how many, and what it shows to whom."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from evalsite.accounts.fields import LineField
from evalsite.base import moment
from evalsite.base.fields import CountField, LimitField, MarkdownField, MomentField, SmallCountField, SpanField
from evalsite.challenges.models.base import DoiField, Versioned, members_only
from evalsite.challenges.models.tasks import Task

USUAL_LIMIT = 5  # uploads of a team in a window, while the gold is hidden
YEAR = timedelta(days=365)


class Phase(Versioned):
    """A period in which a task takes submissions, with its limits and what it shows to whom.

    Its `state` follows from the clock and from `is_paused`:

        upcoming → open     opens
        open     ⇄ paused   pause and resume
        open     → closed   closes; late uploads are taken until late_until

    Three switches beside it decide what others see:

    * boards and scores are seen by whom `board_audience` and `shows_scores` name until `results_released` has come;
      from then on everybody sees them, with the teams' names even if it `is_anonymous`;
    * the gold is hidden until `gold_released` is set, by hand or at `gold_due`, which notes the time in
      `gold_released_since`;
    * `counts` says which run of a team stands on the board. While `counts_is_usual`, nobody has chosen: it follows what
      teams see until the first run comes.

    A closing that is moved in public stays among the `former_closings`.
    """

    class Audience(models.TextChoices):
        ORGANISERS = "organisers", pgettext_lazy("who sees a board", "organisers")
        PARTICIPANTS = "participants", pgettext_lazy("who sees a board", "participants")
        EVERYBODY = "everybody", pgettext_lazy("who sees a board", "everybody")

    class Counts(models.TextChoices):
        """The run of a team that stands on a board."""

        BEST = "best", pgettext_lazy("which run counts", "the best one")
        LAST = "last", pgettext_lazy("which run counts", "the last one")
        CHOSEN = "chosen", pgettext_lazy("which run counts", "the one that the team chooses")
        TWO = "two", pgettext_lazy("which run counts", "the better of up to two that the team chooses")

    class Detail(models.TextChoices):
        """What teams are told of a run while the gold is hidden (evalsite.challenges.gold.budget)."""

        AUTOMATIC = "automatic", pgettext_lazy("what teams are told", "as much as the limits of uploads allow")
        TABLES = "tables", pgettext_lazy("what teams are told", "scores, and tables by label and group")
        SCORES = "scores", pgettext_lazy("what teams are told", "scores")
        HEADLINE = "headline", pgettext_lazy("what teams are told", "the score that ranks")

    class Year(models.TextChoices):
        """The year of the limit of uploads a year."""

        CALENDAR = "calendar", pgettext_lazy("year of a limit", "calendar year (UTC)")
        ROLLING = "rolling", pgettext_lazy("year of a limit", "365 days, at any time")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="phases")
    slug = models.SlugField(
        pgettext_lazy("in an address", "slug"),
        help_text=gettext_lazy("The phase's place in addresses, such as test."),
    )
    name = LineField(gettext_lazy("name"), max_length=100)
    description = MarkdownField(gettext_lazy("description"), blank=True, help_text="Markdown.")
    doi = DoiField("DOI", help_text=gettext_lazy("Of the deposit of its boards, to be cited; empty: there is none."))
    opens = MomentField(gettext_lazy("opens"), help_text="UTC.")
    closes = MomentField(
        gettext_lazy("closes"), null=True, blank=True, help_text=gettext_lazy("UTC. Empty: stays open.")
    )
    late_until = MomentField(
        gettext_lazy("late uploads until"),
        null=True,
        blank=True,
        help_text=gettext_lazy("UTC. After the phase has closed, uploads are taken until then, and marked as late."),
    )
    ranks_late = models.BooleanField(
        gettext_lazy("late runs are ranked"),
        default=False,
        help_text=gettext_lazy("Off: boards show them outside the ranks. Marked as late they are either way."),
    )
    mend_days = SmallCountField(
        gettext_lazy("days to mend a run"),
        default=7,
        db_default=7,  # for programs of the version before, while a site is upgraded
        validators=[MaxValueValidator(365)],
        help_text=gettext_lazy(
            "Where runs are collected before there is gold: a run that the gold shows to be no valid one may be mended "
            "once, within so many days after its team was told. 0: not at all."
        ),
    )
    counts = models.CharField(
        gettext_lazy("what counts"),
        max_length=6,
        choices=Counts,
        default=Counts.BEST,
        help_text=gettext_lazy("The run that boards show of a team. Of a team that chose none it is the last one."),
    )
    counts_is_usual = models.BooleanField(
        default=False,
        db_default=False,  # for programs of the version before, while a site is upgraded
        editable=False,
        help_text=gettext_lazy("Nobody has chosen what counts: it follows what teams see, until the first run comes."),
    )
    window_limit = LimitField(
        gettext_lazy("uploads per window"),
        null=True,
        blank=True,
        default=USUAL_LIMIT,
        help_text=gettext_lazy(
            "Per team. Empty: no limit, as where the gold is released; hidden gold could be read by many runs."
        ),
    )
    window = SpanField(
        gettext_lazy("window"), default=timedelta(days=1), help_text=gettext_lazy("Rolling window of the limit.")
    )
    year_limit = LimitField(
        gettext_lazy("uploads a year"), null=True, blank=True, help_text=gettext_lazy("Per team. Empty: no limit.")
    )
    year = models.CharField(
        gettext_lazy("year of the limit"),
        max_length=8,
        choices=Year,
        default=Year.CALENDAR,
        db_default=Year.CALENDAR,  # for programs of the version before, while a site is upgraded
    )
    total_limit = LimitField(
        gettext_lazy("uploads in total"), null=True, blank=True, help_text=gettext_lazy("Per team. Empty: no limit.")
    )
    upload_megabytes = CountField(
        gettext_lazy("MB of an upload"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=gettext_lazy(
            "The most that one upload may have, where 1 MB is 1,024 kB. Empty: what the site usually takes."
        ),
    )
    board_audience = models.CharField(
        gettext_lazy("board is seen by"), max_length=12, choices=Audience, default=Audience.EVERYBODY
    )
    is_anonymous = models.BooleanField(
        gettext_lazy("anonymous names"),
        default=False,
        help_text=gettext_lazy("The board says Team 7 instead of the team's name."),
    )
    shows_scores = models.BooleanField(
        gettext_lazy("teams see their own scores"),
        default=True,
        help_text=gettext_lazy(
            "Off: nobody but the organisers sees a score, on boards neither, until the results are released."
        ),
    )
    is_ladder = models.BooleanField(
        gettext_lazy("Ladder"),
        default=False,
        db_default=False,  # for programs of the version before, while a site is upgraded
        help_text=gettext_lazy(
            "Of a run its team is told a rounded score if it is better than the team's best beyond noise, and nothing "
            "else, until the results are released."
        ),
    )
    detail = models.CharField(
        gettext_lazy("what teams are told"),
        max_length=9,
        choices=Detail,
        default=Detail.AUTOMATIC,
        db_default=Detail.AUTOMATIC,  # for programs of the version before, while a site is upgraded
        help_text=gettext_lazy(
            "While the gold is hidden. With many uploads each number more lets a team read more of the gold."
        ),
    )
    gold_released = models.BooleanField(
        gettext_lazy("gold released"),
        default=False,
        help_text=gettext_lazy("The gold may be downloaded by everybody, as in a development phase."),
    )
    members_only = members_only(
        gettext_lazy(
            "The data of the phase are for teams that take part: starter kit, samples, checks and, once it is "
            "released, the gold."
        )
    )
    gold_released_since = MomentField(
        null=True,
        editable=False,
        help_text=gettext_lazy("Empty: from the beginning, where the gold is released at all."),
    )
    gold_due = MomentField(
        gettext_lazy("gold is released at"),
        null=True,
        blank=True,
        help_text=gettext_lazy("UTC. When the gold is released by itself; empty once it is released."),
    )
    results_released = MomentField(
        gettext_lazy("results released"),
        null=True,
        blank=True,
        help_text=gettext_lazy("UTC. From then on everybody sees the board, with real names."),
    )
    decided_by = models.ForeignKey(
        "challenges.Scenario",
        verbose_name=gettext_lazy("decided by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text=gettext_lazy("The board that says who is first in the task, where it has several."),
    )
    is_paused = models.BooleanField(
        pgettext_lazy("phase", "paused"),
        default=False,
        help_text=gettext_lazy("Takes no submissions for the moment."),
    )
    pause_reason = LineField(
        gettext_lazy("reason of the pause"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy("Participants read it on the task's page."),
    )
    is_former_season = models.BooleanField(
        gettext_lazy("former season"),
        default=False,
        db_default=False,  # for programs of the version before, while a site is upgraded
        editable=False,
        help_text=gettext_lazy("A later phase goes on from it: the task's page lists its board among former seasons."),
    )
    former_closings = models.JSONField(
        default=list,
        editable=False,
        encoder=DjangoJSONEncoder,
        help_text=gettext_lazy("Closings that were public before they were moved: a list of [closing, moved on]."),
    )
    created = MomentField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("task", "slug"), name="phase_slug_in_task"),
            models.CheckConstraint(
                condition=Q(closes__isnull=True) | Q(closes__gt=F("opens")),
                name="phase_closes_after_it_opens",
            ),
            models.CheckConstraint(
                condition=Q(late_until__isnull=True) | Q(late_until__gt=F("closes")),
                name="late_uploads_end_after_the_phase",
            ),
        )
        ordering = ("task", "opens")
        verbose_name, verbose_name_plural = gettext_lazy("phase"), gettext_lazy("phases")

    def __str__(self) -> str:
        return f"{self.task}: {self.name}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Set what follows from other fields: since when the gold is open, a closing that was moved, which run counts.

        Runs from before the gold was open were made without it, so that time is stored.
        """
        before = None if self._state.adding else _stored(self)
        if not self.gold_released:
            self.gold_released_since = None
        else:
            self.gold_due = None
            if before and not before["gold_released"]:
                self.gold_released_since = timezone.now()
        if before and before["closes"] != self.closes and self.task.is_public:
            self.former_closings = [*before["former_closings"], [before["closes"], timezone.now()]]
        self._follow_visibility(before)
        if (fields := kwargs.get("update_fields")) is not None:
            noted = {name for field, names in _NOTED.items() if field in fields for name in names}
            kwargs["update_fields"] = {*fields, *noted}
        super().save(*args, **kwargs)

    def _follow_visibility(self, before: Mapping[str, Any] | None) -> None:
        """Set the usual rule of which run counts, unless somebody has chosen or the first run has come.

        The best of many runs on a hidden test is partly luck. So there each team says beforehand which of its runs it
        believes in.
        """
        if before and before["counts"] != self.counts:
            self.counts_is_usual = False
        if self.counts_is_usual and not (before and self.submissions.filter(reference="").exists()):
            self.counts = self.Counts.TWO if self.hides_results else self.Counts.BEST

    def clean(self) -> None:
        if self.opens and self.closes and self.closes <= self.opens:
            raise ValidationError({"closes": gettext("The phase has to close after it opens.")})
        if self.late_until and not (self.closes and self.late_until > self.closes):
            raise ValidationError(
                {
                    "closes": gettext("The phase has to close before late uploads end."),
                    "late_until": gettext("Late uploads have to end after the phase closes."),
                }
            )
        if self._opens_again():
            problem = gettext("Results on the ranked part of the gold have been shown, so the phase cannot open again.")
            raise ValidationError({"closes": problem})
        if self.window is not None and self.window <= timedelta(0):
            raise ValidationError({"window": gettext("The window has to be longer than nothing.")})
        most = settings.MAX_LARGE_UPLOAD_BYTES // 1024**2
        if self.upload_megabytes and self.upload_megabytes > most:
            problem = gettext("This site takes uploads of at most %(most)s MB.") % {"most": most}
            raise ValidationError({"upload_megabytes": problem})

    def _opens_again(self) -> bool:
        """Return whether uploads would come after everybody knows what decides."""
        now = timezone.now()
        takes_ranked = self.ranks_late and self.late_until is not None and self.late_until > now
        is_over = self.closes is not None and self.closes <= now and not takes_ranked
        golds = self.golds.filter(part="ranked", state="published")
        return not is_over and not self._state.adding and golds.exists()

    @property
    def state(self) -> str:
        """Return the state now: `upcoming`, `open`, `paused` or `closed`."""
        now = moment.now()
        if now < self.opens:
            return "upcoming"
        if self.closes and now >= self.closes:
            return "closed"
        return "paused" if self.is_paused else "open"

    @property
    def moves(self) -> list["Move"]:
        """Return the closings that people have been told before that of now, the first one first."""
        return [Move(closes and _read(closes), _read(moved_on)) for closes, moved_on in self.former_closings]

    @property
    def takes_late(self) -> bool:
        """Return whether the phase has closed, and takes late uploads now."""
        return self.state == "closed" and not self.is_paused and self.is_late(moment.now())

    @property
    def takes_uploads(self) -> bool:
        """Return whether teams may upload now, in time or late."""
        return (self.state == "open" or self.takes_late) and self.task.archived is None and self.task.takes_uploads

    def is_late(self, time: datetime) -> bool:
        """Return whether an upload of this time is late: after the phase has closed, but still taken."""
        return bool(self.closes and self.late_until and self.closes <= time < self.late_until)

    @property
    def is_for_members(self) -> bool:
        """Return whether the data of the phase, its files among them, are kept for the teams that take part."""
        return self.members_only

    @property
    def hides_results(self) -> bool:
        """Return whether teams see no board, or no scores, before the release."""
        return not self.shows_scores or self.board_audience == self.Audience.ORGANISERS

    @property
    def shows_steps_alone(self) -> bool:
        """Return whether of scores nothing but the steps of the Ladder is shown: not once they, or the gold, are
        released.
        """
        return self.is_ladder and not self.gold_released and not self.is_released

    @property
    def n_choices(self) -> int:
        """Return how many of its runs a team may choose, of which the best counts; 0 if the site decides."""
        return N_CHOICES.get(self.counts, 0)

    def limits(self, time: datetime) -> list["Limit"]:
        """Return the limits of uploads that hold for an upload at this time."""
        limits = []
        if self.total_limit is not None:
            limits.append(Limit(self.total_limit, None, None))
        if self.window_limit is not None:
            limits.append(Limit(self.window_limit, time - self.window, self.window))
        if self.year_limit is not None and self.year == self.Year.ROLLING:
            limits.append(Limit(self.year_limit, time - YEAR, YEAR))
        elif self.year_limit is not None:
            first = datetime(time.astimezone(UTC).year, 1, 1, tzinfo=UTC)
            limits.append(Limit(self.year_limit, first - _INSTANT, None, ends=first.replace(year=first.year + 1)))
        return limits

    @property
    def most_uploads(self) -> int | None:
        """Return how many uploads a team may make in all, in time or late; None if there is no limit."""
        ends = self.late_until or self.closes
        numbers = [] if self.total_limit is None else [self.total_limit]
        if ends and self.window_limit is not None:
            numbers.append(self.window_limit * _n_windows(ends - self.opens, self.window))
        if ends and self.year_limit is not None:
            n_years = ends.astimezone(UTC).year - self.opens.astimezone(UTC).year + 1
            is_rolling = self.year == self.Year.ROLLING
            numbers.append(self.year_limit * (_n_windows(ends - self.opens, YEAR) if is_rolling else n_years))
        return min(numbers, default=None)

    @property
    def is_limited(self) -> bool:
        return any(limit is not None for limit in (self.total_limit, self.window_limit, self.year_limit))

    @property
    def is_released(self) -> bool:
        return self.results_released is not None and self.results_released <= moment.now()


@dataclass(frozen=True)
class Limit:
    """At most so many uploads of a team that came after a time."""

    most: int
    after: datetime | None  # None: whenever they came
    lasts: timedelta | None  # how long each of them counts; None: as long as all others
    ends: datetime | None = None  # when none of them counts any more

    def frees(self, arrived: datetime) -> datetime | None:
        """Return when an upload that arrived then counts no more; None for never."""
        return arrived + self.lasts if self.lasts else self.ends


@dataclass(frozen=True)
class Move:
    """A closing that people have been told, and when it was moved."""

    closes: datetime | None  # None: the phase was to stay open
    moved_on: datetime


def _read(time: datetime | str) -> datetime:
    """Return the time, which is text once the row has been read from the database."""
    return time if isinstance(time, datetime) else datetime.fromisoformat(time)


def _n_windows(lasts: timedelta, window: timedelta) -> int:
    """Return how many windows that follow each other begin in this time."""
    return lasts // window + 1


_INSTANT = timedelta(microseconds=1)
_FOLLOWED = ("gold_released", "closes", "former_closings", "counts")


def _stored(phase: Phase) -> Mapping[str, Any] | None:
    return Phase.objects.filter(pk=phase.pk).values(*_FOLLOWED).first()


N_CHOICES = {Phase.Counts.CHOSEN.value: 1, Phase.Counts.TWO.value: 2}  # by what counts


# Fields that follow from others, and are saved with them.
_NOTED = {
    "gold_released": {"gold_released_since", "gold_due"},
    "closes": {"former_closings"},
    "counts": {"counts_is_usual"},
    "shows_scores": {"counts", "counts_is_usual"},
    "board_audience": {"counts", "counts_is_usual"},
}
