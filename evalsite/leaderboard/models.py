"""The board of a phase and scenario, made from its results and kept ready for reading."""

import uuid

from django.db import models

from evalsite.challenges.models import Phase, Scenario


class Board(models.Model):
    """The materialised ranking of (phase, scenario): the page reads this row and no result.

    `entries` is a list of objects, one per team or reference, in board order; evalsite.leaderboard.entries
    says what is in them.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="boards")
    scenario = models.ForeignKey(Scenario, on_delete=models.CASCADE, related_name="boards")
    entries = models.JSONField(default=list)
    stale_since = models.DateTimeField(null=True, help_text="When a result came that is not in the entries yet.")
    refreshed = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("phase", "scenario"), name="one_board"),)

    def __str__(self) -> str:
        return f"Board of {self.phase}, scenario {self.scenario.number}"
