"""What one can submit to: a task with its scenarios, phases, gold and downloads, and its audit trail."""

import hashlib
import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, ClassVar, Self

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import cached_property, lazy
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

import scoring
from evalsite.accounts.models import Team, User, new_invitation
from evalsite.base import moment
from evalsite.base.faults import Fault, KnownFault
from evalsite.base.file_names import plain_name, require_plain_name, stored_name, suffix_of
from evalsite.challenges.counters import Counter
from evalsite.challenges.setups import Setup, setup_of
from evalsite.challenges.text_models import FormerAddress, Page, Picture  # noqa: F401 - Django looks for them here
from evalsite.challenges.versioned import Versioned
from evalsite.translating.engine import from_engine
from scoring.families.parts import ROWS
from scoring.family import Family
from scoring.readers.parts import Rows
from scoring.scale import Scale
from scoring.signature import version_of

# By BCP 47, as the attribute `lang` of HTML takes it: "es", "zh-Hant-TW".
language_tag = RegexValidator(
    r"\A[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}\Z", gettext_lazy("Write a language's tag, such as en, es or zh-Hant.")
)


class Task(Versioned):
    """A shared task: what participants enter."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(
        pgettext_lazy("in an address", "slug"),
        unique=True,
        help_text=gettext_lazy("The task's place in addresses: /tasks/<slug>/"),
    )
    title = models.CharField(gettext_lazy("title"), max_length=200)
    summary = models.CharField(
        gettext_lazy("summary"), max_length=300, help_text=gettext_lazy("One sentence for the list of tasks.")
    )
    description = models.TextField(gettext_lazy("description"), blank=True, help_text="Markdown.")
    language = models.CharField(
        gettext_lazy("language"),
        max_length=35,
        blank=True,
        validators=[language_tag],
        help_text=gettext_lazy("Of title, summary and descriptions, as a tag such as en or es; empty: not known."),
    )
    data_language = models.CharField(
        gettext_lazy("language of the data"),
        max_length=35,
        blank=True,
        validators=[language_tag],
        help_text=gettext_lazy("Of the texts that are annotated, such as es or ja; empty: not known, or several."),
    )
    contact = models.EmailField(
        gettext_lazy("contact"), blank=True, help_text=gettext_lazy("Where participants can ask.")
    )
    organisers = models.ManyToManyField(
        User,
        verbose_name=gettext_lazy("organisers"),
        through="Organiser",
        through_fields=("task", "user"),
        related_name="organised_tasks",
    )
    house = models.OneToOneField(
        Team,
        verbose_name=gettext_lazy("house team"),
        on_delete=models.PROTECT,
        null=True,
        editable=False,
        related_name="house_of",
        help_text=gettext_lazy("Whose the organisers' own runs are; it takes no part. None before there is one."),
    )
    is_published = models.BooleanField(
        gettext_lazy("is published"),
        default=False,
        help_text=gettext_lazy("Unpublished tasks are seen by organisers only."),
    )
    publish_at = models.DateTimeField(
        gettext_lazy("published at"),
        null=True,
        blank=True,
        help_text=gettext_lazy("UTC. From then on everybody sees the task, without anybody doing anything."),
    )
    zone = models.CharField(
        gettext_lazy("time zone"),
        max_length=64,
        default="UTC",
        help_text=gettext_lazy("In which the organisers type times, such as AoE or Europe/Madrid."),
    )
    archived = models.DateTimeField(
        gettext_lazy("archived"),
        null=True,
        editable=False,
        help_text=gettext_lazy("Since then it stands in the archive, is read as before, and takes no uploads."),
    )
    created = models.DateTimeField(gettext_lazy("created"), auto_now_add=True)
    # By these two a kept page is known to be the page of now (evalsite.challenges.revisions).
    revision = Counter(default=0, db_default=0, editable=False)  # changes that organisers made: they are seen at once
    news = Counter(default=0, db_default=0, editable=False)  # new boards and participants: pages lag some seconds

    class Meta:
        ordering = ("title",)
        verbose_name, verbose_name_plural = gettext_lazy("task"), gettext_lazy("tasks")

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("task", args=[self.slug])

    @property
    def is_public(self) -> bool:
        """Whether everybody sees it, and not its organisers alone."""
        return self.is_published or (self.publish_at is not None and self.publish_at <= moment.now())

    @cached_property
    def takes_uploads(self) -> bool:
        """Whether participants upload to a scenario of it, or to none yet."""
        scenarios = self.scenarios.all()
        return not scenarios or any(scenario.takes_uploads for scenario in scenarios)

    @property
    def named_organisers(self) -> list[User]:
        """Whom pages and citations name, in the order in which they came: all but those who look on."""
        rows = self.organiser_rows.exclude(role=Organiser.Role.VIEWER).select_related("user")
        return [row.user for row in rows]


def published(now: datetime) -> Q:
    """Of tasks: those that everybody sees at this time."""
    return Q(is_published=True) | Q(publish_at__lte=now)


class Organiser(models.Model):
    """A person on a task's list of organisers. Owners also decide who is on it; viewers see all and change nothing.

    What follows from a role stands in evalsite.challenges.access.
    """

    class Role(models.TextChoices):
        OWNER = "owner", gettext_lazy("Owner")
        ORGANISER = "organiser", gettext_lazy("Organiser")
        VIEWER = "viewer", gettext_lazy("Viewer")

    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="organiser_rows"
    )
    user = models.ForeignKey(
        User, verbose_name=gettext_lazy("user"), on_delete=models.CASCADE, related_name="organiser_rows"
    )
    role = models.CharField(
        pgettext_lazy("of an organiser", "role"), max_length=10, choices=Role, default=Role.ORGANISER
    )
    added = models.DateTimeField(gettext_lazy("added"), auto_now_add=True)
    added_by = models.ForeignKey(
        User, verbose_name=gettext_lazy("added by"), on_delete=models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ("added", "pk")
        constraints = (models.UniqueConstraint(fields=("task", "user"), name="one_role_per_task"),)
        verbose_name, verbose_name_plural = gettext_lazy("organiser"), gettext_lazy("organisers")

    def __str__(self) -> str:
        return gettext("%(user)s, %(role)s of %(task)s") % {
            "user": self.user,
            "role": self.get_role_display(),
            "task": self.task,
        }


class OrganiserInvitation(models.Model):
    """By mail, onto a task's list of organisers: the account that has confirmed the address joins by its link, once.

    It is the same whether or not the address has an account, so that nobody learns who has one.
    """

    LASTS: ClassVar = timedelta(days=14)
    OWNERS_LASTS: ClassVar = timedelta(days=1)  # an owner decides who sees the gold

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="organiser_invitations")
    email = models.EmailField(gettext_lazy("e-mail address"))
    role = models.CharField(pgettext_lazy("of an organiser", "role"), max_length=10, choices=Organiser.Role)
    secret = models.CharField(max_length=64, unique=True, default=new_invitation)
    sent = models.DateTimeField(gettext_lazy("sent"), default=timezone.now)
    sent_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name, verbose_name_plural = (
            gettext_lazy("invitation to organise"),
            gettext_lazy("invitations to organise"),
        )
        ordering = ("sent",)
        constraints = (models.UniqueConstraint(fields=("task", "email"), name="one_invitation_per_address"),)

    def __str__(self) -> str:
        return gettext("%(email)s, to %(task)s") % {"email": self.email, "task": self.task}

    @property
    def ends(self) -> datetime:
        return self.sent + (self.OWNERS_LASTS if self.role == Organiser.Role.OWNER else self.LASTS)

    @property
    def is_over(self) -> bool:
        return self.ends < timezone.now()

    @property
    def masked_email(self) -> str:
        """The address, for somebody who may be somebody else: one's own is known again by it, and no other learnt."""
        name, _, domain = self.email.rpartition("@")
        return f"{name[:1]}…@{domain}"

    def is_for(self, user: User) -> bool:
        """Whether the account has confirmed the address; allauth stores addresses in lower case."""
        confirmed: bool = EmailAddress.objects.filter(user=user, email=self.email.lower(), verified=True).exists()
        return confirmed


