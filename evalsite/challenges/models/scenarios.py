"""Scenarios: a family of the engine with its options, and how its scores are written."""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_lazy

import scoring
from evalsite.accounts.fields import LineField
from evalsite.base.faults import Fault, KnownFault
from evalsite.base.fields import MarkdownField, SmallCountField
from evalsite.challenges.models.base import Versioned
from evalsite.challenges.models.setups import Setup, setup_of
from evalsite.challenges.models.tasks import Task
from evalsite.translating.engine import from_engine
from scoring.families.parts import FOLDER, ROWS
from scoring.family import Family
from scoring.readers.parts import Rows
from scoring.scale import Scale
from scoring.signature import version_of
from scoring.table_columns import Column


def family_choices() -> list[tuple[str, str]]:
    """Return names and titles; a family is loaded when its title is shown, not when a start checks the models."""
    return [(name, _title_of(name)) for name in scoring.FAMILIES]


# Not as a text, whose letters the check of choices would look at, for groups among them.
_title_of = lazy(lambda name: from_engine(scoring.FAMILIES[name].title), object)


MOST_USUAL = 6  # scores that are shown beside the one that ranks, where none were chosen


class Scenario(Versioned):
    """One way of entering the task: a family of the engine with its options, and what is shown of its scores."""

    _setup: Setup | None = None  # in memory

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="scenarios"
    )

    class Digits(models.TextChoices):
        """The choices of how scores are written; empty leaves it to the family."""

        TWO = "2", gettext_lazy("2 decimals, 0.64")
        THREE = "3", gettext_lazy("3 decimals, 0.639")
        FOUR = "4", gettext_lazy("4 decimals, 0.6394")
        PERCENT = "percent1", gettext_lazy("per cent with 1 decimal, 63.9 %")
        EXACT_PERCENT = "percent2", gettext_lazy("per cent with 2 decimals, 63.94 %")
        INTERVAL = "interval", gettext_lazy("as many as their intervals tell")

    number = SmallCountField(gettext_lazy("number"), validators=[MinValueValidator(1)])
    name = LineField(gettext_lazy("name"), max_length=100)
    description = MarkdownField(gettext_lazy("description"), blank=True, help_text="Markdown.")
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
    is_judged = models.BooleanField(
        gettext_lazy("judged elsewhere"),
        default=False,
        db_default=False,
        help_text=gettext_lazy(
            "For scores made elsewhere. On: participants upload the output of their systems, which waits until a judge "
            "that the organisers run has posted its scores."
        ),
    )
    judge_days = SmallCountField(
        gettext_lazy("days until a run without scores is reported"),
        default=3,
        db_default=3,
        validators=[MinValueValidator(1), MaxValueValidator(365)],
        help_text=gettext_lazy("Of runs that wait longer for the judge the organisers are told."),
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
        if self.is_judged and self.takes_reports:
            problems["is_judged"] = gettext("Either a judge scores uploads, or teams report scores of their own.")
        if self.family not in scoring.FAMILIES:
            raise ValidationError({"family": gettext("This family is unknown.")})
        family = self.engine_family
        if options_problem := self._options_problem(family):
            problems["options"] = options_problem
        titles = dict(family.score_titles if options_problem else family.titles(self.configured))
        shown = self.shown_scores
        if not isinstance(shown, list) or any(not isinstance(name, str) or name not in titles for name in shown):
            names = ", ".join(titles)
            problem = gettext("A list of score names is needed. The family's scores are: %(known)s.")
            problems["shown_scores"] = problem % {"known": names}
        if self.digits.startswith("percent") and "options" not in problems and not self._ranks_by_share():
            problems["digits"] = gettext("The score that ranks is no share: it cannot be written in per cent.")
        if problems:
            raise ValidationError(problems)

    def _ranks_by_share(self) -> bool:
        return self.setup.scale(self.setup.headline).is_share

    def _options_problem(self, family: Family) -> str:
        """Return the problem with the options, "" if there is none; options of the command line are never offered."""
        if not isinstance(self.options, dict):
            return gettext('Options are a JSON object, such as {"scenario": "1"}.')
        local = {option.key for option in family.options if option.is_local}
        keys = [option.key for option in family.options if option.key not in local]
        if used := sorted(local & self.options.keys()):
            problem = gettext("%(options)s: for the command line alone, as it is about a file there.")
            return problem % {"options": ", ".join(used)}
        if unknown := [key for key in self.options if key not in keys]:
            problem = gettext("Unknown option %(option)s. The options are %(known)s.")
            return problem % {"option": repr(unknown[0]), "known": ", ".join(keys)}
        try:
            family.configure(self.options)
        except scoring.ConfigurationError as error:
            return from_engine(error)
        return ""

    @property
    def engine_family(self) -> Family:
        """Return the family's record, for one language of an upload if the options say so.

        It raises KnownFault if the package that brings the family is not installed here.
        """
        return self.setup.family

    @property
    def is_brought(self) -> bool:
        """Return whether a run says its own score, so that the organisers bring it."""
        return is_brought_by_organisers(self.family) and not self.is_judged

    @property
    def takes_uploads(self) -> bool:
        """Return whether participants upload to it, in whatever phase."""
        return self.takes_reports or not self.is_brought

    @property
    def has_sample(self) -> bool:
        """Return whether its gold gives a valid upload; what a judge reads is known to its organisers alone."""
        return self.takes_uploads and not self.is_judged

    @property
    def setup(self) -> Setup:
        """Return the family with these options, and what follows from both."""
        try:
            self._setup = setup_of(self.family, self.options, self._setup)
        except KeyError:
            raise KnownFault(Fault.FAMILY_MISSING, self.family) from None
        return self._setup

    @property
    def engine_version(self) -> str:
        """Return the version of everything that scores depend on: the engine, and the family's package."""
        return version_of(self.engine_family)

    @property
    def configured(self) -> dict[str, Any]:
        """Return all options of the family, with the defaults that apply."""
        return dict(self.setup.options)

    @property
    def data_language(self) -> str:
        """Return the language of its texts: the task's if it has one, of several that by which it is named, else ""."""
        languages = self.task.data_language.split()
        if len(languages) == 1:
            return languages[0]
        named = [str(self.options.get(FOLDER.key) or ""), self.part.value if self.part else ""]
        return next((tag for tag in languages if tag in named), "")

    @property
    def part(self) -> Rows | None:
        """Return the rows of a table that it reads; None if it reads all, or files of its own."""
        rows = self.options.get(ROWS.key)
        return Rows.parsed(rows) if rows else None

    @property
    def unit(self) -> tuple[str, str]:
        """Return the name of the units that intervals are drawn from, singular and plural."""
        return self.setup.unit

    @property
    def headline(self) -> str:
        """Return the name of the score that ranks."""
        return self.setup.headline

    @property
    def lower_scores(self) -> frozenset[str]:
        """Return the names of the scores of which less is better."""
        return self.setup.lower_scores

    @property
    def lower_is_better(self) -> bool:
        """Return whether the best run is the one with the lowest score."""
        return self.headline in self.lower_scores

    def scale_of(self, name: str) -> Scale:
        """Return how this score is written: as the organisers have chosen, or else as the family does.

        Their choice is for the score that ranks and all that are like it: not for a sum beside shares.
        """
        setup = self.setup
        scale = setup.scale(name)
        if not self.digits or name in setup.family.scores.without_interval:
            return scale
        ranks_by = setup.scale(setup.headline)
        is_like_it = (scale.is_share, scale.full, scale.decimals is None) == (
            ranks_by.is_share,
            ranks_by.full,
            ranks_by.decimals is None,
        )
        return _as_chosen(scale, self.digits) if is_like_it else scale

    def scale_of_column(self, column: Column) -> Scale:
        """Return how a column is written: as the headline where both are shares, or as the score of its key."""
        if column.is_share and self.scale.is_share:
            return self.scale
        return self.scale_of(column.key) if column.key in self.score_titles else Scale()

    @property
    def scale(self) -> Scale:
        """Return how the score that ranks is written."""
        return self.scale_of(self.headline)

    @property
    def score_titles(self) -> dict[str, str]:
        """Return the titles of the scores. Options may rank by one that the family does not know by name."""
        setup = self.setup
        return {setup.headline: setup.headline, **setup.titles}

    @property
    def layouts(self) -> list[str]:
        """Return the templates that say what to upload; the first that exists counts."""
        if self.is_judged:
            return ["challenges/layouts/judged.html"]
        return [f"challenges/layouts/{self.family}.html", "challenges/layouts/any.html"]

    @property
    def example(self) -> dict[str, bytes]:
        """Return a small upload that the layout allows, by path."""
        return self.engine_family.example(self.configured)

    @property
    def scores(self) -> list[str]:
        """Return the scores that boards show, the headline first; while the gold is hidden, no others are shown
        anywhere.
        """
        return [self.headline, *(name for name in self.shown_scores or self.usual_scores if name != self.headline)]

    @property
    def usual_scores(self) -> list[str]:
        """Return the scores beside the headline if organisers have chosen none: few, as each tells of a hidden gold."""
        titles = self.score_titles
        main = [name for name in self.engine_family.main_scores if name in titles and name != self.headline]
        return main[:MOST_USUAL]


def _as_chosen(scale: Scale, digits: str) -> Scale:
    """Return the scale with the digits of `Scenario.Digits`; per cent only for scales of shares."""
    if digits == Scenario.Digits.INTERVAL:
        return replace(scale, decimals=None)
    is_percent = digits.startswith("percent")
    if is_percent and not scale.is_share:
        return scale
    decimals = int(digits.removeprefix("percent"))
    return replace(scale, decimals=decimals, is_percent=is_percent, has_bounds=scale.decimals is not None)


def direction_of(family: str, options: Mapping[str, Any]) -> tuple[bool, float | None]:
    """Return whether a lower score ranks higher by these options, and the score of a perfect run if known."""
    setup = setup_of(family, options)
    return setup.headline in setup.lower_scores, setup.score_when_perfect


def is_brought_by_organisers(family: str) -> bool:
    """Return whether organisers bring the family's scores; False if its package is not installed."""
    engine_family = scoring.FAMILIES.get(family)
    return engine_family is not None and engine_family.offer.is_brought_by_organisers


def is_perfect(score: float | None, perfect: float | None) -> bool:
    """Return whether a score is that of a perfect run; means, roots and logarithms miss it by their last digits."""
    return score is not None and perfect is not None and abs(score - perfect) <= _ROUNDING * max(1.0, abs(perfect))


_ROUNDING = 1e-9  # of a perfect score
