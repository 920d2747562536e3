"""Gold, and uploads of gold that wait for an organiser's decision."""

import uuid
from typing import Self

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from evalsite.accounts.models import User
from evalsite.base.file_names import require_plain_name, stored_name, suffix_of
from evalsite.challenges.models.phases import Phase
from evalsite.challenges.models.scenarios import Scenario
from evalsite.translating.fields import MessagesField

JUDGE_LENGTH = 60  # characters of a judge's name, and of its version
SEALED_GOLD = "sealed-gold"  # the folder into which evalsite.challenges.gold.sealing moves it


def gold_path(gold: "Gold", name: str) -> str:
    return f"gold/{gold.pk}/{stored_name('gold', name)}"


class GoldQuerySet(models.QuerySet["Gold"]):
    def published(self) -> Self:
        return self.filter(state=Gold.State.PUBLISHED)

    def in_force(self) -> Self:
        """Keep those that rank: of each phase and scenario the newest published version."""
        newer = Gold.objects.published().filter(
            phase=OuterRef("phase"), scenario=OuterRef("scenario"), version__gt=OuterRef("version")
        )
        return self.published().filter(~Exists(newer))


class Gold(models.Model):
    """The hidden answers of a phase for one scenario: an immutable, numbered file.

        candidate → published   publish; the newest published version ranks
        candidate → discarded   discard, or a newer candidate

    Where no run has been scored, a version is published at once. Otherwise it is a candidate, by which nobody is ranked
    until organisers have seen what it changes (evalsite.challenges.gold.versions). A new version of the engine has
    `candidate_engine` in the same way: its results lie beside those of `engine` until they are published.
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
    judge_name = models.CharField(
        gettext_lazy("judge"),
        max_length=JUDGE_LENGTH,
        blank=True,
        db_default="",
        help_text=gettext_lazy("Whose scores count on this gold, where runs are judged elsewhere."),
    )
    judge_version = models.CharField(
        gettext_lazy("version of the judge"),
        max_length=JUDGE_LENGTH,
        blank=True,
        db_default="",
        help_text=gettext_lazy("Another version is a candidate, as other gold is."),
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
        """Return the name under which the file is downloaded, such as health-test-gold.zip."""
        others = Gold.objects.filter(phase=self.phase_id, version=self.version).exclude(sha256=self.sha256)
        parts = [self.phase.task.slug, self.phase.slug, "gold"]
        if others.exists():
            parts.append(f"scenario{self.scenario.number}")
        if self.version > 1:
            parts.append(f"v{self.version}")
        return "-".join(parts) + suffix_of(self.file_name or self.file.name)

    @property
    def judge(self) -> str:
        """Return name and version of the judge; "" where there is none, or none has posted yet."""
        return f"{self.judge_name} {self.judge_version}".strip()

    @property
    def is_candidate(self) -> bool:
        return self.state == self.State.CANDIDATE

    @property
    def has_candidate(self) -> bool:
        """Return whether there is something to publish: the gold itself, or the results of another engine."""
        return self.is_candidate or (self.state == self.State.PUBLISHED and bool(self.candidate_engine))

    @property
    def is_in_force(self) -> bool:
        """Return whether the board ranks by it."""
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
    remarks = MessagesField(help_text=gettext_lazy("What looks odd: a list of [heading, list of texts]."))
    created = models.DateTimeField(auto_now_add=True)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("waiting gold"), gettext_lazy("waiting gold")

    def __str__(self) -> str:
        return gettext("%(file)s for %(phase)s") % {"file": self.file_name, "phase": self.phase}
