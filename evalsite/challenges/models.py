"""What one can submit to: a task with its scenarios, phases, gold and downloads, and its audit trail."""

import hashlib
import uuid
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils import timezone

import scoring
from evalsite.accounts.models import Team, User
from scoring.family import Family


class Task(models.Model):
    """A shared task: what participants enter."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    slug = models.SlugField(unique=True, help_text="The task's place in addresses: /tasks/<slug>/")
    title = models.CharField(max_length=200)
    summary = models.CharField(max_length=300, help_text="One sentence for the list of tasks.")
    description = models.TextField(blank=True, help_text="Markdown.")
    contact = models.EmailField(blank=True, help_text="Where participants can ask.")
    organisers = models.ManyToManyField(User, related_name="organised_tasks", blank=True)
    is_published = models.BooleanField(default=False, help_text="Unpublished tasks are seen by organisers only.")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("title",)

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return reverse("task", args=[self.slug])


def family_choices() -> list[tuple[str, str]]:
    return [(family.name, family.title) for family in scoring.FAMILIES.values()]


class Scenario(models.Model):
    """One way of entering the task: a family of the engine with its options, and what is shown of its scores."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="scenarios")
    number = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    name = models.CharField(max_length=100)
    description = models.TextField(blank=True, help_text="Markdown.")
    family = models.CharField(max_length=30, choices=family_choices)
    options = models.JSONField(default=dict, blank=True, help_text='The family\'s options, such as {"scenario": "1"}.')
    shown_scores = models.JSONField(
        default=list,
        blank=True,
        help_text="Names of the scores on the board, in order; empty: the family's choice.",
    )

    class Meta:
        constraints = (models.UniqueConstraint(fields=("task", "number"), name="scenario_number_in_task"),)
        ordering = ("task", "number")

    def __str__(self) -> str:
        return f"Scenario {self.number}: {self.name}"

    def clean(self) -> None:
        problems: dict[str, str] = {}
        family = scoring.FAMILIES.get(self.family)
        if family is None:
            raise ValidationError({"family": "This family is unknown."})
        if options_problem := self._options_problem(family):
            problems["options"] = options_problem
        titles = list(family.score_titles)
        shown = self.shown_scores
        if not isinstance(shown, list) or any(name not in titles for name in shown):
            known = ", ".join(titles)
            problems["shown_scores"] = f"A list of score names is needed. The family's scores are: {known}."
        if problems:
            raise ValidationError(problems)

    def _options_problem(self, family: Family) -> str:
        """What is wrong with the options, "" if nothing is; options of the command line are never offered."""
        if not isinstance(self.options, dict):
            return 'Options are a JSON object, such as {"scenario": "1"}.'
        local = {option.key for option in family.options if option.is_local}
        known = [option.key for option in family.options if option.key not in local]
        if used := sorted(local & self.options.keys()):
            return f"{', '.join(used)}: for the command line alone, as it is about a file there."
        if unknown := [key for key in self.options if key not in known]:
            return f"Unknown option {unknown[0]!r}. The options are {', '.join(known)}."
        try:
            family.configure(self.options)
        except scoring.ConfigurationError as error:
            return str(error)
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


