"""Which of a task's participations are teams that compete: one whose runs are all references stands outside."""

from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from evalsite.challenges.models import Participation, Task


def with_competing(participations: QuerySet[Participation]) -> QuerySet[Participation]:
    """With `competes`, true or false."""
    return participations.annotate(competes=_competes())


def with_n_teams(tasks: QuerySet[Task]) -> QuerySet[Task]:
    """With `n_teams`: how many teams compete in each task."""
    of_task = Participation.objects.filter(_competes(), task=OuterRef("pk"))
    counted = of_task.order_by().values("task").annotate(n=Count("pk")).values("n")
    return tasks.annotate(n_teams=Coalesce(Subquery(counted, output_field=IntegerField()), 0))


def _competes() -> Q:
    """A team has a run to be ranked, or none at all yet."""
    own = Q(pk=OuterRef("pk"), team__submissions__phase__task=F("task"))
    ranked = Participation.objects.filter(own, team__submissions__reference="")
    return Q(Exists(ranked)) | ~Q(Exists(Participation.objects.filter(own)))