def family_choices() -> list[tuple[str, str]]:
    return [(family.name, _title_of(family.title)) for family in scoring.FAMILIES.values()]


_title_of = lazy(from_engine, str)


MOST_USUAL = 6  # scores that are shown beside the one that ranks, where none were chosen


class Scenario(Versioned):
    """One way of entering the task: a family of the engine with its options, and what is shown of its scores."""

    _setup: Setup | None = None  # in memory

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="scenarios"
    )

    class Digits(models.TextChoices):
        """How scores are written, where that is not left to the family."""

        TWO = "2", gettext_lazy("2 decimals, 0.64")
        THREE = "3", gettext_lazy("3 decimals, 0.639")
        FOUR = "4", gettext_lazy("4 decimals, 0.6394")
        PERCENT = "percent1", gettext_lazy("per cent with 1 decimal, 63.9 %")
        EXACT_PERCENT = "percent2", gettext_lazy("per cent with 2 decimals, 63.94 %")
        INTERVAL = "interval", gettext_lazy("as many as their intervals tell")

    number = models.PositiveSmallIntegerField(gettext_lazy("number"), validators=[MinValueValidator(1)])
    name = models.CharField(gettext_lazy("name"), max_length=100)
    description = models.TextField(gettext_lazy("description"), blank=True, help_text="Markdown.")
    family = models.CharField(gettext_lazy("family"), max_length=30, choices=family_choices)
    options = models.JSONField(
        gettext_lazy("options"),
        default=dict,
        blank=True,
        help_text=gettext_lazy('The family\'s options, such as {"scenario": "1"}.'),
    )
    shown_scores = models.JSONField(
        gettext_lazy("shown scores"),
        default=list,
        blank=True,
        help_text=gettext_lazy("Names of the scores on the board, in order; empty: the family's choice."),
    )

    digits = models.CharField(
        gettext_lazy("digits of scores"),
        max_length=10,
        blank=True,
        choices=Digits,
        help_text=gettext_lazy("How scores are written on pages; downloads have them in full."),
    )

    takes_reports = models.BooleanField(
        gettext_lazy("participants report scores of their own"),
        default=False,
        db_default=False,
        help_text=gettext_lazy(
            "For scores made elsewhere. Off: the organisers bring them, and nobody else uploads. On: what teams report "
            "stands on boards as the team says, outside the ranks and all tests."
        ),
    )
    use = models.CharField(
        gettext_lazy("what systems do"),
        max_length=60,
        blank=True,
        editable=False,
        help_text=gettext_lazy(
            "Key of the use that the organiser chose: several of a family may have the same options."
        ),
    )

    class Meta:
        constraints = (models.UniqueConstraint(fields=("task", "number"), name="scenario_number_in_task"),)
        ordering = ("task", "number")
        verbose_name, verbose_name_plural = gettext_lazy("scenario"), gettext_lazy("scenarios")

    def __str__(self) -> str:
        return gettext("Scenario %(number)s: %(name)s") % {"number": self.number, "name": self.name}

    def clean(self) -> None:
        problems: dict[str, str] = {}
        if self.family not in scoring.FAMILIES:
            raise ValidationError({"family": gettext("This family is unknown.")})
        family = self.engine_family
        if options_problem := self._options_problem(family):
            problems["options"] = options_problem
        titles = list(family.score_titles if options_problem else family.titles(self.configured))
        shown = self.shown_scores
        if not isinstance(shown, list) or any(name not in titles for name in shown):
            known = ", ".join(titles)
            problem = gettext("A list of score names is needed. The family's scores are: %(known)s.")
            problems["shown_scores"] = problem % {"known": known}
        if self.digits.startswith("percent") and "options" not in problems and not self._ranks_by_share():
            problems["digits"] = gettext("The score that ranks is no share: it cannot be written in per cent.")
        if problems:
            raise ValidationError(problems)

    def _ranks_by_share(self) -> bool:
        return self.setup.scale(self.setup.headline).is_share

    def _options_problem(self, family: Family) -> str:
        """What is wrong with the options, "" if nothing is; options of the command line are never offered."""
        if not isinstance(self.options, dict):
            return gettext('Options are a JSON object, such as {"scenario": "1"}.')
        local = {option.key for option in family.options if option.is_local}
        known = [option.key for option in family.options if option.key not in local]
        if used := sorted(local & self.options.keys()):
            problem = gettext("%(options)s: for the command line alone, as it is about a file there.")
            return problem % {"options": ", ".join(used)}
        if unknown := [key for key in self.options if key not in known]:
            problem = gettext("Unknown option %(option)s. The options are %(known)s.")
            return problem % {"option": repr(unknown[0]), "known": ", ".join(known)}
        try:
            family.configure(self.options)
        except scoring.ConfigurationError as error:
            return from_engine(error)
        return ""

    @property
    def engine_family(self) -> Family:
        """Its record, for one language of an upload where the options say so.

        KnownFault where the package that brings the family is not installed here.
        """
        return self.setup.family

    @property
    def is_brought(self) -> bool:
        """Whether a run says its own score, so that the organisers bring it."""
        return is_brought_by_organisers(self.family)

    @property
    def takes_uploads(self) -> bool:
        """Whether participants upload to it, in whatever phase."""
        return self.takes_reports or not self.is_brought

    @property
    def setup(self) -> Setup:
        """The family with these options, and what follows from both."""
        try:
            self._setup = setup_of(self.family, self.options, self._setup)
        except KeyError:
            raise KnownFault(Fault.FAMILY_MISSING, self.family) from None
        return self._setup

    @property
    def engine_version(self) -> str:
        """Of all that scores depend on: the engine, and the package that brings the family."""
        return version_of(self.engine_family)

    @property
    def configured(self) -> dict[str, Any]:
        """All options of the family, with the defaults that apply."""
        return dict(self.setup.options)

    @property
    def part(self) -> Rows | None:
        """Which rows of a table it reads; None where it reads all, or files of its own."""
        rows = self.options.get(ROWS.key)
        return Rows.parsed(rows) if rows else None

    @property
    def unit(self) -> tuple[str, str]:
        """What intervals are drawn from, singular and plural."""
        return self.setup.unit

    @property
    def headline(self) -> str:
        """The name of the score that ranks."""
        return self.setup.headline

    @property
    def lower_scores(self) -> frozenset[str]:
        """Names of the scores of which less is better."""
        return self.setup.lower_scores

    @property
    def lower_is_better(self) -> bool:
        """Whether the best run is the one with the lowest score."""
        return self.headline in self.lower_scores

    def scale_of(self, name: str) -> Scale:
        """How this score is said: as the organisers have chosen, or else the family.

        Their choice is for the score that ranks and all that are like it: not for a sum beside shares.
        """
        found = self.setup
        own = found.scale(name)
        if not self.digits or name in found.family.without_interval:
            return own
        ranks_by = found.scale(found.headline)
        is_like_it = (own.is_share, own.full, own.decimals is None) == (
            ranks_by.is_share,
            ranks_by.full,
            ranks_by.decimals is None,
        )
        return _as_chosen(own, self.digits) if is_like_it else own

    def scale_of_column(self, name: str) -> Scale:
        """How a column of a table is said: as the score of its name; what a label has, as the score that ranks."""
        if name in _OF_LABELS and self.scale.is_share:
            return self.scale
        return self.scale_of(name) if name in self.score_titles else Scale()

    @property
    def scale(self) -> Scale:
        """How the score that ranks is said."""
        return self.scale_of(self.headline)

    @property
    def score_titles(self) -> dict[str, str]:
        """What people call the scores. Options may rank by one that the family does not know by name."""
        found = self.setup
        return {found.headline: found.headline, **found.titles}

    @property
    def layouts(self) -> list[str]:
        """Templates that say what to upload; the first that exists counts."""
        return [f"challenges/layouts/{self.family}.html", "challenges/layouts/any.html"]

    @property
    def example(self) -> dict[str, bytes]:
        """A small upload that the layout allows: path -> content."""
        return self.engine_family.example(self.configured)

    @property
    def scores(self) -> list[str]:
        """Names of the scores that boards show, the headline first; while the gold is hidden, of all that are told."""
        return [self.headline, *(name for name in self.shown_scores or self.usual_scores if name != self.headline)]

    @property
    def usual_scores(self) -> list[str]:
        """Those beside the headline where organisers have chosen none: few, as each tells of a hidden gold."""
        titles = self.score_titles
        main = [name for name in self.engine_family.main_scores if name in titles and name != self.headline]
        return main[:MOST_USUAL]


