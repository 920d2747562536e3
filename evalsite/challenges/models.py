"""What one can submit to: a task with its scenarios, phases, gold and downloads, and its audit trail."""

import hashlib
import uuid
from collections.abc import Mapping
from datetime import timedelta
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

import scoring
from evalsite.accounts.models import Team, User
from evalsite.translating.engine import from_engine
from scoring.family import Family

# By BCP 47, as the attribute `lang` of HTML takes it: "es", "zh-Hant-TW".
language_tag = RegexValidator(
    r"\A[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,4}\Z", gettext_lazy("Write a language's tag, such as en, es or zh-Hant.")
)


class Task(models.Model):
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
        User, verbose_name=gettext_lazy("organisers"), related_name="organised_tasks", blank=True
    )
    is_published = models.BooleanField(
        gettext_lazy("is published"),
        default=False,
        help_text=gettext_lazy("Unpublished tasks are seen by organisers only."),
    )
    created = models.DateTimeField(gettext_lazy("created"), auto_now_add=True)

    class Meta:
        ordering = ("title",)
        verbose_name, verbose_name_plural = gettext_lazy("task"), gettext_lazy("tasks")

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("task", args=[self.slug])


def family_choices() -> list[tuple[str, str]]:
    return [(family.name, _title_of(family.title)) for family in scoring.FAMILIES.values()]


_title_of = lazy(from_engine, str)


class Scenario(models.Model):
    """One way of entering the task: a family of the engine with its options, and what is shown of its scores."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="scenarios"
    )
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

    class Meta:
        constraints = (models.UniqueConstraint(fields=("task", "number"), name="scenario_number_in_task"),)
        ordering = ("task", "number")
        verbose_name, verbose_name_plural = gettext_lazy("scenario"), gettext_lazy("scenarios")

    def __str__(self) -> str:
        return gettext("Scenario %(number)s: %(name)s") % {"number": self.number, "name": self.name}

    def clean(self) -> None:
        problems: dict[str, str] = {}
        family = scoring.FAMILIES.get(self.family)
        if family is None:
            raise ValidationError({"family": gettext("This family is unknown.")})
        if options_problem := self._options_problem(family):
            problems["options"] = options_problem
        titles = list(family.score_titles)
        shown = self.shown_scores
        if not isinstance(shown, list) or any(name not in titles for name in shown):
            known = ", ".join(titles)
            problem = gettext("A list of score names is needed. The family's scores are: %(known)s.")
            problems["shown_scores"] = problem % {"known": known}
        if problems:
            raise ValidationError(problems)

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
        return scoring.FAMILIES[self.family]

    @property
    def configured(self) -> dict[str, Any]:
        """All options of the family, with the defaults that apply."""
        return self.engine_family.configure(self.options)

    @property
    def unit(self) -> tuple[str, str]:
        """What intervals are drawn from, singular and plural."""
        return self.engine_family.unit(self.configured)

    @property
    def headline(self) -> str:
        """The name of the score that ranks."""
        return self.engine_family.headline(self.configured)

    @property
    def score_titles(self) -> dict[str, str]:
        """What people call the scores. Options may rank by one that the family does not know by name."""
        return {self.headline: self.headline} | self.engine_family.score_titles

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
        """Names of the scores shown on the board, the headline first."""
        shown = self.shown_scores or self.engine_family.main_scores
        return [self.headline, *(name for name in shown if name != self.headline)]


USUAL_LIMIT = 5  # uploads of a team in a window, while the gold is hidden


class Phase(models.Model):
    """A period in which a task takes submissions, with its limits and what it shows to whom."""

    class Audience(models.TextChoices):
        ORGANISERS = "organisers", pgettext_lazy("who sees a board", "organisers")
        PARTICIPANTS = "participants", pgettext_lazy("who sees a board", "participants")
        EVERYBODY = "everybody", pgettext_lazy("who sees a board", "everybody")

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
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("task", "slug"), name="phase_slug_in_task"),
            models.CheckConstraint(
                condition=Q(closes__isnull=True) | Q(closes__gt=F("opens")),
                name="phase_closes_after_it_opens",
            ),
        )
        ordering = ("task", "opens")
        verbose_name, verbose_name_plural = gettext_lazy("phase"), gettext_lazy("phases")

    def __str__(self) -> str:
        return f"{self.task}: {self.name}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep when the gold was released: runs of before were made without it."""
        if not self.gold_released:
            self.gold_released_since = None
        elif Phase.objects.filter(pk=self.pk, gold_released=False).exists():
            self.gold_released_since = timezone.now()
        if (fields := kwargs.get("update_fields")) is not None and "gold_released" in fields:
            kwargs["update_fields"] = {*fields, "gold_released_since"}
        super().save(*args, **kwargs)

    def clean(self) -> None:
        if self.opens and self.closes and self.closes <= self.opens:
            raise ValidationError({"closes": gettext("The phase has to close after it opens.")})
        if self.window is not None and self.window <= timedelta(0):
            raise ValidationError({"window": gettext("The window has to be longer than nothing.")})
        most = settings.MAX_LARGE_UPLOAD_BYTES // 1024**2
        if self.upload_megabytes and self.upload_megabytes > most:
            problem = gettext("This site takes uploads of at most %(most)s MB.") % {"most": most}
            raise ValidationError({"upload_megabytes": problem})

    @property
    def state(self) -> str:
        """`upcoming`, `open`, `paused` or `closed`, now."""
        now = timezone.now()
        if now < self.opens:
            return "upcoming"
        if self.closes and now >= self.closes:
            return "closed"
        return "paused" if self.is_paused else "open"

    @property
    def is_released(self) -> bool:
        return self.results_released is not None and self.results_released <= timezone.now()


