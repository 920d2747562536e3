"""The boards of a phase and scenario, made from its results and kept ready for reading."""

import uuid

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from evalsite.challenges.models import Gold, Phase, Scenario
from evalsite.challenges.precision import FULL


class Board(models.Model):
    """The ranking of (phase, scenario): how fresh it is. What it shows is in its editions."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="boards")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="boards")
    stale_since = models.DateTimeField(null=True, help_text=_("When a result came that is not in the entries yet."))
    refreshed = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "scenario"), name="one_board"),)

    def __str__(self) -> str:
        return gettext("Board of %(phase)s, scenario %(number)s") % {
            "phase": self.phase,
            "number": self.scenario.number,
        }


class Edition(models.Model):
    """A board as it stood: the last one of each day (UTC) and gold, and the final one of a phase that has closed.

    A final edition becomes void when its phase opens again, or when the board goes over to newer gold: it stays as
    it is, and the next one that is final takes its place.

    The page reads one row and no result. `entries` is a list of objects, one per team or reference, in board order
    (evalsite.leaderboard.entries); `comparison` says which of them differ (evalsite.leaderboard.places). `further`
    is large and read only where it is needed (evalsite.leaderboard.editions).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="editions")
    day = models.DateField(help_text="UTC.")
    gold = models.ForeignKey(
        Gold, on_delete=models.SET_NULL, null=True, related_name="editions", help_text=_("The version that ranked.")
    )
    made = models.DateTimeField()
    is_final = models.BooleanField(
        default=False, help_text=_("As it was when the phase had closed and all its runs were scored.")
    )
    is_void = models.BooleanField(default=False, help_text=_("It was final, and is no longer."))
    entries = models.JSONField()
    comparison = models.JSONField()
    further = models.JSONField(default=dict, help_text=_("Scores that the page shows only when asked for, by name."))
    further_names = models.JSONField(default=list)

    precision = FULL  # in memory too: how numbers are told, see evalsite.leaderboard.editions.tell
    days_alone = False  # whether times are told as days: in memory, set where teams are not named

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("board", "day", "gold"),
                condition=Q(is_final=False, is_void=False),
                name="one_edition_a_day_and_gold",
            ),
            models.UniqueConstraint(fields=("board",), condition=Q(is_final=True), name="one_final_edition"),
        )
        indexes = (models.Index(fields=("board", "-made"), name="edition_by_board"),)
        ordering = ("board", "-made")

    def __str__(self) -> str:
        return f"{self.board}, {self.made:%Y-%m-%d %H:%M}"
