"""Teams of a task: how they enter it, are counted and numbered, and the organisers' house team."""

from collections.abc import Iterable, Iterator
from uuid import UUID

from django.apps import apps
from django.db import transaction
from django.db.models import Count, IntegerField, Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from evalsite.accounts.models import HOUSE_NAME, Team
from evalsite.accounts.services import called_like
from evalsite.challenges.models import FormerParticipation, Participation, Phase, Task, TeamNumber
from evalsite.challenges.revisions import raise_news


class NameTaken(Exception):
    """Another team of the task has the same name, as people compare names; the team must be renamed to enter."""

    def __init__(self, namesake: Team) -> None:
        super().__init__(gettext("Another team of this task is called %(team)s.") % {"team": namesake})


class Merged(NameTaken):
    """The organisers have merged the team into another one, which has entered."""

    def __init__(self, team: Team, now: Team) -> None:
        Exception.__init__(self, merged_in_words(team, now))


def merged_in_words(team: Team, now: Team) -> str:
    words = gettext("The organisers have merged %(team)s into %(now)s. Upload for %(now)s.")
    return words % {"team": team, "now": now}


def namesake(task: Task, team: Team) -> Team | None:
    """Return another team that has entered the task under this team's name; a team that is in it has none."""
    others = Team.objects.filter(called_like(team.name), participations__task=task).exclude(pk=team.pk)
    return others.first()


def participate(task: Task, team: Team) -> Participation:
    """Enter the team into the task, inside a transaction; raise NameTaken."""
    entered = Participation.objects.filter(task=task, team=team).first()
    if entered:
        return entered
    # A lock that spares the key, or every new row that refers to the task would have to wait.
    Task.objects.select_for_update(no_key=True).get(pk=task.pk)
    if now := merged_into(task, team):
        raise Merged(team, now)
    if other := namesake(task, team):
        raise NameTaken(other)
    numbers = (task.participations, task.former_participations)
    latest = max(teams.aggregate(latest=Max("number"))["latest"] or 0 for teams in numbers)
    return Participation.objects.create(task=task, team=team, number=latest + 1)


def merged_into(task: Task, team: Team) -> Team | None:
    """Return the team that the organisers have made one with this one, and for which its members upload since."""
    merged = FormerParticipation.objects.filter(task=task, former=team.pk, is_merged=True)
    row = merged.select_related("team").first()
    return row.team if row else None


def hand_participation_over(task: Task, former: Team, team: Team) -> None:
    """Replace a team of the task by `team`, into which it was merged, inside a transaction."""
    entered = Participation.objects.filter(task=task, team=former).first()
    if entered is None:
        return
    FormerParticipation.objects.filter(task=task, team=former).update(team=team)
    FormerParticipation.objects.create(
        task=task, former=former.pk, name=former.name, number=entered.number, team=team, is_merged=True
    )
    entered.delete()


def with_n_teams(tasks: QuerySet[Task]) -> QuerySet[Task]:
    """Annotate tasks with `n_teams`, the number of teams that have entered."""
    of_task = Participation.objects.filter(task=OuterRef("pk"))
    counted = of_task.order_by().values("task").annotate(n=Count("pk")).values("n")
    return tasks.annotate(n_teams=Coalesce(Subquery(counted, output_field=IntegerField()), 0))


def with_n_submissions(tasks: QuerySet[Task]) -> QuerySet[Task]:
    """Annotate tasks with `n_submissions`, which an index counts."""
    submissions = apps.get_model("submissions", "Submission").objects.order_by()
    counted = submissions.filter(phase__task=OuterRef("pk")).values("phase__task").annotate(n=Count("*")).values("n")
    return tasks.annotate(n_submissions=Coalesce(Subquery(counted, output_field=IntegerField()), 0))


def has_uploads_of_teams(task: Task) -> bool:
    """Return whether a team has uploaded a run, even if the organisers have made it their baseline since."""
    submissions = apps.get_model("submissions", "Submission").objects
    of_others = submissions.filter(phase__task=task).exclude(team=task.house_id).exists()
    return of_others or task.events.filter(kind="reference set", detail__changed__has_key="team").exists()


def house_team_of(task: Task) -> Team:
    """Return the team of the organisers' baselines, human runs and trials, made when it is first needed.

    Nobody is a member, and no task lists it among its teams.
    """
    with transaction.atomic():
        locked = Task.objects.select_for_update(of=("self",), no_key=True).select_related("house").get(pk=task.pk)
        if locked.house is None:
            locked.house = Team.objects.create(name=HOUSE_NAME)
            locked.save(update_fields=["house"])
        return locked.house


LOWEST_NUMBER, HIGHEST_NUMBER = 1000, 9999  # of the first numbers that are tried
TRIES = 20  # of numbers of one length


def number_teams(phase: Phase, teams: Iterable[UUID]) -> None:
    """Give a number to the teams that have none yet in the phase."""
    wanted = set(teams)
    if wanted <= set(TeamNumber.objects.filter(phase=phase).values_list("team", flat=True)):
        return
    with transaction.atomic():
        Phase.objects.select_for_update().get(pk=phase.pk)
        numbers = dict(TeamNumber.objects.filter(phase=phase).values_list("team", "number"))
        taken = set(numbers.values())
        new = []
        for team in wanted - numbers.keys():
            number = next(number for number in drawn_numbers(phase.pk, team) if number not in taken)
            taken.add(number)
            new.append(TeamNumber(phase=phase, team=team, number=number))
        TeamNumber.objects.bulk_create(new)
        raise_news([phase.task_id])


def drawn_numbers(phase: UUID, team: UUID) -> Iterator[int]:
    """Yield numbers that follow from phase, team and the site's key alone, longer ones if the short ones are taken."""
    attempt = 0
    while True:
        digest = salted_hmac("evalsite.team-number", f"{phase} {team} {attempt}", algorithm="sha256").hexdigest()
        longer = 10 ** (attempt // TRIES)
        yield LOWEST_NUMBER * longer + int(digest, 16) % ((HIGHEST_NUMBER - LOWEST_NUMBER + 1) * longer)
        attempt += 1