def gold_path(gold: "Gold", name: str) -> str:
    return f"gold/{gold.pk}/{name}"


class Gold(models.Model):
    """The hidden answers of a phase for one scenario: an immutable, numbered file.

    Uploads are checked with the highest version; a board goes over to it once its runs have been scored on it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, verbose_name=gettext_lazy("phase"), on_delete=models.PROTECT, related_name="golds")
    scenario = models.ForeignKey(
        Scenario, verbose_name=gettext_lazy("scenario"), on_delete=models.PROTECT, related_name="golds"
    )
    version = models.PositiveIntegerField(gettext_lazy("version"), validators=[MaxValueValidator(10_000)])
    file = models.FileField(gettext_lazy("file"), upload_to=gold_path)
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

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("phase", "scenario", "version"), name="gold_version_in_phase_and_scenario"),
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
        return "-".join(parts) + PurePosixPath(self.file.name or "gold.zip").suffix

    @property
    def is_superseded(self) -> bool:
        """Whether there is a newer version."""
        return Gold.objects.filter(phase=self.phase_id, scenario=self.scenario_id, version__gt=self.version).exists()


def waiting_gold_path(waiting: "WaitingGold", name: str) -> str:
    return f"waiting-gold/{waiting.pk}/{name}"


class WaitingGold(models.Model):
    """An upload of gold in which something looks odd: it counts for nothing until an organiser takes it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="waiting_golds")
    scenarios = models.ManyToManyField(Scenario, related_name="+", help_text=gettext_lazy("Those that it is for."))
    file = models.FileField(upload_to=waiting_gold_path)
    file_name = models.CharField(
        max_length=255, help_text=gettext_lazy("As the organiser's own; formats are told by it.")
    )
    note = models.CharField(max_length=200, blank=True)
    remarks = models.JSONField(help_text=gettext_lazy("What looks odd: a list of [heading, list of texts]."))
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return gettext("%(file)s for %(phase)s") % {"file": self.file_name, "phase": self.phase}


def download_path(download: "Download", name: str) -> str:
    return f"downloads/{download.pk}/{name}"


class Download(models.Model):
    """A file that the organisers offer on the task's page, such as the sentences to annotate."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="downloads")
    title = models.CharField(gettext_lazy("title"), max_length=150)
    description = models.CharField(gettext_lazy("description"), max_length=300, blank=True)
    file = models.FileField(gettext_lazy("file"), upload_to=download_path)
    available_from = models.DateTimeField(
        gettext_lazy("available from"), default=timezone.now, help_text=gettext_lazy("UTC. Hidden before.")
    )

    class Meta:
        ordering = ("task", "available_from", "title")
        verbose_name, verbose_name_plural = gettext_lazy("download"), gettext_lazy("downloads")

    def __str__(self) -> str:
        return self.title

    @property
    def is_available(self) -> bool:
        return self.available_from <= timezone.now()


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
        constraints = (models.UniqueConstraint(fields=("task", "number"), name="former_number_in_task"),)

    def __str__(self) -> str:
        said = gettext("%(name)s, now %(team)s, in %(task)s")
        return said % {"name": self.name, "team": self.team, "task": self.task}


class TeamNumber(models.Model):
    """What a team is called in a phase whose boards do not name it: Team 4817.

    Drawn with a key (evalsite.challenges.numbers), so that nobody finds the team by it, or by its number elsewhere. It
    stays, also when the team has brought its runs into another one: boards of before show it.
    """

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="team_numbers")
    team = models.UUIDField(help_text=gettext_lazy("Key of a team, which may be there no more."))
    number = models.PositiveIntegerField()

    class Meta:
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
