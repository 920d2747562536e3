"""Gold, and uploads of gold that wait for an organiser's decision."""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, Self

from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from evalsite.accounts.fields import LineField
from evalsite.accounts.models import User
from evalsite.base.fields import CountField, MomentField, SmallCountField
from evalsite.base.file_names import require_plain_name, stored_name, suffix_of
from evalsite.challenges.models.phases import Phase
from evalsite.challenges.models.scenarios import Scenario
from evalsite.translating.fields import MessagesField
from scoring.significance import seed_of

JUDGE_LENGTH = 60  # characters of a judge's name, and of its version
SEALED_GOLD = "sealed-gold"  # the folder into which evalsite.challenges.gold.sealing moves it


def gold_path(gold: "Gold", name: str) -> str:
    return f"gold/{gold.pk}/{stored_name('gold', name)}"


class Part(models.TextChoices):
    """The part of a split gold of which results tell: until a phase closes the one, from then on the other."""

    WHOLE = "", pgettext_lazy("part of the gold", "whole")
    SHOWN = "shown", pgettext_lazy("part of the gold", "shown part")
    RANKED = "ranked", pgettext_lazy("part of the gold", "ranked part")


class GoldSplit(models.Model):
    """The way in which the units of a gold are told apart: a shown part, and one that decides at the end.

    It stays as it is for all later versions of the gold, whose units have to be the same.
    """

    class Way(models.TextChoices):
        SHARE = "share", gettext_lazy("at random")
        LIST = "list", gettext_lazy("by a list of units")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="gold_splits")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="gold_splits")
    way = models.CharField(max_length=5, choices=Way)
    percent = SmallCountField(null=True, help_text=gettext_lazy("That were to be shown, at random."))
    seed = models.PositiveBigIntegerField(null=True, help_text=gettext_lazy("From which that follows."))
    separator = models.CharField(
        max_length=10,
        blank=True,
        help_text=gettext_lazy("Units whose names are the same before its last occurrence stay together."),
    )
    names = models.JSONField(help_text=gettext_lazy("Of all units, in the order of the gold."))
    shown = models.JSONField(help_text=gettext_lazy("Places of the shown units among these, ascending, from 0."))
    created = MomentField(auto_now_add=True)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("split of gold"), gettext_lazy("splits of gold")

    def __str__(self) -> str:
        return gettext("%(shown)s of %(all)s units are shown") % {"shown": len(self.shown), "all": len(self.names)}

    def places(self, part: str) -> list[int]:
        """Return the places of the units of a part, ascending."""
        if part == Part.SHOWN:
            return list(self.shown)
        shown = set(self.shown)
        return [place for place in range(len(self.names)) if place not in shown]

    def units(self, part: str) -> list[str]:
        return [self.names[place] for place in self.places(part)]

    def belongs_to(self, part: str) -> dict[str, Any]:
        """Return the fields of a gold of this part."""
        n_units = len(self.places(part))
        return {"split": self, "part": part, "n_units": n_units, "n_other_units": len(self.names) - n_units}


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
        held      → published   the phase has closed and its results are released: the ranked part decides
        held      → discarded   newer gold of the shown part, which brings a ranked part of its own

    A gold that is split has two versions, one for each part: the same file, of which each tells its own units. The
    shown part is published, the ranked part held: scored beside it like a candidate, and seen by organisers alone.
    `version` counts both, and is the key in addresses and files; `number`, which pages say, counts both as one.

    Where no run has been scored, a version is published at once. Otherwise it is a candidate, by which nobody is ranked
    until organisers have seen what it changes (evalsite.challenges.gold.versions). A new version of the engine has
    `candidate_engine` in the same way: its results lie beside those of `engine` until they are published.

    Where runs are collected before there is gold, a gold that `is_input` stands in for it, as version 0: made of what
    participants are given, and without any answer (evalsite.challenges.gold.inputs).
    """

    class State(models.TextChoices):
        CANDIDATE = "candidate", gettext_lazy("candidate")
        HELD = "held", gettext_lazy("held until the end")
        PUBLISHED = "published", gettext_lazy("published")
        DISCARDED = "discarded", gettext_lazy("discarded")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, verbose_name=gettext_lazy("phase"), on_delete=models.PROTECT, related_name="golds")
    scenario = models.ForeignKey(
        Scenario, verbose_name=gettext_lazy("scenario"), on_delete=models.PROTECT, related_name="golds"
    )
    version = CountField(gettext_lazy("version"), validators=[MaxValueValidator(10_000)])
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
    is_input = models.BooleanField(
        gettext_lazy("made of the input"),
        default=False,
        db_default=False,  # for programs of the version before, while a site is upgraded
        editable=False,
        help_text=gettext_lazy("It has no answers: runs are checked beside it, and wait until the gold comes."),
    )
    note = LineField(
        gettext_lazy("note"), max_length=200, blank=True, help_text=gettext_lazy("What changed, for the record.")
    )
    n_units = CountField(
        gettext_lazy("number of units"),
        help_text=gettext_lazy("Sentences, documents, questions: what intervals are drawn from; those of its part."),
    )
    n_other_units = CountField(
        default=0,
        db_default=0,
        editable=False,
        help_text=gettext_lazy("Of the other part of the same file; 0 of a whole gold."),
    )
    split = models.ForeignKey(
        GoldSplit,
        verbose_name=gettext_lazy("split"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="golds",
    )
    part = models.CharField(
        gettext_lazy("part"),
        max_length=6,
        choices=Part,
        default=Part.WHOLE,
        db_default="",  # for programs of the version before, while a site is upgraded
        blank=True,
        editable=False,
        help_text=gettext_lazy("Of whose units its results tell."),
    )
    created = MomentField(gettext_lazy("created"), auto_now_add=True)
    created_by = models.ForeignKey(
        User, verbose_name=gettext_lazy("created by"), on_delete=models.SET_NULL, null=True, related_name="+"
    )
    state = models.CharField(gettext_lazy("state"), max_length=9, choices=State, default=State.PUBLISHED)
    published = MomentField(gettext_lazy("published"), null=True, blank=True)
    published_by = models.ForeignKey(
        User,
        verbose_name=gettext_lazy("published by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    public_note = LineField(
        gettext_lazy("public note"),
        max_length=200,
        blank=True,
        help_text=gettext_lazy("What changed, as the board says it."),
    )
    judge_name = LineField(
        gettext_lazy("judge"),
        max_length=JUDGE_LENGTH,
        blank=True,
        db_default="",
        help_text=gettext_lazy("Whose scores count on this gold, where runs are judged elsewhere."),
    )
    judge_version = LineField(
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
    engine_since = MomentField(null=True, blank=True, help_text=gettext_lazy("When it was published."))
    engine_note = LineField(
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
    size = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text=gettext_lazy(
            "What the gold holds, and what tables tell of it (scoring.budget.GoldSize); of the whole gold where it is "
            "split. Empty for gold of before this was kept, until it is measured."
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
        words = gettext("%(phase)s, scenario %(scenario)s, gold version %(version)s")
        return words % {"phase": self.phase, "scenario": self.scenario.number, "version": self.number}

    @property
    def download_name(self) -> str:
        """Return the name under which the file is downloaded, such as health-test-gold.zip."""
        others = Gold.objects.filter(phase=self.phase_id, version=self.version).exclude(sha256=self.sha256)
        parts = [self.phase.task.slug, self.phase.slug, "gold"]
        if others.exists():
            parts.append(f"scenario{self.scenario.number}")
        if self.number > 1:
            parts.append(f"v{self.number}")
        return "-".join(parts) + suffix_of(self.file_name or self.file.name)

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Return by version the number that pages say, of all golds of a phase and scenario; {} where none is split.

        Lists set it for all their golds at once (`set_numbers`).
        """
        if self.split_id is None:
            return {}
        golds = Gold.objects.filter(phase=self.phase_id, scenario=self.scenario_id)
        return number_versions(golds.order_by("version").values_list("version", "part", "sha256"))

    @property
    def number(self) -> int:
        """Return the number of the version as people count: both parts of a split gold have the same one."""
        return self.numbers.get(self.version, self.version)

    @property
    def judge(self) -> str:
        """Return name and version of the judge; "" where there is none, or none has posted yet."""
        return f"{self.judge_name} {self.judge_version}".strip()

    @property
    def is_candidate(self) -> bool:
        """Return whether nobody is ranked by it yet, and organisers alone see what it would change."""
        return self.state in (self.State.CANDIDATE, self.State.HELD)

    @property
    def is_held(self) -> bool:
        """Return whether it is the ranked part, which does not decide yet."""
        return self.state == self.State.HELD

    @property
    def n_units_in_file(self) -> int:
        """Return how many units an upload has, those of both parts."""
        return self.n_units + self.n_other_units

    @cached_property
    def part_for_engine(self) -> dict[str, Any]:
        """Return what the engine has to know of the part, in plain values; {} of a whole gold.

        `subset` are the arguments of `scoring.Subset`, and `seed` is that of the draws. Neither follows from the
        file's content, which has the other part too; a later version on the same split keeps the draws.
        """
        if self.split is None:
            return {}
        places, seed = self.split.places(self.part), _digest(self.split.pk, self.part)
        names = [self.split.names[place] for place in places]
        subset = {"places": places, "names": names, "of": len(self.split.names), "digest": _digest(self.pk, self.part)}
        return {"subset": subset, "seed": seed_of(seed)}

    @property
    def has_candidate(self) -> bool:
        """Return whether there is something to publish: the gold itself, or the results of another engine."""
        return self.is_candidate or (self.state == self.State.PUBLISHED and bool(self.candidate_engine))

    @property
    def is_in_force(self) -> bool:
        """Return whether the board ranks by it."""
        return Gold.objects.in_force().filter(pk=self.pk).exists()


