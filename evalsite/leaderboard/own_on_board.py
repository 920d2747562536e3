"""What is a visitor's own on a board: the rows of the own teams, where they stand, how far from the leader."""

from collections.abc import Mapping
from typing import Any

from django.template.loader import render_to_string

from evalsite.challenges.sketches import mark
from evalsite.challenges.ties import Ties
from evalsite.leaderboard.power import power_of

PLACES, DISTANCE = "places", "distance"


class OwnOnBoard:
    """Fills the sketch of a board, of which `context` is the template's, made for an onlooker."""

    def __init__(self, context: dict[str, Any]) -> None:
        self._context = context
        self._of_others = {_row(number): str(line) for number, line in enumerate(context["lines"])}
        self._teams = {row.entry["team"] for row in context["rows"] if row.is_of_team}
        self._ranked = {row.entry["team"]: row for row in context["rows"] if not row.reference}

    @property
    def marks(self) -> dict[str, Any]:
        """For the template, in place of what they stand for."""
        return {
            "lines": [mark(name) for name in self._of_others],
            "marked_places": mark(PLACES),
            "marked_distance": mark(DISTANCE),
        }

    def __call__(self, ties: Ties) -> Mapping[str, str]:
        teams = ties.teams
        if self._teams.isdisjoint(teams):
            return self._of_others
        own = [row.as_of(teams) for team, row in self._ranked.items() if team in teams]
        shown = self._context
        lines = shown["table"].own_lines(teams, shown["signs"])
        power = power_of(shown["edition"], shown["scenario"].unit, teams)
        return {
            **self._of_others,
            **{_row(number): str(line) for number, line in lines.items()},
            PLACES: render_to_string("leaderboard/_own_places.html", {"own": own}),
            DISTANCE: render_to_string(
                "leaderboard/_own_distance.html",
                {"own": power and power.own, "scale": shown["edition"].precision.roughly(shown["scale"])},
            ),
        }


def _row(number: int) -> str:
    return f"row {number}"
