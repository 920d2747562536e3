"""The numbers by which boards without names call the teams of a phase."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from django.db import transaction
from django.utils.crypto import salted_hmac

from evalsite.challenges.models import Phase, TeamNumber
from evalsite.challenges.revisions import raise_news

FEWEST, MOST = 1000, 9999  # of the first numbers that are tried
TRIES = 20  # of numbers of one length


def number_teams(phase: Phase, teams: Iterable[UUID]) -> None:
    """Give those teams a number that have none yet in the phase."""
    wanted = set(teams)
    if wanted <= set(TeamNumber.objects.filter(phase=phase).values_list("team", flat=True)):
        return
    with transaction.atomic():
        Phase.objects.select_for_update().get(pk=phase.pk)
        known = dict(TeamNumber.objects.filter(phase=phase).values_list("team", "number"))
        taken = set(known.values())
        new = []
        for team in wanted - known.keys():
            number = next(each for each in drawn(phase.pk, team) if each not in taken)
            taken.add(number)
            new.append(TeamNumber(phase=phase, team=team, number=number))
        TeamNumber.objects.bulk_create(new)
        raise_news([phase.task_id])


def drawn(phase: UUID, team: UUID) -> Iterator[int]:
    """Numbers that follow from phase, team and the site's key alone, longer ones where the short ones are taken."""
    attempt = 0
    while True:
        drawn = int(
            salted_hmac("evalsite.team-number", f"{phase} {team} {attempt}", algorithm="sha256").hexdigest(), 16
        )
        longer = 10 ** (attempt // TRIES)
        yield FEWEST * longer + drawn % ((MOST - FEWEST + 1) * longer)
        attempt += 1
