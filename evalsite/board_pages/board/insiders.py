"""Counts who could read the hidden gold of a board, from the list of organisers and the log, and marks their entries.

Whoever was on the list since the first gold came could read it, in every role, and so can the site's administrators. A
person who has left is known by the log.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalsite.accounts.models import Membership
from evalsite.board_pages.board.rows import Row
from evalsite.challenges.models import Event, Gold, Organiser, Phase


@dataclass(frozen=True)
class Insiders:
    n: int
    n_entered: int  # of them, how many have an entry on the board


def find_insiders(phase: Phase, rows: Sequence[Row]) -> Insiders | None:
    """Return how many people could read the gold, and mark the rows of their teams where teams are named.

    It is None once everybody may read the gold.
    """
    if phase.gold_released or not rows:
        return None
    people = Organiser.objects.filter(task=phase.task_id, user__is_active=True).order_by().values_list("user")
    first = Gold.objects.filter(phase=phase).order_by("created").values("created")[:1]
    gone = Event.objects.filter(task=phase.task_id, kind__in=("organiser left", "organiser removed"))
    could = people.union(gone.filter(created__gte=first).order_by().values_list("subject"))
    users = {user for (user,) in could}
    shown = {row.entry["team"] for row in rows if row.is_of_team}
    members = list(_teams_of(users, shown))
    if rows[0].context.visibility.shows_names:
        rows[0].context.insiders.update(team for _, team in members)
    return Insiders(len(users), len({user for user, _ in members}))


def _teams_of(people: Iterable[object], shown: set[str]) -> Iterable[tuple[object, str]]:
    memberships = Membership.objects.filter(user__in=list(people)).values_list("user", "team")
    return ((user, str(team)) for user, team in memberships if str(team) in shown)