# What tables by label call precision, recall and F1.
_OF_LABELS = frozenset(("precision", "recall", "f1", "fmeasure", "p", "r", "f"))


def _as_chosen(scale: Scale, digits: str) -> Scale:
    """The scale with these digits, which are of `Scenario.Digits`; per cent only where it is one of shares."""
    if digits == Scenario.Digits.INTERVAL:
        return replace(scale, decimals=None)
    is_percent = digits.startswith("percent")
    if is_percent and not scale.is_share:
        return scale
    decimals = int(digits.removeprefix("percent"))
    return replace(scale, decimals=decimals, is_percent=is_percent, has_bounds=scale.decimals is not None)


def direction_of(family: str, options: Mapping[str, Any]) -> tuple[bool, float | None]:
    """Of the score that ranks by these options: whether less of it is better, and what a perfect run has, if known."""
    found = setup_of(family, options)
    return found.headline in found.lower_scores, found.score_when_perfect


def is_brought_by_organisers(family: str) -> bool:
    """Of a family by its name; False where its package is not installed, so that nothing is scored anyway."""
    known = scoring.FAMILIES.get(family)
    return known is not None and known.is_brought_by_organisers


def is_perfect(score: float | None, perfect: float | None) -> bool:
    """Whether a score is what a perfect run has; means, roots and logarithms miss that by their last digits."""
    return score is not None and perfect is not None and abs(score - perfect) <= _ROUNDING * max(1.0, abs(perfect))


