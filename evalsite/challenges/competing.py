"""Which of a task's participations are teams that compete: one whose runs are all references stands outside."""

from django.apps import apps
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


def with_n_submissions(tasks: QuerySet[Task]) -> QuerySet[Task]:
    """With `n_submissions`, which an index counts."""
    submissions = apps.get_model("submissions", "Submission").objects.order_by()
    counted = submissions.filter(phase__task=OuterRef("pk")).values("phase__task").annotate(n=Count("*")).values("n")
    return tasks.annotate(n_submissions=Coalesce(Subquery(counted, output_field=IntegerField()), 0))


def _competes() -> Q:
    """A team has a run to be ranked, or none at all yet: not those that have references alone, which are few."""
    ranked = Participation.objects.filter(
        pk=OuterRef("pk"), team__submissions__phase__task=F("task"), team__submissions__reference=""
    )
    referenced = Participation.objects.filter(
        team__submissions__phase__task=F("task"), team__submissions__reference__in=_REFERENCES
    )
    return ~Q(pk__in=referenced.filter(~Exists(ranked)).values("pk"))


_REFERENCES = ("baseline", "human")  # kinds of submissions, which the app above this one names