def number_versions(rows: Iterable[tuple[int, str, str]]) -> dict[int, int]:
    """Return by version its number: the ranked part that is held with a shown part has that one's.

    The rows are versions, ascending, with their part and the digest of their file. A correction once the ranked part
    decides is a ranked part too, but of a file of its own, and counts.
    """
    numbers = dict[int, int]()
    without_ranked_part = dict[str, int]()  # numbers of shown parts, by the digest of their file
    n_ranked_parts = 0
    for version, part, digest in rows:
        if part == Part.RANKED and digest in without_ranked_part:
            n_ranked_parts += 1
            numbers[version] = without_ranked_part.pop(digest)
            continue
        numbers[version] = version - n_ranked_parts
        if part == Part.SHOWN:
            without_ranked_part[digest] = numbers[version]
    return numbers


def set_numbers(golds: Sequence[Gold]) -> None:
    """Set the numbers of all the golds with one query, or none where no gold is split."""
    if not any(gold.split_id for gold in golds):
        return
    rows = defaultdict[tuple[uuid.UUID, uuid.UUID], list[tuple[int, str, str]]](list)
    listed = Gold.objects.filter(phase__in={gold.phase_id for gold in golds}).order_by("version")
    names = ("phase", "scenario", "version", "part", "sha256")
    for phase, scenario, version, part, digest in listed.values_list(*names):
        rows[phase, scenario].append((version, part, digest))
    for gold in golds:
        gold.numbers = number_versions(rows[gold.phase_id, gold.scenario_id]) if gold.split_id else {}


def _digest(key: uuid.UUID, part: str) -> str:
    return sha256(f"{key}:{part}".encode()).hexdigest()


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
    note = LineField(max_length=200, blank=True)
    remarks = MessagesField(help_text=gettext_lazy("What looks odd: a list of [heading, list of texts]."))
    problems = MessagesField(
        default=list, blank=True, help_text=gettext_lazy("Why what came with a bundle cannot be read as it is.")
    )
    created = MomentField(auto_now_add=True)
    created_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("waiting gold"), gettext_lazy("waiting gold")

    def __str__(self) -> str:
        return gettext("%(file)s for %(phase)s") % {"file": self.file_name, "phase": self.phase}