_ROUNDING = 1e-9  # of a perfect score
USUAL_LIMIT = 5  # uploads of a team in a window, while the gold is hidden


class Phase(Versioned):
    """A period in which a task takes submissions, with its limits and what it shows to whom."""

    class Audience(models.TextChoices):
        ORGANISERS = "organisers", pgettext_lazy("who sees a board", "organisers")
        PARTICIPANTS = "participants", pgettext_lazy("who sees a board", "participants")
        EVERYBODY = "everybody", pgettext_lazy("who sees a board", "everybody")

    class Counts(models.TextChoices):
        """Which of a team's runs stands on a board."""

        BEST = "best", pgettext_lazy("which run counts", "the best one")
        LAST = "last", pgettext_lazy("which run counts", "the last one")
        CHOSEN = "chosen", pgettext_lazy("which run counts", "the one that the team chooses")
        TWO = "two", pgettext_lazy("which run counts", "the better of up to two that the team chooses")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="phases")
    slug = models.SlugField(
        pgettext_lazy("in an address", "slug"),
        help_text=gettext_lazy("The phase's place in addresses, such as test."),
    )
    name = models.CharField(gettext_lazy("name"), max_length=100)
    description = models.TextField(gettext_lazy("description"), blank=True, help_text="Markdown.")
    opens = models.DateTimeField(gettext_lazy("opens"), help_text="UTC.")
    closes = models.DateTimeField(
        gettext_lazy("closes"), null=True, blank=True, help_text=gettext_lazy("UTC. Empty: stays open.")
    )
    late_until = models.DateTimeField(
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
    window_limit = models.PositiveIntegerField(
        gettext_lazy("uploads per window"),
        null=True,
        blank=True,
        default=USUAL_LIMIT,
        help_text=gettext_lazy(
            "Per team. Empty: no limit, as where the gold is released; hidden gold could be read by many runs."
        ),
    )
    window = models.DurationField(
        gettext_lazy("window"), default=timedelta(days=1), help_text=gettext_lazy("Rolling window of the limit.")
    )
    total_limit = models.PositiveIntegerField(
        gettext_lazy("uploads in total"), null=True, blank=True, help_text=gettext_lazy("Per team. Empty: no limit.")
    )
    upload_megabytes = models.PositiveIntegerField(
        gettext_lazy("MB of an upload"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=gettext_lazy(
            "The most that one upload may have, where 1 MB is 1,024 kB. Empty: what the site usually takes. "
            "Browsers send larger files in parts, and go on after a broken line."
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
    gold_released = models.BooleanField(
        gettext_lazy("gold released"),
        default=False,
        help_text=gettext_lazy("The gold may be downloaded by everybody, as in a development phase."),
    )
    gold_released_since = models.DateTimeField(
        null=True,
        editable=False,
        help_text=gettext_lazy("Empty: from the beginning, where the gold is released at all."),
    )
    results_released = models.DateTimeField(
        gettext_lazy("results released"),
        null=True,
        blank=True,
        help_text=gettext_lazy("UTC. From then on everybody sees the board, with real names."),
    )
    is_paused = models.BooleanField(
        pgettext_lazy("phase", "paused"),
        default=False,
        help_text=gettext_lazy("Takes no submissions for the moment."),
    )
    pause_reason = models.CharField(
        gettext_lazy("reason of the pause"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy("Participants read it on the task's page."),
    )
    extended_from = models.DateTimeField(
        null=True, editable=False, help_text=gettext_lazy("When it was to close, before that was put off in public.")
    )
    extended_on = models.DateTimeField(null=True, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)

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
        """Keep what follows from other fields: since when the gold is open, that the closing was put off, what counts.

        Since when the gold is open is kept as runs of before were made without it.
        """
        before = None if self._state.adding else _stored(self)
        if not self.gold_released:
            self.gold_released_since = None
        elif before and not before["gold_released"]:
            self.gold_released_since = timezone.now()
        if before and before["closes"] != self.closes:
            self._note_extension(before["closes"])
        self._follow_sight(before)
        if (fields := kwargs.get("update_fields")) is not None:
            noted = {name for field, names in _NOTED.items() if field in fields for name in names}
            kwargs["update_fields"] = {*fields, *noted}
        super().save(*args, **kwargs)

    def _note_extension(self, closed: datetime | None) -> None:
        """What the task's page says of a closing that is later than people have been told."""
        first = self.extended_from or closed
        if first and (self.closes is None or first < self.closes):
            if self.task.is_public:
                self.extended_from, self.extended_on = first, timezone.now()
        else:
            self.extended_from = self.extended_on = None

    def _follow_sight(self, before: Mapping[str, Any] | None) -> None:
        """Let count what usually does, unless somebody has chosen or the first run has come.

        To choose the best of many runs by the results of a test that is hidden is to be lucky on it. So there each team
        says beforehand which of its runs it believes in.
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
        if self.window is not None and self.window <= timedelta(0):
            raise ValidationError({"window": gettext("The window has to be longer than nothing.")})
        most = settings.MAX_LARGE_UPLOAD_BYTES // 1024**2
        if self.upload_megabytes and self.upload_megabytes > most:
            problem = gettext("This site takes uploads of at most %(most)s MB.") % {"most": most}
            raise ValidationError({"upload_megabytes": problem})

    @property
    def state(self) -> str:
        """`upcoming`, `open`, `paused` or `closed`, now."""
        now = moment.now()
        if now < self.opens:
            return "upcoming"
        if self.closes and now >= self.closes:
            return "closed"
        return "paused" if self.is_paused else "open"

    @property
    def takes_late(self) -> bool:
        """Whether it has closed, and takes late uploads now."""
        return self.state == "closed" and not self.is_paused and self.is_late(moment.now())

    @property
    def takes_uploads(self) -> bool:
        """Now, from teams, in time or late."""
        return (self.state == "open" or self.takes_late) and self.task.archived is None and self.task.takes_uploads

    def is_late(self, time: datetime) -> bool:
        """Whether an upload of this time comes after the phase has closed, and is taken all the same."""
        return bool(self.closes and self.late_until and self.closes <= time < self.late_until)

    @property
    def hides_results(self) -> bool:
        """Whether teams see no board, or no scores, before the release."""
        return not self.shows_scores or self.board_audience == self.Audience.ORGANISERS

    @property
    def n_choices(self) -> int:
        """How many of its runs a team may choose, of which the best counts; 0 where the site decides."""
        return N_CHOICES.get(self.counts, 0)

    @property
    def is_released(self) -> bool:
        return self.results_released is not None and self.results_released <= moment.now()


def _stored(phase: Phase) -> Mapping[str, Any] | None:
    return Phase.objects.filter(pk=phase.pk).values("gold_released", "closes", "counts").first()


N_CHOICES = {Phase.Counts.CHOSEN.value: 1, Phase.Counts.TWO.value: 2}  # by what counts
# What a phase notes by itself when these fields are saved.
_NOTED = {
    "gold_released": {"gold_released_since"},
    "closes": {"extended_from", "extended_on"},
    "counts": {"counts_is_usual"},
    "shows_scores": {"counts", "counts_is_usual"},
    "board_audience": {"counts", "counts_is_usual"},
}


SEALED_GOLD = "sealed-gold"  # the folder into which evalsite.challenges.gold.sealing moves it


def gold_path(gold: "Gold", name: str) -> str:
    return f"gold/{gold.pk}/{stored_name('gold', name)}"


class GoldQuerySet(models.QuerySet["Gold"]):
    def published(self) -> Self:
        return self.filter(state=Gold.State.PUBLISHED)

    def in_force(self) -> Self:
        """Those that rank: of each phase and scenario the newest that was published."""
        newer = Gold.objects.published().filter(
            phase=OuterRef("phase"), scenario=OuterRef("scenario"), version__gt=OuterRef("version")
        )
        return self.published().filter(~Exists(newer))


class Gold(models.Model):
    """The hidden answers of a phase for one scenario: an immutable, numbered file.

    What ranks is published, not newest: where runs have been scored, a new version is a candidate, by which nobody is
    ranked until organisers have seen what it changes (evalsite.challenges.gold.versions).
    """

    class State(models.TextChoices):
        CANDIDATE = "candidate", gettext_lazy("candidate")
        PUBLISHED = "published", gettext_lazy("published")
        DISCARDED = "discarded", gettext_lazy("discarded")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, verbose_name=gettext_lazy("phase"), on_delete=models.PROTECT, related_name="golds")
    scenario = models.ForeignKey(
        Scenario, verbose_name=gettext_lazy("scenario"), on_delete=models.PROTECT, related_name="golds"
    )
    version = models.PositiveIntegerField(gettext_lazy("version"), validators=[MaxValueValidator(10_000)])
    file = models.FileField(gettext_lazy("file"), upload_to=gold_path)
    file_name = models.CharField(
        gettext_lazy("name of the file"),
        max_length=255,
        blank=True,
        default="",
        db_default="",  # for programs of the version before, while a site is upgraded
        validators=[require_plain_name],
        help_text=gettext_lazy("As the organiser's own; formats are told by it."),
    )
    sha256 = models.CharField(max_length=64)
    digest = models.CharField(
        max_length=64,
        blank=True,
        help_text=gettext_lazy(
            "The engine's, of the scenario's files alone: equal for the same gold in another archive. "
            "Empty for gold of before this was kept."
        ),
    )
    note = models.CharField(
        gettext_lazy("note"), max_length=200, blank=True, help_text=gettext_lazy("What changed, for the record.")
    )
    n_units = models.PositiveIntegerField(
        gettext_lazy("number of units"),
        help_text=gettext_lazy("Sentences, documents, questions: what intervals are drawn from."),
    )
    created = models.DateTimeField(gettext_lazy("created"), auto_now_add=True)
    created_by = models.ForeignKey(
        User, verbose_name=gettext_lazy("created by"), on_delete=models.SET_NULL, null=True, related_name="+"
    )
    state = models.CharField(gettext_lazy("state"), max_length=9, choices=State, default=State.PUBLISHED)
    published = models.DateTimeField(gettext_lazy("published"), null=True, blank=True)
    published_by = models.ForeignKey(
        User,
        verbose_name=gettext_lazy("published by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    public_note = models.CharField(
        gettext_lazy("public note"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy("What changed, as the board says it."),
    )
    engine = models.CharField(
        gettext_lazy("version of the engine"),
        max_length=60,
        blank=True,
        help_text=gettext_lazy("The one whose results count on this gold; empty until there is a result."),
    )
    engine_since = models.DateTimeField(null=True, blank=True, help_text=gettext_lazy("When it was published."))
    engine_note = models.CharField(
        max_length=200, blank=True, help_text=gettext_lazy("What another engine has changed, as the board says it.")
    )
    keeps = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text=gettext_lazy(
            "Scores whose resamples its evaluations keep, and their seed, since the combined score of the phase needs "
            'them: {"scores": […], "seed": …}.'
        ),
    )
    candidate_engine = models.CharField(
        gettext_lazy("candidate version of the engine"),
        max_length=60,
        blank=True,
        help_text=gettext_lazy("Another one, whose results lie beside until they are published."),
    )

    objects = GoldQuerySet.as_manager()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("phase", "scenario", "version"), name="gold_version_in_phase_and_scenario"),
            models.UniqueConstraint(
                fields=("phase", "scenario"), condition=Q(state="candidate"), name="one_candidate_in_phase_and_scenario"
            ),
        )
        ordering = ("phase", "scenario", "-version")
        verbose_name, verbose_name_plural = gettext_lazy("gold"), pgettext_lazy("plural", "gold")

    def __str__(self) -> str:
        said = gettext("%(phase)s, scenario %(scenario)s, gold version %(version)s")
        return said % {"phase": self.phase, "scenario": self.scenario.number, "version": self.version}

    @property
    def download_name(self) -> str:
        """What the file is called where it is downloaded, such as health-test-gold.zip."""
        others = Gold.objects.filter(phase=self.phase_id, version=self.version).exclude(sha256=self.sha256)
        parts = [self.phase.task.slug, self.phase.slug, "gold"]
        if others.exists():
            parts.append(f"scenario{self.scenario.number}")
        if self.version > 1:
            parts.append(f"v{self.version}")
        return "-".join(parts) + suffix_of(self.file_name or self.file.name)

    @property
    def is_candidate(self) -> bool:
        return self.state == self.State.CANDIDATE

    @property
    def has_candidate(self) -> bool:
        """Whether there is something to publish: the gold itself, or the results of another engine."""
        return self.is_candidate or (self.state == self.State.PUBLISHED and bool(self.candidate_engine))

    @property
    def is_in_force(self) -> bool:
        """Whether the board ranks by it."""
        return Gold.objects.in_force().filter(pk=self.pk).exists()


def waiting_gold_path(waiting: "WaitingGold", name: str) -> str:
    return f"waiting-gold/{waiting.pk}/{stored_name('gold', name)}"


class WaitingGold(models.Model):
    """An upload of gold in which something looks odd: it counts for nothing until an organiser takes it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="waiting_golds")
    scenarios = models.ManyToManyField(Scenario, related_name="+", help_text=gettext_lazy("Those that it is for."))
    file = models.FileField(upload_to=waiting_gold_path)
    file_name = models.CharField(
        max_length=255,
        validators=[require_plain_name],
        help_text=gettext_lazy("As the organiser's own; formats are told by it."),
    )
    note = models.CharField(max_length=200, blank=True)
    remarks = models.JSONField(help_text=gettext_lazy("What looks odd: a list of [heading, list of texts]."))
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("waiting gold"), gettext_lazy("waiting gold")

    def __str__(self) -> str:
        return gettext("%(file)s for %(phase)s") % {"file": self.file_name, "phase": self.phase}


def download_path(download: "Download", name: str) -> str:
    return f"downloads/{download.pk}/{stored_name('download', name)}"


class Download(Versioned):
    """A file that the organisers offer on the task's page, such as the sentences to annotate."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="downloads")
    title = models.CharField(gettext_lazy("title"), max_length=150)
    description = models.CharField(gettext_lazy("description"), max_length=300, blank=True)
    file = models.FileField(gettext_lazy("file"), upload_to=download_path)
    file_name = models.CharField(
        gettext_lazy("name of the file"),
        max_length=255,
        blank=True,
        default="",
        db_default="",  # for programs of the version before, while a site is upgraded
        editable=False,
        validators=[require_plain_name],
    )
    available_from = models.DateTimeField(
        gettext_lazy("available from"), default=timezone.now, help_text=gettext_lazy("UTC. Hidden before.")
    )

    class Meta:
        ordering = ("task", "available_from", "title")
        verbose_name, verbose_name_plural = gettext_lazy("download"), gettext_lazy("downloads")

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A new file brings its name along; one that is stored lies in a folder."""
        if self.file.name and "/" not in self.file.name:
            self.file_name = plain_name(self.file.name)
            if (fields := kwargs.get("update_fields")) is not None:
                kwargs["update_fields"] = {*fields, "file_name"}
        super().save(*args, **kwargs)

    @property
    def is_available(self) -> bool:
        return self.available_from <= moment.now()


class Participation(models.Model):
    """A team that has entered a task; teams are numbered in the order of their first uploads."""

    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="participations"
    )
    team = models.ForeignKey(
        Team, verbose_name=gettext_lazy("team"), on_delete=models.CASCADE, related_name="participations"
    )
    number = models.PositiveIntegerField(gettext_lazy("number"))
    created = models.DateTimeField(gettext_lazy("created"), auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("participation"), gettext_lazy("participations")
        constraints = (
            models.UniqueConstraint(fields=("task", "team"), name="one_participation_per_team"),
            models.UniqueConstraint(fields=("task", "number"), name="participation_number_in_task"),
        )

    def __str__(self) -> str:
        return gettext("%(team)s in %(task)s") % {"team": self.team, "task": self.task}


class FormerParticipation(models.Model):
    """A team that brought all its runs of a task into another team: boards of before still name it.

    Where such a board stands, `former` is the key of the row's team. The team itself may be deleted, renamed, or enter
    the task anew, under another number.
    """

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="former_participations")
    former = models.UUIDField()
    name = models.CharField(max_length=100)
    number = models.PositiveIntegerField()
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="former_participations")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("former participation"), gettext_lazy("former participations")
        constraints = (models.UniqueConstraint(fields=("task", "number"), name="former_number_in_task"),)

    def __str__(self) -> str:
        said = gettext("%(name)s, now %(team)s, in %(task)s")
        return said % {"name": self.name, "team": self.team, "task": self.task}


class TeamNumber(models.Model):
    """What a team is called in a phase whose boards do not name it: Team 4817.

    Drawn with a key (evalsite.challenges.teams), so that nobody finds the team by it, or by its number elsewhere. It
    stays, also when the team has brought its runs into another one: boards of before show it.
    """

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="team_numbers")
    team = models.UUIDField(help_text=gettext_lazy("Key of a team, which may be there no more."))
    number = models.PositiveIntegerField()

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("number of a team"), gettext_lazy("numbers of teams")
        constraints = (
            models.UniqueConstraint(fields=("phase", "team"), name="one_number_of_team_in_phase"),
            models.UniqueConstraint(fields=("phase", "number"), name="team_number_in_phase"),
        )

    def __str__(self) -> str:
        return gettext("Team %(number)s in %(phase)s") % {"number": self.number, "phase": self.phase}


class Event(models.Model):
    """One line of the audit trail of a task, or of a team: who did what to what. Rows are only ever added.

    What a team does with its name and members stands here once, however many tasks it has entered; their organisers
    see it.
    """

    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, null=True, related_name="events"
    )
    team = models.ForeignKey(
        Team, verbose_name=gettext_lazy("team"), on_delete=models.SET_NULL, null=True, related_name="events"
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=gettext_lazy("actor"),
        on_delete=models.SET_NULL,
        null=True,
        related_name="+",
    )
    kind = models.CharField(gettext_lazy("kind"), max_length=40)
    subject = models.UUIDField(
        gettext_lazy("subject"),
        null=True,
        help_text=gettext_lazy("The submission, scoring, gold, phase or team that it is about."),
    )
    detail = models.JSONField(gettext_lazy("detail"), default=dict)
    created = models.DateTimeField(gettext_lazy("created"), auto_now_add=True)

    class Meta:
        ordering = ("-created", "-pk")
        verbose_name, verbose_name_plural = gettext_lazy("event"), gettext_lazy("events")
        indexes = (
            models.Index(fields=("task", "-created"), name="event_by_task"),
            models.Index(fields=("-created", "-id"), name="event_newest"),
            models.Index(fields=("kind", "-created", "-id"), name="event_by_kind"),
        )

    def __str__(self) -> str:
        return f"{self.created:%Y-%m-%d %H:%M} {self.kind}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("An event is never changed.")
        super().save(*args, **kwargs)


Changes = Mapping[str, tuple[str, str]]  # {name of what changed: (old value, new value)}


def record(
    about: Task | Team,
    kind: str,
    *,
    actor: User | None = None,
    subject: uuid.UUID | None = None,
    changes: Changes | None = None,
    **detail: Any,
) -> None:
    """Add an Event to the audit trail of a task, or of a team; `detail` must be JSON-ready."""
    if changes:
        detail["changed"] = {name: list(values) for name, values in changes.items()}
    owner = {"team": about} if isinstance(about, Team) else {"task": about}
    Event.objects.create(**owner, kind=kind, actor=actor, subject=subject, detail=detail)


def sha256_of(file: Any) -> str:
    """Hex digest of a Django file, read in chunks; the file is rewound."""
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()