class Phase(models.Model):
    """A period in which a task takes submissions, with its limits and what it shows to whom."""

    class Audience(models.TextChoices):
        ORGANISERS = "organisers", "organisers"
        PARTICIPANTS = "participants", "participants"
        EVERYBODY = "everybody", "everybody"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="phases")
    slug = models.SlugField(help_text="The phase's place in addresses, such as test.")
    name = models.CharField(max_length=100)
    description = models.TextField(blank=True, help_text="Markdown.")
    opens = models.DateTimeField(help_text="UTC.")
    closes = models.DateTimeField(null=True, blank=True, help_text="UTC. Empty: stays open.")
    window_limit = models.PositiveIntegerField(
        "uploads per window", null=True, blank=True, help_text="Per team. Empty: no limit."
    )
    window = models.DurationField(default=timedelta(days=1), help_text="Rolling window of the limit.")
    total_limit = models.PositiveIntegerField(
        "uploads in total", null=True, blank=True, help_text="Per team. Empty: no limit."
    )
    board_audience = models.CharField("board is seen by", max_length=12, choices=Audience, default=Audience.EVERYBODY)
    is_anonymous = models.BooleanField(
        "anonymous names", default=False, help_text="The board says Team 7 instead of the team's name."
    )
    shows_scores = models.BooleanField(
        "teams see their own scores",
        default=True,
        help_text="Off: scores are shown when the results are released.",
    )
    gold_released = models.BooleanField(
        default=False, help_text="The gold may be downloaded by everybody, as in a development phase."
    )
    gold_released_since = models.DateTimeField(
        null=True, editable=False, help_text="Empty: from the beginning, where the gold is released at all."
    )
    results_released = models.DateTimeField(
        null=True, blank=True, help_text="UTC. From then on everybody sees the board, with real names."
    )
    is_paused = models.BooleanField("paused", default=False, help_text="Takes no submissions for the moment.")
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
            raise ValidationError({"closes": "The phase has to close after it opens."})
        if self.window is not None and self.window <= timedelta(0):
            raise ValidationError({"window": "The window has to be longer than nothing."})

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
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="golds")
    scenario = models.ForeignKey(Scenario, on_delete=models.PROTECT, related_name="golds")
    version = models.PositiveIntegerField(validators=[MaxValueValidator(10_000)])
    file = models.FileField(upload_to=gold_path)
    sha256 = models.CharField(max_length=64)
    digest = models.CharField(
        max_length=64,
        blank=True,
        help_text="The engine's, of the scenario's files alone: equal for the same gold in another archive. "
        "Empty for gold of before this was kept.",
    )
    note = models.CharField(max_length=200, blank=True, help_text="What changed, for the record.")
    n_units = models.PositiveIntegerField(help_text="Sentences, documents, questions: what intervals are drawn from.")
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("phase", "scenario", "version"), name="gold_version_in_phase_and_scenario"),
        )
        ordering = ("phase", "scenario", "-version")
        verbose_name_plural = "gold"

    def __str__(self) -> str:
        return f"{self.phase}, scenario {self.scenario.number}, gold version {self.version}"

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
    scenarios = models.ManyToManyField(Scenario, related_name="+", help_text="Those that it is for.")
    file = models.FileField(upload_to=waiting_gold_path)
    file_name = models.CharField(max_length=255, help_text="As the organiser's own; formats are told by it.")
    note = models.CharField(max_length=200, blank=True)
    remarks = models.JSONField(help_text="What looks odd: a list of [heading, list of texts].")
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.file_name} for {self.phase}"


def download_path(download: "Download", name: str) -> str:
    return f"downloads/{download.pk}/{name}"


class Download(models.Model):
    """A file that the organisers offer on the task's page, such as the sentences to annotate."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="downloads")
    title = models.CharField(max_length=150)
    description = models.CharField(max_length=300, blank=True)
    file = models.FileField(upload_to=download_path)
    available_from = models.DateTimeField(default=timezone.now, help_text="UTC. Hidden before.")

    class Meta:
        ordering = ("task", "available_from", "title")

    def __str__(self) -> str:
        return self.title

    @property
    def is_available(self) -> bool:
        return self.available_from <= timezone.now()


class Participation(models.Model):
    """A team that has entered a task; its number stands for it where names are anonymous."""

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="participations")
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="participations")
    number = models.PositiveIntegerField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("task", "team"), name="one_participation_per_team"),
            models.UniqueConstraint(fields=("task", "number"), name="participation_number_in_task"),
        )

    def __str__(self) -> str:
        return f"{self.team} in {self.task}"


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
        return f"{self.name}, now {self.team}, in {self.task}"


class Event(models.Model):
    """One line of the audit trail of a task, or of a team: who did what to what. Rows are only ever added.

    What a team does with its name and members stands here once, however many tasks it has entered; their organisers
    see it.
    """

    task = models.ForeignKey(Task, on_delete=models.CASCADE, null=True, related_name="events")
    team = models.ForeignKey(Team, on_delete=models.SET_NULL, null=True, related_name="events")
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(max_length=40)
    subject = models.UUIDField(null=True, help_text="The submission, scoring, gold, phase or team that it is about.")
    detail = models.JSONField(default=dict)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created", "-pk")
        indexes = (models.Index(fields=("task", "-created"), name="event_by_task"),)

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
