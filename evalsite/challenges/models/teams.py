"""Teams of a task, and their numbers."""

from django.db import models
from django.utils.translation import gettext, gettext_lazy

from evalsite.accounts.fields import LineField
from evalsite.accounts.models import Team
from evalsite.base.fields import CountField, MomentField
from evalsite.challenges.models.phases import Phase
from evalsite.challenges.models.tasks import Task


class Participation(models.Model):
    """A team that has entered a task; teams are numbered in the order of their first uploads.

    takes part → banned       ban: it uploads nothing, and its runs are withdrawn
    banned     → takes part   bring back: the runs that the ban withdrew are restored

    With `unranked_reason` its runs stay on all boards of the task, outside the ranks.
    """

    task = models.ForeignKey(
        Task, verbose_name=gettext_lazy("task"), on_delete=models.CASCADE, related_name="participations"
    )
    team = models.ForeignKey(
        Team, verbose_name=gettext_lazy("team"), on_delete=models.CASCADE, related_name="participations"
    )
    number = CountField(gettext_lazy("number"))
    created = MomentField(gettext_lazy("created"), auto_now_add=True)
    banned = MomentField(
        gettext_lazy("banned"),
        null=True,
        editable=False,
        help_text=gettext_lazy("Since when the team uploads nothing and stands on no board; empty: it takes part."),
    )
    ban_reason = LineField(
        gettext_lazy("reason of the ban"),
        max_length=500,
        blank=True,
        default="",
        db_default="",  # for programs of the version before, while a site is upgraded
        editable=False,
        help_text=gettext_lazy("The team reads it."),
    )
    unranked_reason = LineField(
        gettext_lazy("reason of being shown without a rank"),
        max_length=200,
        blank=True,
        default="",
        db_default="",  # for programs of the version before, while a site is upgraded
        editable=False,
        help_text=gettext_lazy("Boards show it; empty: the team is ranked."),
    )

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("participation"), gettext_lazy("participations")
        constraints = (
            models.UniqueConstraint(fields=("task", "team"), name="one_participation_per_team"),
            models.UniqueConstraint(fields=("task", "number"), name="participation_number_in_task"),
        )

    def __str__(self) -> str:
        return gettext("%(team)s in %(task)s") % {"team": self.team, "task": self.task}


class FormerParticipation(models.Model):
    """Names a team whose runs of a task went over into another team, as earlier boards do.

    On such a board, `former` is the key of the row's team. The team itself may be deleted, renamed, or enter the task
    anew, under another number.
    """

    task = models.ForeignKey(Task, on_delete=models.CASCADE, related_name="former_participations")
    former = models.UUIDField()
    name = LineField(max_length=100)
    number = CountField()
    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="former_participations")
    is_merged = models.BooleanField(
        gettext_lazy("merged"),
        default=False,
        db_default=False,  # for programs of the version before, while a site is upgraded
        help_text=gettext_lazy("By the organisers: the former team does not enter the task again."),
    )
    created = MomentField(auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("former participation"), gettext_lazy("former participations")
        constraints = (models.UniqueConstraint(fields=("task", "number"), name="former_number_in_task"),)

    def __str__(self) -> str:
        words = gettext("%(name)s, now %(team)s, in %(task)s")
        return words % {"name": self.name, "team": self.team, "task": self.task}


class TeamNumber(models.Model):
    """The number of a team in a phase whose boards do not name it: Team 4817.

    It is drawn with a key (evalsite.challenges.taking_part.teams), so that nobody finds the team by it, or by its
    number elsewhere.
    It stays when the team is merged into another one, since earlier boards show it.
    """

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="team_numbers")
    team = models.UUIDField(help_text=gettext_lazy("Key of a team, which may be there no more."))
    number = CountField()

    class Meta:
        verbose_name, verbose_name_plural = gettext_lazy("number of a team"), gettext_lazy("numbers of teams")
        constraints = (
            models.UniqueConstraint(fields=("phase", "team"), name="one_number_of_team_in_phase"),
            models.UniqueConstraint(fields=("phase", "number"), name="team_number_in_phase"),
        )

    def __str__(self) -> str:
        return gettext("Team %(number)s in %(phase)s") % {"number": self.number, "phase": self.phase}
